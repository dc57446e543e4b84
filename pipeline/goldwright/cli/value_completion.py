"""What a shell offers for the arguments of commands: names of a workspace, beside its files."""

from collections.abc import Callable, Iterable
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from goldwright.app.environment import Environment, current_environment

Names = Callable[[Environment], Iterable[str]]


def completed_by(
    names: str, *, or_file: bool = False
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Give what completes an argument by names that a workspace holds.

    Args:
        names: The function of ``goldwright.app.known_names`` that lists them; loaded when a shell
            asks, so that no command waits for it.
        or_file: Whether a path may stand there too; then the shell completes it where no name fits.
    """

    def complete(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
        list_names: Names = getattr(import_module("goldwright.app.known_names"), names)
        known_names = list_names(current_environment())
        fitting = [name for name in known_names if name.startswith(begun)]
        if not fitting and or_file:
            return [CompletionItem(begun, type="file")]
        return [CompletionItem(name) for name in fitting]

    return complete
