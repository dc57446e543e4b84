"""Lines of tokens: their conditions are true, and those of the trees, which are read otherwise."""

import ast
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.code_reading.conditions import statements_of
from goldwright.offline_agents.statements.condition_phrases import same_conditions
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.token_lines import TokenLine, read_token_lines
from goldwright.path_conditions import Path
from units.code_reading.functions import (
    CONDITIONS_ALONE,
    Outcome,
    functions,
    run_on_every_choice,
)
from units.code_reading.sources import read_function

_NUMBER = re.compile(r"out\((\d+)\)")
_SAID_ALONE = {"out", "return", "raise", "sys"}


def numbered(code: str) -> dict[int, Path | None]:
    """Give the conditions of each line that has a number."""
    paths: dict[int, Path | None] = {}
    for line in read_token_lines(code.split("\n"), 1, ""):
        match = _NUMBER.search(line.line.code)
        if match and line.keyword in _SAID_ALONE and line.owner == "work":
            paths[int(match[1])] = line.path
    return paths


def numbered_by_tree(code: str) -> dict[int, Path | None]:
    module, function = read_function(code)
    paths: dict[int, Path | None] = {}
    for reached in statements_of(function, module.text):
        is_plain = isinstance(reached.node, ast.Return | ast.Raise | ast.Expr)
        match = _NUMBER.search(ast.unparse(reached.node)) if is_plain else None
        if match:
            paths[int(match[1])] = reached.path
    return paths


def holds(path: Path, outcome: Outcome) -> bool:
    for condition in path:
        if condition.kind in {"if", "unless"}:
            names: dict[str, object] = {**outcome.flags, "e": outcome.flags["b"]}
            is_true = bool(eval(f"({condition.code})", names))  # noqa: S307  # our own text
            if is_true != (condition.kind == "if"):
                return False
    return True


@given(functions(is_runnable=True), st.booleans())
def test_no_line_is_reached_while_a_test_on_its_path_says_otherwise(
    code: str, steps_fail: bool
) -> None:
    paths = numbered(code)
    for outcome in run_on_every_choice(code, steps_fail=steps_fail):
        for number in outcome.reached & paths.keys():
            path = paths[number]
            assert path is None or holds(path, outcome), (number, path, outcome.flags)


@given(functions(is_runnable=True, kinds=CONDITIONS_ALONE))
def test_a_line_is_reached_whenever_its_whole_condition_holds(code: str) -> None:
    paths = numbered(code)
    for outcome in run_on_every_choice(code, steps_fail=False):
        for number, path in paths.items():
            if path is not None and all(step.kind in {"if", "unless"} for step in path):
                assert holds(path, outcome) == (number in outcome.reached), (number, path)


@given(functions())
def test_trees_and_tokens_give_the_same_conditions(code: str) -> None:
    """The Adversary may see less than the Oracle; what both see is the same."""
    by_tokens = numbered(code)
    for number, path in numbered_by_tree(code).items():
        seen_path = by_tokens.get(number)
        if path is not None and seen_path is not None:
            assert same_conditions(path, seen_path, normalise=plain_code), number


@given(functions(kinds=CONDITIONS_ALONE))
def test_tokens_see_all_tests_that_trees_see(code: str) -> None:
    by_tokens = numbered(code)
    for number, path in numbered_by_tree(code).items():
        if path is not None and "suppress" not in code:
            assert by_tokens[number] is not None, number


def told(body: str) -> list[tuple[str, str, str]] | None:
    """Give the conditions of the line that says ``here``, by tokens; None where unclear."""
    lines = f"def work(a, b):\n    {body}\n".split("\n")
    (line,) = (line for line in read_token_lines(lines, 1, "") if line.keyword == "here")
    if line.path is None:
        return None
    return [(condition.kind, condition.code, condition.detail) for condition in line.path]


