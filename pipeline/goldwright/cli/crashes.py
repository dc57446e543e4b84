"""Crashes: one line and a report each, wherever in the process they happen."""

import logging
import os
import sys
import threading
from collections.abc import Sequence
from typing import Final

import click

from goldwright.process.crash_reports import passes_through_goldwright, report_crash
from goldwright.text import make_visible

# asyncio and the review server log what escapes from a task or a handler, and go on. Whatever else
# libraries log is not for our users.
_LOGGED_LEVEL: Final = logging.ERROR


class CrashDesk:
    """Reports each crash of a process once; the same place may fail a thousand times."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = arguments
        self._summaries: set[str] = set()

    @property
    def has_reported(self) -> bool:
        """Whether there was a crash."""
        return bool(self._summaries)

    def report(self, error: BaseException, *, hint: str = "") -> None:
        """Write a report, and one line about it on stderr.

        Args:
            error: What happened.
            hint: How to carry on, as the end of a sentence.
        """
        report = report_crash(error, self._arguments, variables=os.environ)
        if report.summary in self._summaries:
            return
        self._summaries.add(report.summary)
        print_error(
            f"a bug of Goldwright: {report.summary}; {report.whereabouts}; "
            f"please hand it to the maintainers{hint}"
        )

    def watch_process(self) -> None:
        """Report what escapes in threads, tasks and handlers too, where nobody else would see it.

        What only passes through foreign code, such as a thread of a retriever, is none of ours.
        """
        threading.excepthook = self._report_thread
        # What fails in a finalizer has no bearing on what the command does.
        sys.unraisablehook = _ignore
        handler = _CrashHandler(self)
        root = logging.getLogger()
        # In place of the handler of last resort, which prints tracebacks.
        root.addHandler(handler)

    def report_ours(self, error: BaseException | None) -> None:
        """Report an error if code of ours has a part in it."""
        if error is not None and passes_through_goldwright(error.__traceback__):
            self.report(error)

    def _report_thread(self, arguments: threading.ExceptHookArgs) -> None:
        self.report_ours(arguments.exc_value)


def print_error(text: str) -> None:
    """Print one line on stderr, without control characters: names in it may be hostile."""
    line = make_visible(" ".join(text.split()))
    click.echo(f"goldwright: {line}", err=True)


class _CrashHandler(logging.Handler):
    """Takes errors out of what libraries log, and drops all else."""

    def __init__(self, desk: CrashDesk) -> None:
        super().__init__(_LOGGED_LEVEL)
        self._desk = desk

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self._desk.report_ours(record.exc_info[1])


def _ignore(_problem: object) -> None:
    """Say nothing."""
