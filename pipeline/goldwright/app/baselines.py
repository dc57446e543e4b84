"""Saving a baseline of a retriever, and checking later whether the retriever became worse."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from goldwright.app.environment import Environment
from goldwright.app.evaluate import EvalRequest, EvalSetup, score, set_up
from goldwright.atomic_files import replace_report
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.evaluation.baseline import Baseline, check_alike, read_baseline, values_by_query
from goldwright.evaluation.false_alarms import count_false_alarms
from goldwright.evaluation.measures import find_measures
from goldwright.evaluation.regression import RegressionVerdict, check_regression
from goldwright.evaluation.regression_rules import TOLERANCE, Mode
from goldwright.evaluation.report import EvaluationReport
from goldwright.golden.loading import read_bytes

HEAD: Final = b'{\n  "format": "goldwright-baseline-'


@dataclass(frozen=True, slots=True)
class SavedBaseline:
    """A baseline that was written, and how its means differ from those of the one that it replaces."""

    baseline: Baseline
    replaced: Baseline | None

    @property
    def changes(self) -> Iterator[tuple[str, float | None, float]]:
        """Every measure with its mean before, None where there was none, and now."""
        for name, values in self.baseline.means.items():
            old = self.replaced.means.get(name) if self.replaced else None
            yield name, sum(old) / len(old) if old else None, sum(values) / len(values)


@dataclass(frozen=True, slots=True)
class BaselineCheck:
    """A check against a baseline: the first run of today, the verdict, and what is to be said
    beside it.

    ``runs`` is how often the retriever was asked now. ``false_alarms`` are alarms and tries of the
    rule between runs of the baseline itself, None where it holds one.
    """

    baseline: Baseline
    report: EvaluationReport
    verdict: RegressionVerdict
    runs: int
    false_alarms: tuple[int, int] | None
    notes: tuple[str, ...]


def save_baseline(
    path: Path,
    request: EvalRequest,
    environment: Environment,
    progress: Progress,
    *,
    runs: int,
    over: bool = False,
) -> SavedBaseline:
    """Ask a retriever so many times, and keep what it came to.

    Raises:
        InputError: The path holds a baseline that is not to be replaced, or anything else; or the
            input is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
    """
    old = _there(path)
    if old is not None and not over:
        raise InputError(
            f"{path}: holds a baseline already; pass --replace to put this one in its place"
        )
    find_measures(request.wanted)
    setup = set_up(request, environment, progress)
    baseline = Baseline.from_reports(_asked(request, setup, environment, progress, runs))
    data = json.dumps(baseline.model_dump(mode="json"), indent=2).encode("ascii") + b"\n"
    replace_report(path, data, head=HEAD)
    return SavedBaseline(baseline, old)


def check_baseline(
    path: Path,
    request: EvalRequest,
    environment: Environment,
    progress: Progress,
    *,
    runs: int | None = None,
    mode: Mode = "jitter",
    tolerance: float = TOLERANCE,
) -> BaselineCheck:
    """Ask a retriever again, as the baseline was asked, and compare.

    The measures, the depth and the rule for ties are those of the baseline unless others are asked
    for, which is an error. Without ``runs`` it is asked as often as the baseline was, and once
    where all runs of that were the same.

    Raises:
        InputError: The baseline is none, or is not about this dataset asked in this way; or the
            input is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
    """
    baseline = read_baseline(read_bytes(path, what="baseline"), source=str(path))
    request = replace(
        request,
        measures=request.measures or baseline.measures,
        depth=request.depth or baseline.depth,
        ties=request.ties or baseline.ties,
    )
    find_measures(request.wanted)
    setup = set_up(request, environment, progress)
    _check_dataset(baseline, setup, path)
    count = runs or (1 if mode == "spec" or baseline.is_steady else baseline.runs)
    reports = _asked(request, setup, environment, progress, count)
    for one in reports:
        check_alike(baseline, one)
    verdict = check_regression(
        baseline, [values_by_query(one) for one in reports], mode=mode, tolerance=tolerance
    )
    alarms = count_false_alarms(baseline, count, mode=mode, tolerance=tolerance)
    return BaselineCheck(
        baseline, reports[0], verdict, count, alarms, tuple(_notes(baseline, reports))
    )


def as_dict(done: BaselineCheck) -> dict[str, Any]:
    """A check as JSON types."""
    return {
        "ok": done.verdict.ok,
        **asdict(done.verdict),
        "false_alarms": done.false_alarms,
        "baseline_commit": done.baseline.commit,
        "commit": done.report.commit,
        "baseline_retriever": done.baseline.retriever,
        "retriever": done.report.retriever,
        "notes": list(done.notes),
    }


def _there(path: Path) -> Baseline | None:
    if not path.exists():
        return None
    return read_baseline(read_bytes(path, what="baseline"), source=str(path))


def _check_dataset(baseline: Baseline, setup: EvalSetup, path: Path) -> None:
    if baseline.dataset_sha256 != setup.dataset.sha256:
        raise InputError(
            f"{path}: is about another dataset ({baseline.dataset_sha256[:19]}…) than {setup.dataset.path} "
            f"({setup.dataset.sha256[:19]}…); save a baseline of this one"
        )


def _asked(
    request: EvalRequest, setup: EvalSetup, environment: Environment, progress: Progress, runs: int
) -> list[EvaluationReport]:
    reports = []
    for number in range(1, runs + 1):
        if runs > 1:
            progress.phase(f"run {number} of {runs}")
        reports.append(score(request, setup, environment, progress))
    return reports


def _notes(baseline: Baseline, reports: list[EvaluationReport]) -> Iterator[str]:
    now = reports[0]
    if baseline.commit != now.commit:
        yield f"The codebase is another: {baseline.commit[:12]} then, {now.commit[:12]} now."
    if baseline.retriever != now.retriever:
        yield f"The retriever is another: {baseline.retriever} then, {now.retriever} now."
    yield from now.notes
