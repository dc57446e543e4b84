"""Code that stands in a text as fenced blocks of Markdown: written, found, left out.

An answer may quote the lines that bear it out instead of speaking them. What is quoted is text of a
file, with ``...`` on a line of its own where lines were left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

GAP: Final = "..."
_FENCE: Final = "```"
# Source: CommonMark 0.31, section 4.5; a fence that is never closed goes to the end of the text.
_BLOCK: Final = re.compile(
    r"^(?P<fence>`{3,})(?:\w*[ \t]+(?P<title>[^`\n]*)|[^`\n]*)\n"
    r"(?P<code>.*?)(?:^(?P=fence)`*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_AROUND: Final = re.compile(r"\s*\n\s*")


def code_block(lines: Sequence[str], language: str, title: str = "") -> str:
    """Write lines as a block of code.

    Args:
        lines: The lines.
        language: Their language, the first word of the info string.
        title: What the lines are of, the rest of the info string; empty for none.

    Raises:
        ValueError: A line holds a fence itself, and would end the block.
    """
    if any(_FENCE in line for line in lines):
        raise ValueError("a line holds a fence of its own")
    info = f"{language} {title}".rstrip()
    return "\n".join((f"{_FENCE}{info}", *lines, _FENCE))


def code_blocks(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the lines of every block of a text."""
    for match in _BLOCK.finditer(text):
        yield tuple(match["code"].splitlines())


def texts_and_blocks(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the passages of a text, each with the block behind it; none at the end.

    Yields:
        The passage, the title of the block, empty for none, and its lines.
    """
    end = 0
    for match in _BLOCK.finditer(text):
        title = (match["title"] or "").strip()
        yield text[end : match.start()], title, tuple(match["code"].splitlines())
        end = match.end()
    yield text[end:], "", ()


def without_code_blocks(text: str) -> str:
    """Give the sentences of a text, on one line; those around a block follow one another."""
    if _FENCE not in text:
        return text
    return _AROUND.sub(" ", _BLOCK.sub("\n", text)).strip()


def rewrite_prose(
    text: str,
    rewrite: Callable[[str], str],
    quote: Callable[[tuple[str, ...]], Sequence[str]] = tuple,
) -> str:
    """Rewrite the sentences of a text around its blocks of code.

    Args:
        text: Sentences, and perhaps blocks.
        rewrite: Rewrites each passage between blocks; empty ones are left out.
        quote: Rewrites the lines of each block; a block without lines is left out.
    """
    pieces: list[str] = []
    end = 0
    for match in _BLOCK.finditer(text):
        pieces.append(rewrite(text[end : match.start()].strip()))
        old_lines = tuple(match["code"].splitlines())
        new_lines = tuple(quote(old_lines))
        head, _, _ = match[0].partition("\n")
        if new_lines:
            pieces.append("\n".join((head, *new_lines, match["fence"])))
        end = match.end()
    if not end:
        return rewrite(text)
    pieces.append(rewrite(text[end:].strip()))
    return "\n\n".join(filter(None, pieces))


def quoted_runs(block: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of a block that stand together: those between two gaps.

    Blank lines are left out, and what all lines of a run are indented by.
    """
    run: list[str] = []
    for line in (*block, GAP):
        if line.strip() != GAP:
            run.append(line)
            continue
        dedented = dedent_lines(run)
        if dedented:
            yield dedented
        run = []


def dedent_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Take away what all lines are indented by, blanks at their ends, and blank lines."""
    full_lines = [line.rstrip() for line in lines if line.strip()]
    indents = [len(line) - len(line.lstrip()) for line in full_lines]
    least = min(indents, default=0)
    return tuple(line[least:] for line in full_lines)
