"""What a sentence says comes first, and whether two sentences say so alike."""

import pytest

from goldwright.evaluation.answers.answer_order import Order, find_order, keeps_steps, steps_of
from goldwright.evaluation.answers.answer_tokens import Sentence, sentences


def tokens(text: str) -> Sentence:
    """The tokens of one sentence, or none."""
    return next(sentences(text), [])


def sides(order: Order | None) -> tuple[str, str]:
    """The names on both sides of an order."""
    assert order is not None
    return " ".join(sorted(order.earlier)), " ".join(sorted(order.later))


@pytest.mark.parametrize(
    ("text", "earlier", "later"),
    [
        ("`f` calls `g` before `h`.", "f g", "h"),
        ("`f` calls `g` ahead of `h`.", "f g", "h"),
        ("`f` calls `g` prior to `h`.", "f g", "h"),
        ("`g` precedes `h`.", "g", "h"),
        ("`f` calls `g`, then `h`.", "f g", "h"),
        ("`f` calls `g` and afterwards `h`.", "f g", "h"),
        ("`f` calls `g` and subsequently `h`.", "f g", "h"),
        ("`f` calls `g` after `h`.", "h", "f g"),
        ("`f` calls `g` following `h`.", "h", "f g"),
        ("`g` follows `h`.", "h", "g"),
        ("`g` stands behind `h`.", "h", "g"),
        ("Before `h`, `f` calls `g`.", "f g", "h"),
        ("After `h`, `f` calls `g`.", "h", "f g"),
        # What is named on both sides comes neither first nor last.
        ("`f` calls `a.g` before `f` calls `h`.", "g", "h"),
    ],
)
def test_what_comes_first_is_read_from_either_side_of_a_marker(
    text: str, earlier: str, later: str
) -> None:
    assert sides(find_order(tokens(text))) == (earlier, later)


@pytest.mark.parametrize(
    "text",
    [
        "`f` calls `g` and `h`.",
        "`f` stops after 30 redirects.",
        "`f` stops after `30` of them.",
        "After 30 redirects, `f` calls `g`.",
        "`f` calls `g` after catching `E`.",
        "`f` calls `g` after handling `E`.",
        "`f` calls `g` before the many long old words of `h`.",
        "Before `h`.",
        "`f` calls `f` before `f` calls `f`.",
        "`before` calls `g`.",
        "",
    ],
)
def test_a_number_an_error_that_was_caught_or_one_side_alone_is_no_order(text: str) -> None:
    assert find_order(tokens(text)) is None


def test_how_often_something_happened_leaves_the_order_to_the_next_marker() -> None:
    order = find_order(tokens("After 30 redirects, `f` calls `g` before `h`."))
    assert sides(order) == ("f g", "h")


def test_then_at_the_beginning_goes_on_from_the_sentence_before() -> None:
    order = find_order(tokens("Then `f` calls `h`."), before=tokens("`f` calls `g`."))
    assert sides(order) == ("g", "h")
    assert find_order(tokens("Then, `f` calls `h`."), before=tokens("`f` calls `g`.")) == order
    assert find_order(tokens("Then `f` calls `h`.")) is None


def test_words_tell_an_order_where_nothing_is_named() -> None:
    order = find_order(tokens("Entries are sorted before they are merged."))
    assert sides(order) == ("", "")
    assert order is not None
    assert order.agrees(order)
    turned = find_order(tokens("Entries are merged before they are sorted."))
    assert turned is not None
    assert not order.agrees(turned)


def named(earlier: str, later: str) -> Order:
    """An order of names."""
    return Order(frozenset(earlier.split()), frozenset(later.split()), frozenset(), frozenset())


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (named("a", "b"), named("a", "b"), True),
        (named("a", "b"), named("a c", "b d"), True),
        (named("a", "b"), named("b", "a"), False),
        # Both sides have to be there.
        (named("a", "b"), named("a", "c"), False),
        (named("a", "b"), named("c", "b"), False),
        # As much turned round as alike is no agreement.
        (named("a c", "b d"), named("a d", "b c"), False),
        (named("a c e", "b d"), named("a e d", "b c"), True),
    ],
)
def test_orders_agree_where_more_stands_alike_on_both_sides_than_turned_round(
    first: Order, second: Order, expected: bool
) -> None:
    assert first.agrees(second) is expected


def test_words_count_where_names_stand_on_one_side_alone() -> None:
    fact = Order(frozenset({"a"}), frozenset(), frozenset(), frozenset({"merge"}))
    assert fact.agrees(Order(frozenset({"a"}), frozenset(), frozenset(), frozenset({"merge"})))
    assert not fact.agrees(Order(frozenset({"a"}), frozenset(), frozenset(), frozenset({"sort"})))
    other = Order(frozenset(), frozenset({"b"}), frozenset({"merge"}), frozenset())
    assert other.agrees(other)
    assert not other.agrees(fact)


@pytest.mark.parametrize(
    ("text", "before", "steps"),
    [
        ("`f` calls `a`, then `b` and then `c`.", "", "a b c"),
        ("Then `f` calls `b`.", "`f` calls `a`.", "a b"),
        ("`f` calls `a` and `b`.", "", ""),
        ("`f` calls `a`, then `b` after `c`.", "", ""),
        ("Before `c`, `f` calls `a`, then `b`.", "", ""),
        ("`f`, `a` then `b`.", "", "f a b"),
    ],
)
def test_steps_are_what_is_done_one_after_the_other(text: str, before: str, steps: str) -> None:
    assert list(steps_of(tokens(text), before=tokens(before))) == steps.split()


@pytest.mark.parametrize(
    ("fact", "answer", "expected"),
    [
        ("a b c", "a b c", True),
        ("a b c", "a c b", False),
        ("a b c", "a x c", True),
        ("a b", "b", True),
        ("a b a", "a b", True),
        ("a b", "", True),
        ("", "a b", True),
    ],
)
def test_steps_are_kept_where_those_of_both_come_in_one_order(
    fact: str, answer: str, expected: bool
) -> None:
    assert keeps_steps(fact.split(), answer.split()) is expected
