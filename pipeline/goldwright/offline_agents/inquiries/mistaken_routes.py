"""What is believed of the way of an error: who catches it, by which clause, and who calls whom."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from goldwright.code_reading.error_classes import error_class, is_kind_of
from goldwright.code_reading.errors import handler_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.statements.caught_from import SOME_CLAUSE, CaughtFrom
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.statement import Finding

# Two levels of more callers are no longer a sentence.
MOST_CALLERS_ABOVE: Final = 3
# What takes whatever is raised.
_ALL_ERRORS: Final = frozenset({"Exception", "BaseException"})


def routes_mistaken(code: CodeContext, facts: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what is believed of the way of an error: a wrong clause, a level of callers skipped.

    Args:
        code: The codebase.
        facts: Who calls the function, and where its error goes from there.
    """
    wrong_clauses = (false for fact in facts for false in _misjudged(code, fact))
    clauses = list(islice(wrong_clauses, 1))
    skipped = [false for fact in facts for false in _with_level_skipped(code, fact)]
    yield from (*clauses, *skipped)
    if not clauses and not skipped:
        invented_clauses = (false for fact in facts for false in _with_some_clause(fact))
        yield from islice(invented_clauses, 1)


def _with_level_skipped(code: CodeContext, fact: Finding) -> Iterator[Finding]:
    """Yield the callers of the only caller as those of the function."""
    statement = fact.statement
    if not isinstance(statement, OnlyCallers) or len(statement.callers) != 1:
        return
    (caller,) = code.closed_callers(fact.entity_id) or ("",)
    callers_above = code.closed_callers(caller) or () if caller else ()
    above = tuple(map(name_of, callers_above))
    # Nobody is tempted by names of files that the answer has nothing to do with, nor by a name that
    # stands there twice.
    cited_files = [lines.file for lines in fact.cited_lines()]
    files = {path_of(fact.entity_id), *cited_files}
    are_told_apart = len(set(above)) == len(above)
    is_tempting = are_told_apart and files.issuperset(map(path_of, callers_above))
    if not is_tempting or statement.callers[0] in above:
        return
    if 0 < len(above) <= MOST_CALLERS_ABOVE:
        yield fact.refuting(statement.with_members(above))


def _with_some_clause(fact: Finding) -> Iterator[Finding]:
    """Yield that a caller catches an error: whoever has not looked may believe it.

    No clause is made up for it, which nobody would who looks.
    """
    statement = fact.statement
    if isinstance(statement, CaughtFrom) and not statement.clause:
        yield fact.refuting(replace(statement, clause=SOME_CLAUSE))


def _misjudged(code: CodeContext, fact: Finding) -> Iterator[Finding]:
    """Yield that a clause of a caller catches an error which it does not; or that none does."""
    statement = fact.statement
    if not isinstance(statement, CaughtFrom):
        return
    if statement.clause:
        yield fact.refuting(replace(statement, clause=""))
        return
    opened = code.function(fact.entity_id)
    sites = handler_sites(*opened) if opened is not None else ()
    # A clause that stands somewhere else in the function is easily taken for one around, the nearer
    # the sooner; but not one that takes other errors.
    for site in sorted(sites, key=lambda site: abs(site.first - fact.lines.start)):
        if opened is not None and _seems_to_take(code, opened[0], site.caught, statement.error):
            errors = ", ".join(site.caught)
            is_single = len(site.caught) == 1
            clause = errors if is_single else f"({errors})"
            yield fact.refuting(replace(statement, clause=clause))


def _seems_to_take(code: CodeContext, module: Module, caught: Sequence[str], error: str) -> bool:
    """Find out whether a clause takes an error, as far as the names in its module tell."""
    raised = error_class(code.snapshot, module, error)
    for name in caught:
        taken = error_class(code.snapshot, module, name)
        if name == error:
            return True
        if raised is not None and taken is not None and is_kind_of(code.snapshot, raised, taken):
            return True
    return not _ALL_ERRORS.isdisjoint(caught)
