"""Every signal is said in a line and has its code; none leaves a traceback."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldwright.process.signals import ENDING_SIGNALS, stop_in_order

# The program says when it is where it shall be hit.
_SCRIPT = """
import signal, time
# Jobs in the background of a script, or behind nohup, ignore some signals from birth.
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
from goldwright.process.signals import end_at_once
{before}
print("ready", flush=True)
time.sleep(30)
"""


@pytest.fixture(autouse=True)
def no_signal_ignored_from_birth() -> Iterator[None]:
    """Let every signal end this process, also where the suite was started behind nohup."""
    ignored = [number for number in ENDING_SIGNALS if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


def _hit(*numbers: int, before: str) -> "subprocess.CompletedProcess[str]":
    script = _SCRIPT.format(before=before)
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.2)
    out, errors = process.communicate(timeout=20)
    return subprocess.CompletedProcess([], process.returncode, out, errors)


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_a_signal_ends_a_process_that_has_not_begun_in_a_line(number: signal.Signals) -> None:
    done = _hit(number, before="end_at_once()")
    assert (done.returncode, done.stderr) == (128 + number, "goldwright: stopped\n")


def test_a_third_signal_ends_what_the_first_two_could_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clean-up that hangs is cut off, with the code of the first signal."""

    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr("os._exit", leave)
    with stop_in_order():
        for number in (signal.SIGTERM, signal.SIGHUP):
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
        with pytest.raises(SystemExit) as end:
            signal.raise_signal(signal.SIGTERM)
    assert end.value.code == 128 + signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_that_was_ignored_from_birth_stays_ignored(number: signal.Signals) -> None:
    """As ``nohup`` asks, and the background jobs of scripts."""
    before = f"signal.signal({int(number)}, signal.SIG_IGN); end_at_once(); "
    done = _hit(number, signal.SIGTERM, before=before)
    assert done.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_a_signal_in_the_midst_of_work_is_an_interrupt_that_is_remembered(
    number: signal.Signals,
) -> None:
    with stop_in_order() as stop:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        assert stop.exit_code == 128 + number


def test_handlers_are_as_before_afterwards() -> None:
    before = [signal.getsignal(number) for number in ENDING_SIGNALS]
    with stop_in_order():
        pass
    assert [signal.getsignal(number) for number in ENDING_SIGNALS] == before


def test_a_command_that_is_still_loading_ends_without_a_traceback(tmp_path: Path) -> None:
    """Interrupted at many moments, from the first module on."""
    for delay in (0.1, 0.3):
        process = subprocess.Popen(
            [sys.executable, "-m", "goldwright", "status"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(delay)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        # Before our first line runs, the interpreter ends by the signal itself.
        assert process.returncode in {-signal.SIGTERM, 128 + signal.SIGTERM, 2}
        assert "Traceback" not in errors
