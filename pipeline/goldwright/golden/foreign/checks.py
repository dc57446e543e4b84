"""The checks of an audit, one function each: what is wrong with one record, in words."""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from goldwright.golden.foreign.audit_context import STRICTEST, AuditCase
from goldwright.golden.foreign.naming import plainly, respelled
from goldwright.golden.foreign.nearest_entities import nearest_file, unresolved
from goldwright.plan import Cell
from goldwright.records import FileRange
from goldwright.snapshot.entities import split_entity_id
from goldwright.stages.gate.checks.file_exists import absence
from goldwright.stages.gate.checks.line_range_valid import range_problem
from goldwright.stages.screen import RULES
from goldwright.stages.screen.rules import SAME_OPENING_IN_BATCH, SAME_OPENING_IN_CELL, may_name_its_target

_SCREEN: Final = dict(RULES)

Check = Callable[[AuditCase], Iterator[str]]


def duplicate_id(case: AuditCase) -> Iterator[str]:
    """Find an id that an earlier record has."""
    first = case.ground.first_with_id[case.record.query_id]
    if first < case.position:
        yield f"the id {case.record.query_id!r} is that of record {first + 1} already"


def empty_query(case: AuditCase) -> Iterator[str]:
    """Find a query without a word."""
    if not case.opening:
        yield "the query has no word"


def no_target(case: AuditCase) -> Iterator[str]:
    """Find a record that wants nothing."""
    if not case.record.entities and not case.record.files:
        yield "neither an entity nor a file is expected"


def unresolved_entity(case: AuditCase) -> Iterator[str]:
    """Find ids that name no entity."""
    for target in case.targets:
        if case.snapshot.entity(target) is None:
            yield unresolved(target.removeprefix("::"), case.snapshot)


def missing_file(case: AuditCase) -> Iterator[str]:
    """Find expected files, and files of ranges, that the tree does not hold as text."""
    ranged = (cited.file for cited in case.record.line_ranges)
    for path in dict.fromkeys((*case.record.files, *ranged)):
        if not case.snapshot.has_text(path):
            yield _absence(path, case)


def line_range(case: AuditCase) -> Iterator[str]:
    """Find ranges that are no lines of their file; of a file that is missing, those that can be of
    none.
    """
    for cited in case.record.line_ranges:
        problem = range_problem(cited, _line_count(cited, case))
        if problem:
            yield problem


def entity_file_unlisted(case: AuditCase) -> Iterator[str]:
    """Find entities whose file is not expected; VaultMind has one list for both, so there it says
    nothing.
    """
    if case.ground.dataset.format == "vaultmind":
        return
    for identifier in dict.fromkeys(case.record.entities):
        path, name = split_entity_id(identifier)
        if name and path not in case.record.files:
            yield f"the file {path!r} of {identifier!r} is not among the expected files"


def identifier_leak(case: AuditCase) -> Iterator[str]:
    """Find a query that names its target; a record without a cell is held to the strictest one.

    Its entities are screened as the Author's are, and also in another spelling (``PRICE_OF`` and
    ``priceOf`` for ``price_of``) and with characters in between that cannot be seen. A record of
    files alone may name neither a file nor a telling entity in it: see ``NamedFile.named_in``. One
    finding for each record, the first.
    """
    cell = case.record.cell or STRICTEST
    if case.targets:
        yield from islice(chain(_screened("identifier_leak", case, cell), _respelled_target(case, cell)), 1)
    elif not may_name_its_target(cell):
        query = plainly(case.record.query_text)
        named = (case.ground.named_file(path).named_in(query) for path in case.record.files)
        yield from islice((message for message in named if message is not None), 1)


def file_structure(case: AuditCase) -> Iterator[str]:
    """Find a locate query whose file is named after the one thing in it."""
    if case.record.task_type == "locate":
        yield from _screened("file_structure", case, Cell("locate", case.record.difficulty or "easy"))


