"""The stderr of an MCP server that was started here: its process id, and what it complained of."""

import contextlib
import os
import signal
import tempfile
from collections.abc import Sequence
from typing import Final, TextIO

from goldwright.text import make_visible, shorten

_LONGEST_LINE: Final = 200
# Bytes from the end of the log in which its last line is looked for.
_TAIL_SIZE: Final = 1 << 16
# The SDK does not tell the process id of a server. The shell writes its own, as the first line of
# the log, before it becomes the server.
_WRITE_ID_AND_BECOME: Final = ("/bin/sh", "-c", 'echo $$ >&2; exec "$@"', "sh")


class McpServerLog:
    """A temporary file that a server writes its stderr to.

    Attributes:
        file: The file; empty for a server that was not started here.
    """

    def __init__(self) -> None:
        self.file: TextIO = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed by ``close``

    def command(self, server_command: Sequence[str]) -> list[str]:
        """Return the command that starts a server and logs its process id."""
        return [*_WRITE_ID_AND_BECOME, *server_command]

    def last_line(self) -> str:
        """Return the last line that is not blank, shortened; empty where there is none."""
        descriptor = self.file.fileno()
        size = os.fstat(descriptor).st_size
        start = max(size - _TAIL_SIZE, 0)
        tail = os.pread(descriptor, _TAIL_SIZE, start)
        # The first line is the process id, or else cut off at its beginning.
        _, _, complete_lines = tail.partition(b"\n")
        text = complete_lines.decode("utf-8", "replace")
        for line in reversed(text.splitlines()):
            if line.strip():
                return shorten_line(line)
        return ""

    def kill_server(self) -> None:
        """Kill the server and the children that it left in its process group."""
        descriptor = self.file.fileno()
        beginning = os.pread(descriptor, _TAIL_SIZE, 0)
        first_line, _, _ = beginning.partition(b"\n")
        # 0 and 1 would stand for this program's own group and for every process there is.
        if not first_line.isdigit() or int(first_line) <= 1:
            return
        # The SDK starts a server as the leader of its process group.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(int(first_line), signal.SIGKILL)

    def close(self) -> None:
        """Delete the file."""
        self.file.close()


def shorten_line(text: str) -> str:
    """Show a text of any length and origin in one line."""
    one_line = " ".join(text.split())
    return shorten(make_visible(one_line), _LONGEST_LINE)
