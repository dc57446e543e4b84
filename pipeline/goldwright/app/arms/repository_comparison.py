"""Arms over the repositories of a manifest."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from goldwright.app.arms.arm_comparison import SEED, compare_arms, make_bench
from goldwright.app.arms.arm_request import ArmRequest
from goldwright.app.arms.repository_manifest import RepositoryEntry, read_manifest
from goldwright.app.environment import Environment
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable
from goldwright.evaluation.arms.learned_weights import GRID, learn_weights
from goldwright.evaluation.arms.repository_tables import RepositoryComparison, aggregate
from goldwright.retrieval.arms.catalog import weighted_hybrid_name

DEFAULT_ARM: Final = "hybrid"
LEARNED: Final = "learned"


@dataclass(frozen=True, slots=True)
class ManifestRequest:
    """Several repositories and the arms to compare on each.

    Attributes:
        manifest: The file that names them.
        arms: The request for each; dataset, codebase and commit are those of the manifest.
        default: The arm that others would replace.
    """

    manifest: Path
    arms: ArmRequest
    default: str = DEFAULT_ARM

    def __post_init__(self) -> None:
        """Refuse a default that is not compared.

        Raises:
            InputError: It is none of the arms.
        """
        if self.default not in self.arms.arms:
            names = ", ".join(self.arms.arms)
            raise InputError(f"--default {self.default}: is not compared; wanted one of {names}")


def compare_repositories(
    request: ManifestRequest, environment: Environment, progress: Progress
) -> RepositoryComparison:
    """Compare arms on every repository, average them, and hold each against the default.

    Beside the arms of the request stands ``learned``: the hybrid whose dense weight the other
    repositories chose.

    Raises:
        InputError: The manifest, a dataset, a codebase or a name is wrong.
        QualityGateError: Files that a dataset cites have changed, and that is not allowed.
        HarnessError: What must be equal by construction is not.
    """
    comparisons: dict[str, ArmComparison] = {}
    for entry in read_manifest(request.manifest):
        progress.phase(entry.name)
        arm_request = _request_for(entry, request)
        comparisons[entry.name] = compare_arms(arm_request, environment, progress)
    learned = _learn_everywhere(comparisons)
    finished = {}
    for name, comparison in comparisons.items():
        tables = []
        for place, table in enumerate(comparison.tables):
            weights = learned[place] if learned else {}
            tables.append(_with_learned_arm(table, weights.get(name)))
        finished[name] = replace(comparison, tables=tuple(tables))
    first = next(iter(finished.values()))
    aggregates = []
    for place in range(len(first.tables)):
        tables_at_place = _tables_at(finished, place)
        aggregates.append(aggregate(tables_at_place, request.default, seed=SEED))
    return RepositoryComparison(request.default, finished, tuple(aggregates), learned)


def _request_for(entry: RepositoryEntry, request: ManifestRequest) -> ArmRequest:
    grid = GRID if "hybrid" in request.arms.arms else ()
    return replace(
        request.arms, dataset=entry.dataset, repo=entry.repo, rev=entry.rev, weight_grid=grid
    )


def _tables_at(comparisons: Mapping[str, ArmComparison], place: int) -> dict[str, ArmTable]:
    return {name: comparison.tables[place] for name, comparison in comparisons.items()}


def _learn_everywhere(
    comparisons: Mapping[str, ArmComparison],
) -> tuple[Mapping[str, float], ...]:
    """Learn the weights of every table; nothing where a model was missing."""
    first = next(iter(comparisons.values()))
    learned = []
    for place in range(len(first.tables)):
        means = {}
        for name, table in _tables_at(comparisons, place).items():
            means[name] = _means_of_grid(table)
        if not all(means.values()):
            return ()
        learned.append(learn_weights(means))
    return tuple(learned)


def _means_of_grid(table: ArmTable) -> dict[float, float]:
    """Give the mean of the first measure for every weight of the grid that has an arm."""
    measure = table.bench.report.measures[0]
    means = {}
    for weight in GRID:
        arm = weighted_hybrid_name(weight)
        if arm in table.reports:
            means[weight] = table.reports[arm].mean(measure)
    return means


def _with_learned_arm(table: ArmTable, weight: float | None) -> ArmTable:
    """Put the hybrid with the learned weight in the place of the grid, and compare the arms."""
    grid = {weighted_hybrid_name(tried) for tried in GRID}
    systems = {name: system for name, system in table.bench.systems.items() if name not in grid}
    failures = {name: error for name, error in table.bench.failures.items() if name not in grid}
    if weight is not None:
        chosen = table.bench.systems[weighted_hybrid_name(weight)]
        report = chosen.report.model_copy(update={"retriever": LEARNED})
        systems[LEARNED] = replace(chosen, report=report)
    return replace(table, bench=make_bench(systems, failures, table.bench.notes))
