"""Which files hold the tests of a project, by their paths."""

import pytest

from goldwright.mining.path_filters import is_test


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_shop.py", True),
        ("typing_tests/baseline.py", True),
        ("e2e-tests/pages.py", True),
        ("shop/test_prices.py", True),
        ("shop/test_utils.py", False),
        ("shop/contests/rules.py", False),
        ("shop/latest.py", False),
    ],
)
def test_files_of_tests_are_known_by_their_paths(path: str, *, expected: bool) -> None:
    assert is_test(path) is expected
