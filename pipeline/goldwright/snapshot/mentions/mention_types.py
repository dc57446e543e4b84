"""What a piece of a text names in a codebase, as a value."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.snapshot.entities import Entity
from goldwright.snapshot.mentions.code_words import CodeWord

MentionKind = Literal["path", "dotted", "member", "name", "entity_id"]

SELF: Final = "self"
"""How a mention writes the object that a method belongs to, whatever the language calls it."""


@dataclass(frozen=True, slots=True)
class Mention:
    """What a piece of a text names.

    Attributes:
        text: The name, mostly as it was written.
        kind: How it names; a ``member`` is an attribute of an object whose class the text does not
            tell.
        entity_ids: All entities it can mean; empty when it names a file, or nothing that exists.
        start: Where it stands in the text.
        end: The offset behind it.
        paths: All files it can mean, and directories with a slash at their end.
        is_called: The text writes it as a call.
        is_marked: It stands between code marks.
        tail: The names at its end that nothing of the codebase has there, as ``lost`` in
            ``Session.lost``.
    """

    text: str
    kind: MentionKind
    entity_ids: frozenset[str]
    start: int
    end: int
    paths: frozenset[str] = frozenset()
    is_called: bool = False
    is_marked: bool = False
    tail: str = ""

    @property
    def path(self) -> str | None:
        """The file or directory it names, if it can be only one."""
        if len(self.paths) != 1:
            return None
        (path,) = self.paths
        return path

    @property
    def is_resolved(self) -> bool:
        """Whether it names anything of the codebase."""
        return bool(self.entity_ids or self.paths)


def mention_of(
    text: str,
    kind: MentionKind,
    word: CodeWord,
    entities: Iterable[Entity] = (),
    *,
    paths: frozenset[str] = frozenset(),
    is_called: bool = False,
    tail: str = "",
) -> Mention:
    """Make a mention of where a word stands and what it names."""
    entity_ids = frozenset(entity.entity_id for entity in entities)
    return Mention(
        text=text,
        kind=kind,
        entity_ids=entity_ids,
        start=word.start,
        end=word.end,
        paths=paths,
        is_called=is_called,
        is_marked=word.is_in_code,
        tail=tail,
    )
