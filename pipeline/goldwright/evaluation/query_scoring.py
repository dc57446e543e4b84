"""Asking a retriever every query of a dataset, and scoring what it gives."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from goldwright.errors import InputError, RetrieverError
from goldwright.evaluation.answer_matching import judge_answer
from goldwright.evaluation.measures import Measure, judge
from goldwright.evaluation.report import SHOWN_RESULTS, QueryScore
from goldwright.records import GoldenLabel
from goldwright.retrieval.connections import Connection, Question, RetrieverReply
from goldwright.retrieval.hit_order import Ties, sort_hits


class ScoredReply(NamedTuple):
    """What came of one query: its score, all ids in the order that counts, and the reply they are
    from.
    """

    score: QueryScore
    ranked: Sequence[str]
    retrieved: RetrieverReply


def score_all(
    labels: Sequence[GoldenLabel],
    connection: Connection,
    wanted: Mapping[str, Measure],
    *,
    depth: int,
    ties: Ties = "id",
) -> Iterator[ScoredReply]:
    """Ask every query once, in the order of the dataset, and score it; the first failure ends it
    all.

    Args:
        labels: The dataset.
        connection: The retriever.
        wanted: The measures by name.
        depth: How many results are asked for; what stands beyond is as good as not found.
        ties: The rule for ties.

    Raises:
        InputError: A reply is none; the text names the query.
        RetrieverError: The retriever failed; the text names the query. A failure never becomes a
            zero.
    """
    for label in labels:
        try:
            retrieved = connection.ask(Question(label.query_id, label.query_text, depth))
        except RetrieverError as error:
            raise RetrieverError(f"query {label.query_id}: {error}") from error
        except InputError as error:
            raise InputError(f"query {label.query_id}: {error}") from error
        ranked = sort_hits(retrieved.hits, ties=ties)[:depth]
        try:
            judged = judge(label, ranked)
        except InputError as error:
            raise InputError(f"query {label.query_id}: {error}") from error
        verdict = judge_answer(label, retrieved.answer) if retrieved.answer is not None else None
        score = QueryScore(
            query_id=label.query_id,
            query_text=label.query_text,
            strata=strata_of(label),
            values={name: one.of(judged) for name, one in wanted.items()},
            expected=dict(judged.places),
            retrieved=tuple(ranked[:SHOWN_RESULTS]),
            found=len(ranked),
            sufficiency_score=retrieved.sufficiency_score,
            source=retrieved.source,
            answer_correct=verdict.is_correct if verdict else None,
        )
        yield ScoredReply(score, ranked, retrieved)


def strata_of(label: GoldenLabel) -> dict[str, str]:
    """Name the strata of a query by their dimensions."""
    return {"task_type": label.task_type, "difficulty": label.difficulty}
