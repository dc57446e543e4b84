"""What is printed acts on no terminal, and what cannot be printed has a name."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import OutputError, ReaderGoneError
from goldwright.process.streams import MessageStream, ResultStream, VisibleStream


def _written(text: str) -> bytes:
    buffer = io.BytesIO()
    stream = VisibleStream(buffer, encoding="utf-8", errors="backslashreplace", newline="\n")
    stream.write(text)
    stream.flush()
    return buffer.getvalue()


def _lead_to_nowhere(descriptor: int) -> None:
    """Let what a stream still holds go, which would fail once more when it is closed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


@given(st.text(st.characters(codec=None)))
def test_no_control_character_comes_out_but_line_ends_and_tabs(text: str) -> None:
    shown = _written(text).decode("utf-8")
    assert all(character in "\n\t\r" or character >= " " for character in shown)
    assert not set("\x7f\x9b\u202e\u2066").intersection(shown)
    assert "\r" not in shown.replace("\r\n", "")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "M", "Z"])))
def test_plain_text_comes_out_as_it_is(text: str) -> None:
    visible = text.encode("utf-8")
    if "\u3164" not in text and "\uffa0" not in text and "\u115f" not in text:
        assert _written(f"{text}\n") == visible + b"\n"


def test_styles_reach_a_terminal_and_other_sequences_do_not() -> None:
    leader, follower = os.openpty()
    with os.fdopen(follower, "wb", buffering=0) as file:
        stream = VisibleStream(file, encoding="utf-8", write_through=True)
        stream.write("\x1b[1mbold\x1b[0m \x1b]0;title\x07 \x1b[2J")
        assert os.read(leader, 1000) == b"\x1b[1mbold\x1b[0m \\u{1b}]0;title\\u{7} \\u{1b}[2J"
    os.close(leader)


def test_a_full_disk_under_stdout_is_an_error_of_ours() -> None:
    with Path("/dev/full").open("wb") as file:
        stream = ResultStream(file, encoding="utf-8")
        stream.write("a result")
        with pytest.raises(OutputError, match="No space left on device"):
            stream.flush()
        _lead_to_nowhere(file.fileno())


def test_a_reader_who_has_gone_is_told_from_other_failures() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as file:
        stream = ResultStream(file, encoding="utf-8")
        stream.write("a result")
        with pytest.raises(ReaderGoneError):
            stream.flush()
        _lead_to_nowhere(file.fileno())


def test_messages_that_nobody_can_read_stop_nothing() -> None:
    with Path("/dev/full").open("wb", buffering=0) as file:
        stream = MessageStream(file, encoding="utf-8", line_buffering=True)
        assert stream.write("a message\n") == len("a message\n")
        stream.flush()


@pytest.mark.parametrize("number", [0, 1, 2])
def test_no_file_gets_the_number_of_a_stream_that_is_closed(number: int, tmp_path: Path) -> None:
    """Else what is printed would go into the next file that is opened."""
    script = (
        "from goldwright.process.streams import open_closed_streams; import os, sys\n"
        "open_closed_streams()\n"
        f"descriptor = os.open({str(tmp_path / 'file')!r}, os.O_CREAT | os.O_WRONLY)\n"
        "print('out'); print('errors', file=sys.stderr)\n"
        "sys.exit(descriptor < 3)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=False,
        preexec_fn=lambda: os.close(number),
    )
    assert done.returncode == 0
    assert (tmp_path / "file").read_bytes() == b""
