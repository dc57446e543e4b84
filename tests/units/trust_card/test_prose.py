"""The trust card's own reading of prose: words, sentences, marks and stated conditions."""

import pytest

from goldwright.trust_card.prose.identifiers import split_identifier
from goldwright.trust_card.prose.sentences import code_marks, quotations, sentences
from goldwright.trust_card.prose.stated_conditions import stated_conditions
from goldwright.trust_card.prose.words import content_words, stem


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("parse_HTTPHeader2", ("parse", "http", "header", "2")),
        ("FTPDownloadHandler", ("ftp", "download", "handler")),
        ("_private_name", ("private", "name")),
        ("__init__", ("init",)),
    ],
)
def test_identifiers_are_split_into_words(identifier: str, words: tuple[str, ...]) -> None:
    assert split_identifier(identifier) == words


def test_words_with_one_meaning_have_one_stem() -> None:
    assert {stem(word) for word in ("parse", "parses", "parsed", "parsing")} == {"pars"}
    assert {stem(word) for word in ("drop", "drops", "dropping", "dropped")} == {"drop"}
    assert {stem(word) for word in ("class", "classes")} == {"class"}
    assert {stem(word) for word in ("query", "queries")} == {"queri"}
    assert {stem(word) for word in ("cookie", "cookies")} == {"cooki"}
    assert stem("status") == "status"


def test_stop_words_carry_no_meaning_and_identifiers_are_words() -> None:
    query = "Where do we tell whether HTTPServer's get_data is enough?"
    assert content_words(query) == ["tell", "http", "server", "data", "enough"]


def test_full_stops_in_marks_quotations_and_names_end_no_sentence() -> None:
    text = (
        "`a.b` in src/a.py raises “No. Never.” at once. It `returns. Then` stops! Why? "
        "Nine is all, or 3.5."
    )
    assert sentences(text) == (
        "`a.b` in src/a.py raises “No. Never.” at once.",
        "It `returns. Then` stops!",
        "Why?",
        "Nine is all, or 3.5.",
    )


def test_quotations_are_looked_for_outside_code_marks() -> None:
    text = '`f("a")` says “b c” and "d e", but not don"t or ``x `y` ``.'
    assert quotations(text) == ("b c", "d e")
    assert code_marks("a `b` and ``c``") == ("b", "c")


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("It stops when `a` is truthy and `b` is falsy.", [{("a", True)}, {("b", False)}]),
        ("If `a and not b`, it stops.", [{("a", True), ("b", False), ("a and (not b)", True)}]),
        ("It stops unless `a` is `None`.", [{("a is None", False)}]),
        ("When `x` is no instance of `str`, it stops.", [{("isinstance(x, str)", False)}]),
        ("When `n` differs from `2`, it stops.", [{("n == 2", False), ("n != 2", True)}]),
        ("When `k` is not in `ks`, it stops.", [{("k in ks", False), ("k not in ks", True)}]),
        (
            "As long as `a or b` does not hold, it goes on.",
            [{("a", False), ("b", False), ("a or b", False)}],
        ),
        ("It stops when `a` and `b` are falsy.", [{("a", False)}, {("b", False)}]),
        (
            "It stops when `a` is truthy, `n < 3` and `b` is falsy, in the loop `for i in x`.",
            [{("a", True)}, {("n < 3", True)}, {("b", False)}],
        ),
        (
            "It stops when `a`, `b` and `c` are falsy and `d` is truthy.",
            [{("a", False)}, {("b", False)}, {("c", False)}, {("d", True)}],
        ),
        ("It stops unless `a`, `b` or `c`.", [{("a", False)}, {("b", False)}, {("c", False)}]),
        ("When `a` is truthy, `f` stops.", [{("a", True)}]),
        ("It stops when `a` or `b`.", []),
        ("It checks whether `a` is truthy and `b` stops.", []),
        ("When `a b c` holds, it stops.", []),
    ],
)
def test_conditions_in_code_marks_are_read_with_what_is_said_of_them(
    text: str, tests: list[set[tuple[str, bool]]]
) -> None:
    stated = [
        {(test.source, test.holds) for test in condition.tests}
        for condition in stated_conditions(text)
    ]
    assert stated == tests
