"""Code as text in which layout makes no difference."""

import pytest

from goldwright.offline_agents.token_reading.code_text import plain_code


@pytest.mark.parametrize(
    ("code", "same"),
    [
        ("f(a, b,)", "f(a, b)"),
        ("[a, b,]", "[a, b]"),
        ("[a,]", "[a]"),
        ("{'a': 1,}", '{"a": 1}'),
        ("(a, b,)", "(a, b)"),
        ("f(a,)", "f(a)"),
        ("f()(a,)", "f()(a)"),
        ("(a)", "a"),
    ],
)
def test_a_comma_that_is_layout_makes_no_difference(code: str, same: str) -> None:
    assert plain_code(code) == plain_code(same)


@pytest.mark.parametrize(
    ("code", "other"),
    [("f((a,))", "f((a))"), ("x + (a,)", "x + (a)"), ("[(a,), b]", "[(a), b]"), ("'a,'", "'a'")],
)
def test_the_comma_of_a_tuple_of_one_is_no_layout(code: str, other: str) -> None:
    assert plain_code(code) != plain_code(other)


@pytest.mark.parametrize(
    ("code", "plain"),
    [
        ("((a))", "a"),
        ("(a) + (b)", "( a ) + ( b )"),
        ("(a + (b))", "a + ( b )"),
        ("()", "( )"),
        ("(')')", "')'"),
        ("a, b,", "a , b"),
        ("f(a, b), c", "f ( a , b ) , c"),
        ("(a, b), c,", "( a , b ) , c"),
        ("f(a, b),", "f ( a , b ) ,"),
        ('"a"', "'a'"),
    ],
)
def test_code_is_written_without_what_means_nothing(code: str, plain: str) -> None:
    assert plain_code(code) == plain
