"""Stage files: what was acknowledged is there, and what was changed is noticed."""

import json
import os
from pathlib import Path

import pytest

from goldwright.errors import DamagedStateError, InputError
from goldwright.journal import Seal, StageFile
from goldwright.records import CheckFailure, QueuedRecord

RECORDS = tuple(
    CheckFailure(
        check="file_exists", claim=f"file-{number}", message=f"{number} is gone, naïvely\n"
    )
    for number in range(1, 4)
)
LINES = tuple(record.as_json().encode("ascii") + b"\n" for record in RECORDS)
DATA = b"".join(LINES)
OPEN_DESCRIPTORS = Path("/proc/self/fd")


def _path(directory: Path, data: bytes = DATA) -> Path:
    path = directory / "stage.jsonl"
    path.write_bytes(data)
    return path


def _open(
    path: Path, *, writable: bool = True, sealed: Seal | None = None
) -> StageFile[CheckFailure]:
    return StageFile.open(path, CheckFailure, writable=writable, sealed=sealed)


def test_records_come_back_in_the_order_they_were_appended(tmp_path: Path) -> None:
    """A file that was written, closed and opened again holds the same records."""
    path = tmp_path / "stage.jsonl"
    with _open(path) as stage:
        for record in RECORDS:
            stage.append(record)
        assert tuple(stage.records) == RECORDS
    assert path.read_bytes() == DATA
    assert tuple(_open(path, writable=False).records) == RECORDS


def test_lines_are_plain_records_without_an_envelope(tmp_path: Path) -> None:
    """Any JSON tool reads a stage file as it is."""
    parsed = [json.loads(line) for line in _path(tmp_path).read_text("ascii").splitlines()]
    assert parsed[0] == {
        "check": "file_exists",
        "claim": "file-1",
        "message": "1 is gone, naïvely\n",
    }


def test_a_new_file_is_private_and_empty(tmp_path: Path) -> None:
    """Opening for writing creates a file that only its owner reads."""
    path = tmp_path / "stage.jsonl"
    _open(path).close()
    assert path.read_bytes() == b""
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_reader_of_a_missing_file_sees_nothing_and_makes_nothing(tmp_path: Path) -> None:
    """Looking at a run changes nothing."""
    path = tmp_path / "stage.jsonl"
    assert not _open(path, writable=False).records
    assert not path.exists()


@pytest.mark.parametrize("length", range(len(DATA) + 1))
def test_a_cut_at_any_byte_loses_at_most_the_record_that_was_cut(
    tmp_path: Path, length: int
) -> None:
    """Cut at every byte: whole records stay, the torn one is set aside, appending goes on."""
    path = _path(tmp_path, DATA[:length])
    ends = (len(LINES[0]) - 1, len(LINES[0] + LINES[1]) - 1, len(DATA) - 1)
    whole = sum(end <= length for end in ends)
    torn = (
        DATA[:length].removeprefix(b"".join(LINES[:whole]))
        if length >= len(b"".join(LINES[:whole]))
        else b""
    )
    with _open(path) as stage:
        assert tuple(stage.records) == RECORDS[:whole]
        stage.append(RECORDS[0])
    assert path.read_bytes() == b"".join(LINES[:whole]) + LINES[0]
    kept = sorted((tmp_path / "quarantine").iterdir()) if torn else []
    assert [file.read_bytes() for file in kept] == ([torn] if torn else [])


@pytest.mark.parametrize("length", range(0, len(DATA) + 1, 7))
def test_a_reader_ignores_a_line_in_flight_and_changes_nothing(tmp_path: Path, length: int) -> None:
    """Status beside a live runner sees whole records only."""
    path = _path(tmp_path, DATA[:length])
    held = _open(path, writable=False).records
    assert tuple(held) == RECORDS[: len(held)]
    assert path.read_bytes() == DATA[:length]
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_last_line_of_zero_bytes_is_torn(tmp_path: Path) -> None:
    """A power loss may keep a file's new length without its new bytes."""
    tail = bytes(30) + LINES[1][30:]
    with _open(_path(tmp_path, LINES[0] + tail)) as stage:
        assert tuple(stage.records) == RECORDS[:1]
        assert stage.quarantined is not None
        assert stage.quarantined.read_bytes() == tail


