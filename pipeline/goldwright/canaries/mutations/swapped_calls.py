"""Facts in which caller and callee have changed places."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.code_text import has_word
from goldwright.canaries.mutations.fact_entities import FactUnderMutation
from goldwright.canaries.mutations.fact_wording import FactWording
from goldwright.canaries.mutations.name_resolution import meant
from goldwright.snapshot import Entity
from goldwright.snapshot.mentions import mentions

_CALLS: Final = (
    r"(?:directly |simply |also |then |first |itself )?"
    r"(?:calls|invokes|uses|delegates to|relies on|turns to|forwards to|makes use of|instantiates|hands on what"
    r"|returns the result of a call of|hands over to|passes `[^`]+` to)"
)
_CALLING: Final = (
    re.compile(rf"`(?P<caller>[^`]+)` {_CALLS} `(?P<callee>[^`]+)`"),
    re.compile(
        r"`(?P<callee>[^`]+)` is (?:called|invoked|used|instantiated) by `(?P<caller>[^`]+)`"
    ),
)


def swapped(case: MutationCase, fact: FactUnderMutation) -> Iterator[str]:
    """Yield wordings in which a callee calls its caller."""
    wording = FactWording(fact.text)
    if wording.denies:
        return
    named = {mention.start: mention for mention in mentions(fact.text, case.snapshot)}
    for match in (match for pattern in _CALLING for match in pattern.finditer(fact.text)):
        ends = [named.get(match.start(end)) for end in ("caller", "callee")]
        entities = [meant(case, fact, end) if end else None for end in ends]
        caller, callee = entities
        if (
            caller
            and callee
            and not wording.is_conditional(match.start())
            and _is_one_way(case, caller, callee)
        ):
            yield _exchanged(fact.text, match, caller, callee)


def _is_one_way(case: MutationCase, caller: Entity, callee: Entity) -> bool:
    """Tell whether a call goes from one definition to the other, and nothing of the kind comes
    back.
    """
    if (
        caller.kind == "variable"
        or callee.kind == "variable"
        or caller.simple_name == callee.simple_name
    ):
        return False
    back = {site.entity_id for site in case.snapshot.graph.callees(callee.entity_id)}
    there, here = case.code.of([callee]), case.code.of([caller])
    return (
        caller.entity_id not in back
        and bool(there)
        and not has_word(caller.simple_name, there)
        and has_word(callee.simple_name, here)
    )


def _exchanged(text: str, match: re.Match[str], caller: Entity, callee: Entity) -> str:
    """Let the callee call its caller; a name after ``self`` keeps it where it still makes sense."""
    own = match["callee"].startswith("self.") and caller.parent_name == callee.parent_name
    names = {"caller": callee.name, "callee": f"self.{caller.simple_name}" if own else caller.name}
    for end in sorted(names, key=match.start, reverse=True):
        text = text[: match.start(end)] + names[end] + text[match.end(end) :]
    return text
