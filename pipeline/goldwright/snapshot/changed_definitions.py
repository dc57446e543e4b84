"""What the code of one file was before a change and is after it, definition by definition."""

import msgspec


class Hunk(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """Lines of an older content, and those that stand in their place in a newer one.

    Attributes:
        old_first: The first line of the older content.
        old_count: How many lines of it there are; 0 where lines are only added.
        new_first: The first line of the newer content.
        new_count: How many lines of it there are; 0 where lines are only removed.
    """

    old_first: int
    old_count: int
    new_first: int
    new_count: int


class ChangedDefinition(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A function, method or class whose own code is not what it was.

    Own code is that of its definitions without docstrings and comments, and without the functions
    and classes that are defined inside, which stand for themselves.

    Attributes:
        name: The qualified name.
        before: The digest of its own code before; empty where there was none.
        after: The digest of its own code afterwards; empty where there is none.
    """

    name: str
    before: str
    after: str


class DefinitionChanges(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """What a change of one file comes to.

    Attributes:
        definitions: The innermost definitions with a changed line whose own code changed, in the
            order of their names.
        changes_code: Whether any code changed, that outside of definitions included.
        changes_prose: Whether comments or docstrings changed.
        reason: Why nothing is known of it; empty where both contents could be read.
    """

    definitions: tuple[ChangedDefinition, ...] = ()
    changes_code: bool = True
    changes_prose: bool = False
    reason: str = ""
