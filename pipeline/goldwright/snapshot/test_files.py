"""Which files are tests, by their paths."""

import re
from typing import Final

# Folders and names as pytest and unittest projects use them.
_TEST_PATH: Final = re.compile(
    r"(?:^|/)(?:tests?|testing|testsuite|t)/|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest)\.py$"
)


def is_test(path: str) -> bool:
    """Find out whether a path belongs to tests or to what they need."""
    return _TEST_PATH.search(path) is not None
