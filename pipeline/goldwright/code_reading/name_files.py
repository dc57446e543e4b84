"""Which files hold a name: one pass over the words of a codebase, for all names that it defines."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from goldwright.snapshot.codebase import SourceTree

# Sets that are told by name are small; a name in more files than these has no closed set of uses.
MOST_FILES: Final = 60

_WORD: Final = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")


@lru_cache(maxsize=2)
def files_by_name(codebase: SourceTree) -> Mapping[str, tuple[str, ...]]:
    """Give the files in whose text a name stands, by the simple name of each definition.

    Returns:
        The paths by name, in the order of the files; names in more than ``MOST_FILES`` files are
        left out.
    """
    names = {entity.simple_name.encode() for entity in codebase.entities()}
    places: dict[bytes, list[str]] = {}
    for path in codebase.source_files:
        for word in names.intersection(_WORD.findall(codebase.data(path))):
            places.setdefault(word, []).append(path)
    found: dict[str, tuple[str, ...]] = {}
    for word, paths in places.items():
        if len(paths) <= MOST_FILES:
            found[word.decode("utf-8", "replace")] = tuple(paths)
    return found
