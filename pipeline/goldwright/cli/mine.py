"""``goldwright mine``: a dataset from the history of a repository."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from goldwright.app.datasets.mining import DEFAULT_OUT, MineRequest, Mining, mine_dataset
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.mining import FILTER_TITLES, MiningSettings
from goldwright.mining.mined_file import MiningPass
from goldwright.mining.settings import LEAK_RULES, LEVELS
from goldwright.text import counted

_DEFAULTS = MiningSettings()


@click.command("mine", cls=SettingsCommand)
@options.repo
@options.rev
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default=_DEFAULTS.level,
    show_default=True,
    help="What is to be found: files, or functions, methods and classes.",
)
@click.option(
    "--out",
    type=options.path_type,
    default=DEFAULT_OUT,
    show_default=True,
    metavar="FILE",
    help="The cases, one a line; what is there stays, and newer commits are added.",
)
@click.option(
    "--at-parent",
    is_flag=True,
    help="Pin each case to the parent of its commit, where the answer is not there yet.",
)
@click.option(
    "--body", "with_body", is_flag=True, help="Add the first paragraph of the message to the query."
)
@click.option("--tests", "with_tests", is_flag=True, help="Take tests for targets, too.")
@click.option(
    "--leaks",
    type=click.Choice(LEAK_RULES),
    default=_DEFAULTS.leaks,
    show_default=True,
    help="Which subjects name their target: by identifiers and files (rule), by their words, too"
    " (strict); or keep them all.",
)
@click.option(
    "--max-files",
    type=click.IntRange(min=1),
    default=_DEFAULTS.max_files,
    show_default=True,
    metavar="N",
    help="Leave commits out that change more files.",
)
@click.option(
    "--max-symbols",
    type=click.IntRange(min=1),
    default=_DEFAULTS.max_symbols,
    show_default=True,
    metavar="N",
    help="Leave commits out that change more functions, methods and classes.",
)
@click.option(
    "--min-words",
    type=click.IntRange(min=1),
    default=_DEFAULTS.min_words,
    show_default=True,
    metavar="N",
    help="Leave subjects out with fewer words of their own.",
)
@options.as_json
def command(
    *, repo: Path, rev: str | None, out: Path, as_json: bool, **settings_fields: Any
) -> int:
    """Mine queries and what they are to find from the history of a repository.

    The query is what the author wrote of a commit, and the targets are what the commit changed, by
    their names at --rev. Each commit becomes a case or counts for the filter that took it. What
    changed is not all that is relevant, and subjects often share words with the code that answers
    them: a figure compares searches, and people judge cases in a review once goldwright adopt has
    taken a file of them.
    """
    request = MineRequest(repo, rev, out, MiningSettings(**settings_fields))
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        mining = mine_dataset(request, environment, progress)
    if as_json:
        print_json(_as_json(mining))
    else:
        print_lines(_lines(mining), to_stderr=True)
        click.echo(str(mining.path))
    return 0


def _lines(mining: Mining) -> Iterator[str]:
    commits = counted(mining.added.looked_at, "commit")
    tip = mining.tip[:12]
    yield f"{commits} up to {tip}"
    yield from _count_lines(mining.added)
    totals = mining.totals
    if totals.cases != mining.added.cases:
        cases = counted(totals.cases, "case")
        yield f"with earlier ones, {cases} of {totals.looked_at} commits"
    for note in mining.notes:
        yield f"note: {note}"


def _count_lines(counts: MiningPass) -> Iterator[str]:
    noun = "case" if counts.cases == 1 else "cases"
    yield f"{counts.cases:>8}  {noun}"
    for name, count in counts.filtered.items():
        if count:
            title = FILTER_TITLES[name]
            yield f"{count:>8}  {title}"


def _as_json(mining: Mining) -> dict[str, object]:
    added = mining.added.model_dump(mode="json")
    totals = mining.totals.model_dump(mode="json")
    return {
        "path": str(mining.path),
        "tip": mining.tip,
        "added": added,
        "totals": totals,
        "notes": list(mining.notes),
    }
