"""Names that are put together at run time: who calls such a method by name is not all who do."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from goldwright.snapshot.product_code import product_code_among
from goldwright.snapshot.snapshot import Snapshot
from goldwright.snapshot.word_files import files_with

# A name is looked up where it is put together, or a few lines further down.
_NEAR: Final = 3
# A shorter beginning fits names that have nothing to do with it.
_SHORTEST: Final = 3
_LOOKUP: Final = "getattr("
# What goes through the names of an object, with the last name of what it is.
_LISTINGS: Final[Mapping[str, re.Pattern[str]]] = {
    "dir": re.compile(r"\bdir\((?:\w+\.)*(\w+)\)"),
    "vars": re.compile(r"\bvars\((?:\w+\.)*(\w+)\)"),
    "getmembers": re.compile(r"\bgetmembers\((?:\w+\.)*(\w+)\b"),
    "__dict__": re.compile(r"\b(\w+)\.__dict__\b"),
}
_OBJECTS: Final = frozenset({"self", "cls"})
# The beginning is added to, or filled in by one of three kinds of formatting.
_BEGINNING: Final = re.compile(
    r"""["'](?P<added>\w+_)["']\s*\+ | ["'](?P<put>\w+_)%s | [fF]["'](?P<written>\w+_)\{
      | ["'](?P<formatted>\w+_)\{\w*\}["']\s*\.\s*format""",
    re.VERBOSE,
)


def is_dispatched(snapshot: Snapshot, name: str) -> bool:
    """Find out whether a simple name may be put together and looked up by ``getattr``."""
    return name.startswith(_beginnings(snapshot))


def is_in_listed_module(snapshot: Snapshot, path: str) -> bool:
    """Find out whether product code may go through all that a file defines, by ``dir``.

    ``[getattr(command, name) for name in dir(command)]`` calls whatever ``command.py`` holds.
    """
    module_path = path.removesuffix("/__init__.py").removesuffix(".py")
    stem = module_path.rpartition("/")[2]
    return stem in _listed_names(snapshot)


@lru_cache(maxsize=2)
def _listed_names(snapshot: Snapshot) -> frozenset[str]:
    """Give the last names of what product code lists by ``dir``, ``vars`` or ``__dict__``."""
    names: set[str] = set()
    for word, listing in _LISTINGS.items():
        paths = files_with(snapshot, word)
        if paths is None:
            paths = tuple(snapshot.files_in("python"))
        for path in product_code_among(snapshot, paths):
            text = snapshot.source(path).text
            names.update(match[1] for match in listing.finditer(text))
    return frozenset(names - _OBJECTS)


@lru_cache(maxsize=2)
def _beginnings(snapshot: Snapshot) -> tuple[str, ...]:
    """List how the names begin that product code puts together near a ``getattr``."""
    paths = files_with(snapshot, "getattr")
    if paths is None:
        paths = tuple(snapshot.files_in("python"))
    beginnings: set[str] = set()
    for path in product_code_among(snapshot, paths):
        lines = snapshot.source(path).lines
        for number, line in enumerate(lines):
            if _LOOKUP in line:
                first = max(0, number - _NEAR)
                behind_last = number + _NEAR + 1
                near = "\n".join(lines[first:behind_last])
                matches = _BEGINNING.finditer(near)
                beginnings.update(match[match.lastgroup or 0] for match in matches)
    long_enough = [beginning for beginning in beginnings if len(beginning) >= _SHORTEST]
    return tuple(sorted(long_enough))
