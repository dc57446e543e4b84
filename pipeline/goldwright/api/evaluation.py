"""Scoring retrievers against a dataset, and comparing them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from goldwright.api.arguments import (
    StrPath,
    dataset_selector,
    environment_in,
    field_mapping,
    optional_path,
)
from goldwright.app.scoring import bench as bench_use_case
from goldwright.app.scoring.compare_reports import read_report_file
from goldwright.app.scoring.eval_request import DEFAULT_TIMEOUT, EvalRequest
from goldwright.app.scoring.evaluate import Evaluation, evaluate_retriever
from goldwright.engine.progress import Progress, SilentProgress
from goldwright.errors import InputError
from goldwright.evaluation.bench import Bench, BenchedSystem
from goldwright.evaluation.calibration.sufficiency import THRESHOLD
from goldwright.evaluation.gates import Gate
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.report_comparison import ReportComparison
from goldwright.golden.datasets import LoadedDataset
from goldwright.retrieval.connections.spec import RetrieverSpec
from goldwright.retrieval.hit_order import Ties

Scored = Evaluation | BenchedSystem | EvaluationReport | StrPath
"""An evaluation: what ``evaluate`` gives, a system of a bench, a report, or a saved one."""


def evaluate(
    dataset: StrPath | LoadedDataset,
    retriever: RetrieverSpec,
    *,
    repo: StrPath | None = None,
    rev: str | None = None,
    fields: Mapping[str, str] | None = None,
    measures: Sequence[str] = (),
    gates: Sequence[str | Gate] = (),
    depth: int | None = None,
    ties: Ties | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    concurrency: int = 1,
    limit: int | None = None,
    missing_as_zero: bool = False,
    blank_docstrings: bool = False,
    product_code: bool = False,
    threshold: float = THRESHOLD,
    target: float | None = None,
    judge: bool = False,
    config: StrPath | None = None,
    budget_usd: float | None = None,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> Evaluation:
    """Ask a retriever every query of a dataset once, in order, and score what it returns.

    The first query that fails ends the evaluation: a failure never becomes a zero.

    Args:
        dataset: The path of a file or folder in any format, a version such as ``1.0``, ``latest``,
            or an opened dataset, whose file is read again.
        retriever: A specification such as ``bm25``, ``cmd:COMMAND`` or ``http://…``, or a callable
            or coroutine function. It takes the query and, if it likes, a ``limit``, and returns ids
            of entities (``path.py::Class.method``) or files, best first, pairs of an id and a
            score, or a mapping with these under ``results``, and ``sufficiency_score``, ``answer``
            or ``cost_usd`` beside them.
        repo: The codebase that the dataset is about; without one, ids are taken as they are, and
            ``bm25`` and ``grep`` search the documents of the dataset, if it has any.
        rev: Its commit; HEAD by default.
        fields: Which field of a list or table holds what, as in ``{"query": "question", "expected":
            "gold"}``; known spellings by default.
        measures: Names such as ``nDCG@10`` or ``file.MRR``; a usual set by default.
        gates: What the retriever has to reach, as in ``"locate: MRR >= 0.6"``.
        depth: How many results are asked for; 100 by default.
        ties: How equal scores are told apart: by ``id``, the default, or as ``trec`` does.
        timeout: Seconds that one query may take; built-in retrievers are not held to it.
        concurrency: How many queries a retriever of another program or machine is asked at a time;
            callables and built-in retrievers are asked one by one.
        limit: How many queries are asked, spread evenly over the dataset; all by default.
        missing_as_zero: Count a query that a TREC run does not hold as not found.
        blank_docstrings: Let a built-in retriever search code without docstrings; no other can.
        product_code: Leave results outside of product code out: tests, documents, copies of others.
        threshold: The sufficiency score from which the retriever answers by itself, in 0..1.
        target: The share of right answers to seek a threshold for; ``threshold`` by default.
        judge: Let the judge of the settings, a model, say which answers are correct; without it
            they are matched literally.
        config: The settings; ``goldwright.toml`` of the workspace by default, if there is one.
        budget_usd: The most that the judge may spend, in dollars.
        allow_drift: Score although files that the dataset cites have changed; the report says so.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory that holds ``golden/``.
        progress: Is called as the evaluation goes on.

    Returns:
        The report, query by query, with means by stratum and the outcome of each gate.

    Raises:
        InputError: The dataset, the codebase, a measure, a gate or a reply is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed; a
            missed gate raises nothing, see ``Evaluation.passes``.
        RetrieverError: The retriever failed on a query, or did not answer in time.
        BudgetError: The judge reached its ceiling.
        ProviderError: The judge's provider refuses or is out of reach.

    Examples:
        >>> evaluation = goldwright.evaluate("queries.csv", "bm25", repo="shop")
        >>> evaluation.report.mean("MRR") <= 1.0
        True
    """
    # Parsed first, so that a malformed gate is refused before anything is read.
    parsed_gates = tuple(_as_gate(gate) for gate in gates)
    request = EvalRequest(
        dataset=dataset_selector(dataset),
        repo=optional_path(repo),
        retriever=retriever,
        rev=rev,
        fields=field_mapping(fields, dataset),
        measures=tuple(measures),
        gates=parsed_gates,
        judge=judge,
        config=optional_path(config),
        budget_usd=budget_usd,
        threshold=threshold,
        target=target,
        depth=depth,
        timeout=timeout,
        concurrency=concurrency,
        limit=limit,
        ties=ties,
        missing_as_zero=missing_as_zero,
        blank_docstrings=blank_docstrings,
        product_code=product_code,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
    )
    environment = environment_in(workspace)
    return evaluate_retriever(request, environment, progress or SilentProgress())


def bench(
    dataset: StrPath | LoadedDataset,
    retrievers: Mapping[str, RetrieverSpec] | Sequence[RetrieverSpec],
    *,
    repo: StrPath | None = None,
    rev: str | None = None,
    fields: Mapping[str, str] | None = None,
    measures: Sequence[str] = (),
    depth: int | None = None,
    ties: Ties | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    concurrency: int = 1,
    limit: int | None = None,
    keep_replies: bool = True,
    refresh: bool = False,
    missing_as_zero: bool = False,
    blank_docstrings: bool = False,
    product_code: bool = False,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> Bench:
    """Ask several retrievers every query of a dataset, and say which differ by more than chance.

    The retrievers are asked one after the other. One that fails is listed in ``failures`` and does
    not affect the others, whose differences are tested together, by max-T over all pairs.

    Args:
        dataset: The path of a file or folder in any format, a version such as ``1.0``, ``latest``,
            or an opened dataset, whose file is read again.
        retrievers: 2 to 26 of them: a mapping from names to callables or specifications, or a list,
            in which each is named after itself. See ``evaluate`` for what a callable returns.
        repo: The codebase that the dataset is about; without one, ids are taken as they are, and
            ``bm25`` and ``grep`` search the documents of the dataset, if it has any.
        rev: Its commit; HEAD by default.
        fields: Which field of a list or table holds what, as in ``{"query": "question", "expected":
            "gold"}``; known spellings by default.
        measures: Names such as ``nDCG@10``, of which the first decides; by default a usual set,
            which MRR leads.
        depth: How many results are asked for; 100 by default.
        ties: How equal scores are told apart: by ``id``, the default, or as ``trec`` does.
        timeout: Seconds that one query may take; built-in retrievers are not held to it.
        concurrency: How many queries a retriever of another program or machine is asked at a time;
            callables and built-in retrievers are asked one by one.
        limit: How many queries are asked, spread evenly over the dataset; all by default.
        keep_replies: Keep the replies of specifications such as ``http://…`` for the next bench,
            and use those already kept; callables and built-in retrievers are always asked.
        refresh: Ask everything again, and keep the new replies.
        missing_as_zero: Count a query that a TREC run does not hold as not found.
        blank_docstrings: Let built-in retrievers search code without docstrings; no others can.
        product_code: Leave results outside of product code out: tests, documents, copies of others.
        allow_drift: Score although files that the dataset cites have changed; the report says so.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory that holds ``golden/``.
        progress: Is called as the bench goes on.

    Returns:
        The systems with their reports and latencies by name, and their comparison by the deciding
        measure: means in 0..1 with 95 % intervals, every pair, and the groups within which none is
        shown to differ. A notebook shows it as a table.

    Raises:
        InputError: The dataset, the codebase, a measure or a name is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: None of the retrievers answered every query.

    Examples:
        >>> systems = {"words": "bm25", "lines": "grep"}
        >>> bench = goldwright.bench("queries.csv", systems, repo="shop")
        >>> sorted(bench.systems)
        ['lines', 'words']
    """
    # A text is a sequence of its letters.
    if isinstance(retrievers, str):
        raise InputError(f"{retrievers}: one retriever; wanted a list or a mapping of several")
    retriever_by_name = bench_use_case.name_retrievers(retrievers)
    first_retriever = next(iter(retriever_by_name.values()))
    evaluation = EvalRequest(
        dataset=dataset_selector(dataset),
        repo=optional_path(repo),
        retriever=first_retriever,
        rev=rev,
        fields=field_mapping(fields, dataset),
        measures=tuple(measures),
        depth=depth,
        ties=ties,
        timeout=timeout,
        concurrency=concurrency,
        limit=limit,
        keeps_replies=keep_replies,
        refresh=refresh,
        missing_as_zero=missing_as_zero,
        blank_docstrings=blank_docstrings,
        product_code=product_code,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
    )
    request = bench_use_case.BenchRequest(evaluation, retriever_by_name)
    return bench_use_case.bench(request, environment_in(workspace), progress or SilentProgress())


def compare(before: Scored, after: Scored) -> ReportComparison:
    """Compare two evaluations of the same queries, measure by measure.

    Args:
        before: The earlier one: what ``evaluate`` gave, a system of a bench, a report, or the path
            of one that ``goldwright eval --out`` wrote.
        after: The later one; differences are its values less those of ``before``.

    Returns:
        For every measure that both hold the means (0..1), their difference with its 95 % interval,
        the p-value alone and over all measures (max-T), and wins, ties and losses by query.

    Raises:
        InputError: They were not made on the same queries in the same way, or a file is no
            evaluation.

    Examples:
        >>> before = goldwright.evaluate("queries.csv", "grep", repo="shop")
        >>> after = goldwright.evaluate("queries.csv", "bm25", repo="shop")
        >>> goldwright.compare(before, after).measures[0].measure
        'MRR'
    """
    return _report_of(before).compare(_report_of(after))


def _report_of(scored: Scored) -> EvaluationReport:
    match scored:
        case EvaluationReport():
            return scored
        case Evaluation() | BenchedSystem():
            return scored.report
        case str() | Path():
            return read_report_file(Path(scored))


def _as_gate(gate: str | Gate) -> Gate:
    if isinstance(gate, Gate):
        return gate
    return Gate.read(gate)
