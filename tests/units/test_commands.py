"""The commands by name: what is misspelt, or called otherwise by other tools, finds its command."""

import click
import pytest

from goldwright.cli.catalog import COMMAND_NAMES, goldwright


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("shwo", "show"), ("evaluate", "eval"), ("import", "adopt"), ("validate", "verify")],
)
def test_a_word_that_is_no_command_names_the_one_that_is_meant(typed: str, meant: str) -> None:
    assert meant in COMMAND_NAMES
    context = click.Context(goldwright)
    with pytest.raises(click.UsageError, match=f"No such command '{typed}'; did you mean {meant}"):
        goldwright.get_command(context, typed)


@pytest.mark.parametrize("group", ["agents", "baseline", "benefit", "relevance", "suite"])
def test_the_help_of_a_group_breaks_no_sentence_off(group: str) -> None:
    context = click.Context(goldwright)
    command = goldwright.get_command(context, group)
    assert command is not None
    help_text = command.get_help(click.Context(command, parent=context, info_name=group))
    _, summaries = help_text.split("Commands:")
    assert "..." not in summaries
    assert help_text.endswith(".")
