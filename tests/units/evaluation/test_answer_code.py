"""Names, literals and messages in answers: how they may be spelled, and which are the same."""

import pytest

from goldwright.evaluation.answers.answer_code import (
    Atom,
    are_same,
    holds_message,
    is_message,
    is_number,
    is_path,
    is_spelled_out,
    is_told,
    is_value,
    plain_text,
    read_code,
    read_quotation,
)


@pytest.mark.parametrize(
    ("code", "atoms"),
    [
        ("close", ["close"]),
        ("close()", ["close"]),
        ("self.close()", ["close"]),
        ("cls.max_size", ["maxsize"]),
        ("Door.close", ["door.close"]),
        ("_close", ["_close"]),
        ("__init__", ["init"]),
        ("_", ["_"]),
        ("super().close", ["super", "().close"]),
        ("f(a, 1)", ["f", "a", "1"]),
        ("f(a).b", ["f", "a", "().b"]),
        ("a if b and not c else d", ["a", "b", "c", "d"]),
        ("self", ["self"]),
        ("and", ["and"]),
        ("1_000", ["1000"]),
        ("-3", ["-3"]),
        ("0.25", ["0.25"]),
        ("'key'", ["key"]),
        ('rb"key"', ["key"]),
        ('b"raw"', ["raw"]),
        ("'_'", ["_"]),
        ("''", ['""']),
        ("src/a/b.py", ["src.a.b.py"]),
        ("setup.cfg", ["setup.cfg"]),
        ("text/html", ["texthtml"]),
        ("--no-cache", ["nocache"]),
        ("--from", ["from"]),
        ("Content-Type", ["contenttype"]),
        ("()", ["()"]),
    ],
)
def test_code_is_taken_apart_into_its_names_and_literals(code: str, atoms: list[str]) -> None:
    assert [".".join(atom) for atom in read_code(code).atoms] == atoms


@pytest.mark.parametrize(
    ("code", "spelling"),
    [("self.Close ( a )", "close(a)"), ("Close()", "close"), ("a  +  b", "a+b")],
)
def test_spellings_differ_by_neither_blanks_nor_capitals(code: str, spelling: str) -> None:
    assert read_code(code).spelling == spelling
    assert not read_code(code).is_quoted


def test_three_words_in_quotes_are_a_message_and_two_spell_a_name() -> None:
    message, name = read_quotation("no such pot"), read_quotation("fire pot")
    assert message.is_quoted
    assert name.is_quoted
    assert (is_message(message.atoms[0]), is_message(name.atoms[0])) == (True, False)
    assert (message.spelling, name.spelling) == ("nosuchpot", "firepot")
    assert is_message(read_code("'no such pot'").atoms[0])


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("No such pot!", "nosuchpot"),
        ("no such …", "nosuch…"),
        ("no such ... ", "nosuch…"),
        ("a_b", "ab"),
    ],
)
def test_a_message_is_compared_by_its_letters_and_by_where_it_is_cut(text: str, plain: str) -> None:
    assert plain_text(text) == plain


def message(text: str) -> Atom:
    """The atom of a message."""
    return read_quotation(text).atoms[0]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("close",), ("door", "close"), True),
        (("door", "close"), ("door", "close"), True),
        (("room", "close"), ("door", "close"), False),
        (("close",), ("closed",), False),
        (("door",), ("door", "close"), False),
        (message("no such pot here"), message("No such pot here!"), True),
        (message("no such pot …"), message("alas, no such pot here"), False),
        (message("there is no such pot …"), message("alas, there is no such pot here"), True),
        (message("there is no such pot"), message("there is no such plate"), False),
        # Eleven letters in common may be chance, and twelve are not.
        (message("ab cd ef ghijk"), message("ab cd ef ghijk lm"), False),
        (message("ab cd ef ghijkl"), message("ab cd ef ghijkl mn"), True),
        (message("there is no such pot"), ("thereisnosuchpot",), True),
        (message("there is no such pot"), ("pot",), False),
    ],
)
def test_two_spellings_of_one_name_or_message_are_the_same(
    first: Atom, second: Atom, expected: bool
) -> None:
    assert are_same(first, second) is expected
    assert are_same(second, first) is expected


def test_a_message_is_held_by_one_that_goes_on() -> None:
    cut = message("no such pot …")
    assert holds_message(cut, [("pot",), message("alas, no such pot here")])
    assert not holds_message(cut, [message("no such plate here")])
    assert not holds_message(cut, [("nosuchpothere",)])


@pytest.mark.parametrize(
    ("atom", "letters", "expected"),
    [
        (message("no such pot here"), "itsaysthatthereisnosuchpothereandstops", True),
        (message("no such pot here"), "itsaysthatthereisnosuchplatehereandstops", False),
        (message("no such …"), "nosuchpot", False),
        (("nosuchpothere",), "nosuchpothere", False),
    ],
)
def test_a_message_may_be_told_without_quotes_and_a_name_may_not(
    atom: Atom, letters: str, expected: bool
) -> None:
    assert is_told(atom, letters) is expected


@pytest.mark.parametrize(
    ("atom", "words", "expected"),
    [
        (("limit",), "the old limit", True),
        (("maxsize",), "the max size", True),
        (("cache", "_maxsize"), "max size", True),
        (("maxsize",), "max big size", False),
        (("maxsize",), "the max", False),
        (("max",), "maxsize", False),
        (("size",), "", False),
        # English words of one letter name nothing.
        (("a",), "a size", False),
        (("i",), "i think", False),
        (("x",), "x is set", True),
    ],
)
def test_a_name_is_spelled_out_by_one_word_or_several_in_a_row(
    atom: Atom, words: str, expected: bool
) -> None:
    assert is_spelled_out(atom, words.split()) is expected


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("3", "number value"),
        ("-3", "number value"),
        ("None", "value"),
        ("true", "value"),
        ("False", "value"),
        ("''", "value"),
        ("a.py", "path"),
        ("src/a.py", "path"),
        ("Door.close", ""),
        ("Flag.true", ""),
        ("_close", ""),
        ("_3", "value"),
    ],
)
def test_numbers_and_constants_are_values_and_names_and_files_are_none(
    code: str, kinds: str
) -> None:
    (atom,) = read_code(code).atoms
    found = {"number": is_number(atom), "path": is_path(atom), "value": is_value(atom)}
    assert {kind for kind, holds in found.items() if holds} == set(kinds.split())
