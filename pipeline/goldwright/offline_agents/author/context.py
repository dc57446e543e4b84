"""What the finders stand on: the survey, the call graph among surveyed functions, and a seeded
order.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Final

from goldwright.offline_agents.author.actions import Action, content_words
from goldwright.offline_agents.author.codebase_survey import CodebaseSurvey
from goldwright.offline_agents.author.file_notes import ClassNotes, FunctionNotes
from goldwright.offline_agents.author.identifier_words import words_of
from goldwright.plan import Cell
from goldwright.records import TaskType
from goldwright.snapshot import Snapshot

TELLING_WORDS: Final = 2
FITTING_AT_MOST: Final = 4

Slots = dict[str, str]


@dataclass(frozen=True, slots=True)
class QueryIdea:
    """Material for one query: what it aims at, which table of phrasings says it, and with which
    words.

    ``score`` orders ideas of one cell, best first; ``primary`` is the entity no other idea may be
    about.
    """

    cell: Cell
    pattern: str
    targets: tuple[str, ...]
    slots: Slots = field(hash=False, compare=False)
    score: float
    rationale: str | None = None
    expectation: TaskType | None = None

    @property
    def primary(self) -> str:
        """The first target."""
        return self.targets[0]


@dataclass
class AuthorContext:
    """The survey of a snapshot under one seed."""

    snapshot: Snapshot
    survey: CodebaseSurvey
    seed: int

    def jitter(self, *keys: str) -> float:
        """A number in 0..1 that hangs on the seed and the keys alone."""
        digest = blake2b("\0".join((str(self.seed), *keys)).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**64

    def salt(self, *keys: str) -> int:
        """A whole number that hangs on the seed and the keys alone."""
        return int(self.jitter("salt", *keys) * 1_000_003)

    def notes(self, entity_id: str) -> FunctionNotes:
        """The notes of a surveyed function."""
        return self.survey.functions[entity_id]

    def action(self, entity_id: str) -> Action | None:
        """What a function does, with its class named where it would not be told from others
        otherwise.
        """
        return self._actions.get(entity_id)

    def is_documented(self, entity_id: str) -> bool:
        """Tell whether the action of a function was read in its docstring."""
        told = self.survey.told.get(entity_id)
        return told is not None and told.source == "docstring"

    @cached_property
    def spoken(self) -> tuple[FunctionNotes, ...]:
        """The functions with an action that tells them from others, worth more than a few
        statements.
        """
        return tuple(
            notes
            for key, notes in self.survey.functions.items()
            if key in self._actions and is_askable(notes)
        )

    @cached_property
    def _actions(self) -> dict[str, Action]:
        found = ((key, self._specific(key, told.action)) for key, told in self.survey.told.items())
        return {key: action for key, action in found if action is not None}

    def _specific(self, entity_id: str, action: Action) -> Action | None:
        notes = self.notes(entity_id)
        if self.is_telling(action.content_words()):
            return action
        owner = self.survey.class_of(notes)
        topic = self.survey.topic_of(owner) if owner else None
        if (
            topic is None
            or topic.lower() in words_of(notes.path.partition("/")[0] + " " + notes.path)
            or content_words(topic) & action.content_words()
            or len(action.rest.split()) > 8
        ):
            return None
        placed = Action(action.verb, f"{action.rest} {_place(action)} the {topic}")
        return placed if self.is_telling(placed.content_words()) else None

    def is_telling(self, words: frozenset[str]) -> bool:
        """Tell whether words point at few functions and classes of the code base."""
        return len(words) >= TELLING_WORDS and self.survey.fitting(words) <= FITTING_AT_MOST

    def message_holders(self, message: str) -> frozenset[str]:
        """The functions that raise with this very message."""
        return self._messages.get(message, frozenset())

    @cached_property
    def _messages(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for notes in self.survey.functions.values():
            for failure in notes.failures:
                found.setdefault(failure.message, set()).add(notes.entity_id)
        return {message: frozenset(ids) for message, ids in found.items()}

    def callees(self, entity_id: str) -> tuple[str, ...]:
        """The surveyed functions a function calls, in the order of the calls, each once, without
        its decorators.
        """
        sites = (site.entity_id for site in self.snapshot.graph.callees(entity_id))
        worn = (
            " ".join(self.survey.functions[entity_id].decorators)
            if entity_id in self.survey.functions
            else ""
        )
        return tuple(
            one
            for one in self._surveyed(entity_id, sites)
            if one.rpartition(".")[2].rpartition("::")[2] not in worn
        )

    def callers(self, entity_id: str) -> tuple[str, ...]:
        """The surveyed functions that call a function, each once; those it decorates are none of
        them.
        """
        sites = (site.entity_id for site in self.snapshot.graph.callers(entity_id))
        name = self.notes(entity_id).simple_name
        return tuple(
            one
            for one in self._surveyed(entity_id, sites)
            if name not in " ".join(self.notes(one).decorators)
        )

    def _surveyed(self, entity_id: str, found: Iterable[str]) -> Iterator[str]:
        for one in dict.fromkeys(found):
            if one != entity_id and one in self.survey.functions:
                yield one

    def path(self, entity_id: str) -> str:
        """The file of an entity."""
        return entity_id.partition("::")[0]

    def files(self, targets: Iterable[str]) -> int:
        """Count the files of some entities."""
        return len({self.path(target) for target in targets})

    def subclasses(self, class_id: str) -> tuple[ClassNotes, ...]:
        """The surveyed direct subclasses of a class."""
        found = (self.survey.classes.get(one) for one in self.snapshot.graph.subclasses(class_id))
        return tuple(
            sorted((one for one in found if one is not None), key=lambda one: one.entity_id)
        )


def is_askable(notes: FunctionNotes) -> bool:
    """Tell whether a function can be a question's subject: no dunder, no trivial body, no overload."""
    name = notes.simple_name
    if (
        name.startswith("__")
        or notes.statements < 3
        or any("overload" in one for one in notes.decorators)
    ):
        return False
    return "deprecated" not in notes.docstring.lower()[:400] and not name.startswith("test")


def overlaps(words: frozenset[str], name: str) -> int:
    """Count how many of the words stand in an identifier."""
    return len(words & content_words(" ".join(words_of(name))))


def action_slots(action: Action, suffix: str = "") -> Slots:
    """Fill the slots of one action: base, third person and gerund."""
    return {
        f"base{suffix}": action.base,
        f"third{suffix}": action.third,
        f"gerund{suffix}": action.gerund,
    }


def _place(action: Action) -> str:
    return (
        "in"
        if action.verb in {"add", "find", "look up", "store", "keep", "insert", "register"}
        else "for"
    )
