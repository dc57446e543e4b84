"""Judges that are rules: they compare words, and understand nothing.

They stand in where no model may be asked. What they cannot know is written beside every result.
"""

from typing import Final

from goldwright.cells.excerpts import DocumentReader, query_terms
from goldwright.snapshot.identifiers import is_code_shaped

FIRST_RULE: Final = "rule:words-1"
SECOND_RULE: Final = "rule:trigrams-1"

RULE_TEXT: Final = """\
# The offline judge, rule:words-1

No model is asked. A query's terms weigh by how few documents hold them; stop words weigh nothing.
The passage is the run of 40 lines that holds most of that weight.

- 3: the document defines a name that the query writes as code does, and the passage holds half of
  the weight; or the passage holds nine tenths of it.
- 2: the passage, with the path and the names of what is defined, holds two thirds.
- 1: two fifths.
- 0: less.

The second judge, rule:trigrams-1, compares runs of three letters of the same words with the same
passage (all but a fiftieth, a tenth, a quarter), so that `parsing` and `parser` nearly agree.

What it cannot know: paraphrase, negation, whether code does what its words say, and which of two
documents with the same words is meant. It favours searches by words over those by meaning.
"""

# Shares of the weight for 3, 2 and 1; round numbers, set once and not fitted to any corpus.
_WORD_SHARES: Final = (0.9, 2 / 3, 0.4)
_NAMED_SHARE: Final = 0.5
_TRIGRAM_SHARES: Final = (0.98, 0.9, 0.75)
_RUN: Final = 3


class WordRule:
    """Grades by the weight of a query's terms in the best passage, and by names that it defines."""

    name = FIRST_RULE

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader

    def grade(self, query: str, path: str) -> int:
        """Grade a document, from 0 to 3."""
        terms = query_terms(query)
        weight = self._reader.weigh(terms)
        if not weight:
            return 0
        document = self._reader.read(path)
        passage = self._reader.passage(terms, path)
        share = self._reader.weigh(passage.terms) / weight
        words = {word.strip("`'\"().,:;?!") for word in query.split()}
        parts = {part for word in words for part in word.split(".")}
        names = {part for part in parts if is_code_shaped(part)}
        if names & document.names and share >= _NAMED_SHARE:
            return 3
        if share >= _WORD_SHARES[0]:
            return 3
        named_terms = terms & document.named_terms
        share_with_names = self._reader.weigh(passage.terms | named_terms) / weight
        return min(2, _grade(share_with_names, _WORD_SHARES))


class TrigramRule:
    """Grades by the runs of three letters that query and passage have in common."""

    name = SECOND_RULE

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader

    def grade(self, query: str, path: str) -> int:
        """Grade a document, from 0 to 3."""
        terms = query_terms(query)
        runs = _runs(terms)
        if not runs:
            return 0
        passage = self._reader.passage(terms, path)
        shared = runs & _runs(query_terms(passage.text))
        return _grade(len(shared) / len(runs), _TRIGRAM_SHARES)


def _grade(share: float, shares: tuple[float, float, float]) -> int:
    return sum(share >= smallest for smallest in shares)


def _runs(terms: frozenset[str]) -> frozenset[str]:
    """Give the runs of three letters of each term, with its start and end marked."""
    runs: set[str] = set()
    for term in terms:
        marked = f"^{term}$"
        starts = range(len(marked) - _RUN + 1)
        runs.update(marked[start : start + _RUN] for start in starts)
    return frozenset(runs)
