"""Which git is worth a word of the doctor."""

import pytest

from goldwright.snapshot.git.git_executable import is_mended


@pytest.mark.parametrize("version", [(2, 39, 5), (2, 39, 4), (2, 43, 4), (2, 45, 1), (2, 46, 0)])
def test_a_release_with_its_security_fixes_is_mended(version: tuple[int, int, int]) -> None:
    assert is_mended(version)


@pytest.mark.parametrize("version", [(2, 30, 2), (2, 38, 9), (2, 39, 3), (2, 44, 0), (2, 45, 0)])
def test_a_release_without_them_is_not(version: tuple[int, int, int]) -> None:
    assert not is_mended(version)
