"""Which run ``latest`` is, and why."""

from goldwright.app.environment import Environment
from goldwright.app.runs.run_report import RunReport
from goldwright.workspace.latest_run import LATEST


def latest_run_text(name: str, report: RunReport, environment: Environment) -> str:
    """Say which run ``latest`` is, and why, as is said of datasets; empty for any other name."""
    if name != LATEST:
        return ""
    count = sum(1 for _ in environment.workspace.all_runs())
    place = f"the newest of {count} runs"
    if count == 1:
        place = "the only run"
    reasons = [place]
    if report.plan.is_adopted:
        reasons.append("of an adopted list")
    elif report.plan.is_return:
        reasons.append("of what came back from a rebase")
    joint_reasons = ", ".join(reasons)
    return f"{report.path} ({joint_reasons})"
