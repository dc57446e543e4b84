"""``goldwright init``: a first file of settings."""

import importlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from goldwright.app.init import FlagLine, settable_keys, write_settings
from goldwright.cli import options
from goldwright.cli.catalog import COMMAND_NAMES, module_name
from goldwright.cli.settings_command import settable_options

# What a value looks like whose flag has no default of its own, and no name that tells.
_EXAMPLES: Final[Mapping[str, str | float]] = {
    "depth": 100,
    "limit": 50,
    "target": 0.8,
    "budget_usd": 5.0,
    "runs": 5,
    "arms": "bm25,hybrid",
    "ks": "1,5,10",
    "fields": "query=NAME,expected=NAME",
}
_DEFAULT_NOTE: Final = re.compile(r"\s*\[default: [^]]*\]")


@click.command("init")
@click.argument("directory", type=options.path_type, default=Path(), metavar="[DIR]")
@click.option(
    "--repo",
    type=options.path_type,
    metavar="DIR",
    help="The codebase to name in it. [default: the one that DIR is in, or holds]",
)
@click.option("--force", is_flag=True, help="Write over a goldwright.toml that is there.")
def command(directory: Path, *, repo: Path | None, force: bool) -> None:
    """Write goldwright.toml into DIR (or here), with every setting in it as a comment.

    It names the codebase that it finds. Nothing is asked, and a file that is there stays.
    """
    settings = write_settings(directory, _flags_of_commands(), repo=repo, replaces=force)
    click.echo(str(settings.path))
    codebase = "no codebase was found; set repo in it, or give --repo to each command"
    if settings.codebase is not None:
        codebase = f"the codebase is {settings.codebase}"
    click.echo(f"{codebase}; every other setting of a command is there as a comment", err=True)
    click.echo("a server of your own takes a table [providers.NAME] with base_url", err=True)


def _flags_of_commands() -> Iterator[tuple[str, list[FlagLine]]]:
    for name in COMMAND_NAMES:
        keys = settable_keys(name)
        if keys:
            available = _options_of(name)
            lines = [_flag_line(key, available[key]) for key in keys]
            yield name, lines


def _options_of(name: str) -> dict[str, click.Option]:
    """Give the options of a command, or of all commands of a group, by key."""
    module = importlib.import_module(f"goldwright.cli.{module_name(name)}")
    named_command: click.Command = module.command
    if not isinstance(named_command, click.Group):
        return settable_options(named_command)
    available: dict[str, click.Option] = {}
    for subcommand in named_command.commands.values():
        available.update(settable_options(subcommand))
    return available


def _flag_line(key: str, option: click.Option) -> FlagLine:
    help_text = _DEFAULT_NOTE.sub("", option.help or "")
    first_sentence = re.split(r"(?<=[a-z)])[.;](?:\s|$)", help_text, maxsplit=1)[0]
    example = _example(key, option)
    return FlagLine(key, example, first_sentence.rstrip("."))


def _example(key: str, option: click.Option) -> Any:
    if option.is_flag:
        return False
    default = option.to_info_dict()["default"]
    if default is not None and not option.multiple:
        return str(default) if isinstance(default, Path) else default
    if key in _EXAMPLES:
        return [_EXAMPLES[key]] if option.multiple else _EXAMPLES[key]
    if isinstance(option.type, click.Choice):
        return option.type.choices[0]
    text = option.metavar or key.upper()
    return [text] if option.multiple else text
