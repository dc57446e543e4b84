"""Saving a baseline of a retriever, and checking later whether the retriever became worse."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.eval_setup import EvalSetup, set_up_evaluation
from goldwright.app.scoring.retriever_run import run_retriever
from goldwright.atomic_files import replace_report
from goldwright.canonical import digest_bytes
from goldwright.engine.progress import PartProgress, Progress
from goldwright.errors import InputError
from goldwright.evaluation.baselines.baseline import (
    Baseline,
    check_alike,
    read_baseline,
    values_by_query,
)
from goldwright.evaluation.baselines.false_alarms import count_false_alarms
from goldwright.evaluation.baselines.regression import (
    RegressionVerdict,
    check_regression,
    choose_mode,
)
from goldwright.evaluation.baselines.regression_rules import TOLERANCE, Mode
from goldwright.evaluation.gates import Gate
from goldwright.evaluation.measures import find_measures
from goldwright.evaluation.report import EvaluationReport
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.loading import read_bytes

# How every baseline begins, whatever its version: only such a file is replaced.
HEAD: Final = b'{\n  "format": "goldwright-baseline-'
# Characters of a digest in a message: the name of the algorithm and twelve digits.
SHORT_DIGEST: Final = 19


@dataclass(frozen=True, slots=True)
class MeanChange:
    """The mean of a measure over all runs, in 0..1.

    Attributes:
        measure: The name of the measure.
        before: The mean in the baseline that is replaced; None where it has no such measure.
        after: The mean now.
    """

    measure: str
    before: float | None
    after: float


@dataclass(frozen=True, slots=True)
class BaselineUpdate:
    """A baseline that was written, and the one that it replaced."""

    baseline: Baseline
    previous: Baseline | None

    @property
    def changes(self) -> Iterator[MeanChange]:
        """Every measure of the new baseline, with its mean before and now."""
        for measure, values in self.baseline.means.items():
            before = self._previous_mean(measure)
            yield MeanChange(measure, before, _mean(values))

    def _previous_mean(self, measure: str) -> float | None:
        if self.previous is None or measure not in self.previous.means:
            return None
        return _mean(self.previous.means[measure])


@dataclass(frozen=True, slots=True)
class BaselineCheck:
    """A check against a baseline.

    Attributes:
        baseline: The scores that were saved.
        report: The first run of today.
        verdict: Whether it became worse, and where.
        runs: How often the retriever was asked now.
        false_alarms: How often the rule fires between the runs of the baseline itself, and in how
            many tries; None where the baseline holds one run.
        notes: What a person should know, a sentence each.
    """

    baseline: Baseline
    report: EvaluationReport
    verdict: RegressionVerdict
    runs: int
    false_alarms: tuple[int, int] | None
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The check as JSON types."""
        return {
            "ok": self.verdict.ok,
            **asdict(self.verdict),
            "false_alarms": self.false_alarms,
            "baseline_commit": self.baseline.commit,
            "commit": self.report.commit,
            "baseline_retriever": self.baseline.retriever,
            "retriever": self.report.retriever,
            "notes": list(self.notes),
        }


def save_baseline(
    path: Path,
    request: EvalRequest,
    environment: Environment,
    progress: Progress,
    *,
    runs: int,
    replaces: bool = False,
) -> BaselineUpdate:
    """Ask a retriever several times, and save its scores.

    Args:
        path: The file to write.
        request: How the retriever is asked.
        environment: Where datasets are.
        progress: Learns how far things are.
        runs: How often to ask.
        replaces: Whether the file may hold a baseline already.

    Raises:
        InputError: The path holds a baseline that is not to be replaced, or anything else; or the
            input is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
    """
    previous = _read_if_present(path)
    if previous is not None and not replaces:
        raise InputError(
            f"{path}: holds a baseline already; pass --replace to put this one in its place"
        )
    # A name that is wrong shows before the codebase is read.
    find_measures(request.all_measures)
    setup = set_up_evaluation(request, environment, progress)
    reports = _run_repeatedly(request, setup, environment, progress, runs)
    baseline = Baseline.from_reports(reports)
    text = json.dumps(baseline.model_dump(mode="json"), indent=2)
    data = f"{text}\n".encode("ascii")
    replace_report(path, data, head=HEAD)
    return BaselineUpdate(baseline, previous)


