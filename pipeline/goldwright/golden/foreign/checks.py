"""The checks of an audit, one function each: what is wrong with one record, in words."""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from goldwright.golden.foreign.audit_context import STRICTEST_CELL, AuditCase
from goldwright.golden.foreign.spellings import find_spelling, normalize_query
from goldwright.golden.nearest_entities import nearest_file, unresolved_message
from goldwright.plan import Cell
from goldwright.records import is_adopted
from goldwright.snapshot.entities import split_entity_id
from goldwright.stages.gate.checks.file_exists import absence
from goldwright.stages.gate.checks.line_range_valid import range_problem
from goldwright.stages.screen import RULES
from goldwright.stages.screen.rules import (
    SAME_OPENING_IN_BATCH,
    SAME_OPENING_IN_CELL,
    may_name_its_target,
)

AuditCheck = Callable[[AuditCase], Iterator[str]]
"""Yields a message for everything that is wrong with a record."""

# Checks that the screen has a rule for ask that rule, so that both always agree.
_SCREEN_RULES: Final = dict(RULES)


def duplicate_id(case: AuditCase) -> Iterator[str]:
    """Find an id that an earlier record has."""
    query_id = case.record.query_id
    first = case.context.first_with_id[query_id]
    if first < case.position:
        yield f"the id {query_id!r} is that of record {first + 1} already"


def empty_query(case: AuditCase) -> Iterator[str]:
    """Find a query without a word."""
    if not case.opening:
        yield "the query has no word"


def no_target(case: AuditCase) -> Iterator[str]:
    """Find a record that expects nothing."""
    if not case.record.entity_ids and not case.record.file_paths:
        yield "neither an entity nor a file is expected"


def unresolved_entity(case: AuditCase) -> Iterator[str]:
    """Find ids that name no entity."""
    for target in case.targets:
        if case.snapshot.entity(target) is None:
            yield unresolved_message(target.removeprefix("::"), case.snapshot)


def missing_file(case: AuditCase) -> Iterator[str]:
    """Find expected files, and files of ranges, that the tree does not hold as text."""
    cited_files = [cited.file for cited in case.record.expected_line_ranges]
    for path in dict.fromkeys([*case.record.file_paths, *cited_files]):
        if not case.snapshot.has_text(path):
            yield _absence_message(path, case)


def line_range(case: AuditCase) -> Iterator[str]:
    """Find ranges that are no lines of their file."""
    for cited in case.record.expected_line_ranges:
        # A missing file is another check's finding; here it may have any number of lines.
        line_count = sys.maxsize
        if case.snapshot.has_text(cited.file):
            line_count = case.snapshot.line_count(cited.file)
        problem = range_problem(cited, line_count)
        if problem:
            yield problem


def entity_file_unlisted(case: AuditCase) -> Iterator[str]:
    """Find entities whose file is not expected, in formats that have a list of files."""
    if not case.record.names_entities:
        return
    for identifier in dict.fromkeys(case.record.entity_ids):
        path, name = split_entity_id(identifier)
        if name and path not in case.record.file_paths:
            yield f"the file {path!r} of {identifier!r} is not among the expected files"


def identifier_leak(case: AuditCase) -> Iterator[str]:
    """Find a query that names its target; a record without a cell is held to the strictest one.

    Its entities are screened as the Author's are, and also in another spelling (``PRICE_OF`` and
    ``priceOf`` for ``price_of``) and with characters in between that cannot be seen. A record of
    files alone may name neither a file nor a distinctive entity in it: see ``TargetFile.leak_in``.
    One finding for each record, the first.
    """
    cell = case.record.cell or STRICTEST_CELL
    yield from islice(leaks_at(case, cell), 1)


def leaks_at(case: AuditCase, cell: Cell) -> Iterator[str]:
    """Yield the leaks of a record by the rule of a cell; those of easy cells are laxer."""
    if case.targets:
        yield from _screen("identifier_leak", case, cell)
        yield from _respelled_target(case, cell)
    else:
        yield from _file_leaks(case, cell)


def file_structure(case: AuditCase) -> Iterator[str]:
    """Find a locate query whose file is named after the one thing in it."""
    if case.record.task_type == "locate":
        cell = Cell("locate", case.record.difficulty or "easy")
        yield from _screen("file_structure", case, cell)


