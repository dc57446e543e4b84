"""The lexical baseline: BM25 over entities, in which their names count more than their bodies."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.hit_order import top_hits
from goldwright.retrieval.port import Hit
from goldwright.retrieval.term_counts import Numbers, TermCounts, WeightedText, count_terms
from goldwright.retrieval.tokens import code_tokens
from goldwright.snapshot import Snapshot

# What reports and records call it: values of another version cannot be held against these. 1 had
# no stop words, and 2 counted every word of an entity alike.
VERSION: Final = 3
NAME: Final = f"bm25-{VERSION}"
# The defaults of Lucene.
K1: Final = 1.2
B: Final = 0.75

# Scores per column when the best ones are looked for: 30,000 entities stand in 468 columns.
_COLUMN_SIZE: Final = 64


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How many times a word counts that stands in the name of an entity; elsewhere it counts once.

    Attributes:
        name: In its simple name.
        owner: In the qualified name of the class or function around it.
        path: In its path.
    """

    name: int
    owner: int
    path: int


# Chosen on five codebases by the subjects of 1,706 commits and 1,500 first sentences of docstrings;
# decision 31 has the figures.
CHOSEN_WEIGHTS: Final = FieldWeights(name=16, owner=2, path=8)
NO_WEIGHTS: Final = FieldWeights(name=1, owner=1, path=1)


class BM25Retriever:
    """An inverted index with each term's share of each document's score.

    The score of a document d for a query q of terms t is

        sum over t in q of  ln(1 + (N - n_t + 0.5) / (n_t + 0.5)) * f / (f + k1 (1 - b + b |d| /
        mean |d|))

    with f the count of t in d, n_t the number of documents with t and N the number of all of them.
    A word counts as often as the part of the entity weighs in which it stands, in f and |d| alike.

    Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
    (2009); the idf without negative values and the form without (k1 + 1) are those of Lucene 8's
    BM25Similarity; the weights S. Robertson, H. Zaragoza and M. Taylor, "Simple BM25 Extension to
    Multiple Weighted Fields" (CIKM 2004).
    """

    def __init__(
        self, corpus: Iterable[EntityDocument], *, weights: FieldWeights = CHOSEN_WEIGHTS
    ) -> None:
        self._ids: list[str] = []
        self._weights = weights
        self._counts = count_terms(self._noting_ids(corpus))
        self._shares = _shares_of_scores(self._counts)

    @classmethod
    def over(
        cls,
        snapshot: Snapshot,
        *,
        blank_docstrings: bool = False,
        weights: FieldWeights = CHOSEN_WEIGHTS,
    ) -> Self:
        """Index every function, method and class of a snapshot, with its docstring or without."""
        return cls(documents(snapshot, blank_docstrings=blank_docstrings), weights=weights)

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._ids)

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the documents, in the order of ``scores``."""
        return self._ids

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Return the best documents that share a term with the query.

        They come by falling score and rising id. Scores are above 0; a term counts as often as the
        query contains it. A query of stop words alone finds nothing.
        """
        scores = self.scores(query)
        lowest = _lowest_of_best(scores, limit)
        numbers = np.flatnonzero(scores >= lowest) if lowest else np.flatnonzero(scores)
        best_scores = scores[numbers].tolist()
        best = zip(numbers.tolist(), best_scores, strict=True)
        hits = (Hit(self._ids[number], score) for number, score in best)
        return top_hits(hits, limit)

    def scores(self, query: str) -> Numbers:
        """Compute the score of every document, 0 for those that share no term with the query."""
        numbers: list[NDArray[np.integer]] = [np.zeros(0, np.int64)]
        shares = [np.zeros(0)]
        # In sorted order, so that equal documents add up to equal floats.
        query_counts = Counter(code_tokens(query))
        for term, query_count in sorted(query_counts.items()):
            entries = self._counts.entries(term)
            numbers.append(self._counts.documents[entries])
            shares.append(query_count * self._shares[entries])
        # It adds in the order of its input, and faster than one term after the other.
        all_numbers = np.concatenate(numbers)
        all_shares = np.concatenate(shares)
        scores = np.bincount(all_numbers, weights=all_shares, minlength=len(self))
        return scores.astype(np.float64, copy=False)

    def commonness(self, text: str) -> float:
        """Tell how common the tokens of a text are: the mean share of documents that hold each."""
        terms = list(dict.fromkeys(code_tokens(text)))
        if not terms or not self._ids:
            return 0.0
        document_count = sum(len(self._holders(term)) for term in terms)
        return document_count / (len(terms) * len(self))

    def __contains__(self, term: str) -> bool:
        """Whether any document holds a token."""
        return term in self._counts.number_of

    def holding_all(self, text: str) -> frozenset[str]:
        """Give the ids of the documents that hold every token of a text; none for no token."""
        terms = dict.fromkeys(code_tokens(text))
        if not terms:
            return frozenset()
        holders = [set(self._holders(term)) for term in terms]
        numbers = set.intersection(*holders)
        return frozenset(self._ids[number] for number in numbers)

    def _holders(self, term: str) -> Sequence[int]:
        """List the numbers of the documents that hold a term."""
        entries = self._counts.entries(term)
        numbers: list[int] = self._counts.documents[entries].tolist()
        return numbers

    def _noting_ids(self, corpus: Iterable[EntityDocument]) -> Iterator[Sequence[WeightedText]]:
        for document in corpus:
            self._ids.append(document.entity_id)
            yield weighted_texts(document, self._weights)


