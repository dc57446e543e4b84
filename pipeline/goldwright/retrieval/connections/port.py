"""What every connection does: a question in, what the retriever found out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from goldwright.retrieval.hit_order import Scored


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the id and the text of a query, and how many results are wanted at most."""

    query_id: str
    text: str
    limit: int


@dataclass(frozen=True, slots=True)
class RetrieverReply:
    """What a retriever found for one query.

    ``hits`` are ids with finite scores, each id once; only the order of scores has a meaning. The
    other fields are there where the retriever routes or answers by itself: how sure it is that it
    found enough (0..1), where the answer came from, and the answer. ``rises`` tells that the scores
    rose down the list as it came.
    """

    hits: Sequence[Scored]
    sufficiency_score: float | None = None
    source: str | None = None
    answer: str | None = None
    rises: bool = False


class Connection(Protocol):
    """A retriever that can be asked."""

    def ask(self, question: Question) -> RetrieverReply:
        """Ask one query.

        Raises:
            InputError: The reply is none.
            RetrieverError: The retriever is out of reach, died, or does not answer in time.
        """
        ...
