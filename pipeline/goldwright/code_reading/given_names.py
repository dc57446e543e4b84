"""Which names an expression reads, and which a statement gives other values."""

import ast
import re
from collections.abc import Iterable
from typing import Final

_STRING: Final = re.compile(r"""[rbfuRBFU]{0,2}("[^"]*"|'[^']*')""")
_DOTTED: Final = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def names_in(code: str) -> frozenset[str]:
    """Give the names in an expression, and the attributes of names, as in ``self.shop``."""
    names: set[str] = set()
    for dotted in _DOTTED.findall(_STRING.sub("", code)):
        parts = dotted.split(".")
        names.add(parts[0])
        names.add(".".join(parts[:2]))
    return frozenset(names)


def names_given(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Give the names and attributes of names that get a value in some nodes of a tree."""
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store() | ast.Del()):
                names.add(f"{owner}.{name}")
            case _:
                continue
    return frozenset(names)
