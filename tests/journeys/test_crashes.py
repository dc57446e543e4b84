"""A crash of ours ends in 70: one line, a report, and never a traceback on the terminal."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from journeys.starting import call

# One function of the program is replaced before it starts.
_NAMES = """
import threading, asyncio
from goldwright.cli import status
"""
_RAISES = """
def fail(*arguments, **options):
    {statement}
status.current_environment = fail
"""
# The process has more already, so it gets no more.
_NO_MORE_MEMORY = "import resource; resource.setrlimit(resource.RLIMIT_AS, (300 << 20, -1))"


def _run(fault: str, directory: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    reports = directory / "reports"
    reports.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(reports), **variables}
    return call("status", cwd=directory, environment=environment, before=_NAMES + fault)


def _check_crash(done: "subprocess.CompletedProcess[str]", directory: Path, kind: str) -> str:
    (line,) = done.stderr.splitlines()
    assert done.returncode == 70
    assert line.startswith(f"goldwright: a bug of Goldwright: {kind}")
    named = re.search(r"the report is (\S+\.txt)", line)
    assert named
    report = Path(named[1])
    assert report.parent == directory / "reports"
    return report.read_text("utf-8")


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("raise KeyError('x')", "KeyError"),
        # A function of any arguments calls itself without end and error in Python 3.13.0.
        ("return (lambda turn: turn(turn))(lambda turn: turn(turn))", "RecursionError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("raise SystemError('error return without exception set')", "SystemError"),
        # What click makes of it is a person who ends what is typed.
        ("raise EOFError('marshal data too short')", "EOFError"),
        ("raise ExceptionGroup('two', [ValueError('a'), KeyError('b')])", "ValueError"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise asyncio.CancelledError", "CancelledError"),
        ("raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})", "Odd"),
        ("raise ValueError('\\x1b]0;title\\x07' * 9000)", "ValueError"),
    ],
)
def test_an_error_that_nobody_foresaw(statement: str, kind: str, tmp_path: Path) -> None:
    done = _run(_RAISES.format(statement=statement), tmp_path)
    assert "Traceback" in _check_crash(done, tmp_path, kind)
    assert len(done.stderr) < 700


def test_a_module_that_is_cut_off_is_no_end_of_what_a_person_types(tmp_path: Path) -> None:
    """A damaged ``.pyc`` is found when the command is loaded, inside click."""
    fault = """
import importlib.abc, sys
class CutOff(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "goldwright.cli.status":
            raise EOFError("marshal data too short")
del sys.modules["goldwright.cli.status"]
sys.meta_path.insert(0, CutOff())
"""
    done = _run(fault, tmp_path)
    assert "Traceback" in _check_crash(done, tmp_path, "EOFError")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("raise MemoryError", 2),
        ("raise SystemError('returned a result with an exception set') from MemoryError()", 2),
        (f"{_NO_MORE_MEMORY}; raise SystemError('error return without exception set')", 2),
        ("raise OSError(24, 'Too many open files')", 2),
        ("return bytearray(1 << 60)", 2),
        ("raise KeyboardInterrupt", 130),
    ],
)
def test_a_limit_of_the_machine_or_a_person_is_no_bug(
    statement: str, code: int, tmp_path: Path
) -> None:
    done = _run(_RAISES.format(statement=statement), tmp_path)
    assert done.returncode == code
    # click ends the line on which a person has typed Ctrl-C.
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list((tmp_path / "reports").iterdir())


def test_without_a_place_for_the_report_the_line_names_the_place_in_the_code(
    tmp_path: Path,
) -> None:
    fault = "import tempfile; tempfile.tempdir = '/nonexistent'\n"
    done = _run(fault + _RAISES.format(statement="raise KeyError"), tmp_path)
    assert done.returncode == 70
    assert "no report could be written (No such file or directory)" in done.stderr
    assert re.search(r"\(at cli/status\.py:\d+\)", done.stderr)


@pytest.mark.parametrize("work", ["lose_a_thread()", "asyncio.run(lose_a_task())"])
def test_a_thread_or_task_of_ours_that_died_is_no_success(work: str, tmp_path: Path) -> None:
    """What the command printed cannot be relied on, whatever it says itself."""
    fault = f"""
from goldwright.text import shorten
def lose_a_thread():
    thread = threading.Thread(target=shorten, args=(1, 2))
    thread.start()
    thread.join()
async def lose_a_task():
    async def call():
        shorten(1, 2)
    task = asyncio.create_task(call())
    await asyncio.sleep(0)
def work(*arguments, **options):
    {work}
    return 0
status.command.callback = work
"""
    done = _run(fault, tmp_path)
    assert "Traceback" in _check_crash(done, tmp_path, "TypeError")


def test_no_thread_of_foreign_code_is_called_a_bug_of_ours(tmp_path: Path) -> None:
    fault = """
def work(*arguments, **options):
    thread = threading.Thread(target=int, args=("x",)); thread.start(); thread.join()
    return 0
status.command.callback = work
"""
    done = _run(fault, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
