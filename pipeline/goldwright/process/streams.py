"""Standard streams that cannot stop a command, and that pass nothing on that acts on a terminal."""

import io
import os
import re
import sys
from contextlib import suppress
from typing import Final, TextIO

from goldwright.errors import OutputError, ReaderGoneError
from goldwright.text import make_visible

_STREAM_NAMES: Final = ("stdin", "stdout", "stderr")
# Colour, weight and underline; they act on the text behind them and on nothing else.
_STYLE: Final = re.compile(r"(\x1b\[[0-9;]*m)")
# Besides these, a character that cannot be seen is written by its code.
_LINE_ENDS: Final = re.compile(r"(\r?\n)")


def open_closed_streams() -> None:
    """Lead standard streams that are closed to nowhere.

    Otherwise the next file that is opened gets the number of the stream, and what is printed, also
    by a process that is started, goes into that file.
    """
    for number, name in enumerate(_STREAM_NAMES):
        if _is_open(number):
            continue
        # The lowest number that is free, so this one.
        os.open(os.devnull, os.O_RDWR)
        mode = "r" if number == 0 else "w"
        stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  # lives on
        setattr(sys, name, stream)


def protect_streams() -> None:
    """Put streams in the place of stdout and stderr that show hidden characters by their codes.

    A failure of stdout becomes an error of ours; stderr, which is for people alone, falls silent.
    """
    sys.stdout = _wrap(sys.stdout, ResultStream)
    sys.stderr = _wrap(sys.stderr, MessageStream)


def hand_on_output() -> None:
    """Write what stdout still holds; where that fails, give stdout up.

    Python would otherwise try once more at the end of the process, fail again, and say so.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except (OSError, OutputError):
        sys.stdout = None


class VisibleStream(io.TextIOWrapper):
    """A text stream that writes characters without ink by their codes."""

    def write(self, text: str, /) -> int:
        """Write a text; gives the number of its characters, as it was handed over."""
        super().write(_make_lines_visible(text, keep_styles=self.isatty()))
        return len(text)


class ResultStream(VisibleStream):
    """Stdout: what cannot be written there is an error."""

    def write(self, text: str, /) -> int:
        """Write a text.

        Raises:
            ReaderGoneError: Nobody reads any more.
            OutputError: There is no room, or the stream failed.
        """
        try:
            return super().write(text)
        except OSError as error:
            raise _output_error(error) from error

    def flush(self) -> None:
        """Hand on what was written.

        Raises:
            ReaderGoneError: Nobody reads any more.
            OutputError: There is no room, or the stream failed.
        """
        try:
            super().flush()
        except OSError as error:
            raise _output_error(error) from error


class MessageStream(VisibleStream):
    """Stderr: what cannot be written there is lost, and the command goes on."""

    def write(self, text: str, /) -> int:
        """Write a text, if that is possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Hand on what was written, if that is possible."""
        with suppress(OSError):
            super().flush()


class DrawingStream(MessageStream):
    """Stderr for what draws on a terminal, and has made its texts visible itself."""

    def write(self, text: str, /) -> int:
        """Write a text with its control sequences, if that is possible."""
        with suppress(OSError):
            io.TextIOWrapper.write(self, text)
        return len(text)


def drawing_stream(stream: TextIO) -> TextIO:
    """Give a stream to the same terminal that lets control sequences pass."""
    if not isinstance(stream, MessageStream):
        return stream
    # The descriptor stays with the stream that it is borrowed from.
    writer = os.fdopen(stream.fileno(), "wb", closefd=False)
    return DrawingStream(
        writer, encoding=stream.encoding, errors="backslashreplace", line_buffering=True
    )


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _wrap(stream: TextIO | None, kind: type[VisibleStream]) -> TextIO | None:
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, VisibleStream):
        return stream
    encoding = stream.encoding
    # click takes ASCII for a mistake in the settings, and would write past this stream.
    if encoding.lower() in {"ascii", "us-ascii", "ansi_x3.4-1968"}:
        encoding = "utf-8"
    is_line_buffered = stream.line_buffering
    return kind(
        stream.detach(),
        encoding=encoding,
        # Paths may hold bytes that are no text.
        errors="backslashreplace",
        line_buffering=is_line_buffered or kind is MessageStream,
    )


def _make_lines_visible(text: str, *, keep_styles: bool) -> str:
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    separators = _STYLE if keep_styles else _LINE_ENDS
    parts = separators.split(text)
    # The odd ones are what was split at.
    for index in range(0, len(parts), 2):
        if keep_styles:
            parts[index] = _make_lines_visible(parts[index], keep_styles=False)
        else:
            parts[index] = make_visible(parts[index])
    return "".join(parts)


def _output_error(error: OSError) -> OutputError:
    if isinstance(error, BrokenPipeError):
        return ReaderGoneError("standard output: nobody reads any more")
    return OutputError(f"standard output: cannot be written ({error.strerror})")
