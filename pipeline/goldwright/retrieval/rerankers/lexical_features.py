"""A reranker without a model: which rare words of the query stand where in a document."""

import math
from collections.abc import Collection, Sequence
from typing import Final

from goldwright.retrieval.entity_documents import EntityDocument
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.retrieval.tokens import code_tokens

# What a covered word counts in the name of an entity, in that of its owner or file, and in its
# text. The order of the three is the point: the figures are not tuned to any dataset.
NAME_SHARE: Final = 3.0
PLACE_SHARE: Final = 1.0
TEXT_SHARE: Final = 2.0
# Code that tests other code repeats its words, and is seldom what a question is about.
TEST_FACTOR: Final = 0.8
_TEST_DIRECTORIES: Final = frozenset({"tests", "test", "testing"})


class LexicalFeatureReranker:
    """Adds up the share of a query's information that name, place and text of a document cover.

    Each distinct token of the query weighs its inverse document frequency. Unlike BM25 it counts
    how many of the words are there, and not how often.
    """

    name = "lexical"

    def __init__(self, bm25: BM25Retriever) -> None:
        """Take word frequencies from a lexical index over the same codebase."""
        self._bm25 = bm25

    def rerank(self, query: str, documents: Sequence[EntityDocument]) -> Sequence[float]:
        """Score documents in 0..6."""
        tokens = dict.fromkeys(code_tokens(query))
        rarity_of = {token: self._rarity(token) for token in tokens}
        total = sum(rarity_of.values())
        if not total:
            return [0.0] * len(documents)
        return [_score(rarity_of, document) / total for document in documents]

    def _rarity(self, token: str) -> float:
        commonness = self._bm25.commonness(token)
        # A word of the query that no document holds separates none of them.
        return -math.log(commonness) if commonness else 0.0


def _score(rarity_of: dict[str, float], document: EntityDocument) -> float:
    covered = NAME_SHARE * _covered(rarity_of, document.name)
    place = f"{document.owner} {document.path}"
    covered += PLACE_SHARE * _covered(rarity_of, place)
    covered += TEXT_SHARE * _covered(rarity_of, document.text)
    return covered * TEST_FACTOR if _is_test(document.path) else covered


def _covered(rarity_of: dict[str, float], text: str) -> float:
    tokens: Collection[str] = frozenset(code_tokens(text))
    return sum(rarity for token, rarity in rarity_of.items() if token in tokens)


def _is_test(path: str) -> bool:
    return not _TEST_DIRECTORIES.isdisjoint(path.split("/"))
