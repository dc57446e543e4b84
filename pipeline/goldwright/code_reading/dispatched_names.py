"""Names that are put together at run time: who calls such a method by name is not all who do."""

import re
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
# The beginning is added to, or filled in by one of three kinds of formatting.
_BEGINNING: Final = re.compile(
    r"""["'](?P<added>\w+_)["']\s*\+ | ["'](?P<put>\w+_)%s | [fF]["'](?P<written>\w+_)\{
      | ["'](?P<formatted>\w+_)\{\w*\}["']\s*\.\s*format""",
    re.VERBOSE,
)


def is_dispatched(snapshot: Snapshot, name: str) -> bool:
    """Find out whether a simple name may be put together and looked up by ``getattr``."""
    return name.startswith(_beginnings(snapshot))


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
                near = "\n".join(lines[max(0, number - _NEAR) : number + _NEAR + 1])
                matches = _BEGINNING.finditer(near)
                beginnings.update(match[match.lastgroup or 0] for match in matches)
    return tuple(sorted(found for found in beginnings if len(found) >= _SHORTEST))
