"""A cross-encoder from a local folder: one model that reads query and document together."""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from goldwright.errors import InputError
from goldwright.retrieval.embedders.model_files import folder_digest
from goldwright.retrieval.entity_documents import EntityDocument

# Pairs a batch, the default of sentence-transformers.
_BATCH_SIZE: Final = 32


class CrossEncoderReranker:
    """The model of a folder in the layout of sentence-transformers; nothing else is loaded."""

    def __init__(self, folder: Path) -> None:
        """See that folder and package are there; the model is loaded for the first query.

        Raises:
            InputError: There is no model in the folder, or the package is not installed.
        """
        if find_spec("sentence_transformers") is None:
            raise InputError(
                "a cross-encoder needs sentence-transformers: pip install 'goldwright[dense]'"
            )
        if not (folder / "config.json").is_file():
            raise InputError(f"{folder}: holds no model (no config.json)")
        self._folder = folder
        short_digest = folder_digest(folder)[:12]
        self.name = f"cross-encoder:{folder.name}@{short_digest}"

    @cached_property
    def _model(self) -> Any:
        cross_encoder: Any = import_module("sentence_transformers").CrossEncoder
        return cross_encoder(str(self._folder), device="cpu", local_files_only=True)

    def rerank(self, query: str, documents: Sequence[EntityDocument]) -> Sequence[float]:
        """Score each pair of query and text by the model."""
        pairs = [(query, document.text) for document in documents]
        if not pairs:
            return []
        scores = self._model.predict(pairs, batch_size=_BATCH_SIZE, show_progress_bar=False)
        return [float(score) for score in scores]
