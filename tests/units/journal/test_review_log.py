"""``human_reviews.jsonl``: what people said and were told is written stands there once, whoever
else writes.
"""

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from effort import first_of, share_of
from goldwright.errors import BusyError, DamagedStateError, GoldwrightError, InputError, NoRoomError
from goldwright.journal import ReviewLog
from goldwright.records import AnyReviewEvent, UndoEvent, VerdictEvent

NAME = "human_reviews.jsonl"
NOBODY = 65534
needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None, reason="needs strace to stop at a system call"
)

# Prints the number of every event once it is durable, or the exit code and text of the error that
# ended it.
_WRITER = """
import os, resource, sys, time
from pathlib import Path
from goldwright.errors import GoldwrightError
from goldwright.journal import ReviewLog
from goldwright.records import UndoEvent

path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
limit, go = sys.argv[4], Path(sys.argv[5])
if os.geteuid() == 0 and name == "nobody":
    os.seteuid(65534)
if limit != "none":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
while not go.exists():
    time.sleep(0.001)
with ReviewLog(path) as reviews:
    for at in range(count):
        try:
            with reviews.turn() as write:
                key = f"{name}-{at}"
                fields = {"key": key, "reviewer": name, "reviewed_at": "now", "undoes": "x" * 50}
                event = reviews.find(key) or write(
                    lambda number: UndoEvent(number=number, **fields)
                )
            print(event.number, flush=True)
        except GoldwrightError as error:
            print("error", error.exit_code, error, flush=True)
"""


def _verdict(number: int) -> VerdictEvent:
    return VerdictEvent(
        number=number,
        key=f"key-{number}",
        reviewer="Ada",
        reviewed_at="2026-04-14T12:00:00Z",
        query_id="q_00001",
        sitting="first",
        content="sha256:00",
        verdict="minor_issue",
        note="naïve; “wrong” line\n",
        seconds=1.5,
    )


def _undo(number: int) -> UndoEvent:
    return UndoEvent(
        number=number,
        key=f"key-{number}",
        reviewer="Ada",
        reviewed_at="now",
        undoes=f"key-{number - 1}",
    )


def _word(number: int) -> AnyReviewEvent:
    return _undo(number) if number % 3 == 0 else _verdict(number)


def _written() -> tuple[bytes, tuple[AnyReviewEvent, ...]]:
    with tempfile.TemporaryDirectory() as directory, ReviewLog(Path(directory) / NAME) as reviews:
        for _ in range(30):
            with reviews.turn() as write:
                write(_word)
        return reviews.path.read_bytes(), tuple(reviews.events)


DATA, EVENTS = _written()
LINES = tuple(DATA.splitlines(keepends=True))
# Three lines hold every kind of event; further ones are cut in the same way.
FEW: Final = b"".join(LINES[: share_of(len(LINES), suite=3)])


def _path(directory: Path, data: bytes = DATA) -> Path:
    path = directory / NAME
    path.write_bytes(data)
    return path


def _read(path: Path) -> tuple[AnyReviewEvent, ...]:
    reviews = ReviewLog(path)
    reviews.refresh()
    return tuple(reviews.events)


def _command(
    path: Path, name: str, count: int, *, limit: int | None = None, go: Path | None = None
) -> list[str]:
    bound = "none" if limit is None else str(limit)
    return [sys.executable, "-c", _WRITER, str(path), name, str(count), bound, str(go or "/")]


