"""Texts as tokens: sentences, code that nobody marked, and words that stand for others."""

import pytest

from goldwright.evaluation.answers.answer_normal_forms import in_normal_form, with_loops_named
from goldwright.evaluation.answers.answer_tokens import Sentence, letters_of, sentences


def shown(sentence: Sentence) -> str:
    """A sentence with its code in angle brackets and its marks in round ones."""
    frames = {"code": "<{}>", "mark": "({})", "word": "{}"}
    return " ".join(frames[token.kind].format(token.text) for token in sentence)


def read(text: str) -> list[str]:
    """The sentences of a text."""
    return [shown(sentence) for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It waits. It ends! Does it? Yes", ["it waits", "it ends", "does it", "yes"]),
        ("It waits\n\nit ends", ["it waits", "it ends"]),
        ("- it waits\n- it ends\n* yes\n• no", ["it waits", "it ends", "yes", "no"]),
        ("It waits\nand ends", ["it waits and ends"]),
        ("It waits, e.g. here, i.e. there.", ["it waits (,) here (,) there"]),
        ("It waits; a: b (c).", ["it waits (;) a (:) b (() c ())"]),
        ("a - b – c — d-e", ["a (-) b (–) c (—) d e"]),
        ("...", []),
        ("", []),
    ],
)
def test_sentences_end_at_full_stops_blank_lines_and_list_items(
    text: str, expected: list[str]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "code",
    [
        *("src/a/b.py", "src/a/b.py::Door.close", "Door.close", "door.close(key)", "close(key)"),
        *("close(open(key))", "max_size", "_close", "__init__", "camelCase", "HTTPServer"),
        *("None", "True", "False", "[]", "{}", "3", "-3", "1.5", "1_000", "UNSET"),
    ],
)
def test_code_is_recognised_without_code_marks(code: str) -> None:
    assert read(f"it is {code} here") == [f"it is <{code}> here"]


def test_what_is_marked_or_quoted_is_one_piece_of_code() -> None:
    assert read('`a b`, “no such pot” and "x y"') == ["<a b> (,) <no such pot> and <x y>"]
    kinds = [token.code.is_quoted for token in next(sentences('`a` “b” "c"')) if token.code]
    assert kinds == [False, True, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("None of them", "none of them"),
        ("one of two", "one of <two>"),
        ("NEVER call it", "never call it"),
        ("isn't doesn’t can't", "is not does not ca not"),
        ("it's the caller's", "it the caller"),
        ("a == b", "a equal b"),
        ("a != b", "a unequal b"),
        ("a > b", "a exceed b"),
        ("a < b", "a below b"),
        ("a >= b", "a atleast b"),
        ("a <= b", "a atmost b"),
        ("it runs out of memory", "it lack memory"),
        ("it hands the work to `g`", "it call <g>"),
    ],
)
def test_words_and_signs_are_read_for_what_they_mean(text: str, expected: str) -> None:
    assert read(text) == [expected]


def test_a_number_in_words_is_the_number() -> None:
    (word,) = next(sentences("three"))
    (digit,) = next(sentences("3"))
    assert word.code is not None
    assert digit.code is not None
    assert word.code.atoms == digit.code.atoms


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("It says: no such pot!", "itsaysnosuchpot"),
        ("It can't open", "itcantopen"),
        ("It gives back more than it got", "itgivesbackmorethanitgot"),
        ("It runs out of `a_b` and runs out", "itrunsoutofabandrunsout"),
    ],
)
def test_the_letters_of_a_sentence_are_those_that_were_written(text: str, letters: str) -> None:
    assert letters_of(next(sentences(text))) == letters


def normal(text: str) -> str:
    """A sentence in normal form."""
    return shown(in_normal_form(next(sentences(text))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it raises `E` (“no such pot”)", "it raises <E> with the message <no such pot>"),
        ("it throws `E` (“no such pot”).", "it throws <E> with the message <no such pot>"),
        # Only what is raised has a message, and only a text in quotes is one.
        ("it logs `E` (“no such pot”)", "it logs <E> (() <no such pot> ())"),
        ("it raises an error (“no such pot”)", "it raises an error (() <no such pot> ())"),
        ("it raises `E` (`a`)", "it raises <E> (() <a> ())"),
        ("it raises `E` (“no such pot” now)", "it raises <E> (() <no such pot> now ())"),
    ],
)
def test_a_text_in_brackets_behind_an_error_is_its_message(text: str, expected: str) -> None:
    assert normal(text) == expected


