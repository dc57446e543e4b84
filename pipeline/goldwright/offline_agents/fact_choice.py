"""Choosing the facts of an answer: what the question asks for first, then what says most about the
code.
"""

import builtins
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from goldwright.offline_agents.behaviours import Behaviour, DefinitionReading, PathCondition
from goldwright.offline_agents.fact_sentences import is_writable, write
from goldwright.offline_agents.stable_choice import number
from goldwright.records import TaskType

FEWEST: Final = 3
ENOUGH: Final = 4
MOST: Final = 8
LONGEST_PIECE: Final = 72
LONGEST_GUARD: Final = 64
MOST_GUARDS: Final = 2

_USUAL: Final[dict[str, float]] = {
    "raises": 7, "reraises": 6, "swallows": 6, "returns": 5, "stops": 3.5, "yields": 5.5, "calls": 3.5, "passes": 1.5, "sets": 4.5,
    "loops": 4, "holds": 6, "enters": 4, "opens": 3, "warns": 5.5, "logs": 4, "asserts": 4, "checks": 2, "rebinds": 5.5,
    "unlocked": 3, "default": 2, "mutable_default": 3, "requires": 0.3, "decorated": 2.2, "inherits": 5, "attribute": 3,
    "field": 2.5, "defines": 1.2, "abstract": 5, "bound": 4, "entry": 3.5, "listed": 3.2, "order": 3, "never": -2,
    "result": 4.5, "changes": 3.5, "refers": -0.5, "literal": 2.5, "made": 4, "placed": -1,
}  # fmt: skip
_ASKED: Final[dict[TaskType, dict[str, float]]] = {
    "locate": {"returns": 1, "sets": 1},
    "explain": {"calls": 1.5, "loops": 1.5, "checks": 1, "order": 1, "returns": 1},
    "debug": {"raises": 5, "reraises": 3, "swallows": 3, "stops": 1.5, "warns": 2},
    "extend": {"abstract": 5, "inherits": 4, "attribute": 3.5, "entry": 4, "listed": 4, "defines": 2.5, "calls": 0.5, "decorated": 2},
    "review": {
        "swallows": 6, "mutable_default": 8, "unlocked": 7, "opens": 7, "rebinds": 5, "holds": 4, "reraises": 2, "passes": 1, "asserts": 3,
    },
    "general": {"inherits": 2, "attribute": 1, "default": 1},
}  # fmt: skip
_RISKY: Final = re.compile(
    r"(?:^|\.)(?:eval|exec|loads?|system|popen|Popen|call|run|check_output|sleep|Thread|Process|import_module|__import__)$"
)
_DULL: Final = frozenset(dir(builtins)) - {"open", "eval", "exec", "compile", "__import__"} | {
    "cast",
    "t.cast",
    "typing.cast",
    "super",
}
_DULL_METHODS: Final = frozenset(
    "append extend join split strip lower upper items keys values get format startswith endswith replace encode decode copy add"
    " update pop rstrip lstrip setdefault index count insert remove sort group groups match".split()
)
_STOP_WORDS: Final = frozenset(
    "the and for with from that this what when where which does into they them have has how why are was not can but there its"
    " our you your any all code place handle handled work works who make makes use used get gets set sets".split()
)


@dataclass(frozen=True, slots=True)
class EntityReading:
    """A target as it was read: its id, its file and what its source shows."""

    entity_id: str
    path: str
    definition: DefinitionReading


@dataclass(frozen=True, slots=True)
class ChosenFact:
    """A true statement about one target, in its sentence."""

    sentence: str
    behaviour: Behaviour
    place: EntityReading


