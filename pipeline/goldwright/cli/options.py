"""Options that several commands share."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

RETRIEVER_FORMS: Final = (
    "bm25, grep, dense, hybrid, py:MODULE:CALLABLE, cmd:COMMAND, mcp:…, "
    "an http address, or trec:FILE."
)

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., Any])


class FiniteNumber(click.FloatRange):
    """A finite number in a range; click's own type lets NaN pass, which lies in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number.

        Raises:
            BadParameter: It is not a finite number of the range.
        """
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no finite number.", param, ctx)
        return number


path_type: Final = click.Path(path_type=Path)

repo = click.option(
    "--repo",
    type=path_type,
    required=True,
    metavar="DIR",
    help="The codebase: a git repository or a plain directory.",
)
rev = click.option("--rev", metavar="REV", help="The commit to pin it to. [default: HEAD]")
allow_dirty = click.option(
    "--allow-dirty",
    is_flag=True,
    help="Pin the files of the work tree as they are, with uncommitted changes.",
)
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON on stdout."
)
run_argument = click.argument("run", metavar="RUN")


def evaluation(command: CommandFunction) -> CommandFunction:
    """Add the options of every command that asks a retriever.

    They are named after the fields of an evaluation request.
    """
    # A decorator that is applied first stands last in the help.
    for add_option in reversed(_EVALUATION_OPTIONS):
        command = add_option(command)
    return command


_EVALUATION_OPTIONS: Final[tuple[Callable[[Any], Any], ...]] = (
    click.argument("dataset", metavar="DATASET"),
    repo,
    rev,
    click.option("--retriever", required=True, metavar="SPEC", help=RETRIEVER_FORMS),
    click.option(
        "--measure",
        "measures",
        multiple=True,
        metavar="NAME",
        help="MRR, R@10, file.P@1 …; may be repeated.",
    ),
    click.option(
        "--depth", type=click.IntRange(1, 1000), help="Results to ask for.  [default: 100]"
    ),
    click.option(
        "--timeout",
        type=FiniteNumber(0.1, 3600),
        default=60.0,
        show_default=True,
        help="Seconds that one query may take.",
    ),
    click.option(
        "--ties",
        type=click.Choice(["id", "trec"]),
        help="How equal scores are told apart.  [default: id]",
    ),
    click.option(
        "--missing-as-zero",
        is_flag=True,
        help="Count a query that a TREC run does not hold as not found.",
    ),
    click.option(
        "--blank-docstrings",
        is_flag=True,
        help="Search code without its docstrings; for bm25, grep, dense and hybrid.",
    ),
    click.option(
        "--allow-drift",
        is_flag=True,
        help="Score although cited files changed since; the report says so.",
    ),
    allow_dirty,
)