def test_a_second_torn_tail_at_the_same_place_gets_a_name_of_its_own(tmp_path: Path) -> None:
    """Quarantine never overwrites what it holds."""
    for torn in (b"{first", b"{second"):
        with _open(_path(tmp_path, LINES[0] + torn)) as stage:
            assert stage.quarantined is not None
            assert stage.quarantined.read_bytes() == torn
    names = sorted(file.name for file in (tmp_path / "quarantine").iterdir())
    offset = len(LINES[0])
    assert names == [f"stage.jsonl.torn-{offset}-1", f"stage.jsonl.torn-{offset}-2"]


@pytest.mark.parametrize(
    "damaged",
    [
        LINES[0][:-9] + b"\n" + LINES[1],
        b"\n" + DATA,
        LINES[0] + b"\n" + LINES[1],
        LINES[0].replace(b"\n", b"\r\n") + LINES[1],
        b"\xef\xbb\xbf" + DATA,
        LINES[0] + bytes(len(LINES[1]) - 1) + b"\n" + LINES[2],
        LINES[0] + LINES[1].replace(b'"claim"', b'"claims"') + LINES[2],
        LINES[0] + b'{"check":"a","check":"b","claim":"c","message":"d"}\n' + LINES[2],
        LINES[0] + b"{bad\n{worse\n",
        LINES[0] + b"{bad\n{torn",
        LINES[0] + LINES[1][:-1] + b"\x0b" + LINES[2],
        LINES[0] + b"{bad\n",
        DATA + b"\n",
    ],
    ids=[
        "cut",
        "blank-first",
        "blank",
        "crlf",
        "bom",
        "nul",
        "field",
        "key-twice",
        "two-bad",
        "bad-then-torn",
        "newline-lost",
        "whole-but-bad",
        "blank-last",
    ],
)
def test_damage_that_no_crash_explains_is_refused_and_left_as_it_is(
    tmp_path: Path, damaged: bytes
) -> None:
    """A crash spoils the last line only, and leaves it without its newline or with zero bytes in
    it.
    """
    path = _path(tmp_path, damaged)
    for writable in (True, False):
        with pytest.raises(
            DamagedStateError,
            match=r"stage\.jsonl: damaged record at line \d \(byte \d+\), \d after",
        ):
            _open(path, writable=writable)
    assert path.read_bytes() == damaged
    assert sorted(tmp_path.iterdir()) == [path]


def test_the_error_names_line_byte_and_what_follows(tmp_path: Path) -> None:
    """The person who repairs it is told where to look."""
    path = _path(tmp_path, LINES[0] + b"{}\n" + LINES[2])
    with pytest.raises(DamagedStateError) as caught:
        _open(path)
    place = f"damaged record at line 2 (byte {len(LINES[0])}), 1 after it"
    assert str(caught.value) == f"{path}: {place}: check: is missing (and 2 more)"


def test_a_seal_counts_lines_and_names_their_bytes(tmp_path: Path) -> None:
    """The seal while appending is the seal after reading again."""
    with _open(tmp_path / "stage.jsonl") as stage:
        empty = stage.seal
        stage.append(RECORDS[0])
        first = stage.seal
        stage.append(RECORDS[1])
        assert stage.seal == _open(_path(tmp_path / ".", LINES[0] + LINES[1]), writable=False).seal
        for seal in (empty, first, stage.seal):
            stage.check_seal(seal, exact=False)
    assert (empty.count, first.count) == (0, 1)
    assert empty.digest == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_file_that_lost_sealed_records_is_refused(tmp_path: Path) -> None:
    """A deleted last line is invisible in the file itself; the seal sees it."""
    seal = _open(_path(tmp_path), writable=False).seal
    stage = _open(_path(tmp_path, LINES[0] + LINES[1]), writable=False)
    with pytest.raises(DamagedStateError, match="truncated after it was sealed: 2 of 3 records"):
        stage.check_seal(seal, exact=False)


