"""What people wrote of a commit, as a query."""

import pytest

from goldwright.mining.message_query import clean_subject, content_words, first_paragraph


@pytest.mark.parametrize(
    ("subject", "query"),
    [
        ("Fix crash when the list is empty", "Fix crash when the list is empty"),
        ("fix(parser)!: crash on empty input", "crash on empty input"),
        ("feat: add retries (#123)", "add retries"),
        ("[WIP] utils: Quote spaces, fixes #12 and #13", "Quote spaces"),
        ("core/http.py: close sockets", "close sockets"),
        ("Close sockets, see https://example.org/x?y=1", "Close sockets, see"),
        (":bug: Close sockets.", "Close sockets"),
        ("Fixes gh-77: sockets stay open", "sockets stay open"),
        ("Use psf/requests#55 for sockets", "Use for sockets"),
        ("Warning: this cannot be undone easily", "this cannot be undone easily"),
        ("#123", ""),
        ("Use close() in place of (#12) end", "Use close() in place of end"),
        ("docs:", "docs"),
        ("🐛 fix(config): restore lines that go on", "restore lines that go on"),
        ("⚡️ Speed the parser up 🎉", "Speed the parser up"),
        ("Print © and 5 °C as they are", "Print © and 5 °C as they are"),
        ("a: b: c: d", "d"),
    ],
)
def test_a_query_is_a_subject_without_what_only_tools_read(subject: str, query: str) -> None:
    """Prefixes, numbers of issues, addresses, emoji codes."""
    assert clean_subject(subject) == query


def test_cleaning_again_changes_nothing() -> None:
    """A query is clean."""
    for subject in ("fix: [x] a: b (#1)", "Merge #2, closes #3: d", "feat(x): y: z"):
        assert clean_subject(clean_subject(subject)) == clean_subject(subject)


def test_the_first_paragraph_of_a_body_is_prose() -> None:
    """Without trailers, signs of lists and addresses; of several paragraphs the first."""
    message = "Subject\n\n- one (see #3)\n* two https://x.org\nFixes: #4\n\nmore\n"
    assert first_paragraph(message) == "one two"
    assert first_paragraph("Subject\n") == ""


def test_content_words_are_no_stop_words() -> None:
    """Whatever their capitals."""
    assert content_words("The Sockets of the sockets are not open") == {"sockets", "open"}
