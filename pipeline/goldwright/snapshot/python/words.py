"""The words that belong to Python itself."""

import builtins
import collections.abc
import keyword
import sys
import typing
from typing import Final

from goldwright.snapshot.language import LanguageWords

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

WORDS: Final = LanguageWords(
    names=frozenset(dir(builtins)) | frozenset(keyword.kwlist) | {"self", "cls"},
    standard_modules=sys.stdlib_module_names,
    type_names=frozenset(typing.__all__) | frozenset(collections.abc.__all__),
    object_methods=frozenset(_COMMON_METHODS).union(*map(dir, _BUILT_IN_TYPES)),
)