def choose_facts(
    places: Sequence[EntityReading], task_type: TaskType, query: str, *, most: int
) -> tuple[ChosenFact, ...]:
    """Pick up to ``most`` facts over all places; those that answer the question best come first.

    Every place gives at least one as far as it has any; an explanation keeps the order of the code.
    """
    words = content_words(query)
    names = frozenset(place.definition.name.rpartition(".")[2] for place in places)
    scored = [
        (_score(one, task_type, words, names), place, one) for place, one in _distinct(places)
    ]
    scored.sort(
        key=lambda item: (
            -item[0],
            item[1].entity_id,
            item[2].first,
            item[2].kind,
            item[2].text,
            item[2].detail,
        )
    )
    chosen = _pick(scored, places, most)
    if task_type in {"explain", "locate", "general", "extend"}:
        order = {place.entity_id: number for number, place in enumerate(places)}
        chosen.sort(key=lambda item: (order[item[0].entity_id], item[1].first, item[1].kind))
    return tuple(_fact(place, behaviour) for place, behaviour in chosen)


def _distinct(places: Sequence[EntityReading]) -> Iterator[tuple[EntityReading, Behaviour]]:
    """Yield every candidate with its place; entities of one name in several files may not say the
    same twice.
    """
    seen: set[Behaviour] = set()
    for place in places:
        for one in candidates(place.definition):
            plain = replace(one, first=0, last=0)
            if plain not in seen:
                seen.add(plain)
                yield place, one


def candidates(definition: DefinitionReading) -> Iterator[Behaviour]:
    """Yield the behaviours that make a readable sentence, conditions that are too long left open."""
    seen: set[Behaviour] = set()
    for behaviour in (*definition.everything(), *_orders(definition)):
        short = _shortened(behaviour)
        plain = replace(short, first=0, last=0)
        if (
            plain not in seen
            and len(short.text) <= LONGEST_PIECE
            and len(short.detail) <= LONGEST_PIECE
            and is_writable(plain)
        ):
            seen.add(plain)
            yield short


def content_words(text: str) -> frozenset[str]:
    """The telling words of a text or identifier, by their stems."""
    found = re.findall(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}", text)
    return frozenset(stem(word.lower()) for word in found if word.lower() not in _STOP_WORDS)


