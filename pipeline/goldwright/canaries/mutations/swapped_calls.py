"""Facts in which caller and callee have changed places."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.code_text import has_word
from goldwright.canaries.mutations.fact_wording import FactWording, replace_span
from goldwright.canaries.mutations.facts_under_mutation import FactUnderMutation
from goldwright.canaries.mutations.name_resolution import resolve_name
from goldwright.snapshot import Entity
from goldwright.snapshot.mentions.mention_search import mentions

# The ways in which facts say that one definition calls another.
_CALLS: Final = (
    r"(?:directly |simply |also |then |first |itself )?"
    r"(?:calls|invokes|uses|delegates to|relies on|turns to|forwards to|makes use of|instantiates"
    r"|hands on what|returns the result of a call of|hands over to|passes `[^`]+` to)"
)
_CALL_STATEMENTS: Final = (
    re.compile(rf"`(?P<caller>[^`]+)` {_CALLS} `(?P<callee>[^`]+)`"),
    re.compile(
        r"`(?P<callee>[^`]+)` is (?:called|invoked|used|instantiated) by `(?P<caller>[^`]+)`"
    ),
)
_NO_OTHERS: Final = re.compile(r",? and by no other product code\b")


def swap_calls(case: MutationCase, fact: FactUnderMutation) -> Iterator[str]:
    """Yield wordings in which a callee calls its caller."""
    wording = FactWording(fact.text)
    # That there are no others denies nothing of those that are named.
    if FactWording(_NO_OTHERS.sub("", fact.text)).denies:
        return
    mentions_by_start = {}
    for mention in mentions(fact.text, case.snapshot):
        mentions_by_start[mention.start] = mention
    for statement in _call_statements(fact.text):
        caller_mention = mentions_by_start.get(statement.start("caller"))
        callee_mention = mentions_by_start.get(statement.start("callee"))
        if caller_mention is None or callee_mention is None:
            continue
        caller = resolve_name(case, fact, caller_mention)
        callee = resolve_name(case, fact, callee_mention)
        if caller is None or callee is None or wording.is_conditional(statement.start()):
            continue
        if _is_one_way(case, caller, callee):
            yield _exchange(case, fact.text, statement, caller, callee)


def _call_statements(text: str) -> Iterator[re.Match[str]]:
    for pattern in _CALL_STATEMENTS:
        yield from pattern.finditer(text)


def _is_one_way(case: MutationCase, caller: Entity, callee: Entity) -> bool:
    """Whether a call goes from one definition to the other, and nothing of the kind comes back."""
    if "variable" in {caller.kind, callee.kind} or caller.simple_name == callee.simple_name:
        return False
    call_sites = case.snapshot.graph.callees(callee.entity_id)
    if any(site.entity_id == caller.entity_id for site in call_sites):
        return False
    callee_code = case.code.code_of([callee])
    caller_code = case.code.code_of([caller])
    # Without code of the callee nothing shows that it does not call back.
    if not callee_code or has_word(caller.simple_name, callee_code):
        return False
    return has_word(callee.simple_name, caller_code)


def _exchange(
    case: MutationCase, text: str, statement: re.Match[str], caller: Entity, callee: Entity
) -> str:
    """Let the callee call its caller; a name behind ``self.`` is replaced by one if that fits."""
    is_own_method = statement["callee"].startswith("self.")
    new_callee = case.spell(caller)
    if is_own_method and caller.parent_name == callee.parent_name:
        new_callee = f"self.{caller.simple_name}"
    new_names = {"caller": case.spell(callee), "callee": new_callee}
    # The last name first, so that the offsets of the other one stay true.
    for role in sorted(new_names, key=statement.start, reverse=True):
        start, end = statement.span(role)
        text = replace_span(text, start, end, new_names[role])
    return text
