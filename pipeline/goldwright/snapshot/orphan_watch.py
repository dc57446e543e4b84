"""Ends the processes that we started when we are killed and cannot do it ourselves.

Nothing of ours runs after SIGKILL, and a git that waits for a pipe would wait on for ever. So a
small shell stands by: it is told of every process group, and when its input ends, because we have
ended, it kills those that are left. It needs no privileges, and works wherever there is a shell.
"""

import atexit
import os
import subprocess
from contextlib import suppress
from functools import lru_cache
from threading import Lock
from typing import Final

# ``+ 12`` begins and ``- 12`` ends the life of group 12. A terminal's signals are not for it.
_SCRIPT: Final = """
trap '' HUP INT QUIT TERM
live=' '
while read -r sign group; do
  case "$sign" in
    +) live="$live$group " ;;
    -) live="${live%% "$group" *} ${live#* "$group" }" ;;
  esac
done
for group in $live; do kill -s KILL -- "-$group"; done
"""
_GOODBYE_SECONDS: Final = 5.0


class _Watch:
    """The shell that stands by for one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        environment = {"PATH": os.defpath}
        self._shell = subprocess.Popen(  # noqa: S603  # a script of ours, and no word of another
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd="/",
            start_new_session=True,
        )
        atexit.register(self._close)

    def tell(self, sign: str, group: int) -> None:
        """Say that a group began or ended."""
        line = f"{sign} {group}\n".encode("ascii")
        stdin = self._shell.stdin
        # Without its watch a group is still ended by us in every case but SIGKILL.
        with self._lock, suppress(OSError, ValueError):
            if stdin is not None:
                stdin.write(line)
                stdin.flush()

    def _close(self) -> None:
        with suppress(OSError, subprocess.TimeoutExpired):
            if self._shell.stdin is not None:
                self._shell.stdin.close()
            self._shell.wait(_GOODBYE_SECONDS)


def watch_group(group: int) -> None:
    """Have a process group killed should this process end before ``forget_group``."""
    with suppress(OSError):
        _watch_of(os.getpid()).tell("+", group)


def forget_group(group: int) -> None:
    """Say that a group has ended; to be called before its number can mean another one."""
    with suppress(OSError):
        _watch_of(os.getpid()).tell("-", group)


# A forked process is another one and gets its own watch; hence the argument.
@lru_cache(maxsize=1)
def _watch_of(_process: int) -> _Watch:
    return _Watch()
