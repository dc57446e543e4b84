"""Ranking documents by their best chunk: one index a chunker, whatever searches it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

from goldwright.cells.cell_names import RetrievalCell
from goldwright.cells.corpus import SampledDocument
from goldwright.cells.records import CellQuery, CellRanking
from goldwright.retrieval.chunkers.catalog import find_chunker
from goldwright.retrieval.embedders.port import Embedder
from goldwright.retrieval.entity_documents import EntityDocument
from goldwright.retrieval.fusions.agreement import trust
from goldwright.retrieval.fusions.port import ScoreList
from goldwright.retrieval.fusions.z_scores import add_z_scores
from goldwright.retrieval.retrievers.bm25 import NO_WEIGHTS, BM25Retriever
from goldwright.retrieval.retrievers.dense import DenseRetriever

# Documents of a ranking that are written down: more than are pooled or measured.
LONGEST_RANKING: Final = 100
# Beside a word of plain text, each chunk bears its path and title, for all cells alike.
_HEAD: Final = "{path}\n{title}\n{text}"


class ChunkIndex:
    """The chunks of a sample by one chunker, and the words in them."""

    def __init__(self, documents: Sequence[SampledDocument], chunker: str) -> None:
        cut = find_chunker(chunker).chunk
        chunks = [chunk for document in documents for chunk in cut(document.source)]
        self.paths = [chunk.path for chunk in chunks]
        self.documents: list[EntityDocument] = []
        for chunk in chunks:
            text = _HEAD.format(path=chunk.path, title=chunk.title, text=chunk.text)
            self.documents.append(EntityDocument(chunk.chunk_id, text))

    @cached_property
    def words(self) -> BM25Retriever:
        """The lexical index."""
        return BM25Retriever(self.documents, weights=NO_WEIGHTS)


@dataclass(frozen=True, slots=True)
class VectorPlace:
    """Where vectors are kept: a cache, and the name of the source in it."""

    cache: Path | None
    source: str


def rank_cell(
    cell: RetrievalCell,
    index: ChunkIndex,
    queries: Sequence[CellQuery],
    embedder: Embedder | None,
    place: VectorPlace,
    report_progress: Callable[[str], None],
) -> CellRanking:
    """Rank the documents of a sample for every query.

    Raises:
        RetrieverError: The model is out of reach.
    """
    scores_of = _lexical(index)
    if embedder is not None:
        dense = DenseRetriever.of_codebase(
            index.documents,
            embedder,
            codebase=place.source,
            cache=place.cache,
            report_progress=report_progress,
        )
        dense.prepare([query.text for query in queries])
        scores_of = _vectors(dense) if cell.search == "vectors" else _hybrid(index, dense)
    ranked = {query.query_id: _best(index.paths, scores_of(query.text)) for query in queries}
    vectors = "" if embedder is None else embedder.name
    return CellRanking(
        cell=cell.name,
        vectors=vectors,
        chunks=len(index.paths),
        ranked=ranked,
    )


def rank_documents(paths: Sequence[str], scores: Sequence[float]) -> tuple[str, ...]:
    """Rank documents by the best score of their chunks; equal ones by path."""
    best: dict[str, float] = {}
    for path, score in zip(paths, scores, strict=True):
        if path not in best or score > best[path]:
            best[path] = score
    # Rounded: chunks of equal text may differ in the last digits of their scores.
    ordered = sorted(best, key=lambda path: (-round(best[path], 9), path))
    return tuple(islice(ordered, LONGEST_RANKING))


ScoreChunks = Callable[[str], ScoreList]


def _best(paths: Sequence[str], listed: ScoreList) -> tuple[str, ...]:
    """Rank what a search hit at all."""
    scored = zip(paths, listed.scores.tolist(), listed.is_hit.tolist(), strict=True)
    hits = [(path, score) for path, score, is_hit in scored if is_hit]
    hit_paths = [path for path, _ in hits]
    hit_scores = [score for _, score in hits]
    return rank_documents(hit_paths, hit_scores)


def _lexical(index: ChunkIndex) -> ScoreChunks:
    return lambda text: ScoreList.of_positive(index.words.scores(text))


def _vectors(dense: DenseRetriever) -> ScoreChunks:
    return lambda text: ScoreList.of_all(dense.cosines(text).astype("float64"))


def _hybrid(index: ChunkIndex, dense: DenseRetriever) -> ScoreChunks:
    lexical, vectors = _lexical(index), _vectors(dense)

    def fuse(text: str) -> ScoreList:
        first, second = lexical(text), vectors(text)
        weights = (1.0, trust(first, second))
        return ScoreList.of_all(add_z_scores((first, second), weights))

    return fuse
