"""What prose says beside its clauses: each entailment with the falsehood that is nearest to it."""

from typing import NamedTuple

import pytest

from goldwright.evaluation.answers.answer_matching import judge_answer
from goldwright.evaluation.answers.answer_statements import parse_text
from units.evaluation.test_answer_matching import label


class Pair(NamedTuple):
    """A fact, an answer that entails it, and one that nearly does."""

    fact: str
    entailing: str
    near_miss: str


CALLED = "`fire` is called by `bake`, `Kiln.glaze` and `dry`, and by no other product code."
ONLY_HOLDER = "`Kiln.fire` is the only product code that holds the text “too hot to open: …”."
UNCAUGHT = "A `Hot` out of `fire` passes through `glaze` uncaught."
CAUGHT = "A `Hot` out of `fire` is caught in `bake` by `except Hot`."
ONLY_CATCHER = "Of the product code that calls `fire`, only `bake` catches a `Hot` around the call."
DEFAULT = "The parameter `heat` of `fire` is `3` unless it is given."
FAMILY = "Every direct subclass of `Kiln` defines `heat`: `GasKiln` and `WoodKiln`."
TAKEN = "A parameter `heat` is taken by `bake` and `fire` and by no other function."
ENDED = "`fire` returns `0` once the loop over `pots` has ended without leaving."
MESSAGE = "`fire` raises `Hot` with the message “too hot to open: …” if `heat > 3`."

