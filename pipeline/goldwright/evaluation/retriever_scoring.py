"""Asking a retriever every query of a dataset, and scoring its replies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from goldwright.errors import InputError, RetrieverError
from goldwright.evaluation.answers.answer_matching import judge_answer
from goldwright.evaluation.measures import Measure, judge_ranking
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import SHOWN_RESULTS
from goldwright.golden.queries import DatasetQuery
from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply
from goldwright.retrieval.hit_order import Ties, sort_hits


class ScoredReply(NamedTuple):
    """The score of one query, and the reply that it was computed from.

    Attributes:
        score: The score.
        ranked: All ids of the reply up to the depth, the best first.
        reply: The reply as it came.
    """

    score: QueryScore
    ranked: Sequence[str]
    reply: RetrieverReply


def score_all(
    queries: Sequence[DatasetQuery],
    connection: Connection,
    measures: Mapping[str, Measure],
    *,
    depth: int,
    ties: Ties = "id",
    counts: Callable[[str], bool] | None = None,
) -> Iterator[ScoredReply]:
    """Ask every query once, in the order of the dataset, and score the replies.

    The first failure ends the evaluation: a failure never becomes a zero.

    Args:
        queries: The queries of a dataset.
        connection: The retriever.
        measures: What to compute for each query, by name.
        depth: How many results are asked for; later ones count as not found.
        ties: The rule for ties.
        counts: Whether a result counts; the others are left out as if they had not come. All do
            where there is none.

    Raises:
        InputError: A reply cannot be read or scored; the text names the query.
        RetrieverError: The retriever failed; the text names the query.
    """
    for query in queries:
        with _naming_query(query.query_id):
            question = RetrieverQuery(query.query_id, query.query_text, depth)
            reply = connection.ask(question)
            # A retriever may give more results than it was asked for.
            ranked = sort_hits(reply.hits, ties=ties)
            if counts is not None:
                ranked = [result_id for result_id in ranked if counts(result_id)]
            ranked = ranked[:depth]
            score = _score_reply(query, reply, ranked, measures)
        yield ScoredReply(score, ranked, reply)


@contextmanager
def _naming_query(query_id: str) -> Iterator[None]:
    """Put the id of a query before the text of an error."""
    try:
        yield
    except RetrieverError as error:
        message = f"query {query_id}: {error}"
        raise RetrieverError(message) from error
    except InputError as error:
        message = f"query {query_id}: {error}"
        raise InputError(message) from error


def _score_reply(
    query: DatasetQuery,
    reply: RetrieverReply,
    ranked: Sequence[str],
    measures: Mapping[str, Measure],
) -> QueryScore:
    ranking = judge_ranking(query, ranked)
    values = {name: measure.compute(ranking) for name, measure in measures.items()}
    is_correct = _is_answer_correct(query, reply.answer)
    return QueryScore(
        query_id=query.query_id,
        query_text=query.query_text,
        strata=dict(query.strata),
        values=values,
        expected=dict(ranking.entity_ranks),
        retrieved=tuple(ranked[:SHOWN_RESULTS]),
        found=len(ranked),
        sufficiency_score=reply.sufficiency_score,
        source=reply.source,
        answer_correct=is_correct,
    )


def _is_answer_correct(query: DatasetQuery, answer: str | None) -> bool | None:
    """Whether an answer is correct; None without an answer, or without facts to judge it by."""
    if answer is None:
        return None
    judgement = judge_answer(query, answer)
    if judgement is None:
        return None
    return judgement.is_correct
