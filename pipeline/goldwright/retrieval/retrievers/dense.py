"""Search by meaning: the cosine between a question and each entity, as an encoder sees them."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Self

import numpy as np

from goldwright.retrieval.embedders.port import Embedder, Vectors, encode_queries
from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.hit_order import rank_scores
from goldwright.retrieval.port import Hit
from goldwright.retrieval.retrievers.vector_cache import VectorCache, key_of
from goldwright.retrieval.vector_sets import DIRECTORY
from goldwright.snapshot import Snapshot

# Texts that are encoded and cached at a time: an interruption loses the work on this many.
CHUNK_SIZE: Final = 256

ReportProgress = Callable[[str], None]


class DenseRetriever:
    """Holds a normalised vector for each entity's name, path and source.

    The encoder decides how much of a long text counts. Vectors that the cache has are not computed
    again, and new ones are cached 256 at a time, so that an interrupted run continues where it was.
    """

    def __init__(
        self,
        corpus: Iterable[EntityDocument],
        encoder: Embedder,
        *,
        vector_cache: VectorCache | None = None,
        report_progress: ReportProgress | None = None,
    ) -> None:
        """Encode the documents; ``report_progress`` receives how many are encoded so far."""
        text_of = {document.entity_id: document.text for document in corpus}
        texts = list(text_of.values())
        vectors = _encode_all(texts, encoder, vector_cache, report_progress or _ignore)
        self._encoder = encoder
        self._ids = list(text_of)
        self._rows = _normalised(vectors)
        self._query_rows: dict[str, Vectors] = {}

    @classmethod
    def over(
        cls,
        snapshot: Snapshot,
        encoder: Embedder,
        *,
        cache: Path | None,
        blank_docstrings: bool = False,
        report_progress: ReportProgress | None = None,
    ) -> Self:
        """Encode every function, method and class of a snapshot, with its docstring or without.

        Vectors are kept in ``cache``, by the text that they were computed from.
        """
        corpus = documents(snapshot, blank_docstrings=blank_docstrings)
        return cls.of_codebase(
            corpus,
            encoder,
            codebase=snapshot.mirror.stem,
            cache=cache,
            report_progress=report_progress,
        )

    @classmethod
    def of_codebase(
        cls,
        corpus: Iterable[EntityDocument],
        encoder: Embedder,
        *,
        codebase: str,
        cache: Path | None,
        report_progress: ReportProgress | None = None,
    ) -> Self:
        """Encode documents of a codebase that is named by its mirror; ``cache`` as in ``over``."""
        vector_cache = None
        if cache:
            directory = cache / DIRECTORY
            vector_cache = VectorCache(directory, codebase=codebase, encoder=encoder.name)
        return cls(
            corpus,
            encoder,
            vector_cache=vector_cache,
            report_progress=report_progress,
        )

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._ids)

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Return the best documents by falling cosine, in -1..1, in the order of ``sort_hits``."""
        return rank_scores(self.scores(query), limit)

    def scores(self, query: str) -> dict[str, float]:
        """Compute the cosine of every document with the query, by id."""
        scores = map(float, self.cosines(query))
        return dict(zip(self._ids, scores, strict=True))

    def prepare(self, queries: Sequence[str]) -> None:
        """Encode queries that will be asked: many at once cost less than one after the other."""
        distinct_queries = dict.fromkeys(queries)
        new_queries = [query for query in distinct_queries if query not in self._query_rows]
        if new_queries and self._ids:
            rows = _normalised(encode_queries(self._encoder, new_queries))
            self._query_rows.update(zip(new_queries, rows, strict=True))

    def cosines(self, query: str) -> Vectors:
        """Compute the cosine of every document with the query, in the order of the documents."""
        if not self._ids:
            return np.zeros(0, np.float32)
        if query not in self._query_rows:
            self.prepare([query])
        query_row = self._query_rows[query]
        # Not ``@``: its last digits depend on the position of a row, so equal rows would not tie.
        cosines: Vectors = np.einsum("ij,j->i", self._rows, query_row)
        return cosines


def _encode_all(
    texts: Sequence[str],
    encoder: Embedder,
    vector_cache: VectorCache | None,
    report: ReportProgress,
) -> Vectors:
    """Return a row for each text, from the cache or from the encoder."""
    row_of = vector_cache.load() if vector_cache else {}
    if not texts:
        return np.zeros((0, 1), np.float32)
    keys = list(map(key_of, texts))
    text_of = dict(zip(keys, texts, strict=True))
    missing = [(key, text) for key, text in text_of.items() if key not in row_of]
    # Texts of similar length fill a batch with little padding.
    missing.sort(key=_text_length)
    for first in range(0, len(missing), CHUNK_SIZE):
        report(f"encoding {first} of {len(missing)} texts")
        chunk = missing[first : first + CHUNK_SIZE]
        chunk_keys, chunk_texts = zip(*chunk, strict=True)
        rows = encoder.encode(chunk_texts)
        encoded = dict(zip(chunk_keys, rows, strict=True))
        row_of.update(encoded)
        if vector_cache:
            vector_cache.add(encoded)
    return np.stack([row_of[key] for key in keys])


def _text_length(keyed_text: tuple[bytes, str]) -> int:
    _, text = keyed_text
    return len(text)


def _normalised(rows: Vectors) -> Vectors:
    """Scale each row to length 1; rows of zeros stay zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    zeros = np.zeros_like(rows, dtype=np.float32)
    scaled: Vectors = np.divide(rows, lengths, out=zeros, where=lengths > 0)
    return scaled


def _ignore(_text: str) -> None:
    """Report nothing."""
