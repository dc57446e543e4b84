"""How much of a fact an answer has to say, and how much of a falsehood."""

import pytest

from goldwright.evaluation.answer_alignment import is_contradicted, is_stated
from goldwright.evaluation.answer_coverage import FOR_FACTS, FOR_FALSEHOODS
from goldwright.evaluation.answer_statements import parse_text


def states(fact: str, answer: str) -> tuple[bool, bool]:
    """Whether an answer states a sentence, taken for a fact and taken for a falsehood."""
    wanted, said = parse_text(fact), parse_text(answer)
    return is_stated(wanted, said, FOR_FACTS), is_stated(wanted, said, FOR_FALSEHOODS)


@pytest.mark.parametrize(
    ("fact", "answer", "expected"),
    [
        # Every piece of code is wanted, and every number of it.
        ("`f` calls `g` and `h`.", "`f` calls `g` and `h`.", (True, True)),
        ("`f` calls `g` and `h`.", "`f` calls `g`.", (False, False)),
        ("`f` returns `3`.", "`f` returns `3`.", (True, True)),
        ("`f` returns `3`.", "`f` returns `4`.", (False, False)),
        ("`f` returns three.", "`f` returns `3`.", (True, True)),
        # Of four names in an expression, a fact may lack one, but never the first and no number.
        ("`f` calls `g(a, b, c)`.", "`f` calls `g` with `a` and `b`.", (True, False)),
        ("`f` calls `g(a, b, c)`.", "`f` calls `g` with `a`.", (False, False)),
        ("`f` calls `g(a, b, c)`.", "`f` calls `h(a, b, c)`.", (False, False)),
        ("`f` calls `g(a, b, 3)`.", "`f` calls `g` with `a` and `b`.", (False, False)),
        ("`f` calls `g(a)`.", "`f` calls `g`.", (False, False)),
        # A longer expression is another one where a falsehood is looked for.
        ("`f` calls `g(a)`.", "`f` calls `g(a, b)`.", (True, False)),
        ("`f` calls `g(a, b, c)`.", "`f` calls `g(a, b, c, d)`.", (True, False)),
        # ``None`` within an expression is not what the expression comes to.
        ("`f` returns `None`.", "`f` returns `None`.", (True, True)),
        ("`f` returns `None`.", "`f` returns `g(a, b, None)`.", (False, False)),
        # What a fact names twice is named twice.
        ("`f` sets `a.x` to `a.x`.", "`f` sets `a.x` to `b`.", (True, False)),
        ("`f` sets `3` to `3`.", "`f` sets `3` to `b`.", (False, False)),
    ],
)
def test_how_much_of_the_code(fact: str, answer: str, expected: tuple[bool, bool]) -> None:
    assert states(fact, answer) == expected


@pytest.mark.parametrize(
    ("fact", "answer", "expected"),
    [
        # Beside code, half of the words will do for a fact, and three of four for a falsehood.
        (
            "`f` logs the warning of the old key to the console.",
            "`f` logs the warning and the key.",
            (True, False),
        ),
        (
            "`f` logs the warning of the old key to the console.",
            "`f` logs the old warning with its key.",
            (True, True),
        ),
        (
            "`f` logs the warning of the old key to the console.",
            "`f` logs the warning.",
            (False, False),
        ),
        # A noun of a fact may be the last part of a name.
        ("`f` logs the old limit.", "`f` logs `self.limit`.", (True, False)),
        ("`f` logs the limit.", "`f` logs `self.limit`.", (True, True)),
        ("`f` logs the limit.", "`f` logs `limit.size`.", (True, False)),
        # Among many pieces of code, fewer words.
        (
            "`f` logs `a`, `b` and `c` with the warning of the old key.",
            "`f` logs `a`, `b` and `c` with the key.",
            (True, False),
        ),
        # Without any code, words are all there is.
        ("The old cache forgets nothing.", "The old cache forgets nothing.", (True, True)),
        ("The warm old cache is slow.", "The old cache is slow.", (True, False)),
        ("The warm old cache is slow.", "The cache is slow.", (False, False)),
    ],
)
def test_how_many_of_the_words(fact: str, answer: str, expected: tuple[bool, bool]) -> None:
    assert states(fact, answer) == expected


