"""What every connection does: it takes a question, and returns what the retriever found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from goldwright.retrieval.hit_order import ScoredId


@dataclass(frozen=True, slots=True)
class RetrieverQuery:
    """One query for a retriever.

    Attributes:
        query_id: The id of the query.
        text: Its text.
        limit: The most results to return, 1 or more.
    """

    query_id: str
    text: str
    limit: int

    def json_fields(self) -> dict[str, object]:
        """Return the fields that processes and servers are sent."""
        return {"query_id": self.query_id, "query": self.text, "limit": self.limit}


@dataclass(frozen=True, slots=True)
class RetrieverReply:
    """What a retriever found for one query.

    The optional fields are for retrievers that route or answer by themselves.

    Attributes:
        hits: Ids with finite scores, each id once, in any order; only the order of the scores has
            a meaning.
        sufficiency_score: How sure the retriever is that it found enough, in 0..1.
        source: Where the answer came from.
        answer: The answer itself.
        cost_usd: What the reply cost, in dollars.
        rises: Whether the scores rose down the list as it was received.
    """

    hits: Sequence[ScoredId]
    sufficiency_score: float | None = None
    source: str | None = None
    answer: str | None = None
    cost_usd: float | None = None
    rises: bool = False


class Connection(Protocol):
    """A retriever that can be asked."""

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Ask one query.

        Raises:
            InputError: The reply has the wrong form.
            RetrieverError: The retriever is out of reach, died, or does not answer in time.
        """
        ...
