"""Every command by name; its module, and all that it needs, loads when it is called."""

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import click

from goldwright import __version__
from goldwright.process.signals import ending_at_once

PROGRAM: Final = "goldwright"
COMPLETE_VARIABLE: Final = "_GOLDWRIGHT_COMPLETE"
"""Set by a shell that asks what may follow; click decides what is asked and answered."""
COMMAND_GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "Curate": {
        "run": "Curate a dataset of a codebase: every stage up to the people.",
        "resume": "Carry a run on, or redo one stage of it.",
        "show": "Read records, with the source that they cite.",
        "status": "Show how a run stands: cells, fates, files.",
        "trace": "Follow a record through a run: turns, tools, verdicts, cost.",
        "cost": "Show what a run cost, and what the money went to.",
        "casts": "Compare the models of several runs: survivors, gate, canaries, cost.",
        "gate": "Run the mechanical gate over a file of answers.",
        "retry": "Try a failed or queued record again, with a hint.",
        "drop": "Take a record out of a run, with a reason.",
        "requeue": "Do a batch again whose sample breached a ceiling.",
    },
    "People": {
        "review": "Judge the sample of a run, and decide on what was stopped.",
        "spot-check": "Show what the sample says, and what is still missing.",
        "export": "Write the dataset of a run, or say what is missing.",
    },
    "Datasets": {
        "mine": "Mine a dataset from the history of a repository.",
        "verify": "Check a dataset against a codebase.",
        "adopt": "Make a dataset of others one of ours, for people to confirm.",
        "guard": "Show what a change of the code does to a dataset, before its merge.",
        "rebase": "Carry a dataset to a newer commit.",
        "diff": "Show what changed between two versions, and why.",
        "drift": "Compare a further batch with the golden dataset.",
        "convert": "Write a dataset in another format, or read one.",
    },
    "Score": {
        "eval": "Score a retriever against a dataset.",
        "bench": "Compare several retrievers on a dataset.",
        "baseline": "Keep what a retriever came to, and fail when it becomes worse.",
        "compare": "Show whether two evaluations differ by more than chance.",
        "cells": "Choose model and chunking for one source, and freeze the decision.",
        "score": "Score a TREC run against TREC judgements.",
    },
    "Scale": {
        "suite": "Curate and score one dataset over many codebases.",
        "merge": "Bring the shards of a suite together.",
    },
    "Prove": {
        "relevance": "Prove by trials which documents make tasks succeed.",
        "benefit": "Measure what a retrieval tool does for an agent, net of its cost.",
    },
    "Set-up": {
        "init": "Write goldwright.toml, with every setting as a comment.",
        "doctor": "Check that everything is as a run needs it.",
        "agents": "Check the models that are to play the roles.",
        "completion": "Print what a shell needs to complete all this.",
    },
}
"""The commands under their headings in the help, in the order in which people need them."""

COMMAND_NAMES: Final = tuple(name for commands in COMMAND_GROUPS.values() for name in commands)

# What other tools call the same, where no letters lead to our word.
_OTHER_WORDS: Final = {
    "check": "verify",
    "continue": "resume",
    "generate": "run",
    "import": "adopt",
    "list": "status",
    "ls": "status",
    "start": "run",
    "test": "eval",
    "validate": "verify",
}


def commands_with(option_name: str) -> Iterator[str]:
    """Yield the commands that have an option; all of them are imported for it."""
    for name in COMMAND_NAMES:
        module = importlib.import_module(f"goldwright.cli.{module_name(name)}")
        command: click.Command = module.command
        if any(option_name in param.opts for param in command.params):
            yield name


class CommandCatalog(click.Group):
    """A group that knows its commands' names and imports them one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMAND_NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command.

        Raises:
            UsageError: There is none of that name; it says which one may be meant.
        """
        if cmd_name not in COMMAND_NAMES:
            # A shell that completes has no use for errors.
            if ctx.resilient_parsing:
                return None
            # Every start would pay for what only a slip needs.
            difflib = importlib.import_module("difflib")
            suggestions = [_OTHER_WORDS[cmd_name]] if cmd_name in _OTHER_WORDS else []
            suggestions = suggestions or difflib.get_close_matches(cmd_name, COMMAND_NAMES, n=1)
            hint = "goldwright --help lists them"
            if suggestions:
                hint = f"did you mean {suggestions[0]}?"
            raise click.UsageError(f"No such command {cmd_name!r}; {hint}", ctx)
        # This one only: no command waits for the libraries of the others.
        # An interrupt that comes as an exception could be lost in the code of a library.
        with ending_at_once():
            module = importlib.import_module(f"goldwright.cli.{module_name(cmd_name)}")
        command: click.Command = module.command
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Read the command line."""
        with _hidden_from_click():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _hidden_from_click():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by group, without importing them as click would."""
        width = max(map(len, COMMAND_NAMES))
        for heading, commands in COMMAND_GROUPS.items():
            # Padded, so that the summaries of all groups begin in one column.
            rows = [(name.ljust(width), summary) for name, summary in commands.items()]
            with formatter.section(heading):
                formatter.write_dl(rows)


@contextmanager
def _hidden_from_click() -> Iterator[None]:
    """Put an EOFError into a group, of which the end of a command is told by its first member.

    click would take it for a person who ends what is typed; its prompts, where that happens, say
    so themselves.
    """
    try:
        yield
    except EOFError as error:
        raise ExceptionGroup("a file that ended too early", [error]) from None


def module_name(command_name: str) -> str:
    """Give the name of the module that holds a command."""
    return command_name.replace("-", "_")


@click.group(
    cls=CommandCatalog,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 a quality gate said no, 2 bad input or no room, 3 run in use, "
    "4 damaged state, 5 budget ceiling, 6 provider unavailable, 70 a bug of goldwright, "
    "128 and the number of a signal.",
)
@click.version_option(__version__, prog_name="goldwright")
def goldwright() -> None:
    """Golden datasets for code retrieval that people can trust.

    Start with:  goldwright run phase1 --repo PATH/TO/A/PYTHON/REPOSITORY
    """
