"""Search by meaning: the cosine between a question and each entity, as an encoder sees them."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Self

import numpy as np

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.hit_order import sort_hits
from goldwright.retrieval.port import Hit
from goldwright.retrieval.retrievers.text_encoder import Encoder, Vectors
from goldwright.retrieval.retrievers.vector_cache import VectorCache, key_of
from goldwright.snapshot import Snapshot

CHUNK: Final = 256
Tell = Callable[[str], None]


class DenseRetriever:
    """Holds a normalised vector for each entity's name, path and source, cut where the encoder cuts
    it.

    Vectors that the shelf has are not made again; those that it has not are put there 256 at a
    time, so that what was interrupted goes on where it was.
    """

    def __init__(
        self,
        corpus: Iterable[EntityDocument],
        encoder: Encoder,
        *,
        shelf: VectorCache | None = None,
        tell: Tell | None = None,
    ) -> None:
        """Encode the documents; ``tell`` is told now and then how far it is."""
        texts = {one.entity_id: one.text for one in corpus}
        self._encoder = encoder
        self._ids = list(texts)
        self._rows = _normalised(_vectors(list(texts.values()), encoder, shelf, tell or _nothing))

    @classmethod
    def over(
        cls, snapshot: Snapshot, encoder: Encoder, *, cache: Path | None, tell: Tell | None = None
    ) -> Self:
        """Encode every function, method and class of a snapshot; vectors are kept below ``cache``."""
        shelf = (
            VectorCache(cache / "vectors", codebase=snapshot.mirror.stem, encoder=encoder.name)
            if cache
            else None
        )
        return cls(documents(snapshot), encoder, shelf=shelf, tell=tell)

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._ids)

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Give the best documents by falling cosine, in -1..1; those that differ by jitter alone by
        rising id.
        """
        scores = self.scores(query)
        return [Hit(name, scores[name]) for name in sort_hits(list(scores.items()))[:limit]]

    def scores(self, query: str) -> dict[str, float]:
        """The cosine of every document with the query, by id."""
        if not self._ids:
            return {}
        asked = _normalised(self._encoder.encode([query]))[0]
        # Not ``@``: its last digits depend on the place of a row, so that equal rows would not tie.
        cosines = np.einsum("ij,j->i", self._rows, asked)
        return dict(zip(self._ids, map(float, cosines), strict=True))


def _vectors(
    texts: Sequence[str], encoder: Encoder, shelf: VectorCache | None, tell: Tell
) -> Vectors:
    keys = [key_of(text) for text in texts]
    known = shelf.load() if shelf else {}
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    todo = sorted(
        missing, key=lambda key: len(missing[key])
    )  # texts of like length fill a batch without waste
    for first in range(0, len(todo), CHUNK):
        tell(f"encoding {first} of {len(todo)} entities")
        chunk = todo[first : first + CHUNK]
        fresh = dict(zip(chunk, encoder.encode([missing[key] for key in chunk]), strict=True))
        known.update(fresh)
        if shelf:
            shelf.add(fresh)
    return np.stack([known[key] for key in keys]) if keys else np.zeros((0, 1), np.float32)


def _normalised(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = np.divide(
        rows, lengths, out=np.zeros_like(rows, dtype=np.float32), where=lengths > 0
    )
    return scaled


def _nothing(_text: str) -> None:
    """Say nothing."""
