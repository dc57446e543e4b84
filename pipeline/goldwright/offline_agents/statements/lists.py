"""Several names in a sentence: ``a``, ``a`` and ``b``, or ``a``, ``b`` and ``c`` in code marks."""

import re
from collections.abc import Sequence
from typing import Final

_ITEM: Final = re.compile(r"`([^`]+)`")


def join_code(names: Sequence[str]) -> str:
    """Write names in code marks as a list; there must be one at least."""
    marked = [f"`{name}`" for name in names]
    if len(marked) == 1:
        return marked[0]
    *earlier, last = marked
    listed = ", ".join(earlier)
    return f"{listed} and {last}"


def either(names: Sequence[str]) -> str:
    """Write names in code marks as a choice: ``a`` or ``b``; there must be one at least."""
    # Names hold no blanks.
    return join_code(names).replace("` and `", "` or `")


def read_choice(text: str) -> tuple[str, ...] | None:
    """Read back what ``either`` wrote; None for anything else."""
    return read_code_list(text.replace("` or `", "` and `"))


def read_code_list(text: str) -> tuple[str, ...] | None:
    """Read back what ``join_code`` wrote; None for anything else."""
    names = tuple(_ITEM.findall(text))
    return names if names and join_code(names) == text else None
