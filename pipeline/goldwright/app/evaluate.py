"""Scoring a retriever against a golden dataset."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.answer_judging import (
    AnswerJudgements,
    AnswerJudgeSetup,
    find_judge,
    judge_answers,
)
from goldwright.app.environment import Environment
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QualityGateError
from goldwright.evaluation.answer_matching import LITERAL
from goldwright.evaluation.gates import Gate, GateResult, check_gates, refuse_unknown_strata
from goldwright.evaluation.id_resolution import IdResolution
from goldwright.evaluation.measures import DEFAULT_MEASURES, find_measures
from goldwright.evaluation.query_scoring import score_all, strata_of
from goldwright.evaluation.reply_notes import ReplyNotes, check_known, name_some, remarks
from goldwright.evaluation.report import EvaluationReport, QueryScore
from goldwright.evaluation.strata import Stratum, summarize_strata
from goldwright.evaluation.sufficiency import THRESHOLD, Sufficiency, assess_sufficiency
from goldwright.golden.datasets import LoadedDataset, load_dataset
from goldwright.golden.verification import drifted_files
from goldwright.live_agents.answer_judge import AnswerWork
from goldwright.records import GoldenLabel
from goldwright.retrieval.connections import RetrieverSpec, connect, retriever_name
from goldwright.retrieval.connections.trec_runs import TrecRunConnection
from goldwright.retrieval.hit_order import Ties
from goldwright.snapshot import Snapshot, open_snapshot

DEPTH: Final = 100
TIES: Final[Ties] = "id"
SECONDS: Final = 60.0
SECONDS_BETWEEN: Final = 5.0


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """What to score: a dataset by version or path, over which codebase, and the retriever by its
    specification.

    ``threshold`` is the sufficiency score from which on the retriever answers by itself, and
    ``target`` the share of right answers for which a threshold is sought, the threshold itself
    where none is given. With ``judge``, the model of the judge in the settings (``config``) says
    which answers are correct, for at most ``budget_usd`` dollars.
    """

    dataset: str
    repo: Path
    retriever: RetrieverSpec
    rev: str | None = None
    measures: tuple[str, ...] = ()
    gates: tuple[Gate, ...] = ()
    judge: bool = False
    config: Path | None = None
    budget_usd: float | None = None
    threshold: float = THRESHOLD
    target: float | None = None
    depth: int | None = None
    seconds: float = SECONDS
    ties: Ties | None = None
    missing_as_zero: bool = False
    allow_drift: bool = False
    allow_dirty: bool = False

    @property
    def wanted(self) -> tuple[str, ...]:
        """The measures that are asked for, and those that gates look at."""
        return tuple(
            dict.fromkeys(
                (*(self.measures or DEFAULT_MEASURES), *(gate.measure for gate in self.gates))
            )
        )


@dataclass(frozen=True, slots=True)
class EvalSetup:
    """A dataset and the codebase that it is about, checked against each other.

    ``drifted`` are the cited files that are not what the dataset was made from, where that was
    allowed. ``judge`` is the model that judges answers, None where they are matched literally.
    """

    dataset: LoadedDataset
    snapshot: Snapshot
    drifted: tuple[str, ...]
    judge: AnswerJudgeSetup | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation, and what follows from it: the strata, what became of the gates, what
    sufficiency scores are worth.

    ``sufficiency`` is None where the retriever gives no such score. ``lists`` holds for every query
    all ids that came back, in the order that counts.
    """

    report: EvaluationReport
    strata: tuple[Stratum, ...]
    gates: tuple[GateResult, ...]
    sufficiency: Sufficiency | None
    lists: Mapping[str, Sequence[str]]

    @property
    def passes(self) -> bool:
        """Tell whether every gate passes."""
        return all(one.passed for one in self.gates)


def evaluate(request: EvalRequest, environment: Environment, progress: Progress) -> Evaluation:
    """Ask a retriever every query of a dataset and score the answers.

    Raises:
        InputError: The dataset, the codebase, a measure or a reply is wrong; the text names it.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
    """
    find_measures(request.wanted)
    lists: dict[str, Sequence[str]] = {}
    report = score(request, set_up(request, environment, progress), environment, progress, lists)
    told = assess_sufficiency(report, threshold=request.threshold, target=request.target)
    return Evaluation(
        report,
        tuple(summarize_strata(report.queries)),
        check_gates(report, request.gates),
        told,
        lists,
    )


def set_up(request: EvalRequest, environment: Environment, progress: Progress) -> EvalSetup:
    """Open the dataset and its codebase.

    Raises:
        InputError: One of them is wrong, or they do not belong together.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
    """
    judge = find_judge(request.config, request.budget_usd, environment) if request.judge else None
    dataset = load_dataset(request.dataset, environment.workspace.golden)
    refuse_unknown_strata(request.gates, [strata_of(label) for label in dataset.labels])
    progress.phase("reading the codebase")
    snapshot = open_snapshot(
        request.repo, rev=request.rev, cache=environment.cache, allow_dirty=request.allow_dirty
    )
    drifted = (
        drifted_files(dataset.metadata.source_file_hashes, snapshot) if dataset.metadata else ()
    )
    if (
        drifted
        and not any(map(snapshot.has_text, drifted))
        and len(drifted) == len(dataset.cited_files)
    ):
        raise InputError(
            f"{dataset.name}: cites {name_some(drifted)}, of which {request.repo} has none; is it the codebase that the "
            "dataset was made from?"
        )
    if drifted and not request.allow_drift:
        raise QualityGateError(
            f"{dataset.name}: {len(drifted)} of its cited files are not what it was made from "
            f"({name_some(drifted)}); rebase it, or pass --allow-drift"
        )
    _check_known(dataset.labels, snapshot, dataset.path)
    return EvalSetup(dataset, snapshot, drifted, judge)


