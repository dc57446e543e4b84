"""What one file contributes to the index.

The facts travel between processes and lie in the cache on disk, where the order of the fields is
their only key: a changed field, or other facts of the same bytes, needs another ``INDEX_VERSION``.
"""

from typing import Final

import msgspec

INDEX_VERSION: Final = 5

# The reason is the last field of the facts; an empty one is this byte in msgpack (a string of
# length 0).
NO_REASON: Final = b"\xa0"


class Definition(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A definition of one name.

    Attributes:
        name: The qualified name.
        kind: ``class``, ``function``, ``method`` or ``variable``.
        first: The line of the first decorator, or of the definition where there is none.
        last: The line where the definition ends.
    """

    name: str
    kind: str
    first: int
    last: int


class ImportedName(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A name that an import binds.

    Attributes:
        alias: The name in this file; ``*`` for all names of a module.
        module: The module the name comes from.
        name: The name in that module; empty for the module itself.
        level: How many dots lead a relative import; 0 for an absolute one.
    """

    alias: str
    module: str
    name: str
    level: int


class Reference(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A dotted name that an entity uses.

    Attributes:
        owner: The qualified name of the entity; empty at module level.
        dotted: The name as the code writes it.
        line: The line where it stands.
    """

    owner: str
    dotted: str
    line: int


class FileFacts(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """Everything the index keeps of a file.

    Attributes:
        definitions: In file order.
        imports: In file order, those inside functions too.
        calls: The names that are called. ``(Class).method`` is a call on a local that holds an
            instance of the class.
        uses: The names that are read, each once per owner.
        bases: The base classes; the owner is the class that derives from them.
        attributes: The attributes of known class, written ``attribute:Class``; the owner is the
            class that has the attribute.
        reason: Why the file could not be parsed; empty when it could.
    """

    definitions: tuple[Definition, ...] = ()
    imports: tuple[ImportedName, ...] = ()
    calls: tuple[Reference, ...] = ()
    uses: tuple[Reference, ...] = ()
    bases: tuple[Reference, ...] = ()
    attributes: tuple[Reference, ...] = ()
    reason: str = ""
