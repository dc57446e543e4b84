"""What a developer does without any index: search for the words, and look first where most of them
stand.
"""

import re
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from typing import Final, Self

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.port import Hit
from goldwright.snapshot import Snapshot

_WORD: Final = re.compile(r"\w+")
COMMON: Final = frozenset(
    "a an and are as at be by can code do does for from function get has have how i if in into is it its me method of "
    "on or show tell that the this to us use used want we what when where which who why will with you".split()
)


class GrepRetriever:
    """Ranks entities by how many different words of the query stand in their text, whatever the
    case.

    A word counts where it stands inside a longer one, as ``grep -i`` finds it; words as common as
    "the" are left out where others remain. Ties are told by the number of places.
    """

    def __init__(self, corpus: Iterable[EntityDocument]) -> None:
        self._texts = [(one.entity_id, one.text.lower()) for one in corpus]

    @classmethod
    def over(cls, snapshot: Snapshot) -> Self:
        """Search every function, method and class of a snapshot."""
        return cls(documents(snapshot))

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Give the best documents, by falling score and rising id; the score is words + places / (1
        + places).
        """
        words = {word.lower() for word in _WORD.findall(query)}
        words = words - COMMON or words
        hits = (Hit(name, score) for name, text in self._texts if (score := _score(text, words)))
        return nsmallest(limit, hits, key=lambda hit: (-hit.score, hit.entity_id))


def _score(text: str, words: Iterable[str]) -> float:
    counts = [count for word in words if (count := text.count(word))]
    places = sum(counts)
    return len(counts) + places / (1 + places) if counts else 0.0
