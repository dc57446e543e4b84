"""In which order files of a run reach the disk: nothing is told, or cut, before it is durable."""

import errno
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Timer

import pytest

from goldwright.errors import BusyError, DamagedStateError, InputError
from goldwright.journal import CallLog, ReviewLog, Seal, StageFile
from goldwright.journal.append_only_file import AppendOnlyFile, open_repaired
from goldwright.journal.json_lines import JsonLine, damage_error, split_lines
from goldwright.journal.line_digests import LineDigests
from goldwright.records import CheckFailure, UndoEvent

RECORD = CheckFailure(check="c", claim="1", message="m")
LINE = RECORD.as_json().encode("ascii") + b"\n"
SystemCall = tuple[str, str]


@pytest.fixture
def system_calls(monkeypatch: pytest.MonkeyPatch) -> list[SystemCall]:
    """Note what is asked of the system from now on, each call with the name of its file."""
    seen: list[SystemCall] = []

    def noting(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def note(descriptor: int, *arguments: object) -> object:
            file = Path(f"/proc/self/fd/{descriptor}").readlink()
            seen.append((name, file.name))
            return call(descriptor, *arguments)

        return note

    for name in ("write", "fsync", "fdatasync", "ftruncate"):
        monkeypatch.setattr(os, name, noting(name, getattr(os, name)))
    return seen


def undo(number: int) -> UndoEvent:
    return UndoEvent(
        number=number, key=f"key-{number}", reviewer="Ada", reviewed_at="now", undoes="key-0"
    )


def test_an_appended_line_is_synced_before_it_is_told(
    tmp_path: Path, system_calls: list[SystemCall]
) -> None:
    with StageFile.open(tmp_path / "stage.jsonl", CheckFailure, writable=True) as stage:
        system_calls.clear()
        stage.append(RECORD)
        assert system_calls == [("write", "stage.jsonl"), ("fdatasync", "stage.jsonl")]


def test_the_name_of_a_file_is_durable_from_its_beginning(
    tmp_path: Path, system_calls: list[SystemCall]
) -> None:
    """Also where its first writer died before it synced the name."""
    path = tmp_path / "stage.jsonl"
    for _ in range(2):
        StageFile.open(path, CheckFailure, writable=True).close()
        assert system_calls == [("fsync", tmp_path.name)]
        system_calls.clear()
    path.write_bytes(LINE)
    StageFile.open(path, CheckFailure, writable=True).close()
    assert system_calls == []


def test_a_torn_line_is_durable_elsewhere_before_it_is_cut_off(
    tmp_path: Path, system_calls: list[SystemCall]
) -> None:
    path = tmp_path / "stage.jsonl"
    path.write_bytes(LINE + b"{torn")
    with StageFile.open(path, CheckFailure, writable=True) as stage:
        assert stage.quarantined is not None
        copy = stage.quarantined
    assert system_calls == [
        ("write", copy.name),
        ("fsync", copy.name),
        ("fsync", "quarantine"),
        ("fsync", tmp_path.name),
        ("ftruncate", "stage.jsonl"),
        ("fsync", "stage.jsonl"),
    ]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert copy.parent.stat().st_mode & 0o777 == 0o700
    assert path.read_bytes() == LINE


def test_a_line_that_lacks_its_newline_alone_gets_it_and_nothing_is_set_aside(
    tmp_path: Path, system_calls: list[SystemCall]
) -> None:
    path = tmp_path / "stage.jsonl"
    path.write_bytes(LINE[:-1])
    with StageFile.open(path, CheckFailure, writable=True) as stage:
        assert stage.quarantined is None
        stage.append(RECORD)
    assert path.read_bytes() == LINE * 2
    assert system_calls == [("write", "stage.jsonl"), ("fdatasync", "stage.jsonl")] * 2


@pytest.mark.parametrize("failing", ["write", "fdatasync"])
def test_what_could_not_be_made_durable_is_cut_off_and_nothing_follows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "stage.jsonl"
    append_only_file = AppendOnlyFile(path)
    append_only_file.append(LINE)
    assert append_only_file.size == len(LINE)

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fail)
        with pytest.raises(DamagedStateError, match="the disk refused a write"):
            append_only_file.append(LINE)
    assert path.read_bytes() == LINE
    with pytest.raises(DamagedStateError, match="an earlier write failed; resume the run"):
        append_only_file.append(LINE)
    assert append_only_file.size == len(LINE)


def test_after_a_sync_that_failed_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    append_only_file = AppendOnlyFile(tmp_path / "stage.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", fail)
        with pytest.raises(DamagedStateError, match="the disk refused a write"):
            append_only_file.sync()
    with pytest.raises(DamagedStateError, match="an earlier write failed"):
        append_only_file.append(LINE)


def test_a_writer_goes_on_behind_what_it_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "stage.jsonl"
    path.write_bytes(LINE + b"{torn")
    append_only_file = AppendOnlyFile(path)
    copy = append_only_file.quarantine_tail(len(LINE))
    assert copy.read_bytes() == b"{torn"
    assert append_only_file.size == len(LINE)
    append_only_file.append(LINE)
    assert path.read_bytes() == LINE * 2


def test_a_file_that_changed_between_reading_and_opening_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stage.jsonl"
    path.write_bytes(LINE)
    with pytest.raises(DamagedStateError, match="changed while it was opened"):
        open_repaired(path, LINE * 2, None)
    assert path.read_bytes() == LINE


