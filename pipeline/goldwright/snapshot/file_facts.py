"""What one file contributes to the index, as values that travel between processes and lie on disk."""

from typing import Final

import msgspec

INDEX_VERSION: Final = 2


class Definition(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A definition: its qualified name, kind, and lines from the first decorator to the end."""

    name: str
    kind: str
    first: int
    last: int


class ImportedName(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A name bound by an import: ``name`` is empty for a module itself, ``level`` counts leading
    dots.
    """

    alias: str
    module: str
    name: str
    level: int


class Reference(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A dotted name used by an owner (a qualified name) at a line."""

    owner: str
    dotted: str
    line: int


class FileFacts(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """Everything the index keeps of a file; ``reason`` says why it could not be parsed."""

    definitions: tuple[Definition, ...] = ()
    imports: tuple[ImportedName, ...] = ()
    calls: tuple[Reference, ...] = ()
    uses: tuple[Reference, ...] = ()
    bases: tuple[Reference, ...] = ()
    attributes: tuple[Reference, ...] = ()
    reason: str = ""