PAIRS = {
    "place": Pair(
        "`Kiln.fire` is defined in `shop/kiln.py`.",
        "It comes from `Kiln.fire` in `shop/kiln.py`, which logs “too hot to open: …”.",
        "It comes from `Kiln.fire`, which writes to `shop/pots.py`.",
    ),
    "message in brackets": Pair(
        MESSAGE,
        "`fire` raises `Hot` (“too hot to open: …”) when `heat > 3`.",
        "`fire` raises `Hot` (“too cold to open: …”) when `heat > 3`.",
    ),
    "message in brackets, another comparison": Pair(
        MESSAGE,
        "`fire` raises `Hot` (“too hot to open: …”) if `heat > 3`, and stops.",
        "`fire` raises `Hot` (“too hot to open: …”) if `heat >= 3`, and stops.",
    ),
    "file told aside": Pair(
        CALLED,
        "In product code only `bake` (`shop/oven.py`), `Kiln.glaze` and `dry` call `fire`.",
        "In product code only `bake` (`shop/oven.py`) and `Kiln.glaze` call `fire`.",
    ),
    "overrides of several classes": Pair(
        "Of the methods that `Kiln` defines, `WoodKiln` overrides `heat` and `cool` and no others.",
        "Of the methods that `Kiln` defines, `GasKiln` overrides `heat` and no other; `WoodKiln` "
        "overrides `heat` and `cool` and no others.",
        "Of the methods that `Kiln` defines, `WoodKiln` overrides `heat` and no other; `GasKiln` "
        "overrides `heat` and `cool` and no others.",
    ),
    "methods of a family": Pair(
        FAMILY,
        "Every direct subclass of `Kiln` defines `cool` and `heat`: `GasKiln` and `WoodKiln`.",
        "Every direct subclass of `Kiln` defines `cool`: `GasKiln` and `WoodKiln`.",
    ),
    "methods that some define": Pair(
        "Of the direct subclasses of `Kiln`, only `GasKiln` defines `heat`.",
        "Of the direct subclasses of `Kiln`, only `GasKiln` defines `cool` and `heat`.",
        "Of the direct subclasses of `Kiln`, only `WoodKiln` defines `cool` and `heat`.",
    ),
    "private name": Pair(
        "`Kiln._fire` is called by `Kiln.fire`, and by no other product code.",
        "In product code only `Kiln.fire` calls `Kiln._fire`.",
        "In product code only `Kiln._fire` calls `Kiln.fire`.",
    ),
    "result of a call": Pair(
        "`GasKiln.heat` returns `super().heat()` if `self.flame is None`.",
        "`GasKiln.heat` returns `super().heat()` when `self.flame is None`.",
        "`GasKiln.heat` returns `self.flame.heat()` when `self.flame is None`.",
    ),
    "tests that fail": Pair(
        "`fire` raises `Hot` if `pots`, unless `is_open(kiln)` or `is_cold(kiln)`.",
        "`fire` raises `Hot` when `pots`, not `is_open(kiln)` and not `is_cold(kiln)`.",
        "`fire` raises `Hot` when `pots`, not `is_open(kiln)` and `is_cold(kiln)`.",
    ),
    "only holder": Pair(
        ONLY_HOLDER,
        "It is `Kiln.fire`, which logs “too hot to open: …”. No other code holds that text.",
        "It is `Kiln.fire`, which logs “too hot to open: …”. Other code holds that text too.",
    ),
    "only holder, of another text": Pair(
        ONLY_HOLDER,
        "`Kiln.fire` says “too hot to open: …”. Nobody else says it.",
        "`Kiln.fire` says “too hot to open: …”. It says “all is well here”. Nobody else says it.",
    ),
    "only callers": Pair(
        CALLED,
        "Only `bake`, `Kiln.glaze` and `dry` call `fire`, and none of them catches the `Hot`.",
        "Only `bake` and `dry` call `fire`, and neither of them catches the `Hot`.",
    ),
    "nobody else does": Pair(
        CALLED,
        "`bake`, `glaze` and `dry` call `fire` in `shop/kiln.py`; no other code does.",
        "`bake`, `glaze`, `dry` and `sell` call `fire` in `shop/kiln.py`; no other code does.",
    ),
    "none of them": Pair(
        UNCAUGHT,
        "Only `bake` and `glaze` call `fire`, and neither of them catches the `Hot`.",
        "Only `bake` and `dry` call `fire`, and neither of them catches the `Hot`.",
    ),
    "does not catch, another error": Pair(
        UNCAUGHT,
        "`glaze` calls `fire` and does not catch the `Hot`.",
        "`glaze` calls `fire` and does not catch the `Cold`.",
    ),
    "does not catch, without its caller": Pair(
        UNCAUGHT,
        "`glaze` does not catch the `Hot` that `fire` raises.",
        "`glaze` does not catch the `Hot` that `melt` raises.",
    ),
    "one caller catches": Pair(
        CAUGHT,
        "`bake` catches the `Hot` with `except Hot`; where else `fire` is called, "
        "it is not caught.",
        "`dry` catches the `Hot` with `except Hot`; where else `fire` is called, it is not caught.",
    ),
    "the one caller catches": Pair(
        CAUGHT,
        "Only `bake` calls `fire`, and it catches the `Hot` with `except Hot`.",
        "Only `bake` calls `fire`, and it catches the `Hot` with `except Exception`.",
    ),
    "one of several catches": Pair(
        CAUGHT,
        "Only `bake`, `dry` and `melt` call `fire`: `bake` and `dry` catch the `Hot` with "
        "`except Hot`, but `melt` lets it through.",
        "Only `bake`, `dry` and `melt` call `fire`: `melt` catches the `Hot` with `except Hot`, "
        "but `bake` and `dry` let it through.",
    ),
    "others let it through": Pair(
        "A `Hot` out of `fire` passes through `bake` uncaught.",
        "Only `bake`, `dry` and `melt` call `fire`: `melt` catches the `Hot` with `except Hot`, "
        "but `bake` and `dry` let it through.",
        "Only `bake`, `dry` and `melt` call `fire`: `bake` and `dry` catch the `Hot` with "
        "`except Hot`, but `melt` lets it through.",
    ),
    "catches that": Pair(
        CAUGHT,
        "`fire` raises `Hot` unless `open`. `bake` catches that with `except Hot`.",
        "`melt` raises `Hot` unless `open`. `bake` catches that with `except Hot`.",
    ),
    "comes from one that raises it": Pair(
        CAUGHT,
        "The error comes from `fire` in `a.py`, which raises `Hot`. `bake` in `a.py` catches that "
        "with `except Hot` and returns.",
        "The error comes from `melt` in `a.py`, which raises `Hot`. `bake` in `a.py` catches that "
        "with `except Hot` and returns.",
    ),
    "only catcher": Pair(
        ONLY_CATCHER,
        "`bake` in `a.py` catches the `Hot` with `except Hot`; where else `fire` is called, "
        "nothing around the call catches it.",
        "`bake` catches the `Hot` with `except Hot`; `dry` catches the `Hot` with `except E`; "
        "where else `fire` is called, it is not caught.",
    ),
    "guarded": Pair(
        "The `try` of `fire` that catches `Hot` holds only `open(door)`.",
        "`fire` in `a.py` catches `Hot` around nothing but `open(door)`, and goes on.",
        "`fire` in `a.py` catches `Hot` around `open(door)` and `close(door)`, and goes on.",
    ),
    "its parameter": Pair(
        DEFAULT,
        "`fire` takes the parameter `heat`. Its parameter `heat` is `3` unless it is given.",
        "`melt` takes the parameter `heat`. Its parameter `heat` is `3` unless it is given.",
    ),
    "several defaults": Pair(
        DEFAULT,
        "In `fire`, `heat` is `3` and `wind` is `4` unless they are given.",
        "In `fire`, `heat` is `4` and `wind` is `3` unless they are given.",
    ),
    "several defaults, behind a signature": Pair(
        DEFAULT,
        "`fire` takes `heat` and `wind`; unless given, `heat` is `3` and `wind` is `4`.",
        "`fire` takes `heat` and `wind`; unless given, `heat` is `4` and `wind` is `3`.",
    ),
    "defaults to": Pair(
        DEFAULT,
        "The argument `heat` of `fire` defaults to `3`.",
        "The argument `heat` of `fire` defaults to `4`.",
    ),
    "each of them": Pair(
        FAMILY,
        "`Kiln` has the direct subclasses `GasKiln` and `WoodKiln` and no other, and each of "
        "them defines `heat` and `cool`.",
        "`Kiln` has the direct subclasses `GasKiln`, `WoodKiln` and `OilKiln` and no other, and "
        "each of them defines `heat` and `cool`.",
    ),
    "duty": Pair(
        "A subclass of `Kiln` must define `heat`, which is abstract there.",
        "Derive from `Kiln` in `a.py` and define the methods `heat` and `cool`, which are "
        "abstract there.",
        "Derive from `Kiln` in `a.py` and define the method `cool`, which is abstract there.",
    ),
    "handed on": Pair(
        TAKEN,
        "`bake` takes `heat` and hands it on to `fire`, where it ends up. No other function has "
        "a parameter of that name.",
        "`bake` takes `heat` and hands it on to `fire`, and `dry` takes it as well.",
    ),
    "given": Pair(
        TAKEN,
        "`main` gives `heat` to `bake`, from where it is handed on to `fire`. No other function "
        "has a parameter of that name.",
        "`main` gives `heat` to `bake`, from where it is handed on to `fire` and `dry`. No other "
        "function has a parameter of that name.",
    ),
    "so does": Pair(
        "`glaze` calls `fire(pot)`.",
        "`bake` calls `fire(pot)`, and so does `glaze`.",
        "`bake` calls `fire(pot)`, and so does `dry`.",
    ),
    "run out": Pair(
        ENDED,
        "`fire` returns `0` once the loop over `pots` has run out.",
        "`fire` returns `0` in the loop over `pots`.",
    ),
    "no error": Pair(
        "`fire` returns `0` if no `Hot` was caught before.",
        "`fire` returns `0` if no `Hot` occurs.",
        "`fire` returns `0` if a `Hot` occurs.",
    ),
    "loop": Pair(
        "`fire` returns `0` in the loop over `pots` with `pot`, if `pot.hot`.",
        "`fire` returns `0` in the loop `for pot in pots`, when `pot.hot`.",
        "`fire` returns `0` in the loop `for pot in plates`, when `pot.hot`.",
    ),
    "loop as long as": Pair(
        "`fire` returns `0` while `pot.cold`, if `pot.dry`.",
        "`fire` returns `0` in the loop `while pot.cold`, when `pot.dry`.",
        "`fire` returns `0` in the loop `while pot.hot`, when `pot.dry`.",
    ),
    "the same loop, as long as": Pair(
        "`fire` returns `0` while `pot.cold`, if `pot.dry`.",
        "`fire` waits in the loop `while pot.cold`. It returns `0` in the same loop, when "
        "`pot.dry`.",
        "`fire` waits in the loop `while pot.hot`. It returns `0` in the same loop, when "
        "`pot.dry`.",
    ),
    "the same loop": Pair(
        "`fire` returns `0` in the loop over `pots` with `pot`, if `pot.hot`.",
        "`fire` waits in the loop `for pot in pots`. It returns `0` in the same loop, when "
        "`pot.hot`.",
        "`fire` waits in the loop `for pot in plates`. It returns `0` in the same loop, when "
        "`pot.hot`.",
    ),
    "otherwise": Pair(
        "`fire` returns `0` unless `heat` and `wind`, after catching `Hot`.",
        "`fire` waits when `heat` and `wind`. Otherwise it returns `0` after catching `Hot`.",
        "`fire` waits unless `heat` and `wind`. Otherwise it returns `0` after catching `Hot`.",
    ),
    "past checks": Pair(
        "`fire` runs `glaze()` if `rain`, unless `heat` or `wind > 3`.",
        "`fire` raises `Hot` if `heat`. It returns `0` if `wind > 3`. It logs. Past these checks "
        "it waits; it runs `glaze()` if `rain`.",
        "`fire` raises `Hot` if `heat`. It waits if `wind > 3`. It logs. Past these checks it "
        "waits; it runs `glaze()` if `rain`.",
    ),
    "past a check": Pair(
        "`fire` runs `glaze()` unless `heat`.",
        "`fire` raises `Hot` if `heat`. It logs. After that check it runs `glaze()`.",
        "`fire` raises `Hot` unless `heat`. It logs. After that check it runs `glaze()`.",
    ),
    "otherwise, twice": Pair(
        "`fire` returns `0` if `heat` and `rain`, unless `wind`.",
        "`fire` waits unless `heat`. Otherwise it logs when `wind`. Otherwise it returns `0` "
        "when `rain`.",
        "`fire` waits unless `heat`. Otherwise it logs when `rain`. Otherwise it returns `0` "
        "when `wind`.",
    ),
    "a quoted line": Pair(
        "`fire` sets `heat` to `3 * wind`.",
        "In `fire`, `heat = 3 * wind` is there because pots crack.",
        "In `fire`, `heat == 3 * wind` is there because pots crack.",
    ),
    "a line below a comment": Pair(
        "`fire` sets `heat` to `3 * wind`.",
        "The comment above `heat = 3 * wind` says in `fire` why pots crack.",
        "The comment above `heat == 3 * wind` says in `fire` why pots crack.",
    ),
    "done alone": Pair(
        "In product code, `os.remove` is called in `sweep` and nowhere else.",
        "It is `sweep` that deletes pots; no other code calls `os.remove`.",
        "It is `sweep` that deletes pots; no other code calls `os.unlink`.",
    ),
    "done in no other way": Pair(
        "Product code calls `os.remove`, and never `os.unlink`.",
        "It is `sweep` that deletes pots; no other code calls `os.remove`, and none calls "
        "`os.unlink`.",
        "It is `sweep` that deletes pots; no other code calls `os.remove`, and none calls "
        "`os.rmdir`.",
    ),
    "steps": Pair(
        "`bake` calls `open`, then `fire` and then `close`.",
        "`bake` calls `open`, then `fire` and then `close`, as the book says.",
        "`bake` calls `open`, then `close` and then `fire`, as the book says.",
    ),
}