def test_a_sealed_file_is_refused_before_its_torn_tail_is_touched(tmp_path: Path) -> None:
    """Opening with a seal repairs nothing when sealed records are missing."""
    seal = _open(_path(tmp_path), writable=False).seal
    path = _path(tmp_path, DATA[:-10])
    with pytest.raises(DamagedStateError, match="2 of 3"):
        _open(path, sealed=seal)
    assert path.read_bytes() == DATA[:-10]


def test_a_sealed_file_that_was_edited_is_refused(tmp_path: Path) -> None:
    """A change that is still a valid record is no longer the record that was sealed."""
    seal = _open(_path(tmp_path), writable=False).seal
    edited = DATA.replace(b"file-2", b"file-9")
    with pytest.raises(DamagedStateError, match="changed after it was sealed with 3 records"):
        _open(_path(tmp_path, edited), writable=False, sealed=seal)


def test_an_exact_seal_takes_no_further_records(tmp_path: Path) -> None:
    """A finished stage holds what it was sealed with and no more."""
    with _open(_path(tmp_path)) as stage:
        seal = stage.seal
        stage.append(RECORDS[0])
        stage.check_seal(seal, exact=False)
        with pytest.raises(DamagedStateError, match="holds 4 records, but was sealed with 3"):
            stage.check_seal(seal, exact=True)


def test_a_reader_cannot_append(tmp_path: Path) -> None:
    """Only the writer writes."""
    with pytest.raises(InputError, match="opened for reading"):
        _open(_path(tmp_path), writable=False).append(RECORDS[0])


def test_a_record_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    """NaN is no JSON; a file is never made unreadable by its own writer."""
    path = tmp_path / "queue.jsonl"
    record = QueuedRecord(
        query_id="q1",
        task_type="locate",
        difficulty="easy",
        reasons=(),
        entity_jaccard=float("nan"),
        file_jaccard=1.0,
        narrative_verdict=None,
        created_at="2026-01-01T00:00:00Z",
    )
    with (
        StageFile.open(path, QueuedRecord, writable=True) as stage,
        pytest.raises(InputError, match="NaN"),
    ):
        stage.append(record)
    assert path.read_bytes() == b""


def test_a_link_in_the_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    """A writer never writes through a symbolic link."""
    target = tmp_path / "elsewhere"
    target.write_bytes(b"")
    (tmp_path / "stage.jsonl").symlink_to(target)
    with pytest.raises(InputError, match=r"stage\.jsonl: cannot be written"):
        _open(tmp_path / "stage.jsonl")


def test_a_directory_in_the_place_of_a_file_is_an_input_error(tmp_path: Path) -> None:
    """No traceback for a run directory that somebody rearranged."""
    (tmp_path / "stage.jsonl").mkdir()
    with pytest.raises(InputError, match=r"stage\.jsonl: cannot be read"):
        _open(tmp_path / "stage.jsonl")


@pytest.mark.skipif(not OPEN_DESCRIPTORS.is_dir(), reason="needs /proc to list open descriptors")
def test_the_descriptor_does_not_leak_into_children(tmp_path: Path) -> None:
    """A sandboxed child must not be able to write the run's files."""
    path = tmp_path / "stage.jsonl"
    with _open(path):
        numbers = [int(link.name) for link in OPEN_DESCRIPTORS.iterdir() if link.is_symlink()]
        ours = [number for number in numbers if _is_file(number, path)]
        assert [os.get_inheritable(number) for number in ours] == [False]


def _is_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False
