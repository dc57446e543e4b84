"""Which run a command is working on, for what is said when it stops."""

from dataclasses import dataclass

import click


@dataclass
class RunInProgress:
    """The run that a command began or took up; no name before there is anything to resume."""

    name: str = ""

    @property
    def hint(self) -> str:
        """How to carry the run on, as the end of a sentence; empty without a run."""
        if not self.name:
            return ""
        return f"; carry on with: goldwright resume {self.name}"


def take_up_run(name: str) -> None:
    """Note that from here on the command works on a run that can be resumed."""
    context = click.get_current_context(silent=True)
    if context is None:
        return
    run_in_progress = context.find_object(RunInProgress)
    if run_in_progress is not None:
        run_in_progress.name = name