def is_right(fact: str, answer: str) -> bool:
    """Whether an answer is said to state a fact."""
    changes = {"must_mention_facts": (fact,), "must_not_mention_facts": ()}
    judgement = judge_answer(label(**changes), answer)
    assert judgement is not None
    return judgement.is_correct


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_what_prose_entails_is_stated_and_its_nearest_falsehood_is_not(pair: Pair) -> None:
    assert is_right(pair.fact, pair.fact)
    assert is_right(pair.fact, pair.entailing)
    assert not is_right(pair.fact, pair.near_miss)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_denied_fact_is_not_stated(pair: Pair) -> None:
    assert not is_right(pair.fact, f"It is not true that {pair.fact}")


@pytest.mark.parametrize(
    ("falsehood", "answer", "is_said"),
    [
        ("`f` returns `g(a)`.", "`f` returns `g(a)`.", True),
        ("`f` returns `g(a)`.", "`f` returns `g(a, b)`.", False),
        ("`f` returns `0` if `a or b <= 3`.", "`f` returns `0` when `a or b <= 3`.", True),
        ("`f` returns `0` if `a or b <= 3`.", "`f` returns `0` when `a or b < 3`.", False),
        ("`f` sets `a` to `g(1)`.", "`f` sets `a` to `g(1)` and sets `b` to `g(2)`.", True),
        ("`f` sets `a` to `g(2)`.", "`f` sets `a` to `g(1)` and sets `b` to `g(2)`.", False),
        ("`f` logs “no such pot for: …”.", "`f` logs “no such pot for: …”.", True),
        ("`f` logs “no such pot for: …”.", "`f` logs “no such pot: …”.", False),
        ("When `f` catches `E`, it does nothing about it.", "`f` swallows `E`.", False),
        (
            "When `f` catches `E`, it does nothing about it.",
            "When `f` catches `E`, it returns `0`, and no error leaves it.",
            False,
        ),
    ],
)
def test_a_falsehood_is_stated_by_itself_and_not_by_the_truth_next_to_it(
    falsehood: str, answer: str, is_said: bool
) -> None:
    changes = {"must_mention_facts": ("`f` is.",), "must_not_mention_facts": (falsehood,)}
    judgement = judge_answer(label(**changes), answer)
    assert judgement is not None
    assert bool(judgement.stated_falsehoods) == is_said


