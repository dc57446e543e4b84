"""What answers say in whole phrases is read as facts say it."""

import pytest

from goldwright.evaluation.answers.answer_wordings import in_words_of_facts


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (
            "`pay` returns `None` when `take(coin)` fails with `KeyError` and `x` is truthy.",
            "`pay` returns `None` after catching `KeyError`, when `x` is truthy.",
        ),
        (
            "`pay` returns `None` when `x` is truthy, and `take(coin)` fails with `KeyError`.",
            "`pay` returns `None` when `x` is truthy, after catching `KeyError`.",
        ),
        (
            "`pay` returns `coin` if neither `a()` nor `b()` fails with `KeyError`.",
            "`pay` returns `coin` if no `KeyError` occurs.",
        ),
        (
            "`pay` returns `coin` for the first `coin` in `purse` for which `coin` is in `till`.",
            "`pay` returns `coin` for each `coin` in `purse`, when `coin` is in `till`.",
        ),
        ("`pay` logs “no change” at `info` level.", "`pay` logs “no change” as `info`."),
        ("`pay` logs “no change” at error level.", "`pay` logs “no change” as `error`."),
        ("`pay` logs “ready” at startup.", "`pay` logs “ready” at startup."),
        ("`pay` logs “no” with its traceback.", "`pay` logs “no” as `exception`."),
        ("Only `pay` instantiates `Till`.", "Only `pay` calls `Till.__init__`."),
        (
            "`till` defaults to `None`, and then `pay` in `a.py` sets `till` to `1`.",
            "`till` defaults to `None`, and `pay` in `a.py` sets `till` to `1` if `till is None`.",
        ),
        (
            "Only `a` calls `f` and `g`.",
            "Only `a` calls `f` and Only `a` calls `g`.",
        ),
        (
            "`a` and `b` call `f`. Both call it as `f(1)`.",
            "`a` and `b` call `f`. `a` and `b` call `f` as `f(1)`.",
        ),
    ],
)
def test_a_phrase_is_read_in_the_words_of_facts(said: str, read: str) -> None:
    assert in_words_of_facts(said).startswith(read)


def test_what_was_tried_and_where_is_read_as_well() -> None:
    said = "`pay` (`till.py`) returns `None` when `a()` or `b()` fails with `KeyError`."
    read = in_words_of_facts(said)
    assert "`pay` is in `till.py`." in read
    assert "The `try` of `pay` that catches `KeyError` holds only `a()` and `b()`." in read


def test_each_of_them_stands_for_nobody_where_nobody_was_named() -> None:
    said = "Each of them calls it as `f(1)`."
    assert in_words_of_facts(said).strip() == said