def check_baseline(
    path: Path,
    request: EvalRequest,
    environment: Environment,
    progress: Progress,
    *,
    runs: int | None = None,
    mode: Mode | None = None,
    tolerance: float = TOLERANCE,
) -> BaselineCheck:
    """Ask a retriever again, as it was asked for the baseline, and compare.

    Args:
        path: The baseline.
        request: How the retriever is asked; measures, depth and rule for ties are those of the
            baseline where the request has none, and others than those are an error. Docstrings
            are blanked where they were for the baseline.
        environment: Where datasets are.
        progress: Learns how far things are.
        runs: How often to ask; as often as the comparison needs where there is none.
        mode: The rule; that of the baseline where there is none (decisions 14 and 32).
        tolerance: How far a measure may fall.

    Raises:
        InputError: The file is not a baseline, or is not about this dataset asked in this way; or
            the input is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
    """
    baseline = _read(path)
    mode = mode or choose_mode(baseline)
    _check_docstrings(baseline, request, path)
    _check_product_code(baseline, request, path)
    request = as_in_baseline(request, baseline)
    find_measures(request.all_measures)
    setup = set_up_evaluation(request, environment, progress)
    _check_same_dataset(baseline, setup.dataset, path)
    if setup.left_out:
        # Their code is no longer what it was: that they are not asked is no fall of the retriever.
        baseline = baseline.without(setup.left_out)
    # As many runs as the baseline has, so that both sides tell their spread equally well.
    is_fixed = runs is not None
    if runs is None:
        runs = _runs_needed(baseline, mode)
    reports = _run_repeatedly(request, setup, environment, progress, runs)
    verdict = _check(baseline, reports, mode, tolerance)
    if mode == "exact" and not is_fixed and not verdict.ok:
        # Few runs that agree by chance look steady; a fall that stays in as many runs is none.
        progress.phase("a query fell; asking again whether it stays so")
        further_runs = baseline.runs - runs
        reports += _run_repeatedly(request, setup, environment, progress, further_runs)
        verdict = _check(baseline, reports, mode, tolerance)
    false_alarms = count_false_alarms(baseline, len(reports), mode=mode, tolerance=tolerance)
    # Dataset, codebase and settings are the same in every run, so any of them describes the check.
    report = reports[0]
    notes = tuple(_notes(baseline, report))
    return BaselineCheck(
        baseline=baseline,
        report=report,
        verdict=verdict,
        runs=len(reports),
        false_alarms=false_alarms,
        notes=notes,
    )


def baseline_of(path: Path, dataset: LoadedDataset) -> Baseline:
    """Read a baseline of a dataset.

    Raises:
        InputError: The file is no baseline of this dataset.
    """
    baseline = _read(path)
    _check_same_dataset(baseline, dataset, path)
    return baseline


def compare_with_baseline(baseline: Baseline, report: EvaluationReport) -> RegressionVerdict:
    """Hold one evaluation against a baseline, by the rule that fits the baseline.

    What was not asked, since the code that it cites has changed, is left out on both sides.

    Raises:
        InputError: The retriever was asked in another way than for the baseline.
    """
    unasked = frozenset(baseline.query_ids) - report.by_id.keys()
    baseline = baseline.without(unasked)
    check_alike(baseline, report)
    return check_regression(baseline, [values_by_query(report)])


