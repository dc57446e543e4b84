"""``calls.jsonl``: a chain in which no change, copy, move or removal of a line goes unnoticed."""

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from goldwright.errors import DamagedStateError, InputError, NoRoomError
from goldwright.journal import CallLog, Seal
from goldwright.journal.call_chain import CallEntry, encode_entry, first_hash, verify_line
from goldwright.journal.call_log import ROOM_FOR_REPLIES

RUN = "20260414T120000Z-smoke-00ff"
BODIES = (
    {"key": "a", "text": "naïve \u2028 line"},
    {"key": "b", "usd": 0.25},
    {"key": "c", "n": None},
)


def _written(directory: Path, run: str = RUN) -> Path:
    path = directory / "calls.jsonl"
    with CallLog.open(path, run, writable=True) as calls:
        for body in BODIES:
            calls.append("reply", body)
    return path


def _data(directory: Path) -> bytes:
    return _written(directory).read_bytes()


def _read(path: Path, *, sealed: Seal | None = None) -> list[dict[str, object]]:
    calls = CallLog.open(path, RUN, writable=False, sealed=sealed)
    return [dict(entry.body) for entry in calls.entries]


def test_entries_come_back_numbered_and_in_order(tmp_path: Path) -> None:
    """What was appended is what is read, with its kind and its number from 1."""
    calls = CallLog.open(_written(tmp_path), RUN, writable=False)
    assert [(entry.sequence, entry.kind) for entry in calls.entries] == [
        (1, "reply"),
        (2, "reply"),
        (3, "reply"),
    ]
    assert [dict(entry.body) for entry in calls.entries] == list(BODIES)


def test_the_format_is_as_documented(tmp_path: Path) -> None:
    """Canonical ASCII lines with the chained hash as the last member, beginning with a header."""
    lines = _data(tmp_path).split(b"\n")
    assert lines[0] == (
        b'{"b":0,"file":"calls","run":"20260414T120000Z-smoke-00ff","s":0,"schema":1,"t":"hdr",'
        b'"h":"' + lines[0][-18:-2] + b'"}'
    )
    assert lines[1].startswith(
        rb'{"b":1,"key":"a","s":1,"t":"reply","text":"na\u00efve \u2028 line","h":"'
    )
    assert list(json.loads(lines[2])) == ["b", "key", "s", "t", "usd", "h"]
    assert lines[4:] == [b""]


def test_the_chain_is_as_documented(tmp_path: Path) -> None:
    """Another program can verify a file: SHA-256 over the hash before, a newline and the line up to
    its own hash.
    """
    lines = _data(tmp_path).splitlines()
    head = hashlib.sha256(b"20260414T120000Z-smoke-00ff\ncalls\n").hexdigest()[:16]
    for line in lines:
        before, _, after = line.rpartition(b',"h":"')
        head = hashlib.sha256(head.encode() + b"\n" + before).hexdigest()[:16]
        assert after == head.encode() + b'"}'


def test_a_line_with_a_wrong_number_is_refused_though_its_hash_fits(tmp_path: Path) -> None:
    """A program that counts wrongly is found out at once."""
    path = _written(tmp_path)
    data = path.read_bytes()
    before = b'{"b":9,"s":9,"t":"reply"'
    head = hashlib.sha256(data[-19:-3] + b"\n" + before).hexdigest()[:16].encode()
    path.write_bytes(data + before + b',"h":"' + head + b'"}\n')
    with pytest.raises(DamagedStateError, match="does not follow from the lines before it"):
        _read(path)


@pytest.mark.parametrize("name", ["b", "s"])
def test_both_numbers_of_a_line_are_checked(name: str) -> None:
    entry = CallEntry(1, "reply", {"key": "a"})
    line = encode_entry(entry, previous_hash=first_hash(RUN))
    before = line.data.rpartition(b',"h":"')[0].replace(
        f'"{name}":1'.encode(), f'"{name}":2'.encode()
    )
    line_hash = hashlib.sha256(first_hash(RUN).encode() + b"\n" + before).hexdigest()[:16]
    data = before + b',"h":"' + line_hash.encode() + b'"}'
    assert verify_line(data, json.loads(data), number=1, previous_hash=first_hash(RUN)) is None
    verified = verify_line(
        line.data, json.loads(line.data), number=1, previous_hash=first_hash(RUN)
    )
    assert verified == line


