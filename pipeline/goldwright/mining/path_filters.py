"""Which changed files may be targets."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from goldwright.mining.filters import Filter
from goldwright.mining.settings import MiningSettings
from goldwright.snapshot.git.history_walk import FileChange
from goldwright.snapshot.product_code import FOLDER_OF_TESTS

_TEST_FOLDERS: Final = frozenset({"test", "tests", "testsuite", "test_suite"})
# ``test_utils.py`` may be what a project gives its users for their tests, as ``testing`` may.
_TEST_FILE: Final = re.compile(r"test_(?!utils?\.).*|.*_tests?\.py|tests?\.py|conftest\.py")


def is_test(path: str) -> bool:
    """Tell by its path whether a file holds tests of the project itself."""
    *folders, name = PurePosixPath(path).parts
    if any(_holds_tests(folder.lower()) for folder in folders):
        return True
    return _TEST_FILE.fullmatch(name) is not None


def _holds_tests(folder: str) -> bool:
    return folder in _TEST_FOLDERS or FOLDER_OF_TESTS.search(folder) is not None


def possible_targets(
    changes: Iterable[FileChange], settings: MiningSettings
) -> tuple[FileChange, ...]:
    """Select the changes of files that may be targets: all, or all but tests."""
    if settings.with_tests:
        return tuple(changes)
    return tuple(change for change in changes if not is_test(change.new_path))


def path_filter(changes: Iterable[FileChange], settings: MiningSettings) -> Filter | None:
    """Give the filter that takes a commit by the source files that it changed."""
    all_changes = tuple(changes)
    if not all_changes:
        return "no_source"
    targets = possible_targets(all_changes, settings)
    if not targets:
        return "tests_only"
    if len(targets) > settings.max_files:
        return "sweeping"
    return None
