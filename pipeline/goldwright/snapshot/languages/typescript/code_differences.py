"""Which definitions of a TypeScript file a change touches, and whether their own code changed.

Own code is that of a definition without comments and without the definitions inside it, compared
as the words and signs that it consists of: another layout is no change.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldwright.snapshot.changed_definitions import ChangedDefinition, DefinitionChanges, Hunk
from goldwright.snapshot.languages.typescript.definitions import definitions
from goldwright.snapshot.languages.typescript.owners import OwnersByByte
from goldwright.snapshot.languages.typescript.parsing import (
    UnreadableError,
    leaves,
    normalized,
    parse,
)

# In bytes; two definitions of one history do not meet by chance.
_DIGEST_BYTES: Final = 12
_NO_FILE: Final = b""
# A separator after the last item and a semicolon at the end of a line are matters of layout.
_LAYOUT: Final = frozenset({";", ","})


def compare_code(old: bytes | None, new: bytes | None, hunks: Sequence[Hunk]) -> DefinitionChanges:
    """Compare two contents of a file by the lines that differ; None is a file that is not there."""
    try:
        before = _read(old)
        after = _read(new)
    except UnreadableError as error:
        return DefinitionChanges(reason=str(error))
    old_ranges = ((hunk.old_first, hunk.old_count) for hunk in hunks)
    old_names = before.names_at(old_ranges)
    new_ranges = ((hunk.new_first, hunk.new_count) for hunk in hunks)
    new_names = after.names_at(new_ranges)
    changed: list[ChangedDefinition] = []
    for name in sorted(old_names | new_names):
        definition = ChangedDefinition(name, before.digest(name), after.digest(name))
        if definition.before != definition.after:
            changed.append(definition)
    changes_code = bool(changed) or before.tokens.get("") != after.tokens.get("")
    changes_prose = not changes_code and before.comments != after.comments
    return DefinitionChanges(tuple(changed), changes_code, changes_prose)


@dataclass(slots=True)
class _FileTokens:
    """The words and signs of a file, by the innermost definition around them.

    Attributes:
        tokens: Those of each qualified name; what stands outside of definitions has the empty name.
        comments: The comments, blanks folded.
        owners: The qualified names of the innermost definitions on each line, by its number.
    """

    tokens: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    comments: list[bytes] = field(default_factory=list)
    owners: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))

    def names_at(self, ranges: Iterable[tuple[int, int]]) -> set[str]:
        """Collect the definitions that own any line of some ranges, each a line and a count."""
        names: set[str] = set()
        for first, count in ranges:
            for number in range(first, first + count):
                names |= self.owners.get(number, set())
        return names

    def digest(self, name: str) -> str:
        """Digest the own code of a definition; empty where there is none."""
        tokens = self.tokens.get(name)
        if tokens is None:
            return ""
        hexadecimal = hashlib.sha256(b"\0".join(tokens)).hexdigest()
        return hexadecimal[: 2 * _DIGEST_BYTES]


def _read(data: bytes | None) -> _FileTokens:
    root = parse(normalized(_NO_FILE if data is None else data))
    owners = OwnersByByte(definitions(root))
    file_tokens = _FileTokens()
    for leaf in leaves(root):
        text: bytes = leaf.text
        if leaf.type == "comment":
            file_tokens.comments.append(b" ".join(text.split()))
            continue
        owner = owners.at(leaf.start_byte)
        if leaf.type not in _LAYOUT:
            file_tokens.tokens[owner].append(text)
        if owner:
            for row in range(leaf.start_point[0], leaf.end_point[0] + 1):
                file_tokens.owners[row + 1].add(owner)
    return file_tokens
