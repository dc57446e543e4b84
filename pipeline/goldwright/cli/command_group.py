"""A command that has commands of its own, listed with their whole first sentences."""

import sys

import click


class CommandGroup(click.Group):
    """A group whose help leaves no sentence unfinished: a long one goes over several lines."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands; click would cut each summary to what is left of one line."""
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None:
                summary = command.get_short_help_str(limit=sys.maxsize)
                rows.append((name, summary))
        with formatter.section("Commands"):
            formatter.write_dl(rows)
