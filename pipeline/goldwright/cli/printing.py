"""Printing results: on stdout what a program may read, on stderr what is for people alone."""

import json
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

import click

LINE_WIDTH: Final = 100
"""Columns that prose takes at most, however wide the terminal is."""

# A narrower terminal breaks lines by itself; words of their own would not fit either.
_LEAST_WIDTH: Final = 40


def print_json(document: object, *, indent: int | None = 2) -> None:
    """Print a document as JSON on stdout; on one line without ``indent``."""
    click.echo(json.dumps(document, indent=indent))


def folded_lines(heading: str, text: str, *, width: int = 8) -> Iterator[str]:
    """Fold a long sentence under its heading, at blanks alone.

    Args:
        heading: What stands before it; empty to indent it.
        text: The sentence.
        width: The columns of the heading.
    """
    indent = " " * width
    if heading:
        indent = f"{heading:<{width - 1}} "
    further = " " * (width if heading else width + 2)
    # Without a terminal, as wide as prose is read well.
    columns = shutil.get_terminal_size((LINE_WIDTH, 0)).columns
    line_width = max(min(columns, LINE_WIDTH), _LEAST_WIDTH)
    yield from textwrap.wrap(
        text,
        line_width,
        initial_indent=indent,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_lines(lines: Iterable[str], *, to_stderr: bool = False) -> None:
    """Print lines of text."""
    for line in lines:
        click.echo(line, err=to_stderr)
