"""A published file is whole, for good and the first comer's, whatever the disk and other processes
do.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from effort import share_of
from goldwright.atomic_files import publish
from goldwright.errors import InputError

ROUNDS = share_of(20, suite=5)
SIZE = 200_000
NOBODY = 65534

PUBLISHER = """
import os, resource, sys
from pathlib import Path
from goldwright.atomic_files import publish
from goldwright.errors import GoldwrightError
path, word, size, limit, user = sys.argv[1:]
if int(user):
    os.setgroups([])
    os.setgid(int(user))
    os.setuid(int(user))
if int(limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
print("ready", flush=True)
sys.stdin.readline()
try:
    print("made" if publish(Path(path), word.encode() * int(size)) else "same")
except GoldwrightError as error:
    print(type(error).__name__, error)
"""


def start(
    path: Path, word: str, *, size: int = SIZE, limit: int = 0, user: int = 0
) -> subprocess.Popen[str]:
    """Start a process that will publish one word many times; it waits for a line."""
    command = [sys.executable, "-c", PUBLISHER, str(path), word, str(size), str(limit), str(user)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def finish(publishers: list[subprocess.Popen[str]]) -> list[str]:
    """Let all of them go at once and give what each said."""
    for one in publishers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in publishers:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    return [one.communicate(timeout=60)[0].strip() for one in publishers]


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """A directory that every user can reach."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def check_published(path: Path, content: bytes) -> None:
    """The file is this, read-only, and the only one."""
    assert path.read_bytes() == content
    assert path.stat().st_mode & 0o777 == 0o444
    assert path.stat().st_nlink == 1
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_of_two_that_publish_different_content_at_once_one_wins(
    tmp_path: Path, round_number: int
) -> None:
    """The winner is the one that was told so, and its file is its own from end to end."""
    path = tmp_path / f"golden_v1.{round_number}.json"
    said = finish([start(path, "a"), start(path, "b")])
    winner = said.index("made")
    assert said[1 - winner].startswith("InputError")
    assert "is there already with other content; a version is never overwritten" in said[1 - winner]
    check_published(path, b"ab"[winner : winner + 1] * SIZE)


@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_two_that_publish_the_same_content_at_once_agree(tmp_path: Path, round_number: int) -> None:
    path = tmp_path / f"golden_v1.{round_number}.json"
    assert sorted(finish([start(path, "a"), start(path, "a")])) == ["made", "same"]
    check_published(path, b"a" * SIZE)


@pytest.mark.parametrize("limit", [1, 4096, SIZE - 1])
def test_a_file_that_may_not_grow_leaves_nothing_behind(tmp_path: Path, limit: int) -> None:
    """Neither a half under the final name nor a file of another name."""
    path = tmp_path / "golden_v1.0.json"
    assert finish([start(path, "a", limit=limit)]) == [
        f"NoRoomError {path}: no room to write (File too large); free some space and try again"
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_just_fits_is_published(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.0.json"
    assert finish([start(path, "a", limit=SIZE)]) == ["made"]
    check_published(path, b"a" * SIZE)


def test_a_full_disk_leaves_nothing_behind_and_takes_what_fits(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "goldwright-test", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        path = tmp_path / "golden_v1.0.json"
        with pytest.raises(
            InputError, match=r"golden_v1\.0\.json: no room to write \(No space left on device\)"
        ):
            publish(path, b"a" * SIZE)
        assert list(tmp_path.iterdir()) == []
        assert publish(path, b"a" * 1000) is True
        check_published(path, b"a" * 1000)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_read_only_directory_is_one_clear_line(open_directory: Path) -> None:
    """Root may write anywhere, so that as root another user tries."""
    path = open_directory / "golden_v1.0.json"
    user = NOBODY if os.geteuid() == 0 else 0
    open_directory.chmod(0o555)
    assert finish([start(path, "a", user=user)]) == [
        f"InputError {path}: cannot be written: Permission denied"
    ]
    assert list(open_directory.iterdir()) == []
    open_directory.chmod(0o777)
    assert finish([start(path, "a", user=user)]) == ["made"]
    check_published(path, b"a" * SIZE)


@pytest.mark.parametrize("target", ["elsewhere.json", "nothing.json", "golden_v1.0.json"])
def test_a_symbolic_link_under_the_name_is_refused_and_its_target_stays(
    tmp_path: Path, target: str
) -> None:
    """Whether it leads to a file, to nothing or to itself."""
    (tmp_path / "elsewhere.json").write_bytes(b"theirs")
    path = tmp_path / "golden_v1.0.json"
    path.symlink_to(target)
    with pytest.raises(InputError, match=r"golden_v1\.0\.json: "):
        publish(path, b"ours")
    assert path.readlink() == Path(target)
    assert {one.name for one in tmp_path.iterdir()} == {"elsewhere.json", "golden_v1.0.json"}
    assert (tmp_path / "elsewhere.json").read_bytes() == b"theirs"


def test_a_directory_under_the_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.0.json"
    path.mkdir()
    with pytest.raises(InputError, match=r"golden_v1\.0\.json: is there already"):
        publish(path, b"ours")
    assert list(tmp_path.iterdir()) == [path]
    assert list(path.iterdir()) == []


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
def test_a_published_file_may_be_read_by_all_and_written_by_nobody(
    tmp_path: Path, mask: int
) -> None:
    """Whatever the mask of the process is."""
    before = os.umask(mask)
    try:
        publish(tmp_path / "golden_v1.0.json", b"data")
    finally:
        os.umask(before)
    check_published(tmp_path / "golden_v1.0.json", b"data")
