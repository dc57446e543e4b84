"""A hybrid that looks at what its first results call."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.retrieval.arms.hybrid import HybridArm
from goldwright.retrieval.arms.port import falling_hits
from goldwright.retrieval.codebase_index import IndexedQuestion
from goldwright.retrieval.port import Hit

# The results that are expanded, which keep their places; and the neighbours put behind them.
# Interleaved neighbours lower the first ranks (612 queries over click, requests and flask: MRR
# .338 against .365); behind rank 5 to 10 they add to recall and cost no first rank.
EXPANDED: Final = 5
ADDED: Final = 5


class CallGraphArm:
    """Puts the five likeliest callees of the first five results at ranks 6 to 10."""

    needs_model = True

    def __init__(self, first_stage: HybridArm, *, with_callers: bool = False) -> None:
        """Expand a hybrid by callees, and ``with_callers`` by callers as well."""
        self._first_stage = first_stage
        self._with_callers = with_callers

    def rank(self, question: IndexedQuestion, limit: int) -> Sequence[Hit]:
        """Rank by the hybrid, with the neighbours of its first results behind them."""
        hits = self._first_stage.rank(question, limit)
        ids = [hit.entity_id for hit in hits]
        first = ids[:EXPANDED]
        scores = self._first_stage.scores(question)
        neighbours: dict[str, float] = {}
        for entity_id in self._neighbours(question, first):
            place = question.index.place_of(entity_id)
            if place is not None and entity_id not in first:
                neighbours[entity_id] = float(scores[place])
        likeliest = sorted(neighbours, key=lambda entity_id: (-neighbours[entity_id], entity_id))
        added = likeliest[:ADDED]
        behind = [entity_id for entity_id in ids[EXPANDED:] if entity_id not in added]
        ranked_ids = [*first, *added, *behind]
        return falling_hits(ranked_ids[:limit])

    def _neighbours(self, question: IndexedQuestion, ids: Sequence[str]) -> Iterator[str]:
        graph = question.index.graph
        for entity_id in ids:
            for site in graph.callees(entity_id):
                yield site.entity_id
            if self._with_callers:
                for site in graph.callers(entity_id):
                    yield site.entity_id
