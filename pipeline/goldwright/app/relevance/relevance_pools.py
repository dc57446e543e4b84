"""The pools of documents of tasks: those believed to matter, those a search brings, and others."""

from dataclasses import dataclass
from random import Random

from goldwright.errors import InputError
from goldwright.relevance.contexts import PoolDocument, build_pool
from goldwright.relevance.tasks import RelevanceTask
from goldwright.retrieval.entity_documents import documents
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.snapshot import Snapshot
from goldwright.text import name_some


@dataclass(frozen=True, slots=True)
class PoolSettings:
    """How many documents of each kind a pool has besides the seeded ones.

    Attributes:
        retrieved: Best ones of a lexical search with the task's query.
        random: Drawn from the whole codebase.
        longest: Most characters of a document; longer entities are cut.
    """

    # Seeded ones included, pools of 8 to 20 documents are those that the design was made for.
    retrieved: int = 5
    random: int = 6
    longest: int = 6000


class PoolMaker:
    """Makes the pools of tasks about one codebase."""

    def __init__(self, snapshot: Snapshot, settings: PoolSettings, *, seed: int) -> None:
        """Read every entity of the codebase."""
        self._settings = settings
        self._seed = seed
        self._index = lexical_index(snapshot)
        self._texts = {
            document.entity_id: document.text[: settings.longest]
            for document in documents(snapshot)
        }
        self._ids = sorted(self._texts)

    def pool_of(self, task: RelevanceTask) -> list[PoolDocument]:
        """Make the pool of a task: the same documents in the same order for the same seed.

        Raises:
            InputError: A seeded document is not in the codebase.
        """
        missing = [document_id for document_id in task.seeded if document_id not in self._texts]
        if missing:
            names = name_some(missing)
            raise InputError(f"task {task.id}: no entity of the codebase is {names}")
        chance = Random(f"{self._seed}:{task.id}")  # noqa: S311  # draws documents, no secret
        hits = self._index.search(task.query, limit=self._settings.retrieved)
        draw_count = min(self._settings.random, len(self._ids))
        drawn = chance.sample(self._ids, draw_count)
        seeded = [self._document(document_id, "seeded") for document_id in task.seeded]
        retrieved = [self._document(hit.entity_id, "retrieved") for hit in hits]
        random = [self._document(document_id, "random") for document_id in drawn]
        return build_pool(seeded, retrieved, random, seed=chance.getrandbits(32))

    def _document(self, document_id: str, origin: str) -> PoolDocument:
        return PoolDocument(document_id, self._texts[document_id], origin)
