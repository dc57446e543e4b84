"""An ONNX model with its tokenizer from a local folder: two light packages instead of torch."""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goldwright.errors import InputError
from goldwright.retrieval.embedders.model_files import check_pin
from goldwright.retrieval.embedders.port import Vectors
from goldwright.retrieval.retrievers.text_encoder import BATCH_SIZE

# Word pieces of a text that count: what the sentence transformers of this size were trained on.
LONGEST: Final = 256
_PLACES: Final = ("model.onnx", "onnx/model.onnx")
_PACKAGES: Final = ("onnxruntime", "tokenizers")


class OnnxFolder:
    """``model.onnx`` (or ``onnx/model.onnx``) and ``tokenizer.json`` of a folder.

    A text's vector is the mean of those of its word pieces, unless the model gives one per text
    (``sentence_embedding``, or an output with two axes).
    """

    def __init__(self, folder: Path, *, pin: str | None = None) -> None:
        """See that files and packages are there; the model is loaded for the first text.

        Raises:
            InputError: There is no such model, it is another one, or a package is missing.
        """
        possible_places = [folder / place for place in _PLACES]
        places = list(filter(Path.is_file, possible_places))
        if not places or not (folder / "tokenizer.json").is_file():
            raise InputError(f"{folder}: holds no ONNX model (model.onnx and tokenizer.json)")
        for package in _PACKAGES:
            if find_spec(package) is None:
                raise InputError(f"{folder}: needs {package}: pip install 'goldwright[onnx]'")
        self._folder = folder
        self._model_path = places[0]
        short_digest = check_pin(folder, pin)[:16]
        self.name = f"onnx:{folder.name}@{short_digest}"

    @cached_property
    def _session(self) -> Any:
        runtime: Any = import_module("onnxruntime")
        return runtime.InferenceSession(str(self._model_path), providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer: Any = import_module("tokenizers").Tokenizer
        loaded = tokenizer.from_file(str(self._folder / "tokenizer.json"))
        loaded.enable_truncation(LONGEST)
        loaded.enable_padding()
        return loaded

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Encode in batches, in the order of the texts."""
        starts = range(0, len(texts), BATCH_SIZE)
        batches = [self._encode_batch(texts[start : start + BATCH_SIZE]) for start in starts]
        return np.concatenate(batches)

    def _encode_batch(self, texts: Sequence[str]) -> Vectors:
        encodings = self._tokenizer.encode_batch(list(texts))
        ids = np.array([encoding.ids for encoding in encodings], np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], np.int64)
        offered = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(ids),
        }
        input_names = {put.name for put in self._session.get_inputs()}
        names = [output.name for output in self._session.get_outputs()]
        chosen = "sentence_embedding" if "sentence_embedding" in names else names[0]
        feed = {name: value for name, value in offered.items() if name in input_names}
        first_output = self._session.run([chosen], feed)[0]
        rows = np.asarray(first_output, np.float32)
        return rows if rows.ndim == 2 else _mean_of_pieces(rows, mask)


def _mean_of_pieces(rows: Vectors, mask: NDArray[np.int64]) -> Vectors:
    weights = mask[:, :, np.newaxis].astype(np.float32)
    sums = (rows * weights).sum(axis=1)
    totals = np.maximum(weights.sum(axis=1), 1)
    means: Vectors = sums / totals
    return means
