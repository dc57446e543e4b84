"""Class families and hubs: the patterns a code base is extended along."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.author.actions import content_words
from goldwright.offline_agents.author.context import AuthorContext
from goldwright.offline_agents.author.file_notes import ClassNotes, FunctionNotes
from goldwright.offline_agents.author.identifier_words import words_of
from goldwright.offline_agents.author.inflection import is_plural
from goldwright.offline_agents.author.lexicon import DETERMINERS, GENERIC, PREPOSITIONS, UNCOUNTABLE

VAGUE_NOUNS: Final = frozenset(
    "object base class node value item element model type manager handler data meta error warning "
    "exception info entry result context helper "
    "stub dummy thing state container wrapper proxy options settings".split()
)
FEWEST_EXAMPLES: Final = 2
_FUNCTION_WORDS: Final = DETERMINERS | PREPOSITIONS | {"is", "has", "not", "other", "whole"}


@dataclass(frozen=True, slots=True)
class Family:
    """A base class and the classes derived from it; ``noun`` is what one of them is called, without
    article.
    """

    base: ClassNotes
    members: tuple[ClassNotes, ...]
    noun: str

    def examples(self, ground: AuthorContext) -> list[str]:
        """What tells the first members apart, in their own words."""
        own = set(words_of(self.base.name)) | set(self.noun.lower().split())
        found: list[str] = []
        for member in self.members:
            topic = ground.survey.topic_of(member)
            kept = [
                word
                for word in (topic or "").split()
                if word.lower() not in own and word.lower() not in VAGUE_NOUNS
            ]
            if (
                0 < len(kept) <= 2
                and not _FUNCTION_WORDS.intersection(kept)
                and " ".join(kept) not in found
            ):
                found.append(" ".join(kept))
        return found


def families(ground: AuthorContext) -> Iterator[Family]:
    """Yield the families with two members or more whose base has a telling name."""
    for base in ground.survey.classes.values():
        members = tuple(
            one
            for one in ground.subclasses(base.entity_id)
            if not one.name.rpartition(".")[2].startswith("_")
        )
        noun = ground.survey.topic_of(base) if len(members) >= FEWEST_EXAMPLES else None
        if noun is None or "." in base.name or is_failure(base) or base.name.endswith("Mixin"):
            continue
        if not ground.survey.speller.is_noun(noun.split()[-1]) or PREPOSITIONS.intersection(
            noun.split()
        ):
            continue
        noun = _telling_noun(ground, base, noun)
        if (
            noun is not None
            and not is_plural(noun.split()[-1])
            and noun.split()[-1].lower() not in UNCOUNTABLE
        ):
            yield Family(base, members, noun)


def is_failure(notes: ClassNotes) -> bool:
    """Tell whether a class is an exception, as far as its name, its bases and its file say."""
    if any(name.endswith(("Error", "Warning", "Exception")) for name in (notes.name, *notes.bases)):
        return True
    return notes.path.rpartition("/")[2].removesuffix(".py").strip("_") in {
        "exceptions",
        "errors",
        "exc",
        "warnings",
    }


def _telling_noun(ground: AuthorContext, base: ClassNotes, noun: str) -> str | None:
    """Give a lone noun the name of its package, so that it is not any handler but the logging
    handler.
    """
    if len(noun.split()) > 1:
        return noun if noun.rsplit(maxsplit=1)[-1].lower() != "mixin" else None
    words = [
        word for part in base.path.removesuffix(".py").split("/")[1:] for word in words_of(part)
    ]
    for word in reversed(words):
        related = (
            content_words(word) & content_words(noun)
            or word.startswith(noun)
            or noun.startswith(word)
        )
        if (
            not related
            and len(word) > 2
            and not is_plural(word)
            and ground.survey.speller.knows(word)
            and word not in VAGUE_NOUNS | {"core", "base", "utils", "init", "src", "lib"}
        ):
            expanded = ground.survey.speller.expanded(word)
            return f"{expanded} {noun}" if expanded else None
    return None if noun in VAGUE_NOUNS | GENERIC else noun


def hubs(ground: AuthorContext) -> Iterator[tuple[FunctionNotes, dict[str, list[str]]]]:
    """Yield the public functions called from other files, with their callers by file."""
    for notes in ground.spoken:
        by_file: dict[str, list[str]] = {}
        for caller in ground.callers(notes.entity_id):
            if ground.path(caller) != notes.path:
                by_file.setdefault(ground.path(caller), []).append(caller)
        if by_file and notes.parameters - {"self", "cls"}:
            yield notes, by_file