def test_a_file_goes_on_where_it_ended(tmp_path: Path) -> None:
    """Opened again, the chain continues."""
    path = _written(tmp_path)
    with CallLog.open(path, RUN, writable=True) as calls:
        calls.append("intent", {"key": "d"})
    assert [body["key"] for body in _read(path)] == ["a", "b", "c", "d"]


def test_a_cut_at_any_byte_loses_at_most_the_entry_that_was_cut(tmp_path: Path) -> None:
    """Truncation at every byte of the file: whole entries stay, the torn one is set aside."""
    data = _data(tmp_path)
    ends = [index for index, byte in enumerate(data) if byte == ord("\n")]
    for length in range(len(data) + 1):
        path = tmp_path / f"{length}" / "calls.jsonl"
        path.parent.mkdir()
        path.write_bytes(data[:length])
        whole = sum(end <= length for end in ends)
        with CallLog.open(path, RUN, writable=True) as calls:
            assert len(calls.entries) == max(whole - 1, 0)
            torn = length > 0 and length not in ends and length - 1 not in ends
            assert (calls.quarantined is not None) == torn
            calls.append("reply", {"key": "z"})
        assert [body["key"] for body in _read(path)] == [*"abc"[: max(whole - 1, 0)], "z"]


def test_no_flipped_bit_passes_for_the_file_that_was_written(tmp_path: Path) -> None:
    """Every bit of the file: refused as damage, or (in the last line alone) taken for a torn tail;
    never altered.
    """
    data = _data(tmp_path)
    path = tmp_path / "calls.jsonl"
    last = data.rstrip(b"\n").rindex(b"\n") + 1
    silent: list[int] = []
    for bit in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        try:
            held = _read(path)
        except (DamagedStateError, InputError):
            continue
        if bit // 8 < last or held != list(BODIES[:2]):
            silent.append(bit)
    assert silent == []


def _edits() -> list[Callable[[list[bytes]], list[bytes]]]:
    return [
        lambda lines: [lines[0], lines[1], lines[1], *lines[2:]],
        lambda lines: [*lines, lines[3]],
        lambda lines: [lines[0], *lines[2:]],
        lambda lines: [*lines[:2], lines[3]],
        lambda lines: lines[1:],
        lambda lines: [lines[0], lines[2], lines[1], lines[3]],
        lambda lines: [*lines[:2], lines[3], lines[2]],
        lambda lines: [*lines[:2], b"\n", *lines[2:]],
        lambda lines: [*lines[:2], b"\0" * 20 + b"\n", *lines[2:]],
        lambda lines: [line.replace(b"\n", b"\r\n") for line in lines],
        lambda lines: [b"\xef\xbb\xbf" + lines[0], *lines[1:]],
        lambda lines: [*lines, *lines],
        lambda lines: [*lines[:3], lines[3].replace(b'"c"', b'"x"')],
        lambda lines: [*lines[:3], b"{}\n"],
    ]


@pytest.mark.parametrize("edit", _edits())
def test_an_edit_of_lines_is_refused_and_left_as_it_is(
    tmp_path: Path, edit: Callable[[list[bytes]], list[bytes]]
) -> None:
    """Doubled, deleted, swapped, blank, NUL, CRLF, BOM, concatenated and rewritten lines all end in
    exit 4.
    """
    lines = _data(tmp_path).splitlines(keepends=True)
    damaged = b"".join(edit(lines))
    path = tmp_path / "calls.jsonl"
    path.write_bytes(damaged)
    for writable in (True, False):
        with pytest.raises(DamagedStateError, match=r"calls\.jsonl: damaged record at line \d"):
            CallLog.open(path, RUN, writable=writable)
    assert path.read_bytes() == damaged