def weighted_texts(document: EntityDocument, weights: FieldWeights) -> Sequence[WeightedText]:
    """List the texts of a document with their weights.

    The whole text holds name, owner and path already, so these add what they weigh more.
    """
    return (
        (document.text, 1),
        (document.name, weights.name - 1),
        (document.owner, weights.owner - 1),
        (document.path, weights.path - 1),
    )


def _lowest_of_best(scores: Numbers, limit: int) -> float:
    """Give a score that at least ``limit`` documents reach, and few others; 0 where fewer do."""
    column_count = len(scores) // _COLUMN_SIZE
    if column_count > limit:
        # The best of each column are that many different documents, and far fewer to look through.
        table_size = column_count * _COLUMN_SIZE
        table = scores[:table_size].reshape(_COLUMN_SIZE, column_count)
        scores = table.max(axis=0)
    if len(scores) <= limit:
        return 0.0
    position = len(scores) - limit
    return float(np.partition(scores, position)[position])


def _shares_of_scores(counts: TermCounts) -> Numbers:
    """Compute what each entry adds to the score of its document."""
    documents_with = np.diff(counts.starts)
    # One logarithm for each number of documents, by the same function on every machine.
    distinct, number_of = np.unique(documents_with, return_inverse=True)
    total = len(counts.lengths)
    rarities = [_inverse_document_frequency(with_term, total) for with_term in distinct.tolist()]
    rarity_of_terms = np.array(rarities)[number_of]
    entry_rarities = np.repeat(rarity_of_terms, documents_with)
    dampings = _damping_by_document(counts.lengths)
    entry_dampings = dampings[counts.documents]
    return entry_rarities * counts.counts / (counts.counts + entry_dampings)


def _inverse_document_frequency(with_term: int, total: int) -> float:
    without_term = total - with_term
    odds = (without_term + 0.5) / (with_term + 0.5)
    return math.log(1 + odds)


def _damping_by_document(lengths: Numbers) -> Numbers:
    """Compute k1 (1 - b + b |d| / mean |d|) for each document."""
    total = float(lengths.sum())
    if not total:
        # No documents, or documents without any token.
        return np.full(len(lengths), K1)
    mean = total / len(lengths)
    return K1 * (1 - B + B * lengths / mean)
