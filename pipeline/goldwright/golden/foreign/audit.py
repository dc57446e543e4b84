"""Auditing a dataset against a codebase: every check on every record."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from goldwright.golden.foreign.audit_context import AuditCase, AuditContext
from goldwright.golden.foreign.checks import CHECKS
from goldwright.golden.foreign.measurements import Measurements, measure
from goldwright.golden.foreign.opening_guesses import guess_from_openings
from goldwright.golden.queries import DatasetQuery
from goldwright.snapshot import Snapshot
from goldwright.text import make_visible


@dataclass(frozen=True, slots=True)
class Defect:
    """What one check has found in one record.

    Attributes:
        code: The check.
        query_id: The query id of the record; ids may repeat.
        message: What is wrong.
        record: The number of the record in the file, from 1.
    """

    code: str
    query_id: str
    message: str
    record: int


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit has found.

    Attributes:
        records: How many records the dataset holds.
        defects: The defects in the order of the records, and for each in the order of the checks.
        notes: Sentences about the dataset as a whole, and about what could not be checked.
        measurements: Tiers by plain search, leaks and overlaps, by each reading of the rules.
    """

    records: int
    defects: tuple[Defect, ...]
    notes: tuple[str, ...]
    measurements: Measurements

    def counts(self) -> Mapping[str, int]:
        """How many records each check hits, whatever the number of defects in one.

        All checks are counted, in their order.
        """
        counts = dict.fromkeys(dict(CHECKS), 0)
        # A set, because a check may find several defects in one record.
        for code, _ in {(defect.code, defect.record) for defect in self.defects}:
            counts[code] += 1
        return counts

    @property
    def records_hit(self) -> int:
        """How many records have any defect."""
        return len({defect.record for defect in self.defects})


def audit(dataset_format: str, queries: Iterable[DatasetQuery], snapshot: Snapshot) -> AuditReport:
    """Run every check on every record, and measure what the checks decide by.

    Args:
        dataset_format: The name of the dataset's format.
        queries: Its queries.
        snapshot: The codebase.
    """
    context = AuditContext(dataset_format, queries, snapshot)
    defects = tuple(_defects(context))
    notes = tuple(_notes(context))
    return AuditReport(
        records=len(context.queries),
        defects=defects,
        notes=notes,
        measurements=measure(context),
    )


def _defects(context: AuditContext) -> Iterator[Defect]:
    for number, record in enumerate(context.queries, start=1):
        case = AuditCase(number - 1, context)
        for code, check in CHECKS:
            for message in check(case):
                # Messages quote the dataset, which may hold characters that act on a terminal.
                visible = make_visible(message)
                yield Defect(code, record.query_id, visible, number)


def _notes(context: AuditContext) -> Iterator[str]:
    records = context.queries
    guess = guess_from_openings(context.openings, context.task_types)
    if guess is not None:
        yield f"readable_task_type: {guess}"
    else:
        yield "readable_task_type: fewer than two task types are known, so there is none to guess"
    without_cell = sum(record.cell is None for record in records)
    if without_cell:
        yield (
            f"{without_cell} of {len(records)} records have no known task type and difficulty: "
            "their tier is not checked, and their queries are held to the strictest rule on "
            "identifiers"
        )
    if not any(record.carries_facts for record in records):
        yield f"the format {context.format} carries no facts: empty_facts is not checked"
