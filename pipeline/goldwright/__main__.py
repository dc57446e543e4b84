"""``python -m goldwright`` and the command ``goldwright``: ready for the worst, then loaded."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import NoReturn, cast

from goldwright.process.bytecode import leave_no_cut_bytecode
from goldwright.process.crash_reports import report_crash
from goldwright.process.endings import ending_of
from goldwright.process.signals import end_at_once
from goldwright.process.streams import open_closed_streams


def main() -> NoReturn:
    """Run the command line of this process."""
    open_closed_streams()
    leave_no_cut_bytecode(os.environ)
    end_at_once()
    try:
        # Here, because it takes long enough for a signal to come, and files and memory.
        command_line = import_module("goldwright.cli")
    except BaseException as error:  # noqa: BLE001  # the last resort; nothing stands behind it
        _end_of_loading(error)
    run_command = cast("Callable[[], NoReturn]", command_line.main)
    run_command()


def _end_of_loading(error: BaseException) -> NoReturn:
    ending = ending_of(error)
    text = ending.text
    if not text:
        report = report_crash(error, sys.argv[1:], variables=os.environ)
        text = f"could not be loaded: {report.summary}; {report.whereabouts}"
    sys.stderr.write(f"goldwright: {text}\n")
    sys.exit(ending.exit_code)


if __name__ == "__main__":
    main()
