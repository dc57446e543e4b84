"""What a judge sees of a document: its path, and the lines with most of the query's words."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.cells.corpus import SampledDocument
from goldwright.retrieval.tokens import code_tokens

# Lines that are shown: about a screen, and about what the windows of most chunkers hold.
LINES: Final = 40
# Characters; longer passages are cut, for a batch of a hundred has to fit into one request.
LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document by its words.

    Attributes:
        document: The document.
        line_terms: The terms of each line.
        terms: All of them.
        named_terms: Those of its path, and of what it defines.
        names: The simple names of what it defines.
    """

    document: SampledDocument
    line_terms: Sequence[frozenset[str]]
    terms: frozenset[str]
    named_terms: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines of a document, and the terms of a query that stand in them."""

    text: str
    terms: frozenset[str]


class DocumentReader:
    """Finds passages; each document is split into words once.

    Attributes:
        rarity: How much each term weighs: the logarithm of the share of documents without it.
    """

    def __init__(self, documents: Sequence[SampledDocument]) -> None:
        self._read = {document.path: _read(document) for document in documents}
        counts: Counter[str] = Counter()
        for excerpt in self._read.values():
            counts.update(excerpt.terms)
        total = len(documents)
        rarity = {term: math.log(1 + total / count) for term, count in counts.items()}
        self.rarity: Mapping[str, float] = rarity
        # A term of a query that no document holds is the rarest of all.
        self.highest_rarity = math.log(1 + total)

    def read(self, path: str) -> ReadDocument:
        """Give a document by its words."""
        return self._read[path]

    def weigh(self, terms: frozenset[str]) -> float:
        """Sum the rarity of terms, in the order of their names."""
        return math.fsum(self.rarity.get(term, self.highest_rarity) for term in sorted(terms))

    def passage(self, query: frozenset[str], path: str) -> Passage:
        """Find the lines that hold most of a query; of equal ones the first.

        Cells cut documents in different places, so what is shown owes nothing to any of them.
        """
        excerpt = self._read[path]
        lines = excerpt.document.source.lines
        starts = [place for place, terms in enumerate(excerpt.line_terms) if terms & query]
        best_start = 0
        best_terms = frozenset[str]()
        best_weight = -1.0
        for start in starts:
            window = excerpt.line_terms[start : start + LINES]
            terms = query & frozenset().union(*window)
            weight = self.weigh(terms)
            if weight > best_weight:
                best_start, best_terms, best_weight = start, terms, weight
        # A few lines before the first word say what it is about.
        first = max(0, best_start - 3)
        shown = "\n".join(lines[first : best_start + LINES])
        text = f"{path}\n{shown}"
        return Passage(text[:LONGEST], best_terms)


def query_terms(text: str) -> frozenset[str]:
    """Give the terms of a query."""
    return frozenset(code_tokens(text))


def _read(document: SampledDocument) -> ReadDocument:
    line_terms = [frozenset(code_tokens(line)) for line in document.source.lines]
    names = frozenset(entity.simple_name for entity in document.source.entities)
    head = " ".join((document.path, *sorted(names)))
    named_terms = frozenset(code_tokens(head))
    terms = named_terms.union(*line_terms)
    return ReadDocument(document, line_terms, terms, named_terms, names)
