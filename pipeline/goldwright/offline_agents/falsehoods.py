"""Mistakes a capable reader could make about a piece of code: true facts, bent so that they are
surely false.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from goldwright.offline_agents.behaviours import Behaviour, DefinitionReading, PathCondition
from goldwright.offline_agents.condition_wording import negate, squash
from goldwright.offline_agents.fact_choice import ChosenFact, EntityReading, candidates
from goldwright.offline_agents.fact_sentences import is_writable, write
from goldwright.offline_agents.stable_choice import number

MOST: Final = 2

_CONFUSED: Final = {
    "ValueError": "TypeError", "TypeError": "ValueError", "KeyError": "ValueError", "RuntimeError": "ValueError",
    "AttributeError": "KeyError", "NotImplementedError": "TypeError", "IndexError": "KeyError", "ImportError": "RuntimeError",
    "OSError": "ValueError", "AssertionError": "ValueError", "LookupError": "TypeError",
}  # fmt: skip
_OPPOSITES: Final = {
    "True": "False",
    "False": "True",
    "None": "()",
    "()": "None",
    "0": "1",
    "1": "0",
    "''": "None",
    '""': "None",
}


def choose_falsehoods(
    facts: Sequence[ChosenFact], places: Sequence[EntityReading]
) -> tuple[ChosenFact, ...]:
    """Pick one or two false statements, those that stand nearest to the facts first."""
    chosen: list[ChosenFact] = []
    definitions = {place.entity_id: place.definition for place in places}
    for fact in facts:
        for wrong in _bent(fact.behaviour, definitions[fact.place.entity_id]):
            if not any(
                one.behaviour.kind == wrong.kind and one.behaviour.subject == wrong.subject
                for one in chosen
            ):
                chosen.append(_fact(fact.place, wrong))
                break
        if len(chosen) == MOST:
            return tuple(chosen)
    if not chosen:
        chosen.extend(
            _fact(place, wrong)
            for place in places[:1]
            for wrong in list(_last_resorts(place.definition))[:1]
        )
    return tuple(chosen)


def _fact(place: EntityReading, behaviour: Behaviour) -> ChosenFact:
    choice = number(place.entity_id, "not", behaviour.kind, behaviour.text)
    return ChosenFact(write(replace(behaviour, first=0, last=0), choice), behaviour, place)


def _bent(behaviour: Behaviour, definition: DefinitionReading) -> Iterator[Behaviour]:
    for wrong in _variants(behaviour, definition):
        if is_writable(replace(wrong, first=0, last=0)) and not _is_true(wrong, definition):
            yield wrong


def _variants(one: Behaviour, definition: DefinitionReading) -> Iterator[Behaviour]:  # noqa: C901  # one arm a form
    exact = bool(one.guards) and all(guard.kind != "some" for guard in one.guards)
    flips = number(one.subject, one.text) % 2 == 0
    if one.kind == "raises":
        swapped = [replace(one, text=other, detail="") for other in _confused(one, definition)]
        silent = (
            [Behaviour("returns", one.subject, "None", "", one.guards, one.first, one.last)]
            if exact
            else []
        )
        yield from (swapped + silent) if flips else (silent + swapped)
    if one.kind == "swallows":
        yield replace(one, kind="reraises")
    if one.kind == "reraises":
        yield replace(one, kind="swallows")
    if one.kind == "returns" and one.text in {"True", "False", "None"} and exact:
        yield replace(one, text={"True": "False", "False": "True", "None": "True"}[one.text])
    if (
        one.kind in {"calls", "raises", "sets", "returns", "yields"}
        and exact
        and one.text != "None"
    ):
        yield from _negated(one, definition)
    if one.kind == "order":
        yield replace(one, text=one.detail, detail=one.text)
    if one.kind in {"default", "attribute"} and one.detail in _OPPOSITES:
        yield replace(one, detail=_OPPOSITES[one.detail])
    if one.kind == "requires":
        yield replace(one, kind="default", detail="None")
    if one.kind in {"returns", "result"} and not one.guards and not _gives_nothing(one, definition):
        yield replace(one, kind="returns", text="None", detail="")
    if one.kind == "mutable_default":
        yield replace(one, kind="default", detail="None")
    if one.kind == "unlocked":
        yield replace(one, kind="holds", text="self._lock")
    if one.kind == "inherits" and "." not in one.text and one.text != one.subject:
        yield replace(one, subject=one.subject, text="object" if one.text != "object" else "dict")


def _confused(one: Behaviour, definition: DefinitionReading) -> Iterator[str]:
    other = _CONFUSED.get(one.text)
    if other and not any(
        raised.kind == "raises" and raised.text == other for raised in definition.everything()
    ):
        yield other


def _gives_nothing(one: Behaviour, definition: DefinitionReading) -> bool:
    """Tell whether a function may return nothing on some path, said or unsaid."""
    ends = [
        other
        for other in definition.everything()
        if other.subject == one.subject and other.kind in {"returns", "stops"}
    ]
    return any(other.kind == "stops" or "None" in other.text or not other.text for other in ends)


def _negated(one: Behaviour, definition: DefinitionReading) -> Iterator[Behaviour]:
    last = one.guards[-1]
    if (
        last.kind != "when"
        or sum(
            other.kind == one.kind and other.text == one.text for other in definition.everything()
        )
        > 1
    ):
        return
    opposite = negate(last.text)
    if not opposite.startswith("not ("):
        yield replace(one, guards=(*one.guards[:-1], PathCondition("when", opposite)))


def _is_true(wrong: Behaviour, definition: DefinitionReading) -> bool:
    """Tell whether anything that was read comes near enough to make the statement right after all."""
    for one in (*definition.everything(), *candidates(definition)):
        if one.subject != wrong.subject or one.kind != wrong.kind:
            continue
        same_text = squash(one.text) == squash(wrong.text) and squash(one.detail) == squash(
            wrong.detail
        )
        if same_text and (not one.guards or one.guards[0].kind == "some" or _same(one, wrong)):
            return True
    return False


def _same(one: Behaviour, other: Behaviour) -> bool:
    return [(g.kind, squash(g.text)) for g in one.guards] == [
        (g.kind, squash(g.text)) for g in other.guards
    ]


def _last_resorts(definition: DefinitionReading) -> Iterator[Behaviour]:
    """Yield statements that are false of any code without exception handlers, locks or such bases."""
    name, first = definition.name, definition.first
    if definition.kind == "variable":
        options = [Behaviour("bound", name, "None", "", (), first, definition.last)]
    elif definition.kind == "class":
        options = [Behaviour("inherits", name, "dict", "", (), first, first)]
    else:
        options = [
            Behaviour("swallows", name, "Exception", "", (), first, definition.last),
            Behaviour("holds", name, "self._lock", "", (), first, definition.last),
        ]
    yield from (
        one for one in options if not _is_true(one, definition) and not _is_said_by(one, definition)
    )


def _is_said_by(wrong: Behaviour, definition: DefinitionReading) -> bool:
    return any(one.kind == wrong.kind and one.text == wrong.text for one in definition.everything())
