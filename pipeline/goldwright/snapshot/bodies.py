"""What the code of an entity is, whatever stands around it.

The text of a body is compared to tell whether code has changed; its normal form, to tell whether two
pieces of code do the same under other names.
"""

import importlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from goldwright.canonical import digest_bytes
from goldwright.snapshot.model import Entity
from goldwright.snapshot.parsing import UnparsableError, may_be_newer, parse_module
from goldwright.snapshot.snapshot import Snapshot

# libcst overflows the stack of the process at 10,000 operators in a row or 1,000 nested brackets (measured).
# What ast has parsed is far from that; of newer syntax, only what can not come near it is read.
LONGEST_NEWER_TEXT: Final = 4000
DEEPEST_NEWER_BRACKETS: Final = 60


def body_text(snapshot: Snapshot, entity: Entity) -> str:
    r"""Give the code of an entity: its spans with their decorators, dedented, without trailing blanks.

    Lines end in ``\n``; several spans stand a form feed apart. What is indented less than the first line,
    as the text of a long string may be, stays where it is.
    """
    lines = snapshot.source(entity.path).lines
    return "\f\n".join(dedented(lines[span.first - 1 : span.last]) for span in entity.spans)


def body_digest(snapshot: Snapshot, entity: Entity) -> str:
    """Name the code of an entity by its content."""
    return digest_bytes(body_text(snapshot, entity).encode("utf-8", "surrogatepass"))


def dedented(lines: Sequence[str]) -> str:
    """Take the indentation of the first line from all lines that have it, and the blanks at their ends."""
    margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())] if lines else ""
    return "".join(f"{line.removeprefix(margin).rstrip()}\n" for line in lines)


@lru_cache(maxsize=4096)
def normal_form(text: str, *, in_class: bool = False) -> str | None:
    """Write code as a syntax tree in which layout, docstrings and the choice of local names do not show.

    Parameters and local names are numbered as they appear; the name of the definition itself is left out.
    Globals, builtins, attributes, keywords of calls and literals stay, strings by their value.

    Args:
        text: One definition, or several of one name.
        in_class: It stands in a class, so that its bare name means something else inside its body.

    Returns:
        The tree in brackets, or None where the text can not be parsed.
    """
    if not _is_harmless(text):
        return None
    # libcst takes a fifth of a second to load, and most commands do not need it.
    forms = importlib.import_module("goldwright.snapshot.forms")
    written: str | None = forms.tree(text, in_class=in_class)
    return written


def _is_harmless(text: str) -> bool:
    data = text.encode("utf-8", "replace")
    try:
        parse_module(data)
    except UnparsableError as error:
        return may_be_newer(data, str(error)) and len(text) <= LONGEST_NEWER_TEXT and _is_flat(text)
    return True


def _is_flat(text: str) -> bool:
    depth = deepest = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        deepest = max(deepest, depth)
    return deepest <= DEEPEST_NEWER_BRACKETS