def test_events_of_others_are_synced_once_before_they_are_built_on(
    tmp_path: Path, system_calls: list[SystemCall]
) -> None:
    """Their writer may have died before its own sync."""
    path = tmp_path / "human_reviews.jsonl"
    with ReviewLog(path) as first, ReviewLog(path) as second:
        with first.turn() as write:
            write(undo)
        system_calls.clear()
        with second.turn():
            assert system_calls == [("fdatasync", path.name)]
        with second.turn():
            assert system_calls == [("fdatasync", path.name)]
        with second.turn() as write:
            assert write(undo).number == 2
        assert system_calls[1:] == [("write", path.name), ("fdatasync", path.name)]
        with second.turn():
            assert len(system_calls) == 3


def test_a_review_log_says_whether_there_was_anything_new(tmp_path: Path) -> None:
    path = tmp_path / "human_reviews.jsonl"
    reader = ReviewLog(path)
    assert reader.refresh() is False
    with ReviewLog(path) as reviews, reviews.turn() as write:
        write(undo)
    assert reader.refresh() is True
    assert reader.refresh() is False
    assert [event.number for event in reader.events] == [1]
    assert reader.find("key-1") == reader.events[0]
    assert reader.find("key-2") is None


def test_a_lock_is_given_back_after_the_turn_and_waited_for_as_long_as_allowed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "human_reviews.jsonl"
    first, second = AppendOnlyFile(path), AppendOnlyFile(path)
    with (
        first.locked(0.05),
        pytest.raises(BusyError, match="another process does not release its lock"),
        second.locked(0.05),
    ):
        pass
    with second.locked(0.05):
        second.append(LINE)
    with first.locked(0.05):
        # Others may have written since.
        assert first.size == len(LINE)
    path.rename(tmp_path / "away.jsonl")
    with pytest.raises(InputError, match="was moved or replaced"), first.locked(0.05):
        pass
    first.close()
    second.close()
    first.close()


def test_a_lock_that_is_given_back_in_time_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "human_reviews.jsonl"
    holder, waiter = AppendOnlyFile(path), AppendOnlyFile(path)
    with ExitStack() as held:
        held.enter_context(holder.locked(0.05))
        release = Timer(0.1, held.pop_all().close)
        release.start()
        with waiter.locked(10.0):
            waiter.append(LINE)
        release.join()
    assert path.read_bytes() == LINE


@pytest.mark.parametrize(
    ("body", "has_newline", "is_torn"),
    [(b"{}", True, False), (b"{}", False, True), (b"{\0}", True, True), (b"", True, False)],
)
def test_a_line_is_torn_without_its_newline_or_with_zero_bytes(
    body: bytes, has_newline: bool, is_torn: bool
) -> None:
    assert JsonLine(1, 0, body, has_newline=has_newline).is_torn is is_torn


@pytest.mark.parametrize("data", [b"", b"a", b"a\n", b"a\nb", b"\n\n", b"a\n\nb\n"])
def test_lines_are_numbered_and_found_again_by_their_offsets(data: bytes) -> None:
    lines = list(split_lines(data))
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    for line in lines:
        ending = b"\n" if line.has_newline else b""
        whole = line.body + ending
        assert data[line.offset : line.offset + len(whole)] == whole
    assert b"".join(line.body + (b"\n" if line.has_newline else b"") for line in lines) == data


def test_damage_is_described_by_line_byte_and_how_much_follows() -> None:
    line = JsonLine(2, 40, b"{}", has_newline=True)
    error = damage_error(Path("f.jsonl"), line, 5, "odd")
    assert str(error) == "f.jsonl: damaged record at line 2 (byte 40), 3 after it: odd"


def test_a_seal_is_checked_against_the_lines_it_was_taken_after() -> None:
    path = Path("f.jsonl")
    digests = LineDigests()
    empty = digests.seal
    digests.add(b"a\n")
    first = digests.seal
    digests.add(b"b\n")
    assert (empty.count, first.count, digests.seal.count) == (0, 1, 2)
    for seal in (empty, first, digests.seal):
        digests.check(seal, path=path, exact=False)
    digests.check(digests.seal, path=path, exact=True)
    with pytest.raises(DamagedStateError, match="holds 2 records, but was sealed with 1"):
        digests.check(first, path=path, exact=True)
    with pytest.raises(DamagedStateError, match=r"changed after it was sealed with 1 record$"):
        digests.check(Seal(count=1, digest=empty.digest), path=path, exact=False)
    with pytest.raises(DamagedStateError, match="truncated after it was sealed: 2 of 3 records"):
        digests.check(Seal(count=3, digest=first.digest), path=path, exact=False)


@pytest.mark.parametrize("kind", ["calls", "stage"])
def test_a_seal_of_a_file_counts_every_line_whoever_wrote_it(tmp_path: Path, kind: str) -> None:
    """Opened again, a file has the seal that its writer had."""
    path = tmp_path / f"{kind}.jsonl"
    if kind == "calls":
        with CallLog.open(path, "run-1", writable=True) as calls:
            calls.append("reply", {"n": 1})
            written = calls.seal
        read = CallLog.open(path, "run-1", writable=False).seal
    else:
        with StageFile.open(path, CheckFailure, writable=True) as stage:
            stage.append(RECORD)
            stage.append(RECORD)
            written = stage.seal
        read = StageFile.open(path, CheckFailure, writable=False).seal
    assert written == read
    assert read.count == 2


def test_a_file_is_closed_behind_its_block(tmp_path: Path) -> None:
    with StageFile.open(tmp_path / "stage.jsonl", CheckFailure, writable=True) as stage:
        stage.append(RECORD)
    with pytest.raises(DamagedStateError):
        stage.append(RECORD)
    with ReviewLog(tmp_path / "human_reviews.jsonl") as reviews, reviews.turn() as write:
        write(undo)
    with pytest.raises(InputError, match="was closed"), reviews.turn():
        pass
    assert reviews.events[0].number == 1
