"""The answer as prose: what answers the question first, then how and why, then limits and failures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.author.inflection import third_person, verb_of_third_person
from goldwright.offline_agents.author.lexicon import VERBS
from goldwright.offline_agents.behaviours import Behaviour
from goldwright.offline_agents.fact_choice import ChosenFact, EntityReading
from goldwright.offline_agents.narrative_clauses import Safe, clause
from goldwright.offline_agents.stable_choice import number, pick
from goldwright.records import Difficulty, TaskType
from goldwright.task_types import definition_of

FEWEST_WORDS: Final = 84
MOST_WORDS: Final = 190
_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


@dataclass(frozen=True, slots=True)
class NarrativeMaterial:
    """What a narrative is made of.

    ``links`` are pairs of targets (caller, callee); ``callers`` counts the places that call a
    target.
    """

    task_type: TaskType
    difficulty: Difficulty
    places: tuple[EntityReading, ...]
    facts: tuple[ChosenFact, ...]
    spare: tuple[ChosenFact, ...]
    links: tuple[tuple[str, str], ...]
    callers: tuple[tuple[str, int], ...]


def tell(matter: NarrativeMaterial, safe: Safe) -> str:
    """Write the narrative: 80 to 250 words that name nothing ``safe`` refuses."""
    sentences: list[str] = []
    words = 0
    for necessary, options in _paragraph(matter, safe):
        if not necessary and words >= FEWEST_WORDS:
            continue
        sentence = next(
            (text for text in options if text and text not in sentences and safe(text)), ""
        )
        if sentence and words + len(sentence.split()) <= MOST_WORDS:
            sentences.append(sentence)
            words += len(sentence.split())
    return " ".join(sentences)


def _paragraph(matter: NarrativeMaterial, safe: Safe) -> Iterator[tuple[bool, Sequence[str]]]:
    yield True, _lead(matter)
    first = matter.places[0]
    yield True, _summary(first)
    yield from _steps(matter, safe)
    for link in [link for link in matter.links if link[0] != link[1]][:3]:
        yield len(matter.places) > 1, _link(link)
    for place in matter.places[1:]:
        yield True, _summary(place)
    for place in matter.places:
        yield False, _usage(place, matter)
        yield False, _inputs(place)
    for fact in matter.spare:
        yield False, [_sentence(fact, safe, number(fact.sentence))]
    for place in matter.places:
        yield False, _where(place)
        yield False, _shape(place)
        yield False, _owner(place)
        yield False, _size(place)
        yield False, _privacy(place)
        yield False, _calls_made(place)


def _lead(matter: NarrativeMaterial) -> list[str]:
    first = matter.places[0]
    task_type = definition_of(matter.task_type)
    is_about_one = len(matter.places) == 1
    forms = task_type.opening_for_one if is_about_one else task_type.opening_for_several
    start = number(first.entity_id, "lead")
    others = listing([f"`{place.definition.name}`" for place in matter.places[1:]])
    return [
        forms[(start + shift) % len(forms)].format(
            name=first.definition.name, path=first.path, others=others
        )
        for shift in range(len(forms))
    ]


def _steps(matter: NarrativeMaterial, safe: Safe) -> Iterator[tuple[bool, Sequence[str]]]:
    previous = ""
    for place_number, fact in enumerate(matter.facts):
        choice = number(fact.sentence, "step")
        same = (
            fact.place.entity_id == previous
            and fact.behaviour.subject == fact.place.definition.name
        )
        text = _sentence(fact, safe, choice, pronoun=_pronoun(fact.behaviour) if same else None)
        previous = fact.place.entity_id
        yield place_number < 5, [text]


def _sentence(fact: ChosenFact, safe: Safe, choice: int, *, pronoun: str | None = None) -> str:
    subject = pronoun or _named(fact)
    said = clause(fact.behaviour, subject, choice, safe)
    if not said:
        return ""
    if subject not in said and pronoun is None:
        said = (
            f"in {subject}, {said}"
            if fact.behaviour.kind not in _CLASS_KINDS
            else f"as for {subject}, {said}"
        )
    return capitalised(said) + "."


_CLASS_KINDS: Final = frozenset(
    {
        "inherits",
        "attribute",
        "field",
        "defines",
        "abstract",
        "bound",
        "entry",
        "listed",
        "decorated",
    }
)


def _pronoun(behaviour: Behaviour) -> str:
    return pick(("it", "it", "the code"), behaviour.subject, behaviour.text, behaviour.kind)


def _named(fact: ChosenFact) -> str:
    name, subject = fact.place.definition.name, fact.behaviour.subject
    if subject == name:
        return f"`{name}`"
    method = subject.rpartition(".")[2]
    if method == "__init__":
        return f"the constructor of `{name}`"
    plain = method.strip("_")
    if plain.isalpha() and plain.islower():
        return f"the {plain} method of `{name}`"
    return f"one method of `{name}`"


def _summary(place: EntityReading) -> list[str]:
    clause_of = _third_person(place.definition.summary)
    name = place.definition.name
    if not clause_of:
        return []
    start = number(place.entity_id, "summary")
    forms = (
        f"`{name}` {clause_of}.",
        f"In short, `{name}` {clause_of}.",
        f"What `{name}` is there for: it {clause_of}.",
        f"By its docstring, `{name}` {clause_of}.",
    )
    return [forms[(start + shift) % len(forms)] for shift in range(len(forms))]


def _third_person(summary: str) -> str:
    """Turn *Load the file* into *loads the file*; empty when the summary is no such sentence."""
    head, _, rest = summary.partition(" ")
    lower = head.lower()
    if not rest or len(summary.split()) > 24 or "…" in summary:
        return ""
    if lower in VERBS:
        return f"{third_person(lower)} {rest}"
    return f"{lower} {rest}" if verb_of_third_person(lower) else ""


def _link(link: tuple[str, str]) -> list[str]:
    caller, callee = link
    start = number(caller, callee)
    forms = (
        f"From `{caller}` the way leads straight to `{callee}`.",
        f"`{callee}` comes in when `{caller}` calls it.",
        f"`{caller}` calls `{callee}` directly.",
        f"It is `{caller}` that calls `{callee}`.",
    )
    return [forms[(start + shift) % len(forms)] for shift in range(len(forms))]


def _usage(place: EntityReading, matter: NarrativeMaterial) -> list[str]:
    name = place.definition.name
    count = dict(matter.callers).get(place.entity_id, 0)
    start = number(place.entity_id, "usage")
    if count == 0:
        forms = (
            f"Nothing else in the repository calls `{name}` directly: it is there for users, or is reached indirectly.",
            f"Within the repository `{name}` has no direct caller; its uses are outside or behind an indirection.",
            f"No direct call of `{name}` stands elsewhere in the repository.",
        )
    else:
        places = (
            "one place"
            if count == 1
            else f"{_NUMBERS[count] if count < len(_NUMBERS) else count} places"
        )
        verb = "relies" if count == 1 else "rely"
        forms = (
            f"Within the repository, {places} {verb} on `{name}` by calling it directly.",
            f"`{name}` is called directly from {places} of the repository.",
            f"A change to `{name}` would be felt in {places} of the repository with a direct call of it.",
        )
    return [forms[(start + shift) % len(forms)] for shift in range(len(forms))]


def _inputs(place: EntityReading) -> list[str]:
    definition = place.definition
    names = [f"`{name}`" for name in definition.parameters[:4]]
    if definition.kind != "function" or not names:
        return []
    more = " among others" if len(definition.parameters) > len(names) else ""
    start = number(place.entity_id, "inputs")
    forms = (
        f"Its input is {listing(names)}{more}.",
        f"Callers of `{definition.name}` hand it {listing(names)}{more}.",
        f"`{definition.name}` works on {listing(names)}{more}.",
    )
    return [forms[(start + shift) % len(forms)] for shift in range(len(forms))]


def _where(place: EntityReading) -> list[str]:
    definition = place.definition
    lines = (
        f"line {definition.first}"
        if definition.first == definition.last
        else f"lines {definition.first} to {definition.last}"
    )
    start = number(place.entity_id, "where")
    forms = (
        f"`{definition.name}` takes up {lines} of {place.path}.",
        f"The code of `{definition.name}` is on {lines} of {place.path}.",
        f"In {place.path}, `{definition.name}` covers {lines}.",
    )
    return [forms[(start + shift) % len(forms)] for shift in range(len(forms))]


def _shape(place: EntityReading) -> list[str]:
    definition = place.definition
    if definition.kind != "function":
        return [_class_shape(place)] if definition.kind == "class" else []
    has_branch = any(one.kind == "checks" for one in definition.behaviours)
    has_loop = any(one.kind == "loops" for one in definition.behaviours)
    has_raise = any(one.kind == "raises" for one in definition.behaviours)
    said = "decides between paths" if has_branch else "has a single path from top to bottom"
    loop = "contains a loop" if has_loop else "has no loop"
    failure = (
        "can raise an exception by itself"
        if has_raise
        else "raises nothing by itself, so failures can only come from what it calls"
    )
    name = definition.name
    start = number(place.entity_id, "shape")
    forms = (
        f"As for its shape, `{name}` {said}, {loop} and {failure}.",
        f"The body of `{name}` {said}; it {loop} and {failure}.",
    )
    return [forms[start % 2], forms[1 - start % 2]]


def _class_shape(place: EntityReading) -> str:
    count = len(place.definition.members)
    methods = (
        "one method"
        if count == 1
        else f"{_NUMBERS[count] if count < len(_NUMBERS) else count} methods"
    )
    return f"The body of `{place.definition.name}` holds {methods}."


def _owner(place: EntityReading) -> list[str]:
    owner = place.definition.name.rpartition(".")[0]
    if not owner:
        kind = {"function": "function", "class": "class", "variable": "name"}[place.definition.kind]
        return [f"`{place.definition.name}` is a module-level {kind} of {place.path}."]
    return [f"`{place.definition.name}` belongs to `{owner}`, whose instances share it."]


def _size(place: EntityReading) -> list[str]:
    definition = place.definition
    count = definition.last - definition.first + 1
    lines = (
        "a single line"
        if count == 1
        else f"{_NUMBERS[count] if count < len(_NUMBERS) else count} lines"
    )
    return [f"All in all, `{definition.name}` is {lines} long."]


def _privacy(place: EntityReading) -> list[str]:
    name = place.definition.name
    last = name.rpartition(".")[2]
    if last.startswith("__"):
        return [
            f"Python itself looks for `{name}` by that name; it is rarely called in so many words."
        ]
    if last.startswith("_"):
        return [
            f"The leading underscore of `{name}` says that it is not meant for users of the package."
        ]
    return [f"`{name}` has a public name, so code outside the repository may depend on it as well."]


def _calls_made(place: EntityReading) -> list[str]:
    definition = place.definition
    calls = {one.text for one in definition.everything() if one.kind in {"calls", "made"}}
    if calls:
        count = (
            "one other function"
            if len(calls) == 1
            else f"{_NUMBERS[len(calls)] if len(calls) < len(_NUMBERS) else len(calls)} other functions"
        )
        return [f"In the course of it, `{definition.name}` calls {count}."]
    return [f"`{definition.name}` calls nothing else on the way."]


def listing(items: Sequence[str]) -> str:
    """Join items as people do: commas, and *and* before the last."""
    return (
        items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
    )


def capitalised(text: str) -> str:
    """Raise the first letter, unless code stands there."""
    return text[:1].upper() + text[1:]
