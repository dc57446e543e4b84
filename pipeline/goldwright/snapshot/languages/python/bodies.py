"""Python definitions as text at the margin, and in their normal form.

The text of a body is compared to tell whether code has changed; its normal form, to tell whether
two pieces of code do the same under other names.
"""

import importlib
import tokenize
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from goldwright.snapshot.languages.python.parsing import (
    UnparsableError,
    may_be_newer,
    parse_strictly,
)

# libcst overflows the stack of the process at 10,000 operators in a row or 1,000 nested brackets
# (measured). What ast has parsed is far from that; of newer syntax, only what cannot come near it
# is read.
LONGEST_NEWER_TEXT: Final = 4000
DEEPEST_NEWER_BRACKETS: Final = 60

# A string that goes over the end of a line needs one of these.
_LINE_JOINERS: Final = ("'''", '"""', "\\")
# Of the f-strings of Python 3.12 each literal part is a token that ends in STRING_MIDDLE.
_STRING_TOKENS: Final = ("STRING", "STRING_MIDDLE")
_BEFORE_STATEMENTS: Final = frozenset(
    {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT}
)


def dedent(lines: Sequence[str]) -> str:
    """Take the indentation of the first line from all lines that have it, and trailing blanks.

    Where a string goes over the end of a line, indentation and blanks belong to its value and stay.
    A docstring loses them, for its indentation follows the depth at which its definition stands.
    """
    if not lines:
        return ""
    margin = _indentation(lines[0])
    continued = _lines_inside_strings(lines)
    dedented: list[str] = []
    for index, line in enumerate(lines):
        text = line
        if index not in continued:
            text = text.removeprefix(margin)
        if index + 1 not in continued:
            text = text.rstrip()
        dedented.append(f"{text}\n")
    return "".join(dedented)


def _indentation(line: str) -> str:
    text = line.lstrip()
    return line.removesuffix(text)


def _lines_inside_strings(lines: Sequence[str]) -> frozenset[int]:
    """Give the indices of lines that begin inside a string.

    Where the text cannot be cut into tokens, any line but the first may.
    """
    if not _may_join_lines(lines):
        return frozenset()
    complete_lines = [f"{line}\n" for line in lines]
    readline = iter(complete_lines).__next__
    try:
        tokens = list(tokenize.generate_tokens(readline))
    except (tokenize.TokenError, SyntaxError):
        return frozenset(range(1, len(lines)))
    inside: set[int] = set()
    for place, token in enumerate(tokens):
        first_line, _ = token.start
        last_line, _ = token.end
        if last_line == first_line or not _is_string(token):
            continue
        if not _is_statement(tokens, place):
            # Tokens count lines from 1, so the line behind the first has the index ``first_line``.
            inside.update(range(first_line, last_line))
    return frozenset(inside)


def _may_join_lines(lines: Sequence[str]) -> bool:
    text = "\n".join(lines)
    return any(joiner in text for joiner in _LINE_JOINERS)


def _is_string(token: tokenize.TokenInfo) -> bool:
    return tokenize.tok_name[token.type].endswith(_STRING_TOKENS)


def _is_statement(tokens: Sequence[tokenize.TokenInfo], place: int) -> bool:
    """Return whether a token is a statement by itself, as a docstring is."""
    if place > 0 and tokens[place - 1].type not in _BEFORE_STATEMENTS:
        return False
    following = tokens[place + 1 : place + 2]
    return bool(following) and following[0].type == tokenize.NEWLINE


@lru_cache(maxsize=4096)
def normal_form(text: str, *, in_class: bool = False) -> str | None:
    """Write code as a syntax tree that hides layout, docstrings and the choice of local names.

    Parameters and local names are numbered as they appear; the name of the definition itself is
    left out. Globals, builtins, attributes, keywords of calls and literals stay, strings by their
    value.

    Args:
        text: One definition, or several of one name.
        in_class: It stands in a class, so that its bare name means something else inside its body.

    Returns:
        The tree in brackets, or None where the text cannot be parsed.
    """
    if not _is_safe_for_libcst(text):
        return None
    # libcst takes a fifth of a second to load, and most commands do not need it.
    module = importlib.import_module("goldwright.snapshot.languages.python.normal_form")
    form: str | None = module.write_normal_form(text, in_class=in_class)
    return form


def _is_safe_for_libcst(text: str) -> bool:
    data = text.encode("utf-8", "replace")
    try:
        # The rewriting of newer syntax hides from ``ast`` what libcst would meet.
        parse_strictly(data)
    except UnparsableError as error:
        if not may_be_newer(data, str(error)):
            return False
        if len(text) > LONGEST_NEWER_TEXT:
            return False
        return _deepest_bracket(text) <= DEEPEST_NEWER_BRACKETS
    return True


def _deepest_bracket(text: str) -> int:
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest
