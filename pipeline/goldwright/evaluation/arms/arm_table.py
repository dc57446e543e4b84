"""Arms on one dataset: a table for each model and for code with and without its docstrings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from goldwright.errors import HarnessError
from goldwright.evaluation.bench import Bench
from goldwright.evaluation.measures import quality_measures, saturated_measures
from goldwright.evaluation.report import EvaluationReport


@dataclass(frozen=True, slots=True)
class ArmTable:
    """The arms over one index.

    Attributes:
        embedder: The name of the model; empty where there is none.
        blank_docstrings: Whether the code was indexed without its docstrings.
        document_count: The documents of the index.
        build_seconds: How long building it took, what was kept of earlier times included.
        bench: The arms as systems, and the comparison of them.
    """

    embedder: str
    blank_docstrings: bool
    document_count: int
    build_seconds: float
    bench: Bench

    @property
    def title(self) -> str:
        """What makes it differ from the other tables."""
        docstrings = "docstrings blanked" if self.blank_docstrings else "with docstrings"
        return f"{docstrings}, {self.embedder or 'no model'}"

    @property
    def reports(self) -> Mapping[str, EvaluationReport]:
        """The report of each arm."""
        return {name: system.report for name, system in self.bench.systems.items()}


@dataclass(frozen=True, slots=True)
class ArmComparison:
    """A comparison of arms on one dataset.

    Attributes:
        level: ``symbol`` or ``file``.
        tables: One for each model and treatment of docstrings.
        unchanged: The arms whose rows were found identical over all models.
    """

    level: str
    tables: tuple[ArmTable, ...]
    unchanged: tuple[str, ...] = ()


def saturation_notes(table: ArmTable) -> Iterator[str]:
    """Say which measures have no room left to show a better arm."""
    arms_of: dict[str, list[str]] = {}
    for name, report in table.reports.items():
        measures = quality_measures(report.measures)
        means = {measure: report.mean(measure) for measure in measures}
        for measure in saturated_measures(means):
            arms_of.setdefault(measure, []).append(name)
    for measure, arms in arms_of.items():
        names = ", ".join(arms)
        yield f"SATURATED: {measure} has no room left for {names}; it cannot show a better arm."


def check_unchanged_rows(tables: Sequence[ArmTable], arms: Sequence[str]) -> tuple[str, ...]:
    """Make sure that arms without a model come to the same with every model, query by query.

    Returns:
        The arms that stand in several tables of the same code.

    Raises:
        HarnessError: One does not: something other than the model differs between the tables.
    """
    compared: list[str] = []
    for arm in arms:
        first_of: dict[bool, ArmTable] = {}
        for table in tables:
            if arm not in table.reports:
                continue
            first = first_of.setdefault(table.blank_docstrings, table)
            if first is table:
                continue
            _check_same(arm, first, table)
            if arm not in compared:
                compared.append(arm)
    return tuple(compared)


def _check_same(arm: str, first: ArmTable, second: ArmTable) -> None:
    for before, after in zip(first.reports[arm].queries, second.reports[arm].queries, strict=True):
        if before != after:
            raise HarnessError(
                f"{arm}: reads no vectors, and yet comes to another result on "
                f"{before.query_id} with {second.embedder} than with {first.embedder}: "
                "an error of the comparison, so no table is shown"
            )
