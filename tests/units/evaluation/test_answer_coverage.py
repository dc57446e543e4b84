"""How much of a fact an answer has to say, and how much of a falsehood."""

import pytest

from goldwright.evaluation.answers.answer_alignment import is_contradicted, is_stated
from goldwright.evaluation.answers.answer_code import read_code
from goldwright.evaluation.answers.answer_coverage import (
    FOR_CONDITIONS,
    FOR_FACTS,
    FOR_FALSEHOODS,
    Content,
    Strictness,
    covers,
    names_more,
)
from goldwright.evaluation.answers.answer_statements import parse_text


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
        ("`f` calls `g(a)`.", "`f` calls `g(a,)`.", (True, True)),
        ("`f` returns `()`.", "`f` returns `()`.", (True, True)),
        ("`f` returns `()`.", "`f` returns ` `.", (False, False)),
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
        # A name of several words may be written as these.
        ("`f` logs `max_size`.", "`f` logs the max size.", (True, True)),
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
        ("`f` calls `g` and `h` in this order.", "`f` calls `g` and `h` in turn.", (True, True)),
        ("`f` calls `g` and `h` in this order.", "`f` calls `h` and `g` in turn.", (False, False)),
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
        # How often something happened is no order.
        ("`f` raises `E` after 30 redirects.", "After 30 redirects, `f` raises `E`.", (True, True)),
        ("After 30 redirects, `f` raises `E`.", "`f` raises `E` after 30 redirects.", (True, True)),
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
        ("`f` is in `a.py`.", "`f` is not in `a.py`.", True),
        ("`f` is in `a.py`.", "`f` is not in `b.py`.", False),
        # Nothing denies that there is an `f`.
        ("`f`.", "`f` does not call `g`.", False),
    ],
)
def test_who_denies_a_fact(fact: str, answer: str, is_denied: bool) -> None:
    assert is_contradicted(parse_text(fact), parse_text(answer)) == is_denied


def strictness_for(what: str) -> Strictness:
    """How much of something must be found."""
    return {"facts": FOR_FACTS, "falsehoods": FOR_FALSEHOODS, "conditions": FOR_CONDITIONS}[what]


def said(words: int, pieces: int = 0) -> Content:
    """What is said in so many words and pieces of code."""
    code = tuple(read_code(f"name{number}") for number in range(pieces))
    atoms = tuple(piece.atoms[0] for piece in code)
    return Content(code, atoms, frozenset(map(str, range(words))), (), ())


@pytest.mark.parametrize(
    ("what", "pieces", "words", "most_missing"),
    [
        ("facts", 0, 3, 0),
        ("facts", 0, 4, 1),
        ("facts", 0, 7, 1),
        ("facts", 1, 2, 1),
        ("facts", 2, 11, 5),
        ("facts", 3, 7, 4),
        ("facts", 3, 10, 7),
        ("falsehoods", 0, 11, 0),
        ("falsehoods", 1, 4, 1),
        ("falsehoods", 2, 7, 1),
        ("falsehoods", 3, 4, 1),
        ("falsehoods", 3, 7, 1),
        ("conditions", 0, 4, 1),
        ("conditions", 0, 7, 1),
        ("conditions", 1, 2, 1),
        ("conditions", 1, 11, 5),
        ("conditions", 3, 2, 1),
        ("conditions", 3, 11, 5),
    ],
)
def test_so_many_of_the_words_may_be_missing_and_no_more(
    what: str, pieces: int, words: int, most_missing: int
) -> None:
    fact = said(words, pieces)
    assert covers(said(words - most_missing, pieces), fact, strictness_for(what))
    assert not covers(said(words - most_missing - 1, pieces), fact, strictness_for(what))


@pytest.mark.parametrize("what", ["facts", "falsehoods", "conditions"])
def test_no_piece_of_code_may_be_missing(what: str) -> None:
    assert covers(said(0, 11), said(0, 11), strictness_for(what))
    assert not covers(said(0, 10), said(0, 11), strictness_for(what))


@pytest.mark.parametrize(
    ("what", "names", "most_missing"),
    [
        ("facts", 2, 0),
        ("facts", 3, 0),
        ("facts", 4, 1),
        ("facts", 7, 1),
        ("falsehoods", 11, 0),
        ("conditions", 11, 0),
    ],
)
def test_so_many_names_of_an_expression_may_be_missing_and_no_more(
    what: str, names: int, most_missing: int
) -> None:
    expression = read_code(f"f({', '.join(f'name{number}' for number in range(1, names))})")
    fact = Content((expression,), expression.atoms, frozenset(), (), ())

    def of_the_last(missing: int) -> Content:
        """What names all but the last names."""
        return Content((), expression.atoms[: names - missing], frozenset(), (), ())

    assert covers(of_the_last(most_missing), fact, strictness_for(what))
    assert not covers(of_the_last(most_missing + 1), fact, strictness_for(what))
    without_first = Content((), expression.atoms[1:], frozenset(), (), ())
    assert not covers(without_first, fact, strictness_for(what))


def test_a_condition_names_more_by_a_value_or_within_one_expression() -> None:
    fact = said(0, 1)
    for code, is_more in (("name0", False), ("name0(x)", True), ("name0 == 3", True)):
        piece = read_code(code)
        offered = Content((piece,), piece.atoms, frozenset(), (), ())
        assert names_more(offered, fact) is is_more
    assert not names_more(said(0, 2), fact)
    value = read_code("3")
    assert names_more(Content((*said(0, 2).pieces, value), value.atoms, frozenset(), (), ()), fact)