@pytest.mark.parametrize("opening", ["if", "when", "where", "provided", "assuming", "unless"])
@pytest.mark.parametrize(
    "ending",
    [
        *("occurs", "occurred", "happens", "happened", "arises", "arose", "appears", "appeared"),
        *("is raised", "was thrown", "was caught", "was caught before"),
    ],
)
def test_no_error_occurs_where_none_was_caught_before(opening: str, ending: str) -> None:
    caught = f"it ends {opening} no <E> was caught before"
    assert normal(f"it ends {opening} no `E` {ending}") == caught
    assert normal(f"it ends {opening} no `E` {ending} and `a`") == f"{caught} and <a>"


@pytest.mark.parametrize("joint", [" or", " nor", " and", ",", ", or"])
def test_of_several_errors_none_was_caught_before(joint: str) -> None:
    expected = "it ends when no <E> was caught before if no <K> was caught before (;) <a>"
    assert normal(f"it ends when no `E`{joint} `K` occurs; `a`") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no `E` occurs", "no <E> occurs"),
        ("it ends if no `E`", "it ends if no <E>"),
        ("it ends if no `E` is empty", "it ends if no <E> is empty"),
        ("it ends if no `E` has occurred", "it ends if no <E> has occurred"),
        ("it ends if an `E` occurs", "it ends if an <E> occurs"),
    ],
)
def test_other_sentences_on_errors_stay(text: str, expected: str) -> None:
    assert normal(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a` is `1` unless it is given", "<a> defaults to <1>"),
        ("`a` was `1` unless another one has been explicitly passed", "<a> defaults to <1>"),
        ("`a` is `1` unless supplied, and `b` is", "<a> defaults to <1> (,) and <b> is"),
        ("`a` is `1` unless `b` is given", "<a> is <1> unless <b> is given"),
        ("`a` is `1` if it is given", "<a> is <1> if it is given"),
        ("`a` is big unless it is given", "<a> is big unless it is given"),
        ("`a` is `1` unless it is", "<a> is <1> unless it is"),
        ("is `1` unless given", "is <1> unless given"),
    ],
)
def test_what_holds_unless_given_is_a_default(text: str, expected: str) -> None:
    assert normal(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in the loop over `xs` it ends", "for each <xs> it ends"),
        ("in the loop over `xs` with `x` it ends", "for each <for x in xs> it ends"),
        ("inside the loop `for x in xs` it ends", "for each <for x in xs> it ends"),
        ("within the loop `while x` it ends", "while <x> it ends"),
        ("it ends in the loop over `xs`", "it ends for each <xs>"),
        ("it ends in the loop over `xs` with", "it ends for each <xs> with"),
        ("it ends in the loop over `xs` with all", "it ends for each <xs> with all"),
        ("it ends in the loop over `xs` by `x`", "it ends for each <xs> by <x>"),
        ("it ends in the loop over them", "it ends in the loop over them"),
        ("it ends in a loop over `xs`", "it ends in a loop over <xs>"),
        ("it ends in the room over `xs`", "it ends in the room over <xs>"),
        ("it ends behind the loop over `xs`", "it ends behind the loop over <xs>"),
        ("it ends in the loop", "it ends in the loop"),
    ],
)
def test_in_a_loop_is_for_each_of_its_elements(text: str, expected: str) -> None:
    assert normal(text) == expected


@pytest.mark.parametrize("reference", ["the same loop", "that loop"])
def test_a_loop_that_was_named_last_is_meant_again(reference: str) -> None:
    text = f"In {reference} a. In the loop `for x in xs` b. In the loop `while y` c. In {reference}"
    named = f"In {reference} a. In the loop `for x in xs` b. In the loop `while y` c. In {{}}"
    assert with_loops_named(f"{text} d.") == named.format("the loop `while y` d.")
    assert with_loops_named(f"{text} over `zs` d.") == f"{text} over `zs` d."
    assert with_loops_named(f"{text} `for z in zs` d.") == f"{text} `for z in zs` d."