def known_failures(path: Path, baseline: Baseline, rule: Gate) -> frozenset[str]:
    """Name the queries that missed a rule in every run of a baseline.

    Raises:
        InputError: It lacks the measure of the rule.
    """
    if rule.measure not in baseline.measures:
        measures = ", ".join(baseline.measures)
        raise InputError(
            f"{path}: has no {rule.measure}, which queries are held to; it has {measures}"
        )
    failures = set()
    for query in baseline.queries:
        values = query.values[rule.measure]
        if not any(map(rule.is_passed_by, values)):
            failures.add(query.query_id)
    return frozenset(failures)


def _check(
    baseline: Baseline, reports: Sequence[EvaluationReport], mode: Mode, tolerance: float
) -> RegressionVerdict:
    # What the user asked for may differ from how the baseline was asked.
    for report in reports:
        check_alike(baseline, report)
    runs = [values_by_query(report) for report in reports]
    return check_regression(baseline, runs, mode=mode, tolerance=tolerance)


def as_in_baseline(request: EvalRequest, baseline: Baseline) -> EvalRequest:
    """Fill in what the user left open from the way the baseline was asked."""
    measures = request.measures or baseline.measures
    depth = request.depth or baseline.depth
    ties = request.ties or baseline.ties
    return replace(
        request,
        measures=measures,
        depth=depth,
        ties=ties,
        blank_docstrings=baseline.blank_docstrings,
        product_code=baseline.product_code,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _read(path: Path) -> Baseline:
    data = read_bytes(path, content="baseline")
    return read_baseline(data, source=str(path))


def _read_if_present(path: Path) -> Baseline | None:
    if not path.exists():
        return None
    return _read(path)


def _check_same_dataset(baseline: Baseline, dataset: LoadedDataset, path: Path) -> None:
    if baseline.dataset_sha256 == dataset.sha256:
        return
    digest_then = baseline.dataset_sha256[:SHORT_DIGEST]
    digest_now = dataset.sha256[:SHORT_DIGEST]
    # Saving it anew would make the level of today the one to hold.
    paths = sorted(dataset.path.parent.glob("golden_v*.json"))
    beside = [path for path in paths if path.is_file()]
    matches = [
        file for file in beside if digest_bytes(file.read_bytes()) == baseline.dataset_sha256
    ]
    advice = "save a baseline of this one"
    if matches:
        advice = f"that one is {matches[0]}: name it"
    raise InputError(
        f"{path}: is about another dataset ({digest_then}…) "
        f"than {dataset.path} ({digest_now}…); {advice}"
    )


def _check_docstrings(baseline: Baseline, request: EvalRequest, path: Path) -> None:
    if request.blank_docstrings and not baseline.blank_docstrings:
        raise InputError(
            f"{path}: was saved with docstrings, so it cannot be checked without them; "
            "save a baseline with --blank-docstrings"
        )


def _check_product_code(baseline: Baseline, request: EvalRequest, path: Path) -> None:
    if request.product_code and not baseline.product_code:
        raise InputError(
            f"{path}: was saved with results of all code, so it cannot be checked without them; "
            "save a baseline with --product-code"
        )


def _runs_needed(baseline: Baseline, mode: Mode) -> int:
    """Ask once where spread plays no part: by the strict rule, or for a steady retriever."""
    if mode == "spec" or baseline.is_steady:
        return 1
    return baseline.runs


def _run_repeatedly(
    request: EvalRequest, setup: EvalSetup, environment: Environment, progress: Progress, runs: int
) -> list[EvaluationReport]:
    reports = []
    for number in range(1, runs + 1):
        watcher = progress
        if runs > 1:
            part = f"run {number} of {runs}"
            watcher = PartProgress(part, progress)
        run = run_retriever(request, setup, environment, watcher)
        reports.append(run.report)
    return reports


def _notes(baseline: Baseline, report: EvaluationReport) -> Iterator[str]:
    if baseline.commit != report.commit:
        commit_then = baseline.commit[:12]
        commit_now = report.commit[:12]
        yield f"The codebase is another: {commit_then} then, {commit_now} now."
    if baseline.retriever != report.retriever:
        yield f"The retriever is another: {baseline.retriever} then, {report.retriever} now."
    yield from report.notes
