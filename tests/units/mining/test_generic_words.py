"""Which subjects lead nowhere."""

import pytest

from goldwright.mining.generic_words import is_vague


@pytest.mark.parametrize(
    "subject",
    [
        "Some code cleanups",
        "Implement changes after code review",
        "Fix flake8 issues",
        "Resolve @piotr-example's concerns",
        "Fix breakage introduced by 8f591682",
        "Merge pull request from GHSA-j8r2-6x86-q33q",
        "Removed unused imports and simplified things",
        "FIX FAILING TESTS",
    ],
)
def test_the_vocabulary_of_commits_alone_is_vague(subject: str) -> None:
    """People and numbers add nothing."""
    assert is_vague(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "Cookies expire too late",
        "Refactor netrc handling",
        "Fix `verify`",
        "Fix status_code",
        "Add support for SOCKS",
        "Use getLogger for warnings",
        "Fix bytes.decode bug",
        "Dropped connections are closed",
    ],
)
def test_a_name_or_a_word_of_its_own_leads_somewhere(subject: str) -> None:
    """Whatever else stands beside them."""
    assert not is_vague(subject)


def test_words_of_commits_never_rescue_a_subject() -> None:
    """However many there are."""
    subject = "Fix lint"
    for word in ("minor", "tests", "cleanup", "refactored", "fixes", "updating"):
        subject = f"{subject} {word}"
        assert is_vague(subject)
    assert not is_vague(f"{subject} chunked")
