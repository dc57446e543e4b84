"""A sentence transformer: from a local folder, or the one that a registry package ships."""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from goldwright.errors import InputError
from goldwright.retrieval.embedders.model_files import check_pin
from goldwright.retrieval.embedders.port import Vectors
from goldwright.retrieval.retrievers.text_encoder import BATCH_SIZE


class SentenceTransformerFolder:
    """The model of a folder in the layout of sentence-transformers; nothing else is loaded."""

    def __init__(self, folder: Path, *, pin: str | None = None) -> None:
        """See that folder and package are there; the model is loaded for the first text.

        Args:
            folder: Holds ``config.json``, weights and tokenizer.
            pin: The beginning of the digest that its files must have; None to take any.

        Raises:
            InputError: There is no such model, it is another one, or the package is missing.
        """
        if not (folder / "config.json").is_file():
            raise InputError(f"{folder}: holds no model (no config.json)")
        if find_spec("sentence_transformers") is None:
            raise InputError(
                f"{folder}: needs sentence-transformers: pip install 'goldwright[dense]'"
            )
        self._folder = folder
        short_digest = check_pin(folder, pin)[:16]
        self.name = f"{folder.name}@{short_digest}"

    @cached_property
    def _model(self) -> Any:
        import_module("transformers.utils.logging").disable_progress_bar()
        transformer: Any = import_module("sentence_transformers").SentenceTransformer
        # ``local_files_only`` makes a missing file an error instead of a download.
        return transformer(str(self._folder), device="cpu", local_files_only=True)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Encode in batches of texts of similar length, in single precision."""
        rows = self._model.encode(list(texts), batch_size=BATCH_SIZE, show_progress_bar=False)
        return np.asarray(rows, np.float32)
