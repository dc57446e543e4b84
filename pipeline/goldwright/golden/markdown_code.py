"""Text of unknown origin as code in Markdown, which it cannot leave."""

import re
from collections.abc import Iterable, Iterator

from goldwright.text import make_visible


def code_span(text: str) -> str:
    """Write a text as code within a line.

    A code span ends at as many backticks as it began with, and may begin or end with a backtick
    only behind a space. Source: CommonMark 0.31, section 6.1.
    """
    visible = make_visible(text)
    backticks = re.findall("`+", text)
    if not backticks:
        return f"`{visible}`"
    longest = max(backticks, key=len)
    fence = f"{longest}`"
    return f"{fence} {visible} {fence}"


def diff_block(lines: Iterable[str]) -> Iterator[str]:
    """Write lines as a block that is coloured as a difference.

    A block ends at as many backticks as it began with. Source: CommonMark 0.31, section 4.5.
    """
    shown_lines = list(lines)
    backticks = re.findall("`{3,}", "\n".join(shown_lines))
    longest_run = max(map(len, backticks), default=2)
    fence = "`" * (longest_run + 1)
    yield from ("", f"{fence}diff", *shown_lines, fence)