FOR = ("for", "a", "n")
END = ("loop_end", "a", "n")


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        ("for n in a:\n        here()", [FOR]),
        ("for n in a:\n        pass\n    here()", []),
        ("for n in a:\n        return\n    here()", [END]),
        ("for n in a:\n        if b:\n            return\n    here()", [END]),
        ("for n in a:\n        break\n    here()", []),
        ("for n in a:\n        pass\n    else:\n        here()", [END]),
        ("for n in a:\n        break\n    else:\n        return\n    here()", None),
        ("for n in a:\n        pass\n    else:\n        return\n    here()", None),
        ("for n in a:\n        if b: continue\n        here()", [FOR, ("unless", "b", "")]),
        ("async for n in a:\n        here()", [FOR]),
        ("while a:\n        here()", [("while", "a", "")]),
        ("while a:\n        pass\n    here()", []),
        ("while a:\n        return\n    here()", None),
        ("while a:\n        class B:\n            raise KeyError\n    here()", []),
        ("while True:\n        break\n    else:\n        return\n    here()", None),
        ("while a:\n        pass\n    else:\n        here()", None),
        ("while True:\n        pass\n    here()", None),
        ("while 1:\n        return\n    here()", None),
        ("while True:\n        break\n    here()", []),
        ("while True:\n        if a:\n            break\n    here()", []),
        ("while a:\n        def f():\n            return 1\n    here()", []),
        ("with a:\n        here()", []),
        ("with a:\n        return\n    here()", None),
        ("with suppress(KeyError):\n        return\n    here()", [("except", "KeyError", "")]),
        ("with suppress(a(b), c):\n        return\n    here()", [("except", "a(b)", "")]),
        ("with ignore(KeyError):\n        return\n    here()", None),
        ("with suppress(KeyError):\n        pass\n    here()", []),
        ("with suppress(KeyError):\n        if a:\n            return\n    here()", None),
        ("try:\n        here()\n    except KeyError:\n        pass", []),
        ("try:\n        a()\n    except KeyError:\n        here()", [("except", "KeyError", "")]),
        ("try:\n        a()\n    except:\n        here()", [("except", "BaseException", "")]),
        ("try:\n        a()\n    except* KeyError:\n        here()", [("except", "KeyError", "")]),
        (
            "try:\n        a()\n    except KeyError as error:\n        here()",
            [("except", "KeyError", "")],
        ),
        (
            "try:\n        a()\n    except KeyError:\n        return\n    here()",
            [("no_error", "KeyError", "")],
        ),
        (
            "try:\n        a()\n    except KeyError:\n        pass\n    else:\n        here()",
            [("no_error", "KeyError", "")],
        ),
        (
            "try:\n        return\n    except KeyError:\n        pass\n    here()",
            [("except", "KeyError", "")],
        ),
        ("try:\n        return\n    except KeyError:\n        raise\n    here()", None),
        (
            (
                "try:\n        return\n    except KeyError:\n        pass\n"
                "    except OSError:\n        pass\n    here()"
            ),
            None,
        ),
        (
            (
                "try:\n        return\n    except KeyError:\n        if b:\n"
                "            return\n    here()"
            ),
            None,
        ),
        (
            "try:\n        if a:\n            return\n    finally:\n        b()\n    here()",
            [("unless", "a", "")],
        ),
        ("try:\n        a()\n    finally:\n        here()", []),
        ("try:\n        a()\n    finally:\n        if b:\n            return\n    here()", None),
        (
            (
                "try:\n        if a:\n            raise KeyError\n"
                "    except KeyError:\n        pass\n    here()"
            ),
            None,
        ),
        (
            (
                "try:\n        if a:\n            return\n    except KeyError:\n        pass\n"
                "    here()"
            ),
            None,
        ),
        (
            (
                "try:\n        a()\n    except KeyError:\n        pass\n"
                "    except Exception:\n        return\n    here()"
            ),
            None,
        ),
        (
            (
                "try:\n        a()\n    except KeyError:\n        return\n"
                "    except Exception:\n        return\n    here()"
            ),
            [("no_error", "KeyError", ""), ("no_error", "Exception", "")],
        ),
        ("match a:\n        case 1:\n            here()", [("case", "a", "1")]),
        (
            "match a:\n        case 'x':\n            pass\n        case None:\n            here()",
            [("case", "a", "None")],
        ),
        ("match a:\n        case Pot():\n            here()", [("case", "a", "Pot()")]),
        (
            (
                "match a:\n        case x.None_:\n            pass\n"
                "        case x:\n            here()"
            ),
            None,
        ),
        (
            "match a:\n        case [3]:\n            pass\n        case 2:\n            here()",
            None,
        ),
        ("match a:\n        case 1 if b:\n            here()", None),
        (
            (
                "match a:\n        case [1, *_]:\n            pass\n        case 2:\n"
                "            here()"
            ),
            None,
        ),
        (
            "match a:\n        case x.Y:\n            pass\n        case 2:\n            here()",
            [("case", "a", "2")],
        ),
        ("match a:\n        case 1:\n            return\n    here()", None),
        ("match a:\n        case 1:\n            pass\n    here()", []),
        ("if a and b:\n        return\n    here()", [("unless", "a and b", "")]),
        (
            "if a:\n        if not b:\n            return\n    here()",
            [("unless", "a and not b", "")],
        ),
        (
            "if a or b:\n        if b:\n            return\n    here()",
            [("unless", "(a or b) and b", "")],
        ),
        (
            "if a:\n        if not (a or b):\n            return\n    here()",
            [("unless", "a and not (a or b)", "")],
        ),
        ("if not a and b:\n        here()", [("unless", "a", ""), ("if", "b", "")]),
        ("if not (a and b):\n        here()", [("unless", "a and b", "")]),
        ("if (not a):\n        here()", [("unless", "a", "")]),
        ("if a: return\n    here()", [("unless", "a", "")]),
        ("if a:\n        pass\n    else:\n        return\n    here()", [("if", "a", "")]),
        ("if a:\n        return\n    else:\n        return\n    here()", None),
        (
            "if a:\n        pass\n    elif b:\n        return\n    here()",
            [("unless", "not a and b", "")],
        ),
        (
            "if a:\n        return\n    if a:\n        pass\n    else:\n        here()",
            [("unless", "a", "")],
        ),
        (f"if {'a' * 161}:\n        here()", None),
        ("if '`' in a:\n        here()", None),
    ],
)
def test_every_block_and_way_out_has_its_condition(
    body: str, conditions: list[tuple[str, str, str]] | None
) -> None:
    assert told(body) == conditions