def duplicate_targets(case: AuditCase) -> Iterator[str]:
    """Find a record most of whose targets are those of one earlier record."""
    earlier = case.ground.overlaps.get(case.position)
    if earlier is not None:
        what = "target entities" if case.targets else "target files"
        yield f"over half of its {what} are those of {case.query_id_at(earlier)!r}"


def near_duplicate(case: AuditCase) -> Iterator[str]:
    """Find a query that nearly repeats the words of an earlier one."""
    earlier = case.ground.repeats.get(case.position)
    if earlier is not None:
        yield f"its wording nearly repeats {case.query_id_at(earlier)!r}"


def empty_facts(case: AuditCase) -> Iterator[str]:
    """Find a record without facts, in a format that has a place for them."""
    if case.record.carries_facts and not any(fact.strip() for fact in case.record.must_mention_facts):
        yield "must_mention_facts is empty, so no answer can be judged by it"


def tier(case: AuditCase) -> Iterator[str]:
    """Find a cell that the targets do not fit; it takes a cell, and targets that all resolve."""
    cell = case.record.cell
    known = bool(case.targets) and all(case.snapshot.entity(target) is not None for target in case.targets)
    if cell is not None and known:
        yield from (f"{cell}: {message}" for message in _screened("tier", case, cell))


def opening(case: AuditCase) -> Iterator[str]:
    """Find a query that starts as too many others do."""
    words = " ".join(case.opening)
    in_cell = case.ground.same_opening_in_cell[case.record.cell, case.opening]
    in_all = case.ground.same_opening[case.opening]
    if words and case.record.cell is not None and in_cell > SAME_OPENING_IN_CELL:
        yield f"{in_cell} records of {case.record.cell} open with {words!r}"
    elif words and in_all > SAME_OPENING_IN_BATCH:
        yield f"{in_all} records of the dataset open with {words!r}"


def readable_task_type(case: AuditCase) -> Iterator[str]:
    """Find a query whose first words alone tell its task type."""
    words = case.ground.given_away.get(case.position)
    if words is not None:
        yield f"every record that opens with {' '.join(words)!r} is of type {case.record.task_type}"


CHECKS: Final[Sequence[tuple[str, Check]]] = (
    ("duplicate_id", duplicate_id),
    ("empty_query", empty_query),
    ("no_target", no_target),
    ("unresolved_entity", unresolved_entity),
    ("missing_file", missing_file),
    ("line_range", line_range),
    ("entity_file_unlisted", entity_file_unlisted),
    ("identifier_leak", identifier_leak),
    ("file_structure", file_structure),
    ("duplicate_targets", duplicate_targets),
    ("near_duplicate", near_duplicate),
    ("empty_facts", empty_facts),
    ("tier", tier),
    ("opening", opening),
    ("readable_task_type", readable_task_type),
)


def _screened(rule: str, case: AuditCase, cell: Cell) -> Iterator[str]:
    message = _SCREEN[rule](case.as_candidate(cell))
    if message is not None:
        yield message


def _respelled_target(case: AuditCase, cell: Cell) -> Iterator[str]:
    if may_name_its_target(cell):
        return
    names = (
        part for one in case.as_candidate(cell).draft.target_entity_ids for part in split_entity_id(one)[1].split(".")
    )
    found = respelled(plainly(case.record.query_text), names)
    if found is not None:
        yield f"the query holds {found[0]!r}, a spelling of {found[1]!r}, an identifier of its target"


def _absence(path: str, case: AuditCase) -> str:
    told = absence(path, case.snapshot)
    if path in case.snapshot.files or "; " in told:
        return told
    meant = nearest_file(path, case.snapshot)
    return f"{told}; {meant} is" if meant else told


def _line_count(cited: FileRange, case: AuditCase) -> int:
    return case.snapshot.line_count(cited.file) if case.snapshot.has_text(cited.file) else sys.maxsize
