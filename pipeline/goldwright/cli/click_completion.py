"""What click wants to know to complete an argument by names of a workspace, or by its files."""

from collections.abc import Callable, Sequence

import click
from click.shell_completion import CompletionItem

from goldwright.app.environment import Environment, current_environment

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completed_by(
    list_names: Callable[[Environment], Sequence[str]], *, or_file: bool = False
) -> Complete:
    """Give what completes an argument by names that a workspace holds.

    Args:
        list_names: Lists them.
        or_file: Whether a path may stand there too; then the shell completes it where no name fits.
    """

    def complete(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
        names = list_names(current_environment())
        fitting = [name for name in names if name.startswith(begun)]
        if not fitting and or_file:
            return [CompletionItem(begun, type="file")]
        return [CompletionItem(name) for name in fitting]

    return complete
