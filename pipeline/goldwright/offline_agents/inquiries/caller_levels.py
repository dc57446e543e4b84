"""The callers of a function and the callers of these: closed sets on both levels, or none."""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.surroundings import callers_of
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.statement import Finding


def callers_of_each(code: CodeContext, callers: Sequence[str], most: int) -> tuple[str, ...] | None:
    """Give the callers of some functions; None where one has none that are known, or too many."""
    further: list[str] = []
    for caller in callers:
        above = code.few_callers(caller, most)
        if not above:
            return None
        further.extend(above)
    return tuple(further)


def facts_of_callers(
    code: CodeContext, callees: Sequence[str], targets: Sequence[str]
) -> tuple[Finding, ...]:
    """State who calls each of some functions; nothing where one of them cannot be told."""
    facts = [callers_of(code, callee, targets) for callee in callees]
    closed_sets = [fact for fact in facts if fact is not None]
    are_all_closed = len(closed_sets) == len(facts)
    return tuple(closed_sets) if are_all_closed else ()


def mistaken_levels(facts: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the callers of a caller as the direct ones: a level is easily skipped."""
    sets = [fact for fact in facts if isinstance(fact.statement, OnlyCallers)]
    for fact, above in islice(pairwise(sets), 1):
        direct = set(fact.statement.members)
        further = above.statement.members
        if direct.isdisjoint(further):
            yield fact.refuting(fact.statement.with_members(further))
