"""Looking at a run; nothing that would play one is loaded."""

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import run_for_reading
from goldwright.app.runs.run_report import RunReport, report_on


def run_status(name: str, environment: Environment) -> RunReport:
    """Report on a run without touching it.

    Raises:
        InputError: There is no such run.
        DamagedStateError: A file of it is not what was written.
    """
    with run_for_reading(environment.workspace.find_run(name)) as run:
        return report_on(run)
