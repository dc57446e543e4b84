"""A lexical search of the trust card's own: BM25 over documents of terms."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import log, log2
from typing import Final

from goldwright.trust_card.prose.identifiers import split_identifier
from goldwright.trust_card.prose.words import STOP_WORDS

CUTOFF: Final = 10
# The usual parameters: how fast further occurrences count less, and how much length counts.
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.75
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Terms = Counter[str]


@dataclass(frozen=True, slots=True)
class _TermDocuments:
    """The documents with a term: their numbers, and how often they have it.

    A codebase of 11,000 files has millions of them; in tuples they would take ten times the memory.
    """

    numbers: "array[int]" = field(default_factory=lambda: array("I"))
    counts: "array[int]" = field(default_factory=lambda: array("I"))


_NO_POSTINGS: Final = _TermDocuments()


class LexicalIndex:
    """Documents by id, ranked for a query by Okapi BM25.

    Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
    FnTIR 3 (2009), 333-389; with the inverse document frequency of Lucene, which is never negative.
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._lengths: list[int] = []
        self._total_length = 0
        self._postings: dict[str, _TermDocuments] = {}
        # A figure ranks for the queries of all records, and the next figure does so again. The
        # ranks of all documents of a large codebase would take gigabytes for as many queries.
        self.ranks_among = lru_cache(maxsize=4096)(self._ranks_among)

    def add(self, document_id: str, terms: Terms) -> None:
        """Add a document, before the first query; an id may have several."""
        number = len(self._ids)
        length = terms.total()
        self._ids.append(document_id)
        self._lengths.append(length)
        self._total_length += length
        for term, count in terms.items():
            postings = self._postings.get(term)
            # Not ``setdefault``: it would make two arrays for every term of every document.
            if postings is None:
                postings = self._postings[term] = _TermDocuments()
            postings.numbers.append(number)
            postings.counts.append(count)

    def scores(self, query: str) -> dict[str, float]:
        """Score the documents that share a term with a query, by id.

        A name that is defined several times is one entity, with the best of its scores.
        """
        scores: dict[int, float] = {}
        # In one order, so that sums of floats are the same in every process.
        for term in sorted(set(search_terms(query))):
            postings = self._postings.get(term, _NO_POSTINGS)
            rarity = self._rarity(len(postings.numbers))
            for number, count in zip(postings.numbers, postings.counts, strict=True):
                gain = rarity * self._weight(count, self._lengths[number])
                scores[number] = scores.get(number, 0.0) + gain
        best_scores: dict[str, float] = {}
        for number, score in scores.items():
            document_id = self._ids[number]
            best_score = best_scores.get(document_id, 0.0)
            best_scores[document_id] = max(score, best_score)
        return best_scores

    def _ranks_among(self, query: str, document_ids: frozenset[str]) -> Mapping[str, int]:
        """Give the ranks of some of the documents that share a term with a query."""
        ranks = self.ranks(query)
        return {name: ranks[name] for name in sorted(document_ids) if name in ranks}

    def ranks(self, query: str) -> Mapping[str, int]:
        """Rank the documents that share a term with a query.

        Returns:
            The place of each document by id, from 1; of equal scores the smaller id comes first.
        """
        scores = self.scores(query)
        by_id = sorted(scores)
        ordered = sorted(by_id, key=scores.__getitem__, reverse=True)
        return {document_id: place for place, document_id in enumerate(ordered, start=1)}

    def _rarity(self, documents_with_term: int) -> float:
        documents_without = len(self._ids) - documents_with_term
        odds = (documents_without + 0.5) / (documents_with_term + 0.5)
        return log(1 + odds)

    def _weight(self, count: int, length: int) -> float:
        mean_length = self._total_length / len(self._ids)
        penalty = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / mean_length
        return count * (_SATURATION + 1) / (count + _SATURATION * penalty)


def search_terms(text: str) -> Iterator[str]:
    """The terms of a text: the words of its identifiers, in lower case, without stop words."""
    for identifier in _IDENTIFIER.findall(text):
        for term in split_identifier(identifier):
            if len(term) > 1 and term not in STOP_WORDS:
                yield term


def ndcg(ranks: Iterable[int], relevant_count: int) -> float:
    """Normalised discounted cumulative gain at 10 of results that are relevant or not.

    Args:
        ranks: The places of the relevant results, from 1.
        relevant_count: How many relevant results there are in all.
    """
    if not relevant_count:
        return 0.0
    gain = sum(_discount(rank) for rank in ranks if rank <= CUTOFF)
    best_ranks = range(1, min(relevant_count, CUTOFF) + 1)
    return gain / sum(map(_discount, best_ranks))


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)
