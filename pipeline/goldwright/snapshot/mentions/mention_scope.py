"""What a text may speak of."""

from dataclasses import dataclass

from goldwright.records import FileRange


@dataclass(frozen=True, slots=True)
class MentionScope:
    """What a text may speak of.

    Attributes:
        entity_ids: The entities it may name.
        files: The files it may name.
        ranges: The lines behind it; what their code names, the text may name too.
    """

    entity_ids: frozenset[str]
    files: frozenset[str]
    ranges: tuple[FileRange, ...] = ()
