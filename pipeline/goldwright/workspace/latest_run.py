"""Which of several runs is the latest."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from goldwright.errors import GoldwrightError
from goldwright.workspace.layout import RunDirectory

LATEST: Final = "latest"
"""Stands for the newest run that holds a question, wherever one is named."""

_TIME_LENGTH: Final = len("20260414T120000Z")


def newest_first(runs: Iterable[RunDirectory]) -> list[RunDirectory]:
    """Sort runs by when they were begun, the newest first."""
    return sorted(runs, key=_age_key, reverse=True)


def latest_of(runs: Sequence[RunDirectory]) -> RunDirectory:
    """Give the newest run that holds a question, or the newest where none does.

    Args:
        runs: At least one, the newest first.
    """
    return next((run for run in runs if run.holds_questions), runs[0])


def passed_over(runs: Sequence[RunDirectory]) -> list[RunDirectory]:
    """Give the runs that are newer than the latest, as they hold no question.

    Args:
        runs: The newest first.
    """
    for count, run in enumerate(runs):
        if run.holds_questions:
            return list(runs[:count])
    return []


def _age_key(run: RunDirectory) -> tuple[str, str]:
    return _created_at(run), run.name


def _created_at(run: RunDirectory) -> str:
    try:
        return run.manifest().created_at
    except GoldwrightError:
        # Opening the run will name the damage; to find it, the time in its name is good enough.
        return _time_in_name(run.name)


def _time_in_name(name: str) -> str:
    """Read the time that a run's name starts with, in ISO format; empty where there is none."""
    try:
        # A literal Z in the format would give a time without a zone.
        moment = datetime.strptime(name[:_TIME_LENGTH], "%Y%m%dT%H%M%S%z")
    except ValueError:
        return ""
    return moment.isoformat()
