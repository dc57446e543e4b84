"""What developers do without an index: search for words, and look first where most stand."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, Self

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.hit_order import top_hits
from goldwright.retrieval.port import Hit
from goldwright.snapshot import Snapshot

STOP_WORDS: Final = frozenset(
    """
    a an and are as at be by can code do does for from function get has have how i if in into is
    it its me method of on or show tell that the this to us use used want we what when where which
    who why will with you
    """.split()
)
_WORD: Final = re.compile(r"\w+")


class GrepRetriever:
    """Ranks entities by how many different words of the query their text contains.

    Case does not matter, and a word counts inside a longer one too, as with ``grep -i``. Stop words
    are ignored unless the query has no others. Among entities with as many words, those with more
    occurrences come first.
    """

    def __init__(self, corpus: Iterable[EntityDocument]) -> None:
        self._texts = [(document.entity_id, document.text.lower()) for document in corpus]

    @classmethod
    def over(cls, snapshot: Snapshot, *, blank_docstrings: bool = False) -> Self:
        """Search every function, method and class of a snapshot, with its docstring or without."""
        return cls(documents(snapshot, blank_docstrings=blank_docstrings))

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._texts)

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Return the best documents, by falling score and rising id.

        The score is words + occurrences / (1 + occurrences), where the fraction stays below 1.
        """
        words = {word.lower() for word in _WORD.findall(query)}
        searched_words = words - STOP_WORDS or words
        hits: list[Hit] = []
        for entity_id, text in self._texts:
            score = _score(text, searched_words)
            if score:
                hits.append(Hit(entity_id, score))
        return top_hits(hits, limit)


def _score(text: str, words: Iterable[str]) -> float:
    different_words = 0
    occurrences = 0
    for word in words:
        count = text.count(word)
        if count:
            different_words += 1
            occurrences += count
    return different_words + occurrences / (1 + occurrences)