def test_a_sentence_without_lists_or_pronouns_says_nothing_beside_its_clauses() -> None:
    (sentence,) = parse_text("`fire` raises `Hot` if `heat > 3`.")
    assert sentence.entailed == ()


def entailed(text: str) -> list[str]:
    """What the last sentence of a text says beside its clauses, with every mark as a word."""
    sentences = parse_text(text)[-1].entailed
    return [" ".join(token.text for token in sentence.tokens) for sentence in sentences]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a` and `b` call `f`; nobody else does.", ["only a and b call f"]),
        ("`a` calls `f`. No other code calls it.", ["only a calls f"]),
        ("`a` calls `f`. No other function calls `f`.", ["only a calls f"]),
        # The last call that was told is meant.
        ("`a` calls `f` and `b` calls `g`; no one else does.", ["only b calls g"]),
        ("`a` calls `f`. `b` ends. No other code calls it.", []),
        ("Nobody else does.", []),
    ],
)
def test_no_other_caller_makes_those_that_were_told_the_only_ones(
    text: str, expected: list[str]
) -> None:
    assert entailed(text) == expected


@pytest.mark.parametrize(
    ("text", "callers"),
    [
        ("`a` and `b` do not catch an `E` out of `f`.", "a b"),
        ("`a` does not handle the `E` that `f` raises.", "a"),
        ("`a` calls `f`, but does not catch the `E`.", "a"),
        # Of two calls it is not said whose error is meant.
        ("`a` calls `f`, `b` calls `g`, and it does not catch the `E`.", ""),
        ("`a` calls `f`, and `b` does not catch the `E`.", ""),
    ],
)
def test_what_a_caller_does_not_catch_passes_through_it(text: str, callers: str) -> None:
    expected = [f"E out of f passes through {caller} uncaught" for caller in callers.split()]
    assert entailed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "`a` catches the `E` with `except E`; where else `f` is called, it is not caught.",
            [
                "E out of f is caught in a by except E",
                "of the code that calls f , only a catch E around the call",
            ],
        ),
        (
            (
                "`a` catches `E` with `g`; `b` catches `E` with `h`; where else `f` is called, "
                "nothing around the call catches it."
            ),
            [
                "E out of f is caught in a by g",
                "E out of f is caught in b by h",
                "of the code that calls f , only a and b catch E around the call",
            ],
        ),
        ("`a` catches the `E` with `except E`.", []),
        ("Where else `f` is called, it is not caught.", []),
        ("`f` raises `E` and `g` raises `K`. `a` catches it with `except E`.", []),
        (
            "Only `a` and `b` call `f`: `a` catches the `E` with `except E`, `b` lets it through.",
            [
                "only a and b call f",
                "E out of f is caught in a by except E",
                "E out of f passes through b uncaught",
            ],
        ),
        (
            "Only `a` and `b` call `f`: `a` lets the `E` through.",
            ["only a and b call f", "E out of f passes through a uncaught"],
        ),
        # What "it" is was not said, or is one of two.
        ("Only `a` and `b` call `f`: `a` lets it through.", ["only a and b call f"]),
        (
            (
                "Only `a`, `b`, `c` call `f`: `a` catches `E` with `g`, `b` catches `K` with `h`, "
                "`c` lets it through."
            ),
            [
                "only a , b , c call f",
                "E out of f is caught in a by g",
                "K out of f is caught in b by h",
            ],
        ),
    ],
)
def test_who_catches_an_error_is_said_of_each_caller(text: str, expected: list[str]) -> None:
    assert entailed(text) == expected


@pytest.mark.parametrize(
    ("text", "takers"),
    [
        ("`a` takes `x`. No other function takes it.", "a"),
        (
            "`a` has `x` and hands it on to `f` and `g`. No other function has that parameter.",
            "afg",
        ),
        ("`m` gives `x` to `a`, and it is passed on to `f`; no other function takes it.", "af"),
        ("No other function takes it.", ""),
        ("`a` takes `x` and hands it on to `f`.", ""),
    ],
)
def test_those_who_take_an_argument_and_hand_it_on_are_one_list(text: str, takers: str) -> None:
    listed = " and ".join(takers)
    sentence = f"a parameter x is taken by {listed} and by no other function"
    assert entailed(text) == ([sentence] if takers else [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a` logs in `a.py`, and `f` in `b.py` ends.", ["f is defined in b.py"]),
        ("It logs “no such pot”. `f` ends. No other code holds that text.", []),
        (
            "`f` logs “no such pot”. No other code logs it.",
            ["f is the only code that holds the text no such pot"],
        ),
        ("`a` and `c` call `f(x)` and so do `b` and `d`.", ["b call f(x)", "d call f(x)"]),
        ("`a` calls `f`, and so do `b` and `c`.", ["b calls f", "c calls f"]),
        (
            "`K` has the direct subclasses `A` and `B` and no other; each of them has `x` and `y`.",
            [
                "every direct subclass of K has x : A and B",
                "every direct subclass of K has y : A and B",
            ],
        ),
        ("Each of them defines `x`.", []),
        (
            "Inherit from `A` and override `x`, which is not defined.",
            ["a subclass of A must override x , which is not defined there"],
        ),
        ("In `f`, `x.y = g(1)` runs first.", ["f sets x.y to g(1)"]),
        ("In `f`, `g(x)` is there.", []),
        (
            "`f` catches `E` around only `g(x)` and `h`.",
            ["the try of f that catches E holds only g(x) and h"],
        ),
        (
            "Yes: `f` catches `E`, does nothing about it, and leaves the loop `for x in y`.",
            ["after f has caught E , it leaves the loop for x in y"],
        ),
        (
            "`f` takes `x` and hands it on to `A.__init__`.",
            ["f hands its parameter x on to A"],
        ),
        (
            "`x` is `None` unless it is given, and `f` in `a.py` sets `x` to `1`.",
            ["f is defined in a.py", "the parameter x of f defaults to None"],
        ),
        (
            "Yes: it is `f` in `a.py` that sorts; no other code calls `b.sort`.",
            ["f is defined in a.py", "in code , b.sort is called in f and nowhere else"],
        ),
    ],
)
def test_each_of_a_list_is_told_by_itself(text: str, expected: list[str]) -> None:
    assert entailed(text) == expected
