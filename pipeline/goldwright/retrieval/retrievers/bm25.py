"""The plain lexical baseline: BM25 over entities, at the defaults that Lucene ships and tuned to
nothing.
"""

import heapq
import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.port import Hit
from goldwright.retrieval.tokens import code_tokens
from goldwright.snapshot import Snapshot

K1: Final = 1.2
B: Final = 0.75


@dataclass(slots=True)
class Postings:
    """The documents that hold one term, by number, and what the term adds to the score of each."""

    numbers: "array[int]" = field(default_factory=lambda: array("L"))
    weights: "array[float]" = field(default_factory=lambda: array("d"))


class BM25Retriever:
    """An inverted index that holds each term's share of each document's score.

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
        postings: dict[str, Postings] = defaultdict(Postings)
        lengths = array("d")
        for number, document in enumerate(corpus):
            counts = Counter(code_tokens(document.text))
            self._ids.append(document.entity_id)
            lengths.append(counts.total())
            for term, count in counts.items():
                postings[term].numbers.append(number)
                postings[term].weights.append(count)
        _weigh(postings, lengths)
        self._postings: Mapping[str, Postings] = dict(postings)

    @classmethod
    def over(cls, snapshot: Snapshot) -> Self:
        """Index every function, method and class of a snapshot."""
        return cls(documents(snapshot))

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._ids)

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Give the best documents that share a term with the query, by falling score and rising id.

        Scores are above 0; a term that stands twice in the query counts twice.
        """
        scores: dict[int, float] = defaultdict(float)
        # In sorted order, so that equal documents add up to equal floats.
        for term, times in sorted(Counter(code_tokens(query)).items()):
            found = self._postings.get(term, Postings())
            for number, weight in zip(found.numbers, found.weights, strict=True):
                scores[number] += times * weight
        hits = (Hit(self._ids[number], score) for number, score in scores.items())
        return heapq.nsmallest(limit, hits, key=lambda hit: (-hit.score, hit.entity_id))


def _weigh(postings: Mapping[str, Postings], lengths: Sequence[float]) -> None:
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    damping = [K1 * (1 - B + B * length / mean) if mean else K1 for length in lengths]
    for one in postings.values():
        idf = math.log(1 + (len(lengths) - len(one.numbers) + 0.5) / (len(one.numbers) + 0.5))
        for place, (number, count) in enumerate(zip(one.numbers, one.weights, strict=True)):
            one.weights[place] = idf * count / (count + damping[number])
