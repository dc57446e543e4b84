"""Looking at a run; nothing that would play one is loaded."""

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import run_for_reading
from goldwright.app.runs.run_report import RunReport, report_on


def run_status(name: str, environment: Environment, *, may_be_empty: bool = True) -> RunReport:
    """Report on a run without touching it.

    Args:
        name: What names it.
        environment: Holds the runs.
        may_be_empty: Whether ``latest`` may be a run that holds no question yet.

    Raises:
        InputError: There is no such run.
        DamagedStateError: A file of it is not what was written.
    """
    with run_for_reading(environment.workspace.find_run(name, may_be_empty=may_be_empty)) as run:
        return report_on(run)
