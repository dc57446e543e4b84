"""Phase 2: whether a further batch is like the golden dataset, and which agents should play no more."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from goldwright.app.exporting import batch_labels
from goldwright.app.opening import OpenRun, run_for_reading
from goldwright.app.reporting import report_on
from goldwright.app.surroundings import Surroundings
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.distribution import BatchDrift, compare_batch
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.retirement import AgentRecord, judge_agents
from goldwright.golden.versions import checked, find_dataset
from goldwright.records import GoldenLabel
from goldwright.stages.fates import Fate

REJECTED: frozenset[Fate] = frozenset({"queued", "failed_gate", "rejected"})
JUDGED_ROLES = ("oracle", "adversary")


@dataclass(frozen=True, slots=True)
class DriftReport:
    """A batch against a dataset, and the agents of all the runs that were named, by role."""

    run: str
    dataset: str
    drift: BatchDrift
    agents: dict[str, tuple[AgentRecord, ...]]


def drift_of(names: Sequence[str], against: str | None, around: Surroundings, progress: Progress) -> DriftReport:
    """Compare the first run with a dataset, and the agents of all runs with one another.

    Raises:
        InputError: There is no such run or dataset, or they have no cell in common.
    """
    found = find_dataset(against, around.workspace.golden)
    data = read_bytes(found.path, what="dataset")
    checked(found, data)
    golden = parse_dataset(data, source=str(found.path))
    counts: dict[str, dict[str, Counter[bool]]] = {role: {} for role in JUDGED_ROLES}
    batch: tuple[GoldenLabel, ...] = ()
    seed = 0
    runs = {run.path: run for run in map(around.workspace.find_run, names)}
    compared = next(iter(runs.values()))
    for directory in runs.values():
        with run_for_reading(directory) as run:
            _count_agents(run, counts)
            if directory is compared:
                batch, seed = batch_labels(run, around, progress), run.manifest.seed
    try:
        drift = compare_batch(batch, golden, seed=seed)
    except ValueError as error:
        raise InputError(
            f"{compared.name}: has no cell in common with {found.path.name}: nothing to compare"
        ) from error
    return DriftReport(
        compared.name, found.path.name, drift, {role: judge_agents(fates) for role, fates in counts.items()}
    )


def _count_agents(run: OpenRun, counts: dict[str, dict[str, Counter[bool]]]) -> None:
    """Count for each agent the records that got as far as it, and those of them that were turned away."""
    fates = {one.query_id: one.fate for one in report_on(run).standings}
    for answer in run.books.answers.done.values():
        if answer.query_id in fates:
            is_out = fates[answer.query_id] in REJECTED
            counts["oracle"].setdefault(answer.authored_by, Counter())[is_out] += 1
    for report in run.books.reports.done.values():
        if report.query_id in fates:
            is_out = fates[report.query_id] in REJECTED
            counts["adversary"].setdefault(report.authored_by, Counter())[is_out] += 1
