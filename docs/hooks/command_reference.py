"""Write the reference of the commands from their own help, so that it cannot go stale."""

import inspect
import re
from collections.abc import Iterator, Mapping

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from goldwright.cli.catalog import COMMAND_GROUPS, PROGRAM, goldwright

INTRODUCTIONS: Mapping[str, str] = {
    "Curate": "From a codebase to records that wait for people.",
    "People": "From records to a blessed version.",
    "Datasets": "Check, carry, compare and convert what there is.",
    "Score": "Hold searches against a dataset, and against each other.",
    "Scale": "One dataset over many codebases, on many machines.",
    "Prove": "What documents and tools are worth, by trials.",
    "Set-up": "Before the first run, and when something is wrong.",
}
MARKED = re.compile(r"([\\`*_{}\[\]<>|#])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for every group of commands."""
    for heading, names in COMMAND_GROUPS.items():
        page = f"# {heading}\n\n{INTRODUCTIONS[heading]}\n\n"
        for name in names:
            page += "".join(command_sections((name,), command_of(goldwright, name)))
        place = f"reference/commands/{heading.lower()}.md"
        files.append(File.generated(config, place, content=page))
    return files


def command_of(group: click.Group, name: str) -> click.Command:
    """The command behind a name.

    Raises:
        LookupError: There is none.
    """
    command = group.get_command(click.Context(group), name)
    if command is None:
        raise LookupError(name)
    return command


def command_sections(names: tuple[str, ...], command: click.Command) -> Iterator[str]:
    """A section for a command, and one for each below it."""
    title = " ".join((PROGRAM, *names))
    level = "#" * (len(names) + 1)
    context = click.Context(command, info_name=title)
    usage = " ".join((title, *command.collect_usage_pieces(context)))
    yield f"{level} {title} {{ #{'-'.join(names)} }}\n\n"
    yield f"{description(command)}\n\n```text\n{usage}\n```\n\n"
    for parameter in command.get_params(context):
        yield from parameter_lines(parameter, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from command_sections((*names, name), command_of(command, name))


def description(command: click.Command) -> str:
    """The help of a command: paragraphs as they are, and what stands in its own lines as code."""
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    written = []
    for paragraph in paragraphs:
        if paragraph.startswith("\b"):
            written.append("```text\n" + paragraph.removeprefix("\b").strip("\n") + "\n```")
        else:
            written.append(escaped(paragraph))
    return "\n\n".join(written)


def parameter_lines(parameter: click.Parameter, context: click.Context) -> Iterator[str]:
    """An option as a term and what it means; arguments are explained by the help itself."""
    record = parameter.get_help_record(context)
    if record is None:
        return
    names, meaning = record
    if meaning and "--help" not in names:
        yield f"`{names}`\n:   {escaped(meaning)}\n\n"


def escaped(text: str) -> str:
    """Text in which no sign means anything to Markdown."""
    return MARKED.sub(r"\\\1", text)
