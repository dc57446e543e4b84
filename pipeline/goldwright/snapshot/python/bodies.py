"""Python definitions as text at the margin, and in their normal form.

The text of a body is compared to tell whether code has changed; its normal form, to tell whether
two pieces of code do the same under other names.
"""

import importlib
import tokenize
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from goldwright.snapshot.python.parsing import UnparsableError, may_be_newer, parse_module

# libcst overflows the stack of the process at 10,000 operators in a row or 1,000 nested brackets
# (measured). What ast has parsed is far from that; of newer syntax, only what cannot come near it
# is read.
LONGEST_NEWER_TEXT: Final = 4000
DEEPEST_NEWER_BRACKETS: Final = 60
_LONG_QUOTES: Final = ("'''", '"""', "\\")
_BEFORE_STATEMENTS: Final = frozenset(
    {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT}
)


def dedented(lines: Sequence[str]) -> str:
    """Take the indentation of the first line from all lines that have it, and the blanks at their
    ends.

    Where a string goes over the end of a line, indentation and blanks belong to its value and stay,
    but for a docstring, which a move to another depth indents anew.
    """
    margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())] if lines else ""
    joined = _joined_by_strings(lines)
    begun = (
        line if number in joined else line.removeprefix(margin) for number, line in enumerate(lines)
    )
    return "".join(
        f"{line if number + 1 in joined else line.rstrip()}\n" for number, line in enumerate(begun)
    )


def _joined_by_strings(lines: Sequence[str]) -> frozenset[int]:
    """Give the places of lines that begin inside a string; all of them where the text cannot be
    told apart.
    """
    if not any(quotes in line for line in lines for quotes in _LONG_QUOTES):
        return frozenset()
    try:
        tokens = list(tokenize.generate_tokens(iter([f"{line}\n" for line in lines]).__next__))
    except (tokenize.TokenError, SyntaxError):
        return frozenset(range(1, len(lines)))
    return frozenset(
        place
        for before, one, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False)
        if one.end[0] > one.start[0]
        and tokenize.tok_name[one.type].endswith(("STRING", "STRING_MIDDLE"))
        if not _is_statement(before, after)
        for place in range(one.start[0], one.end[0])
    )


def _is_statement(before: tokenize.TokenInfo | None, after: tokenize.TokenInfo | None) -> bool:
    begins = before is None or before.type in _BEFORE_STATEMENTS
    return begins and after is not None and after.type == tokenize.NEWLINE


@lru_cache(maxsize=4096)
def normal_form(text: str, *, in_class: bool = False) -> str | None:
    """Write code as a syntax tree in which layout, docstrings and the choice of local names do not
    show.

    Parameters and local names are numbered as they appear; the name of the definition itself is
    left out. Globals, builtins, attributes, keywords of calls and literals stay, strings by their
    value.

    Args:
        text: One definition, or several of one name.
        in_class: It stands in a class, so that its bare name means something else inside its body.

    Returns:
        The tree in brackets, or None where the text cannot be parsed.
    """
    if not _is_harmless(text):
        return None
    # libcst takes a fifth of a second to load, and most commands do not need it.
    forms = importlib.import_module("goldwright.snapshot.python.normal_form")
    written: str | None = forms.tree(text, in_class=in_class)
    return written


def _is_harmless(text: str) -> bool:
    data = text.encode("utf-8", "replace")
    try:
        parse_module(data)
    except UnparsableError as error:
        return may_be_newer(data, str(error)) and len(text) <= LONGEST_NEWER_TEXT and _is_flat(text)
    return True


def _is_flat(text: str) -> bool:
    depth = deepest = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        deepest = max(deepest, depth)
    return deepest <= DEEPEST_NEWER_BRACKETS
