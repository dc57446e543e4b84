"""A bicycle workshop: library calls, reasons in comments, tables, shared state, errors on the way.

Its files hold what the other samples have little of.
"""

ERRORS = '''"""Errors of the workshop."""


class WorkshopError(Exception):
    """Anything that goes wrong in the workshop."""


class PartError(WorkshopError):
    """A part that cannot be used."""


class BenchError(WorkshopError):
    """A bench that cannot be had."""
'''

ARCHIVE = '''"""Job sheets on disk."""

import hashlib
import json
import logging
import os
import shutil
import tempfile
import threading

from workshop.errors import BenchError, PartError

logger = logging.getLogger(__name__)

# open sheets by bench, filled by whoever takes a bench
_open_sheets = {}
_guard = threading.Lock()


def take_bench(bench, rider):
    """Write down who works at a bench."""
    if not bench:
        raise BenchError("a bench must have a number to be taken")
    with _guard:
        if bench in _open_sheets:
            raise BenchError("the bench is taken by another rider")
        _open_sheets[bench] = rider
    logger.info("a bench was taken for the day")
    return rider


def leave_bench(bench):
    """Strike a bench off the list."""
    with _guard:
        rider = _open_sheets.pop(bench, None)
    if rider is None:
        logger.warning("nobody was at the bench that was left")
        return False
    return True


def seal_of(sheet):
    """Give the seal of a job sheet, which tells whether it was changed."""
    text = json.dumps(sheet, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def keep_sheet(sheet, folder):
    """Keep a job sheet in a folder."""
    if not sheet:
        raise PartError("a job sheet must hold a job to be kept")
    handle, draft = tempfile.mkstemp(dir=folder)
    # The old sheet stays whole until the new one is: the folder may fill up in the middle.
    os.replace(draft, os.path.join(folder, seal_of(sheet)))
    os.close(handle)
    return True


def clear_folder(folder, is_dry=False):
    """Clear a folder of job sheets."""
    if is_dry:
        logger.info("the folder would have been cleared now")
        return 0
    count = len(os.listdir(folder))
    # Nobody waits for this, so what cannot be removed stays for the next time.
    shutil.rmtree(folder, ignore_errors=True)
    return count
'''

JOBS = '''"""Jobs at the benches."""

import logging
import subprocess
import warnings

from workshop.archive import clear_folder, keep_sheet, leave_bench, take_bench
from workshop.errors import BenchError, PartError, WorkshopError

logger = logging.getLogger(__name__)


def mend_tyre(job, tools):
    """Mend a tyre."""
    if "glue" not in tools:
        raise PartError("there is no glue to mend a tyre with")
    return {"job": job, "work": "tyre", "minutes": 20}


def true_wheel(job, tools):
    """True a wheel."""
    if "stand" not in tools:
        raise PartError("there is no stand to true a wheel on")
    return {"job": job, "work": "wheel", "minutes": 45}


def bleed_brake(job, tools):
    """Bleed a brake."""
    return {"job": job, "work": "brake", "minutes": 30, "tools": sorted(tools)}


WORK = {
    "tyre": mend_tyre,
    "wheel": true_wheel,
    "brake": bleed_brake,
}


def do_work(kind, job, tools):
    """Do one kind of work."""
    work = WORK.get(kind)
    if work is None:
        logger.error("no work of such a kind is done here")
        return None
    return work(job, tools)


def start_job(bench, rider, kind, tools):
    """Start a job at a bench."""
    try:
        take_bench(bench, rider)
    except BenchError as error:
        raise WorkshopError("the job cannot be started at this bench") from error
    try:
        sheet = do_work(kind, rider, tools)
    except PartError:
        logger.warning("the job was stopped for want of a part")
        leave_bench(bench)
        return None
    return sheet


def finish_job(bench, sheet, folder="sheets"):
    """Finish a job, and keep its sheet."""
    try:
        keep_sheet(sheet, folder)
    except OSError:
        pass
    return leave_bench(bench)


def close_day(folder, printer=None):
    """Close the workshop for the day."""
    if printer is None:
        printer = "lpr"
    count = clear_folder(folder)
    print_sheets(folder, printer)
    logger.info("the workshop was closed for the day")
    return count


def print_sheets(folder, printer, copies=1):
    """Print the job sheets of a folder."""
    done = subprocess.run([printer, folder], check=False)
    if done.returncode:
        logger.error("the printer did not take the job sheets")
        return False
    return copies > 0


def book(bench, rider):
    """Book a bench: the old way."""
    warnings.warn(
        "booking by hand is going away, use start_job instead", DeprecationWarning, stacklevel=2
    )
    return take_bench(bench, rider)


def weekly_round(folders):
    """Close the day in all folders."""
    total = 0
    for folder in folders:
        if folder.startswith("."):
            continue
        total += close_day(folder)
    return total
'''

WORKSHOP = {
    "workshop/errors.py": ERRORS,
    "workshop/archive.py": ARCHIVE,
    "workshop/jobs.py": JOBS,
}
