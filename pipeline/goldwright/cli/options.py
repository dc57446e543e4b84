"""Options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

a_path = click.Path(path_type=Path)

repo = click.option(
    "--repo", type=a_path, required=True, metavar="DIR", help="The codebase: a git repository or a plain directory."
)
rev = click.option("--rev", metavar="REV", help="The commit to pin it to. [default: HEAD]")
allow_dirty = click.option(
    "--allow-dirty", is_flag=True, help="Pin the files of the work tree as they are, with uncommitted changes."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON on stdout.")
a_run = click.argument("run", metavar="RUN")
