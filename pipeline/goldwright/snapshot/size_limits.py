"""How large a codebase and its files may be, and how deeply nested."""

from typing import Final

# From here on a file is not read as text: no person writes as much, and generated tables do.
LARGEST_TEXT_FILE: Final = 2 * 1024 * 1024
# In levels of a syntax tree: 500 calls in a row have as many. What real code holds, tables of
# joined strings among it, stays below.
DEEPEST_TREE: Final = 1000
# The largest monorepos that are open to all have about as many files.
MOST_ENTRIES: Final = 200_000
# A listing of as many files, with long names.
MOST_TREE_BYTES: Final = 256 * 1024 * 1024
MOST_TREE_SECONDS: Final = 30.0
