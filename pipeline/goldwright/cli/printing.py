"""Printing results: on stdout what a program may read, on stderr what is for people alone."""

import json
from collections.abc import Iterable

import click


def print_json(document: object, *, indent: int | None = 2) -> None:
    """Print a document as JSON on stdout; on one line without ``indent``."""
    click.echo(json.dumps(document, indent=indent))


def print_lines(lines: Iterable[str], *, to_stderr: bool = False) -> None:
    """Print lines of text."""
    for line in lines:
        click.echo(line, err=to_stderr)