@pytest.mark.parametrize(
    ("fact", "answer", "expected"),
    [
        ("`f` raises `E` if `a` is set.", "If `a` is set, `f` raises `E`.", (True, True)),
        ("`f` raises `E` if `a` is set.", "`f` raises `E`.", (False, False)),
        ("`f` raises `E` if `a` is set.", "`f` raises `E` unless `a` is set.", (False, False)),
        ("`f` raises `E` if `a` is set.", "`f` raises `E` if `b` is set.", (False, False)),
        ("`f` raises `E`.", "`f` raises `E` if `b` is set.", (True, False)),
        (
            "`f` raises `E` if `a` is set.",
            "`f` raises `E` if `a` is set and `b` is empty.",
            (True, False),
        ),
        # What is said in the sentence before counts, where none of its own stands against it.
        ("`f` raises `E` if `a` is empty.", "`a` is empty. Then `f` raises `E`.", (True, True)),
        # It counts only for what it says: neither another condition nor the opposite of this one.
        ("`f` raises `E` if `a` is empty.", "`b` is full. Then `f` raises `E`.", (False, False)),
        (
            "`f` raises `E` if `a` is empty.",
            "`a` is not empty. Then `f` raises `E`.",
            (False, False),
        ),
        (
            "`f` raises `E` if `a` is empty.",
            "`a` is empty. Then `f` raises `E` if `b` is set.",
            (False, False),
        ),
        ("`f` raises `E` if `a <= 3`.", "`f` raises `E` if `a < 3`.", (False, False)),
        ("`f` raises `E` if `a <= 3`.", "`f` raises `E` if `a` is at most 3.", (True, True)),
        ("`f` raises `E` if `a` is set.", "`f` raises `E` if `a == 1`.", (False, False)),
        # Within one expression every name counts, among several pieces of code only values do.
        ("`f` raises `E` if `a` is set.", "`f` raises `E` if `a.b(c)` is set.", (False, False)),
        ("`f` raises `E` if `a` is set.", "`f` raises `E` if `a` of `c` is set.", (True, True)),
        ("`f` raises `E` if `a` is set.", "`f` raises `E` if `a` is `3`.", (False, False)),
    ],
)
def test_conditions(fact: str, answer: str, expected: tuple[bool, bool]) -> None:
    assert states(fact, answer) == expected


@pytest.mark.parametrize(
    ("fact", "answer", "expected"),
    [
        ("`f` calls `g`.", "`g` is called by `f`.", (True, True)),
        ("`f` calls `g`.", "`g` calls `f`.", (False, False)),
        ("`f` calls `g`.", "`f` uses `g`.", (True, True)),
        ("`f` calls `g`.", "`f` returns `g`.", (False, False)),
        ("`f` raises `E`.", "`f` catches `E`.", (False, False)),
        ("`f` raises `E`.", "`g` calls `f`. It raises `E`.", (False, False)),
        ("`f` raises `E`.", "`f` calls `g`. It raises `E`.", (True, True)),
        ("`f` is in `a.py`.", "`a.py` holds `f`.", (True, True)),
        ("`f` calls `g`, `h` in order.", "`f` calls `g` and then `h`.", (False, False)),
        ("`f` calls `g` before `h`.", "`f` calls `g` before `h`.", (True, True)),
        ("`f` calls `g` before `h`.", "`f` calls `h` before `g`.", (False, False)),
        ("`f` calls `g` before `h`.", "`f` calls `h` after `g`.", (True, True)),
        ("`f` calls `g` before `h`.", "`f` calls `g` and `h`.", (False, False)),
        ("`f` calls `g` before `h`.", "Before `h`, `f` calls `g`.", (True, True)),
        ("`f` calls `g` before `h`.", "After `g`, `h` is called by `f`.", (True, True)),
        ("`f` calls `g` before `h`.", "Before `g`, `f` calls `h`.", (False, False)),
        ("`f` calls `a.g` before `b.h`.", "`f` calls `g` before `h`.", (True, True)),
        ("`f` calls `a.g` before `b.h`.", "`f` calls `h` before `g`.", (False, False)),
        ("`f` calls `a.g` before `a.h`.", "`f` calls `a.h` before `a.g`.", (False, False)),
    ],
)
def test_who_does_it_and_when(fact: str, answer: str, expected: tuple[bool, bool]) -> None:
    assert states(fact, answer) == expected


@pytest.mark.parametrize(
    ("fact", "answer", "is_denied"),
    [
        ("`f` calls `g`.", "`f` does not call `g`.", True),
        ("`f` does not call `g`.", "`f` calls `g`.", True),
        ("`f` calls `g`.", "`f` calls `g`.", False),
        ("`f` calls `g`.", "`f` does not call `h`.", False),
        ("`f` raises `E` if `a` is set.", "`f` does not raise `E` if `a` is set.", True),
        ("`f` raises `E` if `a` is set.", "`f` does not raise `E` if `b` is set.", False),
        ("`f` raises `E` if `a` is set.", "`f` does not raise `E`.", False),
        # Nothing denies that there is an `f`.
        ("`f`.", "`f` does not call `g`.", False),
    ],
)
def test_who_denies_a_fact(fact: str, answer: str, is_denied: bool) -> None:
    assert is_contradicted(parse_text(fact), parse_text(answer)) == is_denied
