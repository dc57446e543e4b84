"""Code and what is written about it."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.snapshot.comment_stripper import (
    code_lines,
    without_comments,
    without_docstrings,
)

MODULE = '''"""What it is.

More of it.
"""
import os  # why

# a comment
class A:
    """The class."""

    x = "kept"  # gone

    def f(self):
        'single'
        y = """inside
  kept
"""
        return y, f"kept {self.x}"
"bare" "strings"
'''

pieces = st.sampled_from(
    [
        "x = 1",
        "# note",
        '"""doc"""',
        "    ",
        "",
        "y = 'a # b'",
        "def f():",
        "    return 1  # back",
        "'a' 'b'  # c",
        "(",
        "\\",
    ]
)


def test_comments_docstrings_and_bare_strings_are_no_code() -> None:
    """Strings that the program uses are: they are part of what it does."""
    assert sorted(code_lines("a.py", MODULE)) == [5, 8, 11, 13, 15, 16, 18]


CALLS = '''register(
    "an argument",
    f"another",
    """of several
    lines
    """,
    # a comment
    [
        "an item",
    ],
)
(
    "bare, in brackets"
)
table = (
    "a"
    "b"
)
'''


def test_a_line_of_an_expression_that_holds_only_a_string_is_code() -> None:
    """An argument shows what the program does; brackets and quotes alone do not."""
    assert sorted(code_lines("a.py", CALLS)) == [1, 2, 3, 4, 5, 9, 15, 16, 17]


@given(st.lists(pieces, max_size=12).map("\n".join))
def test_no_line_is_code_without_a_word_that_blanking_leaves(text: str) -> None:
    """What is prose to one is prose to the other."""
    if _parses(text):
        blanked = without_comments("x.py", text)
        for number in code_lines("x.py", text):
            assert any(sign.isalnum() for sign in blanked[number - 1])


def test_blanking_prose_keeps_code_and_line_numbers() -> None:
    """Line by line, nothing but prose is gone."""
    blanked = without_comments("a.py", MODULE)
    assert len(blanked) == len(MODULE.split("\n"))
    assert blanked[:5] == ('"…"', "…", "…", "…", "import os  # …")
    assert blanked[8] == '    "…"'
    assert blanked[10] == '    x = "kept"  # …'
    assert blanked[13:18] == (
        '        "…"',
        '        y = """inside',
        "  kept",
        '"""',
        '        return y, f"kept {self.x}"',
    )
    assert blanked[18] == '"…" "…"'


def test_blanking_docstrings_keeps_comments_code_and_line_numbers() -> None:
    """Strings that the program uses are no docstrings."""
    lines = MODULE.split("\n")
    blanked = without_docstrings("a.py", lines)
    assert len(blanked) == len(lines)
    changed = {
        number: line for number, line in enumerate(blanked, start=1) if line != lines[number - 1]
    }
    assert changed == {
        1: '"…"', 2: "…", 3: "…", 4: "…", 9: '    "…"', 14: '        "…"', 19: '"…" "…"',
    }  # fmt: skip


ONE_LINERS = """
class A: "the class"
class B(A): 'the other'; x = "kept"
def f(a, b={"k": "kept"}) -> "kept": "the function"
async def g(): ("the coroutine")
x: "kept" = {"a": "kept"}; "bare"
"""


def test_a_docstring_behind_its_header_is_blanked_too() -> None:
    """Nothing that ``ast`` calls a docstring has a word left."""
    lines = ONE_LINERS.split("\n")
    blanked = "\n".join(without_docstrings("a.py", lines))
    tree = ast.parse(blanked)
    definitions = [node for node in tree.body if not isinstance(node, ast.AnnAssign | ast.Expr)]
    docstrings = [
        ast.get_docstring(node)
        for node in definitions
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert docstrings == ["…"] * 4
    assert blanked.count('"kept"') == ONE_LINERS.count('"kept"')
    assert "bare" not in blanked


def test_what_is_no_source_file_has_no_docstrings() -> None:
    assert without_docstrings("notes.txt", ['"""doc"""', "x"]) == ('"""doc"""', "x")


@pytest.mark.parametrize("path", ["README.md", "docs/guide.rst", "notes.txt", "README", "CHANGES"])
def test_a_document_is_prose_throughout(path: str) -> None:
    """Whatever its lines look like."""
    assert not code_lines(path, "x = 1\n")
    assert without_comments(path, "x = 1\n\ny") == ("…", "", "…")


def test_of_other_files_lines_behind_a_comment_mark_are_prose() -> None:
    """Settings are data, and what is said beside them is not."""
    assert code_lines("setup.cfg", "# note\n[tool]\n; more\nx = 1\n") == {2, 4}
    assert without_comments("setup.cfg", "# note\n[tool]") == ("…", "[tool]")


def test_a_file_that_cannot_be_read_as_python_still_loses_its_comments() -> None:
    """From where reading stops, lines count by their first character."""
    assert without_comments("x.py", "def f(:\n  # obey\n  y = (\n# obey") == (
        "def f(:",
        "…",
        "  y = (",
        "…",
    )


@given(st.lists(pieces, max_size=12).map("\n".join))
def test_whatever_a_file_holds_its_lines_stay_and_what_parses_still_parses(text: str) -> None:
    """Blanking never moves a line, and never turns code into something else."""
    blanked = without_comments("x.py", text)
    assert len(blanked) == len(text.split("\n"))
    assert not any(
        "note" in line or "doc" in line for line in blanked if "'a # b'" not in line
    ) or not _parses(text)
    if _parses(text):
        assert _code(text) == _code("\n".join(blanked))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _code(text: str) -> list[str]:
    """Dump the statements that are no bare strings; blanks inside a string are no matter."""
    if not _parses(text):
        return ["unparsable"]
    body = [node for node in ast.parse(text).body if not isinstance(node, ast.Expr)]
    return [ast.dump(node) for node in body]
