"""The lexical baseline: BM25 over entities, with the default parameters of Lucene and no tuning."""

import heapq
import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.hit_order import top_hits
from goldwright.retrieval.port import Hit
from goldwright.retrieval.tokens import TOKENS_VERSION, code_tokens
from goldwright.snapshot import Snapshot

# What reports and records call it: values of another version cannot be held against these.
NAME: Final = f"bm25-{TOKENS_VERSION}"
K1: Final = 1.2
B: Final = 0.75


@dataclass(slots=True)
class Postings:
    """The documents that contain one term.

    Attributes:
        numbers: The numbers of these documents, rising.
        weights: What the term adds to the score of each; while an index is built, its count in
            each.
    """

    numbers: "array[int]" = field(default_factory=lambda: array("I"))
    weights: "array[float]" = field(default_factory=lambda: array("d"))


class BM25Retriever:
    """An inverted index with each term's share of each document's score.

    The score of a document d for a query q of terms t is

        sum over t in q of  ln(1 + (N - n_t + 0.5) / (n_t + 0.5)) * f / (f + k1 (1 - b + b |d| /
        mean |d|))

    with f the count of t in d, n_t the number of documents with t and N the number of all of them.

    Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
    (2009); the idf without negative values and the form without (k1 + 1) are those of Lucene 8's
    BM25Similarity.
    """

    def __init__(self, corpus: Iterable[EntityDocument]) -> None:
        self._ids: list[str] = []
        postings_of: defaultdict[str, Postings] = defaultdict(Postings)
        lengths = array("d")
        for number, document in enumerate(corpus):
            term_counts = Counter(code_tokens(document.text))
            self._ids.append(document.entity_id)
            lengths.append(term_counts.total())
            for term, count in term_counts.items():
                postings = postings_of[term]
                postings.numbers.append(number)
                postings.weights.append(count)
        _replace_counts_by_weights(postings_of.values(), lengths)
        self._postings_of: Mapping[str, Postings] = dict(postings_of)

    @classmethod
    def over(cls, snapshot: Snapshot, *, blank_docstrings: bool = False) -> Self:
        """Index every function, method and class of a snapshot, with its docstring or without."""
        return cls(documents(snapshot, blank_docstrings=blank_docstrings))

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._ids)

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Return the best documents that share a term with the query.

        They come by falling score and rising id. Scores are above 0; a term counts as often as the
        query contains it. A query of stop words alone finds nothing.
        """
        scores: defaultdict[int, float] = defaultdict(float)
        # In sorted order, so that equal documents add up to equal floats.
        query_counts = Counter(code_tokens(query))
        for term, query_count in sorted(query_counts.items()):
            postings = self._postings_of.get(term)
            if postings is None:
                continue
            for number, weight in zip(postings.numbers, postings.weights, strict=True):
                scores[number] += query_count * weight
        # Of the many documents that share a word, few come into question.
        lowest = min(heapq.nlargest(limit, scores.values()), default=0.0)
        hits = (Hit(self._ids[number], s) for number, s in scores.items() if s >= lowest)
        return top_hits(hits, limit)

    def commonness(self, text: str) -> float:
        """Tell how common the tokens of a text are: the mean share of documents that hold each."""
        terms = list(dict.fromkeys(code_tokens(text)))
        counts = [len(self._postings_of[term].numbers) for term in terms if term in self]
        return sum(counts) / (len(terms) * len(self)) if terms and self._ids else 0.0

    def __contains__(self, term: str) -> bool:
        """Whether any document holds a token."""
        return term in self._postings_of

    def holding_all(self, text: str) -> frozenset[str]:
        """Give the ids of the documents that hold every token of a text; none for no token."""
        numbers: set[int] | None = None
        for term in dict.fromkeys(code_tokens(text)):
            postings = self._postings_of.get(term)
            if postings is None:
                return frozenset()
            numbers = set(postings.numbers) if numbers is None else numbers & set(postings.numbers)
        return frozenset(self._ids[number] for number in numbers or ())


def _replace_counts_by_weights(all_postings: Iterable[Postings], lengths: Sequence[float]) -> None:
    """Turn counts into shares of scores, in place: an index holds millions of them."""
    damping = _damping_by_document(lengths)
    for postings in all_postings:
        with_term = len(postings.numbers)
        idf = _inverse_document_frequency(with_term, len(lengths))
        counts = zip(postings.numbers, postings.weights, strict=True)
        for index, (number, count) in enumerate(counts):
            postings.weights[index] = idf * count / (count + damping[number])


def _inverse_document_frequency(with_term: int, total: int) -> float:
    without_term = total - with_term
    odds = (without_term + 0.5) / (with_term + 0.5)
    return math.log(1 + odds)


def _damping_by_document(lengths: Sequence[float]) -> Sequence[float]:
    """Compute k1 (1 - b + b |d| / mean |d|) for each document."""
    total = sum(lengths)
    if not total:
        # No documents, or documents without any token.
        return [K1] * len(lengths)
    mean = total / len(lengths)
    return [K1 * (1 - B + B * length / mean) for length in lengths]
