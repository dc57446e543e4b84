"""Every command by name; its module, and all that hangs on it, loads when it is called."""

import importlib
from typing import Final

import click

from goldwright import __version__

COMMANDS: Final[tuple[tuple[str, str], ...]] = (
    ("run", "Curate a dataset of a codebase: every stage up to the people."),
    ("resume", "Carry a run on, or redo one stage of it."),
    ("status", "Show how a run stands: cells, fates, files."),
    ("retry", "Try a failed or queued record again, with a hint."),
    ("drop", "Take a record out of a run, with a reason."),
    ("review", "Judge the sample of a run, and decide on what was stopped."),
    ("spot-check", "Tell what the sample says, and what is still missing."),
    ("requeue", "Do a batch again whose sample breached a ceiling."),
    ("drift", "Compare a further batch with the golden dataset."),
    ("export", "Write the dataset of a run, or say what is missing."),
    ("eval", "Score a retriever against a dataset."),
    ("score", "Score a TREC run against TREC judgements."),
    ("compare", "Tell whether two evaluations differ by more than chance."),
    ("baseline", "Keep what a retriever came to, and fail when it becomes worse."),
    ("verify", "Check a dataset against a codebase."),
    ("diff", "Tell what changed between two versions, and why."),
    ("rebase", "Carry a dataset to a newer commit."),
    ("convert", "Write a dataset in another format, or read one."),
    ("agents", "Check the models that are to play the roles."),
    ("gate", "Run the mechanical gate over a file of answers."),
)


class CommandCatalog(click.Group):
    """A group that knows its commands' names and imports them one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which people need them."""
        return [name for name, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in dict(COMMANDS):
            return None
        module = importlib.import_module(f"goldwright.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(COMMANDS)


@click.group(
    cls=CommandCatalog,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 a quality gate said no, 2 bad input, 3 run in use, 4 damaged state, "
    "5 budget ceiling, 6 provider unavailable.",
)
@click.version_option(__version__, prog_name="goldwright")
def goldwright() -> None:
    """Golden datasets for code retrieval that people can trust.

    Start with:  goldwright run phase1 --repo PATH/TO/A/PYTHON/REPOSITORY
    """
