"""Why a retriever missed a document that is known to matter, and what helps against it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

# A document that shares fewer of the query's words than this share is found by chance alone.
_MOST_OF_ANOTHER_VOCABULARY: Final = 0.25


class FailureBucket(StrEnum):
    """Why a relevant document is not among the first."""

    VOCABULARY_MISMATCH = "vocabulary mismatch"
    SPECIFICITY_GAP = "specificity gap"
    DISTRACTOR_OVERLAP = "distractor overlap"


REMEDIES: Final[Mapping[FailureBucket, str]] = {
    FailureBucket.VOCABULARY_MISMATCH: "search by vectors besides words",
    FailureBucket.SPECIFICITY_GAP: "expand the query",
    FailureBucket.DISTRACTOR_OVERLAP: "rerank, or train with the distractors as negatives",
}

# Splits a text into the words by which it is found.
Tokenizer = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Failure:
    """A relevant document that a retriever missed.

    Attributes:
        query_id: The query.
        document_id: The document.
        bucket: Why, as far as words tell.
        rank: Where it stands in the ranking, from 1; None where it does not.
    """

    query_id: str
    document_id: str
    bucket: FailureBucket
    rank: int | None


@dataclass(frozen=True, slots=True)
class ProvenQuery:
    """A query, and what trials have shown of its candidates.

    Attributes:
        query_id: Its id.
        text: The query.
        relevant: By id, the texts of the documents that matter.
        irrelevant: By id, the texts of those that do not.
        sufficient_sets: Sets of documents, each enough by itself.
    """

    query_id: str
    text: str
    relevant: Mapping[str, str]
    irrelevant: Mapping[str, str]
    sufficient_sets: Sequence[Collection[str]] = ()

    def is_served(self, ranking: Sequence[str], cutoff: int) -> bool:
        """Check whether the first so many hold any sufficient set as a whole.

        Where no set is known, all relevant documents together are one.
        """
        first_documents = set(ranking[:cutoff])
        sets = self.sufficient_sets or (tuple(self.relevant),)
        return any(first_documents.issuperset(documents) for documents in sets)


def failures_of(
    query: ProvenQuery, ranking: Sequence[str], cutoff: int, tokens: Tokenizer
) -> list[Failure]:
    """Sort the relevant documents that are not among the first into buckets.

    A document whose words are not the query's is missed for its vocabulary. Of the others, one is
    missed for a distractor where a document that is known not to matter stands among the first
    and shares at least as many words with the query; else the query says too little of it. A query
    that is served already misses nothing: an alternative of what was found is not needed.

    Args:
        query: The query.
        ranking: Ids, best first.
        cutoff: How many count as found, at least 1.
        tokens: Splits texts into words.
    """
    if query.is_served(ranking, cutoff):
        return []
    first_documents = set(ranking[:cutoff])
    query_words = set(tokens(query.text))
    distractors = [
        text for document, text in query.irrelevant.items() if document in first_documents
    ]
    overlaps = [_overlap(query_words, text, tokens) for text in distractors]
    most_distracting = max(overlaps, default=0)
    failures = []
    for document, text in query.relevant.items():
        if document not in first_documents:
            overlap = _overlap(query_words, text, tokens)
            bucket = _bucket(overlap, len(query_words), most_distracting)
            rank = ranking.index(document) + 1 if document in ranking else None
            failures.append(Failure(query.query_id, document, bucket, rank))
    return failures


def _overlap(query_words: set[str], text: str, tokens: Tokenizer) -> int:
    return len(query_words & set(tokens(text)))


def _bucket(overlap: int, query_words: int, most_distracting: int) -> FailureBucket:
    if overlap <= _MOST_OF_ANOTHER_VOCABULARY * query_words:
        return FailureBucket.VOCABULARY_MISMATCH
    if most_distracting >= overlap:
        return FailureBucket.DISTRACTOR_OVERLAP
    return FailureBucket.SPECIFICITY_GAP
