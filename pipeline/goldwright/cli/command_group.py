"""A command that has commands of its own, listed with their whole first sentences."""

import sys

import click


class CommandGroup(click.Group):
    """A group whose help leaves no sentence unfinished: a long one goes over several lines."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands; click would cut each summary to what is left of one line."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        rows = [
            (name, command.get_short_help_str(limit=sys.maxsize))
            for name, command in commands.items()
            if command is not None
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
