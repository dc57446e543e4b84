"""Sentences of the summary in a terminal."""

import pytest

from goldwright.cli.printing import LINE_WIDTH, folded_lines


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """As wide as sentences get."""
    monkeypatch.setenv("COLUMNS", "120")


def test_a_long_sentence_is_folded_under_its_heading() -> None:
    """No word is broken, so ids and cells can be copied."""
    text = ", ".join(f"explain/hard-{number} (0 of 4)" for number in range(12))
    first, *further = folded_lines("short", text)
    assert first.startswith("short   explain/hard-0 (0 of 4), ")
    assert further
    assert all(line.startswith(" " * 8) for line in further)
    assert all(len(line) <= LINE_WIDTH for line in (first, *further))
    assert " ".join(line.strip() for line in (first[8:], *further)) == text


def test_a_sentence_without_a_heading_is_set_off_by_deeper_lines() -> None:
    first, second = folded_lines("", "debug/hard: " + "word " * 20)
    assert first.startswith("        debug/hard: word")
    assert second.startswith("          word")
