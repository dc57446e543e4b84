"""The files in which the name of a definition stands, as long as they are few."""

from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot.product_code import product_code_among
from goldwright.snapshot.word_files import TextFiles, files_with

# Sets that are told by name are small; a name in more files than these has no closed set of uses.
MOST_FILES: Final = 60

_OTHER_CODE: Final = frozenset({".pyx", ".pxd", ".pxi", ".c", ".cc", ".cpp", ".h", ".rs"})


def product_files_with(codebase: TextFiles, name: str) -> tuple[str, ...] | None:
    """Give the product files in whose text a simple name stands, in their order.

    Returns:
        None where the name stands in more than ``MOST_FILES`` files, those aside included, or in
        code of another language: what that does with it, nobody reads.
    """
    paths = files_with(codebase, name)
    if paths is None or len(paths) > MOST_FILES:
        return None
    if stands_in_other_code(codebase, name):
        return None
    return product_code_among(codebase, paths)


def stands_in_other_code(codebase: TextFiles, text: str) -> bool:
    """Check whether a name or text stands in product code of another language."""
    data = text.encode()
    return any(data in codebase.data(path) for path in _other_code(codebase))


@lru_cache(maxsize=2)
def _other_code(codebase: TextFiles) -> tuple[str, ...]:
    """List the product files in other languages that call Python code, or are called by it."""
    files = (path for path in sorted(codebase.files) if PurePosixPath(path).suffix in _OTHER_CODE)
    return tuple(filter(codebase.has_text, product_code_among(codebase, files)))
