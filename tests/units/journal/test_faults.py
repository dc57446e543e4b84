"""A disk that is full or broken: one clear line, nothing half-written, nothing acknowledged that is
not there.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from goldwright.errors import DamagedStateError, InputError
from goldwright.journal import StageFile
from goldwright.journal.append_only_file import AppendOnlyFile
from goldwright.records import CheckFailure

_WRITER = """
import resource, sys
from pathlib import Path
from goldwright.errors import GoldwrightError
from goldwright.journal import StageFile
from goldwright.records import CheckFailure

if len(sys.argv) > 2:
    limit = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with StageFile.open(Path(sys.argv[1]), CheckFailure, writable=True) as stage:
    for number in range(1000):
        try:
            stage.append(CheckFailure(check="c", claim=str(number), message="m" * 100))
        except GoldwrightError as error:
            print(number, error.exit_code, str(error))
            break
"""


def _write_until_refused(
    path: Path, *arguments: str, prefix: tuple[str, ...] = ()
) -> tuple[int, int, str]:
    command = [*prefix, sys.executable, "-c", _WRITER, str(path), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    acknowledged, exit_code, message = done.stdout.strip().split(" ", 2)
    return int(acknowledged), int(exit_code), message


@pytest.mark.parametrize("limit", [0, 1, 130, 131, 132, 1000, 4096])
def test_a_file_that_may_not_grow_keeps_exactly_what_was_acknowledged(
    tmp_path: Path, limit: int
) -> None:
    """A write that does not fit is taken back whole, whatever part of it fitted."""
    path = tmp_path / "stage.jsonl"
    acknowledged, exit_code, message = _write_until_refused(path, str(limit))
    assert exit_code == 2
    assert message == f"{path}: no room to write (File too large); free some space and try again"
    assert path.stat().st_size <= limit
    with StageFile.open(path, CheckFailure, writable=True) as stage:
        assert [record.claim for record in stage.records] == [
            str(number) for number in range(acknowledged)
        ]
        assert stage.quarantined is None


def test_no_room_right_after_a_torn_line_was_set_aside_leaves_whole_lines_only(
    tmp_path: Path,
) -> None:
    """What is taken back is what did not fit, and no more or less."""
    path = tmp_path / "stage.jsonl"
    whole = b'{"check":"c","claim":"0","message":"m"}\n'
    path.write_bytes(whole + b'{"check":"torn by a crash')
    assert _write_until_refused(path, "100")[:2] == (0, 2)
    assert path.read_bytes() == whole


def test_a_full_disk_is_named_and_ends_the_writing() -> None:
    """After one failure nothing more is written, even if there is room again."""
    appender = AppendOnlyFile(Path("/dev/full"))
    with pytest.raises(InputError, match="/dev/full: no room to write"):
        appender.append(b"{}\n")
    with pytest.raises(DamagedStateError, match="an earlier write failed"):
        appender.append(b"{}\n")
    appender.close()


@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace to inject faults")
@pytest.mark.parametrize("call", ["fdatasync:error=EIO:when=4+", "write:error=EIO:when=4+"])
def test_a_failed_write_or_sync_is_never_acknowledged_and_never_repeated(
    tmp_path: Path, call: str
) -> None:
    """What the kernel may have lost is not tried again; all that was acknowledged is there."""
    path = tmp_path / "stage.jsonl"
    name = call.partition(":")[0]
    prefix = (
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-P",
        str(path),
        "-e",
        f"trace={name}",
        "-e",
        f"inject={call}",
    )
    acknowledged, exit_code, message = _write_until_refused(path, prefix=prefix)
    assert (acknowledged, exit_code) == (3, 4)
    assert message.startswith(f"{path}: the disk refused a write (Input/output error)")
    held = StageFile.open(path, CheckFailure, writable=False).records
    assert [record.claim for record in held] == ["0", "1", "2"]


def test_nothing_is_appended_after_closing(tmp_path: Path) -> None:
    """A closed descriptor's number may already belong to another file."""
    stage = StageFile.open(tmp_path / "stage.jsonl", CheckFailure, writable=True)
    stage.close()
    stage.close()
    with pytest.raises(DamagedStateError):
        stage.append(CheckFailure(check="c", claim="1", message="m"))
