"""Asking all arms the queries of a dataset over one index."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldwright.app.arms.arm_request import ArmRequest
from goldwright.app.scoring.eval_request import DEFAULT_TIES
from goldwright.app.scoring.eval_setup import EvalSetup
from goldwright.engine.clock import Clock
from goldwright.errors import (
    BudgetError,
    GoldwrightError,
    InputError,
    ProviderError,
    RetrieverError,
)
from goldwright.evaluation.bench import BenchedSystem, Timing
from goldwright.evaluation.measures import Measure, find_measures
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.retriever_scoring import score_all
from goldwright.evaluation.source_budget import (
    BUDGETS,
    budget_name,
    recall_within,
)
from goldwright.golden.queries import DatasetQuery
from goldwright.retrieval.arms.port import Arm
from goldwright.retrieval.codebase_index import CodebaseIndex, IndexedQuestion
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.source_tokens import count_tokens

# What stops one arm, and leaves the others to answer.
_COSTS_ONE_ARM: Final = (InputError, RetrieverError, BudgetError, ProviderError)


@dataclass(slots=True)
class ArmRun:
    """What the arms came to.

    Attributes:
        systems: The arms that answered every query.
        failures: Why others did not.
    """

    systems: dict[str, BenchedSystem] = field(default_factory=dict)
    failures: dict[str, GoldwrightError] = field(default_factory=dict)


def run_arms(
    arms: Mapping[str, Arm],
    index: CodebaseIndex,
    request: ArmRequest,
    setup: EvalSetup,
    clock: Clock,
    *,
    blank_docstrings: bool,
) -> ArmRun:
    """Ask every arm every query; the lists of a query are made once and read by all arms.

    An arm that fails costs itself alone.

    Args:
        arms: By name.
        index: What they share.
        request: How they are measured.
        setup: The dataset.
        clock: Times each arm; making a list counts for every arm that reads it.
        blank_docstrings: Whether the index is of code without its docstrings.
    """
    scorer = _Scorer(index, request, find_measures(setup.measures))
    scores: dict[str, list[QueryScore]] = {name: [] for name in arms}
    timings = {name: Timing() for name in arms}
    run = ArmRun()
    texts = [query.query_text for query in setup.queries]
    prepare_seconds = _seconds_of(lambda: index.prepare(texts), clock)
    encode_seconds = prepare_seconds / len(texts)
    for query in setup.queries:
        question = _TimedQuestion(index.question(query.query_text), clock)
        question.dense_seconds += encode_seconds
        for name, arm in arms.items():
            if name in run.failures:
                continue
            asked_arm = _AskedArm(arm, question, clock)
            try:
                scores[name].append(scorer.score(query, asked_arm))
            except _COSTS_ONE_ARM as error:
                run.failures[name] = error
                continue
            timings[name].seconds[query.query_id] = asked_arm.seconds
            timings[name].asked += 1
    for name in arms:
        if name not in run.failures:
            report = _report(name, scores[name], request, setup, blank_docstrings=blank_docstrings)
            run.systems[name] = BenchedSystem(report, timings[name], None)
    return run


class _TimedQuestion:
    """A question whose lists are made beforehand, each timed."""

    def __init__(self, question: IndexedQuestion, clock: Clock) -> None:
        self.question = question
        self.lexical_seconds = _seconds_of(lambda: question.lexical, clock)
        self.dense_seconds = 0.0
        if question.index.dense is not None:
            self.dense_seconds = _seconds_of(lambda: question.dense, clock)


class _AskedArm:
    """One arm and one question, as a connection that can be scored."""

    def __init__(self, arm: Arm, timed: _TimedQuestion, clock: Clock) -> None:
        self._arm = arm
        self._timed = timed
        self._clock = clock
        self.seconds = 0.0

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Rank, and add the time of the lists that the arm reads."""
        start = self._clock.seconds()
        hits = self._arm.rank(self._timed.question, question.limit)
        own_seconds = self._clock.seconds() - start
        self.seconds = own_seconds + self._timed.lexical_seconds
        if self._arm.needs_model:
            self.seconds += self._timed.dense_seconds
        return RetrieverReply([(hit.entity_id, hit.score) for hit in hits])


class _Scorer:
    """Scores replies by rank and by budget."""

    def __init__(
        self, index: CodebaseIndex, request: ArmRequest, measures: Mapping[str, Measure]
    ) -> None:
        self._index = index
        self._request = request
        self._measures = measures
        self._sizes: dict[str, int] = {}

    def score(self, query: DatasetQuery, asked_arm: _AskedArm) -> QueryScore:
        """Ask, and score the reply.

        Raises:
            InputError: The reply cannot be scored.
            RetrieverError: The arm failed.
        """
        depth = self._request.depth
        replies = score_all([query], asked_arm, self._measures, depth=depth, ties=DEFAULT_TIES)
        reply = next(replies)
        of_files = self._request.level == "file"
        ranked_ids = reply.ranked
        values = dict(reply.score.values)
        for budget in BUDGETS:
            name = budget_name(budget, of_files=of_files)
            recall = recall_within(
                query, ranked_ids, budget, size_of=self._size_of, of_files=of_files
            )
            values[name] = recall
        return reply.score.model_copy(update={"values": values})

    def _size_of(self, entity_id: str) -> int:
        if entity_id not in self._sizes:
            document = self._index.document(entity_id)
            self._sizes[entity_id] = count_tokens(document.text)
        return self._sizes[entity_id]


def _report(
    name: str,
    scores: Sequence[QueryScore],
    request: ArmRequest,
    setup: EvalSetup,
    *,
    blank_docstrings: bool,
) -> EvaluationReport:
    dataset = setup.dataset
    return EvaluationReport(
        dataset=dataset.description,
        dataset_sha256=dataset.sha256,
        dataset_status=dataset.status,
        commit=setup.snapshot.commit if setup.snapshot else "",
        retriever=name,
        depth=request.depth,
        ties=DEFAULT_TIES,
        queries=tuple(scores),
        drifted=setup.drifted,
        notes=tuple(setup.notes),
        blank_docstrings=blank_docstrings,
    )


def _seconds_of(make: Callable[[], object], clock: Clock) -> float:
    start = clock.seconds()
    make()
    return clock.seconds() - start
