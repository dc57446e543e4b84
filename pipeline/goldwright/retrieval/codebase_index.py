"""The index of one codebase that all arms of a comparison share: built once, asked by each."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from goldwright.errors import InputError
from goldwright.retrieval.embedders.port import Embedder
from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.fusions.port import ScoreList
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.retrieval.retrievers.dense import DenseRetriever
from goldwright.snapshot import Snapshot
from goldwright.snapshot.call_graph import CallGraph

ReportProgress = Callable[[str], None]


class CodebaseIndex:
    """The documents of a snapshot, their terms, and where there is an embedder their vectors.

    Attributes:
        documents: One for each function, method and class, in the order of paths and lines.
        bm25: The lexical index over them.
        dense: Their vectors; None without an embedder.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        embedder: Embedder | None = None,
        *,
        cache: Path | None = None,
        blank_docstrings: bool = False,
        report_progress: ReportProgress | None = None,
    ) -> None:
        """Index a snapshot.

        Args:
            snapshot: The codebase.
            embedder: Turns texts into vectors; None where no arm wants them.
            cache: Where vectors are kept, by text and embedder; without it they are made again.
            blank_docstrings: Whether code is indexed without its docstrings.
            report_progress: Receives how many documents are encoded.
        """
        self._snapshot = snapshot
        entity_documents = list(documents(snapshot, blank_docstrings=blank_docstrings))
        # Of two definitions of one name the first is the document; both lists need one order.
        self._places: dict[str, int] = {}
        self.documents: list[EntityDocument] = []
        for document in entity_documents:
            if document.entity_id not in self._places:
                self._places[document.entity_id] = len(self.documents)
                self.documents.append(document)
        self.bm25 = BM25Retriever(self.documents)
        self.dense: DenseRetriever | None = None
        if embedder is not None:
            self.dense = DenseRetriever.of_codebase(
                self.documents,
                embedder,
                codebase=snapshot.mirror.stem,
                cache=cache,
                report_progress=report_progress,
            )

    @property
    def ids(self) -> list[str]:
        """The ids of the documents, in the order of every list of scores."""
        return list(self._places)

    def document(self, entity_id: str) -> EntityDocument:
        """Give the document of an entity that is one."""
        return self.documents[self._places[entity_id]]

    def place_of(self, entity_id: str) -> int | None:
        """Find the place of a document; None for an entity that is no document."""
        return self._places.get(entity_id)

    @property
    def graph(self) -> CallGraph:
        """The calls between entities."""
        return self._snapshot.graph

    @cached_property
    def simple_names(self) -> Mapping[str, int]:
        """How many documents have each simple name."""
        counts: dict[str, int] = {}
        for document in self.documents:
            name = document.name
            counts[name] = counts.get(name, 0) + 1
        return counts

    def prepare(self, queries: Sequence[str]) -> None:
        """Encode queries that will be asked, where there is an embedder."""
        if self.dense is not None:
            self.dense.prepare(queries)

    def question(self, text: str) -> "IndexedQuestion":
        """Put one query to the index."""
        return IndexedQuestion(self, text)


class IndexedQuestion:
    """One query over one index; each list of scores is made once, however many arms read it."""

    def __init__(self, index: CodebaseIndex, text: str) -> None:
        self.index = index
        self.text = text

    @cached_property
    def lexical(self) -> ScoreList:
        """What BM25 found."""
        return ScoreList.of_positive(self.index.bm25.scores(self.text))

    @cached_property
    def dense(self) -> ScoreList:
        """The cosine of every document.

        Raises:
            InputError: The index was built without an embedder.
        """
        if self.index.dense is None:
            raise InputError("no embedder: the index holds no vectors")
        cosines = self.index.dense.cosines(self.text)
        return ScoreList.of_all(cosines.astype("float64"))
