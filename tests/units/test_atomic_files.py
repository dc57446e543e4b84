"""Whole files: the old state or the new one, and a published version for good."""

import subprocess
import sys
from pathlib import Path

import pytest

from goldwright.atomic_files import publish, replace_file
from goldwright.errors import InputError

PUBLISHER = """
import sys
from pathlib import Path
from goldwright.atomic_files import publish
from goldwright.errors import InputError
sys.stdin.readline()
try:
    print("made" if publish(Path(sys.argv[1]), sys.argv[2].encode() * 100_000) else "same")
except InputError as error:
    print("refused" if "never overwritten" in str(error) else error)
"""


def _race(path: Path, words: list[str]) -> list[str]:
    command = [sys.executable, "-c", PUBLISHER, str(path)]
    racers = [
        subprocess.Popen([*command, word], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for word in words
    ]
    for racer in racers:
        if racer.stdin is not None:
            racer.stdin.write("\n")
            racer.stdin.flush()
    return [racer.communicate(timeout=30)[0].strip() for racer in racers]


def test_a_published_file_is_whole_and_read_only(tmp_path: Path) -> None:
    """Missing directories are made, nothing else is left behind."""
    path = tmp_path / "golden" / "golden_v1.0.json"
    assert publish(path, b"data") is True
    assert path.read_bytes() == b"data"
    assert path.stat().st_mode & 0o777 == 0o444
    assert list(path.parent.iterdir()) == [path]


def test_publishing_the_same_bytes_again_changes_nothing(tmp_path: Path) -> None:
    """An export that is repeated after a crash is no error."""
    path = tmp_path / "v1.json"
    publish(path, b"data")
    before = path.stat()
    assert publish(path, b"data") is False
    after = path.stat()
    # Not when it was read last: whoever compares it reads it.
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns, after.st_size) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
        before.st_size,
    )


@pytest.mark.parametrize("other", [b"", b"dat", b"data ", b"Data"])
def test_a_version_is_never_overwritten(tmp_path: Path, other: bytes) -> None:
    """Other content under a taken name is refused and the file stays."""
    path = tmp_path / "v1.json"
    publish(path, b"data")
    with pytest.raises(
        InputError, match=r"v1\.json: is there already with other content; a version is never"
    ):
        publish(path, other)
    assert path.read_bytes() == b"data"


def test_of_eight_publishers_of_one_name_exactly_one_wins(tmp_path: Path) -> None:
    """The others are refused, and the file is the winner's from end to end."""
    path = tmp_path / "v1.json"
    words = list("abcdefgh")
    said = _race(path, words)
    assert sorted(said) == ["made", *["refused"] * 7]
    assert path.read_bytes() == words[said.index("made")].encode() * 100_000
    assert list(tmp_path.iterdir()) == [path]


def test_eight_publishers_of_the_same_bytes_agree(tmp_path: Path) -> None:
    """One makes it, seven find it there."""
    assert sorted(_race(tmp_path / "v1.json", ["a"] * 8)) == ["made", *["same"] * 7]


def test_a_directory_that_is_a_file_is_an_input_error(tmp_path: Path) -> None:
    """No traceback where the place to publish is no place."""
    (tmp_path / "golden").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        publish(tmp_path / "golden" / "v1.json", b"data")


def test_replacing_leaves_only_the_new_content(tmp_path: Path) -> None:
    """Leftovers of a crash are used up, not followed."""
    path = tmp_path / "run.json"
    (tmp_path / ".run.json.new").write_bytes(b"left over from a crash, and longer")
    for data in (b"one", b"two"):
        replace_file(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError, match=r"none/run\.json: cannot be written: No such file"):
        replace_file(tmp_path / "none" / "run.json", b"x")
