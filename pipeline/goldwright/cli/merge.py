"""``goldwright merge``: bring the shards of a suite together."""

from pathlib import Path

import click

from goldwright.app.suites.suite_merge import merge_shards
from goldwright.cli import options
from goldwright.cli.settings import SettingsCommand
from goldwright.cli.suite import print_state


@click.command("merge", cls=SettingsCommand)
@click.argument("directories", type=options.path_type, nargs=-1, required=True, metavar="DIR...")
@click.option(
    "--out", type=options.path_type, required=True, metavar="DIR", help="Where all of it goes."
)
@options.as_json
def command(*, directories: tuple[Path, ...], out: Path, as_json: bool) -> int:
    """Bring the directories of the shards of a suite together.

    A valid checkpoint is reused, a missing one named (exit code 1), a conflicting one refused.
    """
    return print_state(merge_shards(directories, out), as_json=as_json)
