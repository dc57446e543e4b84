"""``goldwright completion``: what a shell needs to complete commands, options and names."""

import click
from click.shell_completion import get_completion_class

from goldwright.cli.catalog import COMPLETE_VARIABLE, PROGRAM


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that lets SHELL complete commands, options, runs, plans and datasets.

    For bash, put this line into ~/.bashrc (zsh: the same in ~/.zshrc; fish: goldwright completion
    fish | source):  eval "$(goldwright completion bash)"
    """
    # The command itself is asked later, when the shell completes.
    completion_class = get_completion_class(shell)
    if completion_class is None:
        raise click.BadParameter(f"{shell}: click knows no such shell")
    empty = click.Group(PROGRAM)
    completion = completion_class(empty, {}, PROGRAM, COMPLETE_VARIABLE)
    click.echo(completion.source())
