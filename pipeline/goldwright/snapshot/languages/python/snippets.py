"""Telling whether a piece of a text reads as Python, and what of it are names."""

import ast
import re
import warnings
from functools import lru_cache
from typing import Final

from goldwright.snapshot.languages.python.string_scanning import (
    MalformedSourceError,
    code_marks,
)

# In characters; what people quote is shorter, and the parser may take long over hostile text.
_LONGEST_SNIPPET: Final = 2000
# What a text puts in place of code that it leaves out.
_GAP: Final = "…"
# ``utf-8``, ``text/html`` and ``read/write`` are words, although they parse as sums and quotients.
_COMPOUND: Final = re.compile(r"[^\W\d]\w*(?:[-/+.][\w*]+)*[-/+][\w*]+(?:[-/+.][\w*]+)*")
# ``GET /items`` is a request.
_ROOTED_PATH: Final = re.compile(r"(?:^|\s)/\w")
_OPTION: Final = re.compile(r"--?[A-Za-z]")
# How a fence of Markdown names the language.
_FENCE: Final = re.compile(r"(?:python|py|pycon)?[ \t]*\n", re.IGNORECASE)
# A piece of code may be the head of a statement, its arguments or one clause of several.
_SETTINGS: Final = (
    "{}",
    "{}\n pass",
    "{}: pass",
    "def {}: pass",
    "_({})",
    "if _: pass\n{}: pass",
    "if _: pass\n{} pass",
    "try: pass\n{}: pass",
    "try: pass\n{} pass",
    "match _:\n {}: pass",
    "[_ {}]",
)


@lru_cache(maxsize=4096)
def blank_strings(snippet: str) -> str | None:
    """Blank out the strings and comments of a piece of code, offsets stay.

    Returns:
        The names and signs that remain, or None where the text does not read as Python.
    """
    fence = _FENCE.match(snippet)
    start = fence.end() if fence else 0
    code = snippet[start:]
    if len(code) > _LONGEST_SNIPPET or not _reads_as_python(code):
        return None
    try:
        return " " * start + _without_strings(code)
    except MalformedSourceError:
        return None


def _reads_as_python(code: str) -> bool:
    stripped = code.strip()
    if _COMPOUND.fullmatch(stripped) or _OPTION.match(stripped) or _ROOTED_PATH.search(code):
        return False
    complete = _dedent(code).replace(_GAP, "...")
    return any(_parses(setting.replace("{}", complete)) for setting in _SETTINGS)


def _dedent(code: str) -> str:
    """Move the first line to the margin, and those that are indented as far."""
    text = code.strip("\n").rstrip()
    margin = text.removesuffix(text.lstrip())
    lines = [line.removeprefix(margin) for line in text.split("\n")]
    return "\n".join(lines)


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            # Strange escapes in a text are no business of our stderr.
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_strings(code: str) -> str:
    pieces: list[str] = []
    end_of_copy = 0
    for mark in code_marks(code, 0):
        if mark.depth < 0:
            raise MalformedSourceError("a bracket closes none")
        start = end = mark.start
        if mark.text == "#":
            end = _line_end(code, start)
        elif mark.string is not None:
            start, end = mark.string.start, mark.string.end
        blanks = " " * (end - start)
        pieces += [code[end_of_copy:start], blanks]
        end_of_copy = end
    return "".join([*pieces, code[end_of_copy:]])


def _line_end(code: str, start: int) -> int:
    end = code.find("\n", start)
    if end < 0:
        return len(code)
    return end
