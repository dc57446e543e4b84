"""Options that several commands share."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

RETRIEVERS = "bm25, grep, dense, hybrid, py:MODULE:CALLABLE, cmd:COMMAND, mcp:…, an http address, or trec:FILE."

F = TypeVar("F", bound="Callable[..., Any]")


class FiniteNumber(click.FloatRange):
    """A finite number in a range; click takes ``nan`` for one that lies in every range."""

    def convert(
        self, value: Any, param: "click.Parameter | None", ctx: "click.Context | None"
    ) -> Any:
        """Read it."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is no finite number.", param, ctx)
        return found


a_path = click.Path(path_type=Path)

repo = click.option(
    "--repo",
    type=a_path,
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
a_run = click.argument("run", metavar="RUN")


def evaluation(command: F) -> F:
    """The options of everything that asks a retriever: the dataset, the codebase, the retriever and
    how it is asked.
    """
    for add in reversed(_EVALUATION):
        command = add(command)
    return command


_EVALUATION: "tuple[Callable[[Any], Any], ...]" = (
    click.argument("dataset", metavar="DATASET"),
    repo,
    rev,
    click.option("--retriever", required=True, metavar="SPEC", help=RETRIEVERS),
    click.option("--measure", "measures", multiple=True, metavar="NAME",
                 help="MRR, R@10, file.P@1 …; may be repeated."),
    click.option("--depth", type=click.IntRange(1, 1000), help="Results to ask for.  [default: 100]"),
    click.option("--timeout", "seconds", type=FiniteNumber(0.1, 3600), default=60.0, show_default=True,
                 help="Seconds that one query may take."),
    click.option("--ties", type=click.Choice(["id", "trec"]),
                 help="How equal scores are told apart.  [default: id]"),
    click.option("--missing-as-zero", is_flag=True, help="Count a query that a TREC run does not hold as not found."),
    click.option("--allow-drift", is_flag=True, help="Score although cited files changed since; the report says so."),
    allow_dirty,
)  # fmt: skip
