"""The files in which the name of a definition stands, as long as they are few."""

from typing import Final

from goldwright.snapshot.product_code import is_product_code
from goldwright.snapshot.word_files import TextFiles, files_with

# Sets that are told by name are small; a name in more files than these has no closed set of uses.
MOST_FILES: Final = 60


def product_files_with(codebase: TextFiles, name: str) -> tuple[str, ...] | None:
    """Give the product files in whose text a simple name stands, in their order.

    Returns:
        None where the name stands in more than ``MOST_FILES`` files, those aside included.
    """
    paths = files_with(codebase, name)
    if paths is None or len(paths) > MOST_FILES:
        return None
    return tuple(path for path in paths if is_product_code(path))