def test_a_deleted_last_line_is_seen_by_the_seal(tmp_path: Path) -> None:
    """No chain can see that its end is missing; count and digest in the manifest can."""
    path = _written(tmp_path)
    seal = CallLog.open(path, RUN, writable=False).seal
    assert seal.count == 4
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    assert len(_read(path)) == 2
    with pytest.raises(DamagedStateError, match="truncated after it was sealed: 3 of 4 records"):
        CallLog.open(path, RUN, writable=True, sealed=seal)


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    """A chain begins with the name of its run."""
    path = _written(tmp_path, run="20260101T000000Z-smoke-1234")
    with pytest.raises(
        DamagedStateError, match=f"belongs to the run 20260101T000000Z-smoke-1234, not to {RUN}"
    ):
        CallLog.open(path, RUN, writable=False)


def test_a_file_of_a_newer_program_is_an_input_error(tmp_path: Path) -> None:
    """It is not damaged; this program is too old."""
    path = tmp_path / "calls.jsonl"
    path.write_bytes(_data(tmp_path).replace(b'"schema":1', b'"schema":2'))
    with pytest.raises(InputError, match="written by a newer goldwright"):
        CallLog.open(path, RUN, writable=True)


@pytest.mark.parametrize("name", ["b", "s", "t", "h"])
def test_a_body_cannot_use_the_names_of_the_frame(tmp_path: Path, name: str) -> None:
    """The frame is the file's own."""
    with CallLog.open(tmp_path / "calls.jsonl", RUN, writable=True) as calls:
        with pytest.raises(ValueError, match="belong to the frame"):
            calls.append("reply", {name: 1})
        assert not calls.entries


def test_a_line_has_a_longest_length(tmp_path: Path) -> None:
    """One MiB with its newline is taken, one byte more is refused and nothing is written."""
    path = tmp_path / "calls.jsonl"
    with CallLog.open(path, RUN, writable=True) as calls:
        room = (1 << 20) - len('{"b":1,"s":1,"t":"reply","x":"","h":"0123456789abcdef"}\n')
        calls.append("reply", {"x": "y" * room})
        size = path.stat().st_size
        with pytest.raises(ValueError, match="a line of 1048577 bytes"):
            calls.append("reply", {"x": "y" * (room + 1)})
    assert path.stat().st_size == size
    assert len(_read(path)) == 1


def test_a_lone_surrogate_from_a_model_survives(tmp_path: Path) -> None:
    """Models emit broken text; the record of it must not break."""
    path = tmp_path / "calls.jsonl"
    with CallLog.open(path, RUN, writable=True) as calls:
        calls.append("reply", {"text": "half \ud800 a pair"})
    assert _read(path) == [{"text": "half \ud800 a pair"}]


def test_a_reader_cannot_append(tmp_path: Path) -> None:
    """Only the writer writes."""
    with pytest.raises(InputError, match="opened for reading"):
        CallLog.open(_written(tmp_path), RUN, writable=False).append("reply", {})


def test_every_other_name_may_stand_in_a_body(tmp_path: Path) -> None:
    """Only ``b``, ``s``, ``t`` and ``h`` are the frame's."""
    body = {name: name for name in "acdefgijklmnopqruvwxyz_"}
    path = tmp_path / "calls.jsonl"
    with CallLog.open(path, RUN, writable=True) as calls:
        calls.append("reply", body)
    assert _read(path) == [body]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_nothing_is_asked_for_whose_reply_may_find_no_room(tmp_path: Path) -> None:
    """What is paid for must be kept; the replies to what was asked before still find room."""

    def size(byte_count: int) -> str:
        return f"size={byte_count}"

    disk = ["mount", "-t", "tmpfs", "tmpfs", str(tmp_path), "-o"]
    if subprocess.run([*disk, size(2 * ROOM_FOR_REPLIES)], check=False).returncode:
        pytest.skip("no mounts here")
    try:
        with CallLog.open(tmp_path / "calls.jsonl", RUN, writable=True) as calls:
            calls.append("intent", {"key": "a"})
            subprocess.run([*disk, f"remount,{size(ROOM_FOR_REPLIES)}"], check=True)
            with pytest.raises(NoRoomError, match=r"calls\.jsonl: no room to write"):
                calls.append("intent", {"key": "b"})
            calls.append("reply", {"key": "a"})
            subprocess.run([*disk, f"remount,{size(2 * ROOM_FOR_REPLIES)}"], check=True)
            calls.append("intent", {"key": "b"})
        keys = [body["key"] for body in _read(tmp_path / "calls.jsonl")]
        assert keys == ["a", "a", "b"]
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