def _write(
    path: Path, name: str, count: int, *, limit: int | None = None, prefix: tuple[str, ...] = ()
) -> list[str]:
    command = [*prefix, *_command(path, name, count, limit=limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.stdout.splitlines()


def _kept(path: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted((path.parent / "quarantine").glob("*"))]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """A directory whose syncs cost nothing, where there is one."""
    shared = Path("/dev/shm")  # noqa: S108  # only its speed is wanted
    if not os.access(shared, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=shared) as directory:
        yield Path(directory)


def test_events_come_back_in_their_order_and_are_found_by_their_keys(tmp_path: Path) -> None:
    path = tmp_path / NAME
    assert [(event.number, event.key, event.event) for event in EVENTS[:3]] == [
        (1, "key-1", "verdict"),
        (2, "key-2", "verdict"),
        (3, "key-3", "undo"),
    ]
    with ReviewLog(path) as reviews:
        for event in EVENTS:
            with reviews.turn() as write:
                assert write(_word) == event
    assert path.read_bytes() == DATA
    assert path.stat().st_mode & 0o777 == 0o600
    assert _read(path) == EVENTS
    assert reviews.find("key-7") == EVENTS[6]
    assert reviews.find("key-31") is None


def test_looking_makes_no_file(tmp_path: Path) -> None:
    assert _read(tmp_path / NAME) == ()
    assert list(tmp_path.iterdir()) == []


def test_a_reader_of_a_file_cut_at_any_byte_sees_a_prefix_and_changes_nothing(memory: Path) -> None:
    path = memory / NAME
    for length in range(len(FEW) + 1):
        path.write_bytes(FEW[:length])
        assert _read(path) == EVENTS[: FEW[:length].count(b"\n")]
        assert path.stat().st_size == length
    assert list(memory.iterdir()) == [path]


def test_the_next_writer_sets_a_line_that_was_cut_at_any_byte_aside_and_goes_on(
    memory: Path,
) -> None:
    for length in range(len(FEW)):
        path = _path(memory, FEW[:length])
        whole = FEW[:length].count(b"\n")
        with ReviewLog(path) as reviews, reviews.turn() as write:
            assert reviews.events == list(EVENTS[:whole])
            write(_word)
        start = len(b"".join(LINES[:whole]))
        assert path.read_bytes() == FEW[: start + len(LINES[whole])]
        assert _kept(path) == ([FEW[start:length]] if length > start else [])
        shutil.rmtree(memory / "quarantine", ignore_errors=True)


def test_a_writer_that_is_open_already_sets_aside_what_another_left_torn(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with ReviewLog(path) as reviews:
        with reviews.turn() as write:
            write(_verdict)
        for number, torn in ((2, b'{"number":2,"ke'), (3, bytes(40)), (4, b"{}"[:1])):
            with path.open("ab") as other:
                other.write(torn)
            reviews.refresh()
            assert len(reviews.events) == number - 1
            with reviews.turn() as write:
                write(_verdict)
    assert [event.key for event in _read(path)] == ["key-1", "key-2", "key-3", "key-4"]
    assert sorted(_kept(path)) == [bytes(40), b"{", b'{"number":2,"ke']


def _is_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


FLIPS_A_BYTE: Final = share_of(8, suite=1)


def _flips(data: bytes) -> Iterator[bytes]:
    """Flip bits of every byte: all eight, or one that changes from byte to byte."""
    for at in range(len(data)):
        for bit in range(at % 8, at % 8 + FLIPS_A_BYTE):
            yield data[:at] + bytes([data[at] ^ 1 << bit % 8]) + data[at + 1 :]


@pytest.fixture(scope="module")
def readings_of_flips() -> list[tuple[AnyReviewEvent, ...] | None]:
    """What is read for each flipped bit in the first two of three lines; None if it is refused."""
    readings: list[tuple[AnyReviewEvent, ...] | None] = []
    with tempfile.TemporaryDirectory() as directory:
        for flipped in _flips(LINES[0] + LINES[1]):
            try:
                readings.append(_read(_path(Path(directory), flipped + LINES[2])))
            except DamagedStateError:
                readings.append(None)
    return readings


def test_every_flipped_bit_before_the_last_line_is_refused(
    readings_of_flips: list[tuple[AnyReviewEvent, ...] | None],
) -> None:
    assert len(readings_of_flips) == FLIPS_A_BYTE * len(LINES[0] + LINES[1])
    assert [events for events in readings_of_flips if events is not None] == []


def test_no_flipped_bit_of_the_last_line_is_taken_for_a_word(tmp_path: Path) -> None:
    """The line is refused, or is no whole line any more and waits to be set aside."""
    for flipped in _flips(LINES[2]):
        with suppress(DamagedStateError):
            assert _read(_path(tmp_path, LINES[0] + LINES[1] + flipped)) == EVENTS[:2]


@pytest.mark.parametrize(
    ("damaged", "place"),
    [
        (DATA.removeprefix(LINES[0]), "line 1 "),
        (DATA.replace(LINES[7], b""), "line 8 "),
        (DATA.replace(LINES[7], LINES[7] * 2), "line 9 "),
        (DATA + LINES[29], "line 31 "),
        (DATA.replace(LINES[7] + LINES[8], LINES[8] + LINES[7]), "line 8 "),
        (DATA.replace(LINES[7], b"\n"), "line 8 "),
        (DATA.replace(LINES[7], LINES[7][:-9] + b"\n"), "line 8 "),
        (DATA.replace(LINES[7], LINES[7][:-1]), "line 8 "),
        (DATA.replace(LINES[7], bytes(len(LINES[7]) - 1) + b"\n"), "line 8 "),
        (DATA.replace(b'"key":"key-8"', b'"key":"key-3"'), "line 8 "),
        (DATA.replace(b'"key":"key-8"', b'"key":"key-8","key":"key-8"'), "line 8 "),
        (DATA.replace(LINES[7], LINES[7][:-1] + b"\r\n"), "line 8 "),
        (b"\xef\xbb\xbf" + DATA, "line 1 "),
        (DATA + b"\n", "line 31 "),
        (DATA + b"{}\n", "line 31 "),
        (DATA + b'{"number":31\n{"torn', "line 31 "),
    ],
    ids=[
        "first-deleted", "deleted", "doubled", "last-doubled", "swapped", "emptied", "cut",
        "newline-lost", "zeroed", "key-of-another", "field-twice", "crlf", "bom", "blank-last",
        "whole-but-bad", "bad-then-torn",
    ],
)  # fmt: skip
def test_damage_that_no_crash_explains_is_refused_and_left_as_it_is(
    tmp_path: Path, damaged: bytes, place: str
) -> None:
    path = _path(tmp_path, damaged)
    wanted = f"damaged record at {place}"
    with pytest.raises(DamagedStateError, match=wanted):
        _read(path)
    with ReviewLog(path) as reviews, pytest.raises(DamagedStateError, match=wanted), reviews.turn():
        pass
    assert path.read_bytes() == damaged
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_shrank_while_it_was_open_is_refused(tmp_path: Path) -> None:
    path = _path(tmp_path)
    with ReviewLog(path) as reviews:
        reviews.refresh()
        path.write_bytes(DATA[: -len(LINES[29])])
        with pytest.raises(DamagedStateError, match=f"{NAME}: is shorter than it was"):
            reviews.refresh()
        with (
            pytest.raises(DamagedStateError, match=f"{NAME}: is shorter than it was"),
            reviews.turn(),
        ):
            pass


def test_four_processes_at_once_lose_nothing_and_number_without_a_gap(tmp_path: Path) -> None:
    path, go = tmp_path / NAME, tmp_path / "go"
    names = ("a", "b", "c", "d")
    writers = [
        subprocess.Popen(_command(path, name, 40, go=go), stdout=subprocess.PIPE, text=True)
        for name in names
    ]
    go.touch()
    told = [list(map(int, writer.communicate(timeout=60)[0].split())) for writer in writers]
    held = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [one["number"] for one in held] == list(range(1, 161))
    assert sorted(number for numbers in told for number in numbers) == list(range(1, 161))
    for name, numbers in zip(names, told, strict=True):
        mine = [(one["number"], one["key"]) for one in held if one["reviewer"] == name]
        assert mine == [(number, f"{name}-{at}") for at, number in enumerate(numbers)]
    assert len(_read(path)) == 160
    assert _kept(path) == []


@pytest.mark.parametrize("limit", first_of([700, 0, 1, 200, 1000], suite=2))
def test_no_room_leaves_what_was_told_and_a_later_process_goes_on(
    tmp_path: Path, limit: int
) -> None:
    path = tmp_path / NAME
    told = _write(path, "ada", 12, limit=limit)
    numbers = [line for line in told if line.isdigit()]
    assert (
        told[len(numbers)]
        == f"error 2 {path}: no room to write (File too large); free some space and try again"
    )
    assert all(line.startswith("error ") for line in told[len(numbers) :])
    assert path.stat().st_size <= limit
    assert path.read_bytes() == b"" or path.read_bytes().endswith(b"\n")
    assert [event.key for event in _read(path)] == [f"ada-{at}" for at in range(len(numbers))]
    assert _write(path, "ada", 12) == [str(number) for number in range(1, 13)]
    assert [event.key for event in _read(path)] == [f"ada-{at}" for at in range(12)]
    assert _kept(path) == []


@needs_strace
def test_a_writer_that_dies_while_it_takes_half_a_line_back_leaves_none_to_readers(
    tmp_path: Path,
) -> None:
    path = tmp_path / NAME
    inject = ("-e", "trace=ftruncate", "-e", "inject=ftruncate:signal=SIGKILL:when=1")
    assert _write(
        path, "ada", 12, limit=1000, prefix=("strace", "-qq", "-o", "/dev/null", *inject)
    )[-1].isdigit()
    assert path.stat().st_size == 1000
    assert not path.read_bytes().endswith(b"\n")
    half = path.read_bytes().rpartition(b"\n")[2]
    before = _read(path)
    assert len(before) == path.read_bytes().count(b"\n")
    assert _write(path, "ben", 1) == [str(len(before) + 1)]
    assert _read(path)[:-1] == before
    assert _kept(path) == [half]


@needs_strace
def test_no_room_on_the_disk_is_named_and_nothing_of_it_is_seen(tmp_path: Path) -> None:
    path = tmp_path / NAME
    inject = ("-P", str(path), "-e", "trace=write", "-e", "inject=write:error=ENOSPC:when=3+")
    told = _write(path, "ada", 3, prefix=("strace", "-qq", "-o", "/dev/null", *inject))
    text = f"{path}: no room to write (No space left on device); free some space and try again"
    assert told == ["1", "2", f"error 2 {text}"]
    assert len(_read(path)) == 2
    assert _write(path, "ben", 1) == ["3"]


@pytest.mark.parametrize("fitting", [0, 1, 40])
def test_the_same_log_goes_on_when_there_is_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fitting: int
) -> None:
    """The review page lives on through a full disk; people need not start it again."""
    path = tmp_path / NAME
    with ReviewLog(path) as reviews:
        _say(reviews)

        def write_a_part(descriptor: int, data: bytes) -> None:
            os.write(descriptor, data[:fitting])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr("goldwright.journal.append_only_file.write_fully", write_a_part)
            for _ in range(2):
                with pytest.raises(NoRoomError, match="no room to write"):
                    _say(reviews)
        _say(reviews)
        assert [event.number for event in reviews.events] == [1, 2]
    assert [event.number for event in _read(path)] == [1, 2]
    assert _kept(path) == []


def test_after_a_failure_of_the_disk_itself_the_same_log_writes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel may have dropped the line, and a second sync that succeeds proves nothing."""
    path = tmp_path / NAME

    def fail(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with ReviewLog(path) as reviews:
        with monkeypatch.context() as patch:
            patch.setattr("os.fdatasync", fail)
            with pytest.raises(DamagedStateError):
                _say(reviews)
        with pytest.raises(DamagedStateError, match="an earlier write failed"):
            _say(reviews)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_disk_that_is_full_and_emptied_again(tmp_path: Path) -> None:
    """With a real disk, which is filled up to its last byte."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no mounts here")
    try:
        with ReviewLog(tmp_path / NAME) as reviews:
            _say(reviews)
            ballast = tmp_path / "ballast"
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
            with pytest.raises(NoRoomError):
                _say_until_refused(reviews)
            count = len(reviews.events)
            ballast.unlink()
            _say(reviews)
        assert len(_read(tmp_path / NAME)) == count + 1
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def _say_until_refused(reviews: ReviewLog) -> None:
    # What is left of the last page of the file takes some lines more.
    for _ in range(100):
        _say(reviews)


def _say(reviews: ReviewLog) -> None:
    with reviews.turn() as write:
        write(_word)


@pytest.mark.parametrize("limit", first_of([10, 0], suite=1))
def test_a_torn_line_that_there_is_no_room_to_set_aside_stays_until_there_is(
    tmp_path: Path, limit: int
) -> None:
    torn = b'{"number":3,"key":"half'
    path = _path(tmp_path, LINES[0] + LINES[1] + torn)
    (told,) = _write(path, "ada", 1, limit=limit)
    assert told.startswith(f"error 2 {path}: no room to write")
    assert path.read_bytes() == LINES[0] + LINES[1] + torn
    assert _read(path) == EVENTS[:2]
    assert _write(path, "ada", 1) == ["3"]
    assert torn in _kept(path)


@needs_strace
@pytest.mark.parametrize("call", ["write", "fdatasync"])
def test_a_broken_disk_is_never_told_as_written(tmp_path: Path, call: str) -> None:
    path = tmp_path / NAME
    inject = ("-P", str(path), "-e", f"trace={call}", "-e", f"inject={call}:error=EIO:when=3+")
    told = _write(path, "ada", 4, prefix=("strace", "-qq", "-o", "/dev/null", *inject))
    assert told[:2] == ["1", "2"]
    assert told[2].startswith(f"error 4 {path}: the disk refused a write (Input/output error)")
    assert told[3].startswith(f"error 4 {path}: an earlier write failed")
    assert len(_read(path)) == 2


@needs_strace
def test_an_event_whose_writer_died_before_its_sync_is_synced_before_anybody_is_told(
    tmp_path: Path,
) -> None:
    path = tmp_path / NAME
    inject = (
        "-P",
        str(path),
        "-e",
        "trace=fdatasync",
        "-e",
        "inject=fdatasync:signal=SIGKILL:when=1",
    )
    assert _write(path, "ada", 1, prefix=("strace", "-qq", "-o", "/dev/null", *inject)) == []
    assert [event.key for event in _read(path)] == ["ada-0"]
    log = tmp_path / "calls.txt"
    watch = ("strace", "-qq", "-o", str(log), "-P", str(path), "-e", "trace=fdatasync,fsync")
    assert _write(path, "ada", 1, prefix=watch) == ["1"]
    assert "sync(" in log.read_text()


@needs_strace
def test_a_file_whose_writer_died_before_its_name_was_durable_has_its_name_synced(
    tmp_path: Path,
) -> None:
    path = tmp_path / NAME
    inject = ("-e", "trace=fsync", "-e", "inject=fsync:signal=SIGKILL:when=1")
    assert _write(path, "ada", 1, prefix=("strace", "-qq", "-o", "/dev/null", *inject)) == []
    assert path.read_bytes() == b""
    log = tmp_path / "calls.txt"
    assert _write(
        path, "ada", 1, prefix=("strace", "-qq", "-y", "-o", str(log), "-e", "trace=fsync")
    ) == ["1"]
    assert f"<{tmp_path}>)" in log.read_text()


def test_a_lock_that_is_not_given_back_ends_the_wait_after_some_time(tmp_path: Path) -> None:
    path = _path(tmp_path)
    with path.open("rb") as other, ReviewLog(path, lock_timeout_seconds=0.5) as reviews:
        fcntl.flock(other, fcntl.LOCK_EX)
        begun = time.monotonic()
        with (
            pytest.raises(BusyError, match=f"{NAME}: another process does not release its lock"),
            reviews.turn(),
        ):
            pass
        assert 0.4 < time.monotonic() - begun < 3
        reviews.refresh()
        assert len(reviews.events) == 30
        fcntl.flock(other, fcntl.LOCK_UN)
        with reviews.turn() as write:
            assert write(_verdict).number == 31


def test_a_turn_that_ends_in_an_error_writes_nothing_and_gives_the_file_back(
    tmp_path: Path,
) -> None:
    path = _path(tmp_path)
    with ReviewLog(path) as reviews:
        with pytest.raises(InputError, match="no such record"), reviews.turn():
            raise InputError("no such record")
        assert path.read_bytes() == DATA
        with path.open("rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_an_event_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    with ReviewLog(tmp_path / NAME) as reviews, reviews.turn() as write:
        with pytest.raises(InputError):
            write(lambda number: _verdict(number).model_copy(update={"seconds": float("nan")}))
        assert write(_verdict).number == 1
    assert [event.key for event in _read(tmp_path / NAME)] == ["key-1"]


def test_a_file_that_may_only_be_read_is_an_input_error() -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = _path(Path(directory))
        path.chmod(0o444)
        path.parent.chmod(0o755)
        assert _write(path, "nobody", 1) == [
            f"error 2 {path}: cannot be written: Permission denied"
        ]
        assert path.read_bytes() == DATA


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    path, target = tmp_path / NAME, tmp_path / "elsewhere"
    path.symlink_to(target)
    for _ in ("dangling", "whole"):
        with (
            ReviewLog(path) as reviews,
            pytest.raises(InputError, match=f"{NAME}: cannot be written"),
            reviews.turn(),
        ):
            pass
        target.write_bytes(DATA)
    assert target.read_bytes() == DATA


def test_a_directory_in_the_place_of_the_file_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.mkdir()
    with pytest.raises(InputError, match=f"{NAME}: cannot be read"):
        ReviewLog(path).refresh()
    with (
        ReviewLog(path) as reviews,
        pytest.raises(GoldwrightError, match=NAME) as caught,
        reviews.turn(),
    ):
        pass
    assert isinstance(caught.value, InputError), caught.value


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_file_that_was_put_away_while_it_was_open_takes_no_more(
    tmp_path: Path, is_replaced: bool
) -> None:
    path = _path(tmp_path)
    with ReviewLog(path) as reviews:
        with reviews.turn():
            pass
        path.rename(tmp_path / "away")
        if is_replaced:
            path.write_bytes(DATA)
        with pytest.raises(InputError, match=f"{NAME}: was moved or replaced"), reviews.turn():
            pass
    assert (tmp_path / "away").read_bytes() == DATA


def test_nothing_is_written_after_closing(tmp_path: Path) -> None:
    path = _path(tmp_path)
    with ReviewLog(path) as reviews, reviews.turn():
        pass
    reviews.close()
    with pytest.raises(GoldwrightError), reviews.turn() as write:
        write(_verdict)
    assert path.read_bytes() == DATA


def test_the_descriptor_does_not_leak_into_children(tmp_path: Path) -> None:
    path = _path(tmp_path)
    with ReviewLog(path) as reviews, reviews.turn():
        held = [int(link.name) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
        ours = [number for number in held if _is_file(number, path)]
        assert [os.get_inheritable(number) for number in ours] == [False]