CODE = '''
@wrapped
class Pot:
    size = 1

    @cached
    async def fill(self):
        with lock, open(self.path) as file:
            try:
                try:
                    pour(file)
                except (KeyError, OSError):
                    spill()
            except* ValueError as error:
                wipe()
        def inner(x={}, *, y: int = lambda: 3) -> None: pass
        text = """
if a:
"""; done()

last(
    1,
)
'''


def rows(lines: tuple[TokenLine, ...]) -> Iterator[tuple[str, str, int, int]]:
    for line in lines:
        yield line.line.code, line.owner, line.first, line.last


def test_lines_belong_to_what_defines_them() -> None:
    lines = read_token_lines(CODE.split("\n"), 1, "")
    assert list(rows(lines)) == [
        ("@wrapped", "Pot", 2, 2),
        ("class Pot", "Pot", 3, 3),
        ("size = 1", "Pot", 4, 4),
        ("@cached", "Pot.fill", 6, 6),
        ("async def fill(self)", "Pot.fill", 7, 7),
        ("with lock, open(self.path) as file", "Pot.fill", 8, 8),
        ("try", "Pot.fill", 9, 9),
        ("try", "Pot.fill", 10, 10),
        ("pour(file)", "Pot.fill", 11, 11),
        ("except (KeyError, OSError)", "Pot.fill", 12, 12),
        ("spill()", "Pot.fill", 13, 13),
        ("except* ValueError as error", "Pot.fill", 14, 14),
        ("wipe()", "Pot.fill", 15, 15),
        ("def inner(x={}, *, y: int = lambda: 3) -> None", "Pot.fill.inner", 16, 16),
        ("pass", "Pot.fill.inner", 16, 16),
        ('text = """\nif a:\n"""', "Pot.fill", 17, 19),
        ("done()", "Pot.fill", 19, 19),
        ("last(1)", "", 21, 23),
    ]


def test_what_is_around_a_line_is_told_from_the_inside() -> None:
    by_code = {line.line.code: line for line in read_token_lines(CODE.split("\n"), 1, "")}
    context = "lock, open(self.path) as file"
    assert by_code["pour(file)"].handlers == ("KeyError, OSError", "ValueError")
    assert by_code["spill()"].handlers == ("ValueError",)
    assert by_code["wipe()"].handlers == ()
    assert by_code["pour(file)"].contexts == by_code["wipe()"].contexts == (context,)
    assert by_code["done()"].contexts == ()
    assert by_code["async def fill(self)"].keyword == "def"
    assert by_code["async def fill(self)"].operand == "fill(self)"
    assert by_code["except* ValueError as error"].operand == "ValueError as error"


def test_lines_out_of_the_middle_of_a_file_keep_their_numbers() -> None:
    lines = CODE.split("\n")[5:12]
    middle = list(rows(read_token_lines(lines, 6, "Pot")))
    whole = list(rows(read_token_lines(CODE.split("\n"), 1, "")))
    assert middle == whole[3:10]


def test_what_makes_no_tokens_ends_the_reading() -> None:
    lines = read_token_lines(["here()", "text = '''", "there()"], 1, "")
    assert [line.line.code for line in lines][:1] == ["here()"]
    assert read_token_lines([], 1, "") == ()


@pytest.mark.parametrize(
    ("line", "keyword"),
    [
        ("match = 1", "match"),
        ("match.group()", "match"),
        ("print(x if y else z)", "print"),
        ("a[1:2]", "a"),
        ("x: int = 3", "x"),
        ("match: int", "match"),
    ],
)
def test_a_line_with_a_colon_need_not_open_a_block(line: str, keyword: str) -> None:
    first, second = read_token_lines([line, "here()"], 1, "")
    assert (first.line.code, first.keyword, first.path) == (line, keyword, ())
    assert second.path == ()
