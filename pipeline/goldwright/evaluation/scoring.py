"""Asking a retriever every query of a dataset, and scoring what it gives."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from goldwright.errors import InputError, RetrieverError
from goldwright.evaluation.measures import Measure, judge
from goldwright.records import GoldenLabel
from goldwright.retrieval.connections import Connection, Question, Retrieved
from goldwright.retrieval.order import Ties, best_first


@dataclass(frozen=True, slots=True)
class QueryScore:
    """What one query came to: each measure in 0..1, the ids in the order that counts, and the rest of the reply."""

    label: GoldenLabel
    values: Mapping[str, float]
    ranked: tuple[str, ...]
    retrieved: Retrieved


def score_all(
    labels: Sequence[GoldenLabel],
    connection: Connection,
    wanted: Mapping[str, Measure],
    *,
    depth: int,
    ties: Ties = "id",
) -> Iterator[QueryScore]:
    """Ask every query once, in the order of the dataset, and score it; the first failure ends it all.

    Args:
        labels: The dataset.
        connection: The retriever.
        wanted: The measures by name.
        depth: How many results are asked for; what stands beyond is as good as not found.
        ties: The rule for ties.

    Raises:
        InputError: A reply is none; the text names the query.
        RetrieverError: The retriever failed; the text names the query. A failure never becomes a zero.
    """
    for label in labels:
        try:
            retrieved = connection.ask(Question(label.query_id, label.query_text, depth))
        except RetrieverError as error:
            raise RetrieverError(f"query {label.query_id}: {error}") from error
        except InputError as error:
            raise InputError(f"query {label.query_id}: {error}") from error
        ranked = tuple(best_first(retrieved.hits, ties=ties))
        judged = judge(label, ranked)
        yield QueryScore(label, {name: one.of(judged) for name, one in wanted.items()}, ranked, retrieved)
