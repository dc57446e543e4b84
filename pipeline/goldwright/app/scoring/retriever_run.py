"""Asking a retriever every query of a dataset once, and scoring its replies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.scoring.answer_judging import AnswerJudgements, judge_answers
from goldwright.app.scoring.asking import open_retriever
from goldwright.app.scoring.eval_request import DEFAULT_DEPTH, DEFAULT_TIES, EvalRequest
from goldwright.app.scoring.eval_setup import EvalSetup, notes_on_retriever
from goldwright.engine.clock import Clock
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.evaluation.answers.answer_matching import LITERAL
from goldwright.evaluation.bench import Timing
from goldwright.evaluation.id_resolution import IdResolution
from goldwright.evaluation.measures import find_measures
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.reply_notes import ReplyNotes, check_known, remarks
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.retriever_scoring import ScoredReply, score_all
from goldwright.golden.id_readings import IdReadings
from goldwright.golden.queries import DatasetQuery
from goldwright.live_agents.answer_judge import AnswerWork
from goldwright.retrieval.connections.builtin import BuiltinConnection
from goldwright.retrieval.connections.port import Connection, RetrieverQuery
from goldwright.retrieval.connections.spec import retriever_name, searched_name
from goldwright.retrieval.connections.trec_runs import TrecRunConnection
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code
from goldwright.text import counted, name_some

# A remote retriever may take minutes for a dataset; people want to see that it still answers.
SECONDS_BETWEEN_LINES: Final = 5.0
FIRST_RESULTS: Final = 10
# From this share on, results in other code change which of two systems is better.
TELLING_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class RetrieverRun:
    """One pass of a retriever over all queries of a dataset.

    Attributes:
        report: The scores, query by query.
        rankings: By query id all ids that came back, best first.
        timing: What asking took.
        costs_usd: By query id what the reply says that it cost, in dollars.
    """

    report: EvaluationReport
    rankings: Mapping[str, Sequence[str]]
    timing: Timing
    costs_usd: Mapping[str, float]


def run_retriever(
    request: EvalRequest, setup: EvalSetup, environment: Environment, progress: Progress
) -> RetrieverRun:
    """Ask a retriever every query, from its start, and score its replies.

    Raises:
        InputError: A measure or a reply is wrong.
        RetrieverError: The retriever failed on a query.
        BudgetError: The judge reached its ceiling.
        ProviderError: The judge is out of reach.
    """
    notes = [*setup.notes, *notes_on_retriever(request.retriever, setup)]
    replies = _ask_all(request, setup, environment, progress)
    # An example of the spelling, for the message.
    expected_id = setup.queries[0].expected_ids[0]
    # Ids in another spelling would score zero throughout; that is an error and no score.
    check_known(replies.notes, expected_id)
    depth = request.depth or DEFAULT_DEPTH
    ties = request.ties or DEFAULT_TIES
    is_blanked = request.blank_docstrings
    notes += remarks(replies.scores, replies.notes, depth=depth, blank_docstrings=is_blanked)
    if setup.snapshot is None:
        notes.extend(_remark_on_kinds_of_ids(replies, expected_id))
        if replies.documents is not None:
            searched = _searched(replies.documents, setup)
            notes.append(
                f"What was searched is the {searched}, and no codebase "
                "(--repo): its texts are others, and so are the values."
            )
    elif not request.product_code:
        notes.extend(_remark_on_other_code(replies, setup, setup.snapshot))
    judged = _judge(replies, setup, environment, progress)
    notes.extend(judged.notes)
    dataset = setup.dataset
    report = EvaluationReport(
        dataset=dataset.description,
        dataset_sha256=dataset.sha256,
        dataset_status=dataset.status,
        commit=setup.snapshot.commit if setup.snapshot else "",
        retriever=searched_name(request.retriever, searches_dataset=setup.snapshot is None),
        searched=_searched(replies.documents, setup),
        depth=depth,
        ties=ties,
        queries=tuple(judged.scores),
        drifted=setup.drifted,
        notes=tuple(notes),
        warning=replies.notes.unknown_remark(),
        judged_by=judged.judged_by,
        blank_docstrings=request.blank_docstrings,
        product_code=request.product_code,
    )
    return RetrieverRun(report, replies.rankings, replies.timing, replies.costs_usd)


@dataclass
class _Replies:
    """The replies so far.

    Attributes:
        notes: Counts of replies that are odd, for the notes of the report.
        scores: The score of each query.
        answers: By query id the answer of a retriever that answers by itself.
        rankings: By query id all ids, best first.
        costs_usd: By query id what the reply says that it cost.
        timing: What asking took.
        documents: How many documents a built-in retriever searched; None for any other one.
    """

    notes: ReplyNotes
    timing: Timing
    documents: int | None = None
    scores: list[QueryScore] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    rankings: dict[str, Sequence[str]] = field(default_factory=dict)
    costs_usd: dict[str, float] = field(default_factory=dict)

    def add(self, reply: ScoredReply) -> None:
        """Take one more reply."""
        query_id = reply.score.query_id
        self.notes.note(reply)
        self.scores.append(reply.score)
        self.rankings[query_id] = reply.ranked
        if reply.reply.answer is not None:
            self.answers[query_id] = reply.reply.answer
        if reply.reply.cost_usd is not None:
            self.costs_usd[query_id] = reply.reply.cost_usd


@dataclass(frozen=True, slots=True)
class _JudgedScores:
    """The scores, with verdicts on the answers of a retriever that answers by itself.

    Attributes:
        scores: The score of each query.
        judged_by: Who decided which answers are correct; None where there are no answers.
        notes: What a person should know of the judging, a sentence each.
    """

    scores: list[QueryScore]
    judged_by: str | None = None
    notes: tuple[str, ...] = ()


class _QueryProgress:
    """Says now and then how many queries have been asked."""

    def __init__(self, total: int, clock: Clock, progress: Progress) -> None:
        self._total = total
        self._clock = clock
        self._progress = progress
        self._last_line_at = clock.seconds()
        progress.phase(f"asking {counted(total, 'query')}")

    def update(self, count: int) -> None:
        """Say how many queries have been asked, if the last line is old enough."""
        seconds = self._clock.seconds()
        if seconds - self._last_line_at > SECONDS_BETWEEN_LINES:
            self._last_line_at = seconds
            self._progress.phase(f"asked {count} of {self._total} queries")


def _ask_all(
    request: EvalRequest, setup: EvalSetup, environment: Environment, progress: Progress
) -> _Replies:
    queries = setup.queries
    measures_by_name = find_measures(setup.measures)
    query_progress = _QueryProgress(len(queries), environment.clock, progress)
    readings = None
    if setup.snapshot is not None and request.repo is not None:
        readings = IdReadings(setup.snapshot, request.repo)
    depth = request.depth or DEFAULT_DEPTH
    questions = [RetrieverQuery(query.query_id, query.query_text, depth) for query in queries]
    with open_retriever(request, setup, questions, environment, progress) as asking:
        _prepare_run_file(asking.retriever, request, queries)
        resolution = IdResolution(asking.connection, readings)
        documents = None
        if isinstance(asking.retriever, BuiltinConnection):
            documents = asking.retriever.documents
        replies = _Replies(ReplyNotes(resolution), asking.timing, documents)
        for reply in score_all(
            queries,
            resolution,
            measures_by_name,
            depth=depth,
            ties=request.ties or DEFAULT_TIES,
            counts=_product_filter(setup.snapshot) if request.product_code else None,
        ):
            replies.add(reply)
            query_progress.update(len(replies.scores))
    return replies


def _searched(documents: int | None, setup: EvalSetup) -> str:
    """Say what a built-in retriever searched; empty for a retriever with an index of its own."""
    if documents is None:
        return ""
    if setup.snapshot is None:
        noun = "document" if documents == 1 else "documents"
        return f"{documents:,} {noun} of the dataset"
    return f"{documents:,} functions, methods and classes"


def _product_filter(snapshot: Snapshot | None) -> Callable[[str], bool]:
    """Give a test of results: what names no file of the codebase counts, and is told of."""

    def counts(result_id: str) -> bool:
        path = result_id.partition("::")[0]
        is_known = snapshot is not None and path in snapshot.files
        return snapshot is None or not is_known or is_product_code(snapshot, path)

    return counts


def _remark_on_other_code(replies: _Replies, setup: EvalSetup, snapshot: Snapshot) -> Iterator[str]:
    """Say how much lies where nothing is expected: who does not search there has it easier."""
    counts = _product_filter(snapshot)
    if not all(counts(expected) for query in setup.queries for expected in query.expected_ids):
        return
    first: list[str] = []
    for ranked in replies.rankings.values():
        first.extend(ranked[:FIRST_RESULTS])
    outside_count = sum(not counts(result) for result in first)
    if outside_count >= TELLING_SHARE * len(first) and outside_count:
        outside_share = outside_count / len(first)
        yield (
            f"Of the first ten results {outside_share:.0%} lie in tests, documents or "
            "copies of others, where nothing is expected: a search that leaves those out is better "
            "for that alone. --product-code leaves them out for all."
        )


def _remark_on_kinds_of_ids(replies: _Replies, expected_id: str) -> Iterator[str]:
    """Ask whether results and expected ids are of one kind, where no codebase can tell."""
    has_hit = any(score.first_rank is not None for score in replies.scores)
    results = [ranked[0] for ranked in replies.rankings.values() if ranked]
    if results and not has_hit:
        first_result = results[0]
        yield (
            f"Nothing that came back is expected by its query: results look like {first_result!r}, "
            f"expected ids like {expected_id!r}; are they of one kind?"
        )


def _prepare_run_file(
    connection: Connection | None, request: EvalRequest, queries: Sequence[DatasetQuery]
) -> None:
    """Make sure that a TREC run holds the queries of the dataset, and no others."""
    # Any other retriever is asked the queries of the dataset, so it cannot miss one.
    if not isinstance(connection, TrecRunConnection):
        return
    connection.missing_as_zero = request.missing_as_zero
    name = retriever_name(request.retriever)
    query_ids = {query.query_id for query in queries}
    missing = query_ids - connection.queries
    if missing and not request.missing_as_zero:
        examples = name_some(sorted(missing))
        raise InputError(f"{name}: holds no results (see --missing-as-zero) for {examples}")
    unknown = connection.queries - query_ids
    if unknown:
        examples = name_some(sorted(unknown))
        raise InputError(f"{name}: has results for queries that the dataset has not: {examples}")


def _judge(
    replies: _Replies, setup: EvalSetup, environment: Environment, progress: Progress
) -> _JudgedScores:
    """Let the model of the settings judge the answers; without one, literal matching stands."""
    scores = replies.scores
    if not any(score.answer_correct is not None for score in scores):
        return _JudgedScores(scores)
    if setup.judge is None:
        return _JudgedScores(scores, LITERAL)
    answers = tuple(_answers_to_judge(setup.queries, replies.answers))
    judgements = judge_answers(answers, setup.judge, environment, progress)
    judged_scores = [_with_judgement(score, judgements) for score in scores]
    notes = tuple(_judging_notes(judgements))
    return _JudgedScores(judged_scores, judgements.judge, notes)


def _answers_to_judge(
    queries: Sequence[DatasetQuery], answers: Mapping[str, str]
) -> Iterator[AnswerWork]:
    """Give the answers that can be right or wrong: there are facts that they must state."""
    for query in queries:
        if query.query_id in answers and query.must_mention_facts:
            yield AnswerWork(
                query.query_id,
                query.query_text,
                query.must_mention_facts,
                query.must_not_mention_facts,
                answers[query.query_id],
            )


def _with_judgement(score: QueryScore, judgements: AnswerJudgements) -> QueryScore:
    if score.query_id not in judgements.correctness:
        return score
    is_correct = judgements.correctness[score.query_id]
    return score.model_copy(update={"answer_correct": is_correct})


def _judging_notes(judgements: AnswerJudgements) -> Iterator[str]:
    count = len(judgements.correctness)
    cost = f"${judgements.usd:.4f}"
    yield f"{judgements.judge} judged {count} answers for {cost}."
    undecided = []
    for query_id, is_correct in judgements.correctness.items():
        if is_correct is None:
            undecided.append(query_id)
    if undecided:
        undecided_count = len(undecided)
        examples = name_some(undecided)
        yield f"It gave no verdict on {undecided_count} of them ({examples}), which are left out."