def score(
    request: EvalRequest,
    setup: EvalSetup,
    environment: Environment,
    progress: Progress,
    lists: dict[str, Sequence[str]] | None = None,
) -> EvaluationReport:
    """Ask a retriever once more, from its start; the lists that come back are put into ``lists``.

    Raises:
        InputError: A measure or a reply is wrong.
        RetrieverError: The retriever failed on a query.
    """
    queries, answers, found = _ask_all(
        request, setup, environment, progress, {} if lists is None else lists
    )
    check_known(found, setup.dataset.labels[0].entity_ids[0])
    notes = list(remarks(queries, found, setup.drifted, depth=request.depth or DEPTH))
    judged_by = LITERAL if any(one.answer_correct is not None for one in queries) else None
    if setup.judge is not None and judged_by:
        judged = judge_answers(
            _work(setup.dataset.labels, answers), setup.judge, environment, progress
        )
        queries = [
            one.model_copy(
                update={"answer_correct": judged.correct.get(one.query_id, one.answer_correct)}
            )
            for one in queries
        ]
        judged_by = judged.by
        notes.extend(_of_judging(judged))
    return EvaluationReport(
        dataset=setup.dataset.description,
        dataset_sha256=setup.dataset.sha256,
        dataset_status=setup.dataset.status,
        commit=setup.snapshot.commit,
        retriever=retriever_name(request.retriever),
        depth=request.depth or DEPTH,
        ties=request.ties or TIES,
        queries=tuple(queries),
        drifted=setup.drifted,
        notes=tuple(notes),
        judged_by=judged_by,
    )


def _ask_all(
    request: EvalRequest,
    setup: EvalSetup,
    environment: Environment,
    progress: Progress,
    lists: dict[str, Sequence[str]],
) -> tuple[list[QueryScore], Mapping[str, str], ReplyNotes]:
    """Ask every query; give the scores, the answers by query, and what was noted of the replies."""
    labels, wanted = setup.dataset.labels, find_measures(request.wanted)
    queries: list[QueryScore] = []
    answers: dict[str, str] = {}
    progress.phase(f"asking {len(labels)} queries")
    told = environment.clock.seconds()
    with connect(
        request.retriever,
        setup.snapshot,
        root=environment.root,
        seconds=request.seconds,
        cache=environment.cache,
        environment=environment.variables,
        report_progress=progress.phase,
    ) as connection:
        if isinstance(connection, TrecRunConnection):
            connection.missing_as_zero = request.missing_as_zero
            _check_run(connection, labels, retriever_name(request.retriever))
        resolving = IdResolution(connection, setup.snapshot, request.repo)
        found = ReplyNotes(resolving)
        for asked in score_all(
            labels, resolving, wanted, depth=request.depth or DEPTH, ties=request.ties or TIES
        ):
            found.note(asked)
            queries.append(asked.score)
            lists[asked.score.query_id] = asked.ranked
            if asked.reply.answer is not None:
                answers[asked.score.query_id] = asked.reply.answer
            if environment.clock.seconds() - told > SECONDS_BETWEEN:
                told = environment.clock.seconds()
                progress.phase(f"asked {len(queries)} of {len(labels)} queries")
    return queries, answers, found


def _work(labels: Sequence[GoldenLabel], answers: Mapping[str, str]) -> tuple[AnswerWork, ...]:
    return tuple(
        AnswerWork(
            one.query_id,
            one.query_text,
            one.must_mention_facts,
            one.must_not_mention_facts,
            answers[one.query_id],
        )
        for one in labels
        if one.query_id in answers and one.must_mention_facts
    )


def _of_judging(judged: AnswerJudgements) -> Iterator[str]:
    yield f"{judged.by} judged {len(judged.correct)} answers for ${judged.usd:.4f}."
    silent = [query for query, correct in judged.correct.items() if correct is None]
    if silent:
        yield f"It gave no verdict on {len(silent)} of them ({name_some(silent)}), which are left out."


def _check_known(labels: Sequence[GoldenLabel], snapshot: Snapshot, path: Path) -> None:
    for label in labels:
        unknown = [one for one in label.entity_ids if snapshot.entity(one) is None]
        if unknown:
            raise InputError(
                f"{path}: {label.query_id} expects {unknown[0]}, which is no entity of {snapshot.commit[:12]}; "
                "is it the codebase that the dataset was made from?"
            )


def _check_run(
    connection: TrecRunConnection, labels: Sequence[GoldenLabel], retriever: str
) -> None:
    asked = {label.query_id for label in labels}
    missing = frozenset[str]() if connection.missing_as_zero else asked - connection.queries
    for what, names in (
        ("holds no results (see --missing-as-zero) for", missing),
        ("has results for queries that the dataset has not:", connection.queries - asked),
    ):
        if names:
            raise InputError(f"{retriever}: {what} {name_some(sorted(names))}")
