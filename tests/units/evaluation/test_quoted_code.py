"""Code that an answer quotes is read as the sentences that say the same."""

import pytest

from goldwright.evaluation.answers.quoted_code import with_code_spoken


def spoken(*code: str) -> list[str]:
    text = "\n".join(["So it is:", "", "```python", *code, "```"])
    opening, *sentences = with_code_spoken(text).split("\n\n")
    assert opening == "So it is:"
    return sentences


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("return 1", "It returns `1`."),
        ("return", "It returns `None`."),
        ("total = 1", "It sets `total` to `1`."),
        ("total: int = 1", "It sets `total` to `1`."),
        ("seen[key] = 1", "It puts `1` into `seen[key]`."),
        ("lock()", "It runs `lock()`."),
        ("raise error", "It raises `error`."),
        ("raise KeyError(f'no {key}')", "It raises `KeyError` with the message “no …”."),
        ("raise KeyError('no key', key)", "It raises `KeyError` with the message “no key”."),
        ("raise KeyError(key, 'no key')", "It raises `KeyError`."),
        ("raise KeyError()", "It raises `KeyError`."),
        ("log.warning()", "It runs `log.warning()`."),
        ("log.warning(text)", "It runs `log.warning(text)`."),
        ("log.note('no key')", "It runs `log.note('no key')`."),
        ("await lock()", "It runs `await lock()`."),
        ("log.warning('no %s', key)", "It logs “no …” as `warning`."),
    ],
)
def test_a_statement_is_said_as_a_person_would(code: str, sentence: str) -> None:
    assert spoken(code) == [sentence]


def test_what_a_call_is_given_by_name_is_said_as_well() -> None:
    assert spoken("open(path, mode='w')") == [
        "It runs `open(path, mode='w')`.",
        "It passes `'w'` to `open` as `mode`.",
    ]


def test_the_function_around_is_the_subject() -> None:
    assert spoken("class Till:", "    def open(self):", "        ring()") == [
        "`Till.open` runs `ring()`."
    ]


def test_conditions_come_from_the_outside_in() -> None:
    assert spoken("if a:", "    for item in items:", "        if not b:", "            ring()") == [
        "It runs `ring()` if `a` in the loop over `items` with `item`, if `not b`."
    ]


def test_behind_a_test_that_leaves_it_did_not_hold() -> None:
    assert spoken("if a:", "    return 1", "return 2") == [
        "It returns `1` if `a`.",
        "It returns `2` unless `a`.",
    ]


def test_errors_are_caught_around_what_stands_in_the_try() -> None:
    assert spoken("try:", "    ring()", "except OSError:", "    return 1", "return 2") == [
        "It runs `ring()`.",
        "The `try` that catches `OSError` holds only `ring()`.",
        "It returns `1` after catching `OSError`.",
        "It returns `2` if no `OSError` was caught before.",
    ]


def test_lines_that_are_left_out_hide_nothing_of_the_rest() -> None:
    assert spoken("def open(", "    ...", "):", "    ...", "    return 1") == [
        "`open` returns `1`."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "No code at all.",
        "A `word` in code marks.",
        "",
    ],
)
def test_prose_stays_as_it_is(text: str) -> None:
    assert with_code_spoken(text) == text


def test_what_is_no_python_is_left_out() -> None:
    assert (
        with_code_spoken("Before.\n\n```\nfor i in *.txt; do\n```\n\nAfter.") == "Before.\n\nAfter."
    )


def test_what_is_done_in_any_case_has_no_condition() -> None:
    sentences = spoken(
        "try:", "    run()", "except KeyError:", "    stop()", "finally:", "    end()"
    )
    assert "It runs `end()`." in sentences
    assert "It runs `stop()` after catching `KeyError`." in sentences


def test_what_stands_in_a_loop_or_a_context_is_said_of_it() -> None:
    assert spoken("for key in keys:", "    run(key)") == [
        "It runs `run(key)` in the loop over `keys` with `key`."
    ]
    assert spoken("while more():", "    run()") == ["It runs `run()` while `more()`."]
    assert spoken("with lock:", "    run()") == ["It runs `run()`."]


def test_both_ways_of_a_test_are_said() -> None:
    assert spoken("if a:", "    run()", "else:", "    stop()", "end()") == [
        "It runs `run()` if `a`.",
        "It runs `stop()` unless `a`.",
        "It runs `end()`.",
    ]


@pytest.mark.parametrize("leaving", ["return 1", "raise error", "continue", "break"])
def test_whatever_leaves_a_block_keeps_what_follows_from_its_test(leaving: str) -> None:
    sentences = spoken("if a:", f"    {leaving}", "run()")
    assert sentences[-1] == "It runs `run()` unless `a`."
    sentences = spoken("if a:", f"    {leaving}", "else:", "    stop()", "run()")
    assert sentences[-1] == "It runs `run()`."


@pytest.mark.parametrize("leaving", ["return 1", "raise error", "break"])
def test_behind_a_loop_that_may_leave_it_has_ended(leaving: str) -> None:
    sentences = spoken("for key in keys:", "    if key:", f"        {leaving}", "return 2")
    assert sentences[-1] == ("It returns `2` once the loop over `keys` has ended without leaving.")


def test_behind_other_loops_nothing_is_said_of_them() -> None:
    assert spoken("for key in keys:", "    run(key)", "return 2")[-1] == "It returns `2`."


def test_an_error_without_a_name_is_any_error_and_a_long_try_is_not_quoted() -> None:
    one, two, three = "    run()", "    total = 1", "    stop()"
    assert spoken("def f():", "  try:", f"  {one}", f"  {two}", "  except:", "    return 1") == [
        "`f` runs `run()`.",
        "`f` sets `total` to `1`.",
        "The `try` of `f` that catches `BaseException` holds only `run()` and `total = 1`.",
        "`f` returns `1` after catching `BaseException`.",
    ]
    said = spoken("try:", one, two, three, "except OSError:", "    return 1")
    assert not [sentence for sentence in said if "holds only" in sentence]
    nested = spoken("try:", "    if a:", "        run()", "except OSError:", "    return 1")
    assert not [sentence for sentence in nested if "holds only" in sentence]


def test_what_stands_in_the_else_of_a_try_is_reached_without_its_errors() -> None:
    said = spoken(
        *("try:", "    run()", "except KeyError:", "    stop()", "except OSError:", "    end()"),
        *("else:", "    go()", "last()"),
    )
    assert (
        "It runs `go()` if no `KeyError` was caught before, if no `OSError` was caught before."
        in said
    )
    assert said[-1] == "It runs `last()`."
