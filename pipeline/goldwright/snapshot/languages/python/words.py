"""The words that belong to Python itself."""

import builtins
import collections.abc
import keyword
import re
import sys
import typing
from typing import Final

from goldwright.snapshot.languages.language_port import LanguageWords

_DUNDER: Final = re.compile(r"__[a-z0-9]+(?:_[a-z0-9]+)*__")
_BUILT_IN_TYPES: Final = (
    str, bytes, bytearray, list, tuple, dict, set, int, float, BaseException,
)  # fmt: skip
# Methods of files, locks, threads, cursors, processes, parsers and loggers: prose names them of
# objects that no codebase defines.
_COMMON_METHODS: Final = """
    acquire close closed cancel commit connect cursor done end execute exists fetchall fetchone
    fileno flush get group groups is_alive is_set join match mkdir notify open parse parse_args put
    read readable readline readlines recv release rollback search seek send sendall set shutdown
    sleep start stop submit sub tell terminate truncate wait writable write writelines debug error
    exception info log warning
""".split()
_BUILT_IN_METHODS: Final = frozenset().union(*map(dir, _BUILT_IN_TYPES))
_KEYWORDS: Final = frozenset(keyword.kwlist)

WORDS: Final = LanguageWords(
    keywords=_KEYWORDS,
    names=_KEYWORDS.union(dir(builtins), {"self", "cls"}),
    standard_modules=sys.stdlib_module_names,
    type_names=frozenset(typing.__all__).union(collections.abc.__all__),
    object_methods=_BUILT_IN_METHODS.union(_COMMON_METHODS),
    receivers=frozenset({"self", "cls", "super"}),
    leading_keywords=frozenset({"async def", "def", "class", "await", "raise", "return", "yield"}),
)


def is_dunder(word: str) -> bool:
    """Return whether a word is one of Python's own double-underscore names, as ``__init__``."""
    return _DUNDER.fullmatch(word) is not None