def duplicate_targets(case: AuditCase) -> Iterator[str]:
    """Find a record most of whose targets are those of one earlier record."""
    earlier = case.context.overlaps.get(case.position)
    if earlier is not None:
        kind = "target entities" if case.targets else "target files"
        yield f"over half of its {kind} are those of {case.query_id_at(earlier)!r}"


def near_duplicate(case: AuditCase) -> Iterator[str]:
    """Find a query that nearly repeats the words of an earlier one."""
    earlier = case.context.repeats.get(case.position)
    if earlier is not None:
        yield f"its wording nearly repeats {case.query_id_at(earlier)!r}"


def empty_facts(case: AuditCase) -> Iterator[str]:
    """Find a record without facts, in a format that has a place for them."""
    if not case.record.carries_facts or _was_adopted(case):
        return
    if not any(fact.strip() for fact in case.record.must_mention_facts):
        yield "must_mention_facts is empty, so no answer can be judged by it"


def tier(case: AuditCase) -> Iterator[str]:
    """Find a cell that the targets do not fit, where there is a cell and all targets resolve."""
    cell = case.record.cell
    if cell is None or not case.targets or _was_adopted(case):
        return
    # A tier is a matter of how the targets hang together, so all of them have to be known.
    if any(case.snapshot.entity(target) is None for target in case.targets):
        return
    for message in _screen("tier", case, cell):
        yield f"{cell}: {message}"


def _was_adopted(case: AuditCase) -> bool:
    """Whether a list of others is behind it: without facts, and with tiers that were measured."""
    label = case.record.label
    return label is not None and is_adopted(label)


def opening(case: AuditCase) -> Iterator[str]:
    """Find a query that starts as too many others do."""
    if not case.opening:
        return
    words = " ".join(case.opening)
    cell = case.record.cell
    count_in_cell = case.context.opening_counts_in_cell[cell, case.opening]
    count = case.context.opening_counts[case.opening]
    # One finding a record, and the narrower one first.
    if cell is not None and count_in_cell > SAME_OPENING_IN_CELL:
        yield f"{count_in_cell} records of {cell} open with {words!r}"
    elif count > SAME_OPENING_IN_BATCH:
        yield f"{count} records of the dataset open with {words!r}"


def readable_task_type(case: AuditCase) -> Iterator[str]:
    """Find a query whose first words alone give its task type away."""
    opening_words = case.context.given_away.get(case.position)
    if opening_words is not None:
        words = " ".join(opening_words)
        yield f"every record that opens with {words!r} is of type {case.record.task_type}"


CHECKS: Final[Sequence[tuple[str, AuditCheck]]] = (
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
"""Every check by its code, in the order of the report."""


def _absence_message(path: str, case: AuditCase) -> str:
    message = absence(path, case.snapshot)
    # What is in the tree but no text is not looked for elsewhere; after "; " stands advice already.
    if path in case.snapshot.files or "; " in message:
        return message
    nearest = nearest_file(path, case.snapshot)
    if nearest is None:
        return message
    return f"{message}; {nearest} is"


def _screen(rule: str, case: AuditCase, cell: Cell) -> Iterator[str]:
    """Apply a rule of the screen to a record."""
    message = _SCREEN_RULES[rule](case.as_candidate(cell))
    if message is not None:
        yield message


def _respelled_target(case: AuditCase, cell: Cell) -> Iterator[str]:
    """Find a name of a target that the query holds in another spelling."""
    if may_name_its_target(cell):
        return
    names: list[str] = []
    for target in case.named_targets():
        _, qualified_name = split_entity_id(target)
        names.extend(qualified_name.split("."))
    spelling = find_spelling(normalize_query(case.record.query_text), names)
    if spelling is not None:
        yield (
            f"the query holds {spelling.word!r}, a spelling of {spelling.name!r}, "
            "an identifier of its target"
        )


def _file_leaks(case: AuditCase, cell: Cell) -> Iterator[str]:
    """Find the expected files that the query names."""
    if may_name_its_target(cell):
        return
    query = normalize_query(case.record.query_text)
    for path in case.record.file_paths:
        leak = case.context.target_file(path).leak_in(query)
        if leak is not None:
            yield leak
