"""Auditing a dataset against a codebase: every check on every record, and how many records each one
hits.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from goldwright.golden.foreign.checks import CHECKS
from goldwright.golden.foreign.audit_context import AuditCase, AuditContext
from goldwright.golden.foreign.records import ForeignDataset
from goldwright.golden.foreign.task_types import guess_from_openings
from goldwright.snapshot import Snapshot
from goldwright.text import make_visible


@dataclass(frozen=True, slots=True)
class Defect:
    """What one check says against one record; ``record`` is its number in the file, from 1, for ids
    may repeat.
    """

    code: str
    query_id: str
    message: str
    record: int


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found; defects by record, and in the order of the checks.

    ``notes`` are sentences about the dataset as a whole, and about what could not be checked.
    """

    records: int
    defects: tuple[Defect, ...]
    notes: tuple[str, ...]

    def counts(self) -> Mapping[str, int]:
        """How many records each check hits, whatever the number of defects in one; all checks, in
        their order.
        """
        hit = {(defect.code, defect.record) for defect in self.defects}
        found = Counter(code for code, _ in hit)
        return {code: found[code] for code, _ in CHECKS}

    @property
    def records_hit(self) -> int:
        """How many records have any defect."""
        return len({defect.record for defect in self.defects})


def audit(dataset: ForeignDataset, snapshot: Snapshot) -> AuditReport:
    """Run every check on every record."""
    ground = AuditContext(dataset, snapshot)
    defects = tuple(_defects(ground))
    return AuditReport(len(dataset.records), defects, tuple(_notes(ground)))


def _defects(ground: AuditContext) -> Iterator[Defect]:
    for position, record in enumerate(ground.dataset.records):
        case = AuditCase(position, ground)
        for code, check in CHECKS:
            for message in check(case):
                yield Defect(code, record.query_id, make_visible(message), position + 1)


def _notes(ground: AuditContext) -> Iterator[str]:
    records = ground.dataset.records
    guessed = guess_from_openings(ground.openings, ground.task_types)
    if guessed is not None:
        yield f"readable_task_type: {guessed}"
    else:
        yield "readable_task_type: fewer than two task types are known, so there is none to guess"
    without = sum(record.cell is None for record in records)
    if without:
        yield (
            f"{without} of {len(records)} records have no known task type and difficulty: "
            "their tier is not checked, and their queries are held to the strictest rule on identifiers"
        )
    if not any(record.carries_facts for record in records):
        yield f"the format {ground.dataset.format} carries no facts: empty_facts is not checked"
