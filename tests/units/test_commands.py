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