def stem(word: str) -> str:
    """Cut the common endings of an English word."""
    for ending in (
        "ations",
        "ation",
        "ings",
        "ing",
        "ers",
        "ies",
        "ied",
        "es",
        "ed",
        "er",
        "s",
        "e",
        "y",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def is_dull(callee: str) -> bool:
    """Tell whether a call says next to nothing about the code around it."""
    return callee in _DULL or (
        callee.rpartition(".")[2] in _DULL_METHODS and callee.count(".") == 1
    )


def _score(
    behaviour: Behaviour, task_type: TaskType, words: frozenset[str], names: frozenset[str]
) -> float:
    score = _USUAL[behaviour.kind] + _ASKED[task_type].get(behaviour.kind, 0.0)
    said = content_words(
        " ".join([behaviour.text, behaviour.detail, *(guard.text for guard in behaviour.guards)])
    )
    score += min(len(said & words), 3) * 1.2
    if behaviour.kind == "raises" and behaviour.detail:
        score += 1 + 3 * len(said & words) / max(len(said), 1)
    if behaviour.kind in {"calls", "passes"}:
        score += _weight_of_call(behaviour, task_type, names)
    if behaviour.guards:
        score += -1 if behaviour.guards[0].kind == "some" else 0.7
    if behaviour.kind == "unlocked" and task_type != "review":
        score -= 2
    return score - len(behaviour.text) / 120


def _weight_of_call(behaviour: Behaviour, task_type: TaskType, names: frozenset[str]) -> float:
    simple = behaviour.text.rpartition(".")[2]
    if simple in names and simple != behaviour.subject.rpartition(".")[2]:
        return 5
    if task_type == "review" and (
        _RISKY.search(behaviour.text) or behaviour.detail == "shell=True"
    ):
        return 6
    return -3 if is_dull(behaviour.text) else 0


def _pick(
    scored: Sequence[tuple[float, EntityReading, Behaviour]],
    places: Sequence[EntityReading],
    most: int,
) -> list[tuple[EntityReading, Behaviour]]:
    chosen: list[tuple[EntityReading, Behaviour]] = []
    kinds: Counter[str] = Counter()
    per_place: Counter[str] = Counter()
    waiting = list(scored)
    fair = max(1, most // max(len(places), 1))
    while waiting and len(chosen) < most:
        if len(chosen) >= FEWEST:
            waiting = [item for item in waiting if item[0] >= (1 if len(chosen) >= ENOUGH else 0)]
        if not waiting:
            break
        best = max(
            waiting,
            key=lambda item: (
                item[0] - 1.6 * kinds[item[2].kind] - _crowding(per_place[item[1].entity_id], fair)
            ),
        )
        waiting.remove(best)
        _, place, behaviour = best
        if any(_repeats(behaviour, other) for _, other in chosen):
            continue
        chosen.append((place, behaviour))
        kinds[behaviour.kind] += 1
        per_place[place.entity_id] += 1
    return chosen


def _called_in(behaviour: Behaviour) -> set[str]:
    return {behaviour.text} if behaviour.kind in {"calls", "result", "made"} else set()


def _crowding(count: int, fair: int) -> float:
    return 4.0 * max(0, count - fair + 1) if count else -6.0


def _repeats(one: Behaviour, other: Behaviour) -> bool:  # noqa: C901, PLR0911  # one line a way of saying twice
    """Tell whether two behaviours of one definition say the same thing in two ways."""
    if one.subject != other.subject:
        return False
    if {one.kind, other.kind} <= {"default", "requires"} and one.text == other.text:
        return True
    if one.kind == other.kind == "never":
        return False
    if one.kind == "checks":
        return any(guard.text == one.text for guard in other.guards) or other.text == one.text
    if other.kind == "checks" and any(guard.text == other.text for guard in one.guards):
        return False
    pair = {one.kind, other.kind}
    if "order" in pair:
        order, single = (one, other) if one.kind == "order" else (other, one)
        return single.kind == "order" or (
            single.kind == "calls"
            and not single.guards
            and single.text in {order.text, order.detail}
        )
    if pair & {"result", "changes", "refers", "made"} and one.text in {
        other.text,
        other.detail,
    } | _called_in(other):
        return True
    if pair in ({"result", "returns"}, {"sets", "changes"}):
        return one.first == other.first
    if "refers" in pair:
        single, rest = (one, other) if one.kind == "refers" else (other, one)
        return single.text in rest.text or single.text in rest.detail
    call = next((single for single in (one, other) if single.kind == "calls"), None)
    rest = other if call is one else one
    return (
        call is not None
        and call.first == rest.first
        and (call.text in rest.text or call.text in rest.detail)
    )


def _shortened(behaviour: Behaviour) -> Behaviour:
    """Leave the conditions open where writing them out would make no sentence."""
    guards = behaviour.guards
    too_long = any(
        not guard.text or len(guard.text) + len(guard.detail) > LONGEST_GUARD for guard in guards
    )
    if not too_long and len(guards) <= MOST_GUARDS:
        return behaviour
    return replace(behaviour, guards=(PathCondition("some"),))


def _orders(definition: DefinitionReading) -> Iterator[Behaviour]:
    """Yield pairs of telling calls that follow one another, each made once and always."""
    for owner in (definition, *definition.members):
        calls = [one for one in owner.behaviours if one.kind == "calls"]
        times = Counter(one.text for one in calls)
        sure = [
            one
            for one in calls
            if not one.guards and times[one.text] == 1 and not is_dull(one.text)
        ]
        for one, following in pairwise(sure):
            if one.last < following.first:
                yield Behaviour(
                    "order", one.subject, one.text, following.text, (), one.first, following.last
                )


def _fact(place: EntityReading, behaviour: Behaviour) -> ChosenFact:
    otherwise = (
        behaviour.kind == "returns"
        and not behaviour.guards
        and _ends_elsewhere(place.definition, behaviour)
    )
    choice = number(place.entity_id, behaviour.kind, behaviour.text)
    plain = replace(behaviour, first=0, last=0)
    return ChosenFact(write(plain, choice, otherwise=otherwise), behaviour, place)


def _ends_elsewhere(definition: DefinitionReading, behaviour: Behaviour) -> bool:
    ends = ("returns", "stops", "raises")
    return any(
        one.subject == behaviour.subject and one.kind in ends and one.guards
        for one in definition.everything()
    )
