"""What an embedder is: texts in, vectors out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns each text into a vector."""

    @property
    def name(self) -> str:
        """Identifies the vectors: embedders that would give any text another one differ in it.

        It holds a digest of the model's files, or of what the endpoint calls the model, for the
        store of vectors goes by it.
        """
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text, of any length above 0, as ``len(texts) x dimensions``.

        Raises:
            RetrieverError: The model is out of reach, or answers wrongly.
        """
        ...


class QueryEmbedder(Embedder, Protocol):
    """An embedder that was trained to read queries otherwise than documents."""

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each query, in the space of the documents."""
        ...


def encode_queries(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Encode queries in the way of the embedder: its own for queries where it has one."""
    own_way = getattr(embedder, "encode_queries", None)
    if own_way is None:
        return embedder.encode(texts)
    rows: Vectors = own_way(texts)
    return rows
