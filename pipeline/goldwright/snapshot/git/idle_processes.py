"""Seeing that a process group waits for something that never comes.

Whoever opens a pipe or a terminal among a repository's files sleeps without using any time. A slow
disk looks different: its readers are in uninterruptible sleep, or come forward.
"""

from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")
_SLEEPING: Final = "S"
# Of ``/proc/PID/stat``, counted behind the name: state, group, and the two times in clock ticks.
_STATE: Final = 0
_GROUP: Final = 2
_TIMES: Final = slice(11, 13)


class IdleWatch:
    """Counts for how many looks in a row a process group has done nothing."""

    def __init__(self, group: int) -> None:
        self._group = str(group)
        self._ticks = -1
        self.idle_looks = 0

    def look(self) -> int:
        """Look once more, and give the number of idle looks up to now."""
        ticks, is_asleep = self._measure()
        if is_asleep and ticks == self._ticks:
            self.idle_looks += 1
        else:
            self.idle_looks = 0
        self._ticks = ticks
        return self.idle_looks

    def _measure(self) -> tuple[int, bool]:
        """Give the group's time in clock ticks, and whether all of it sleeps.

        Where there is no ``/proc`` nothing is ever called idle.
        """
        ticks = 0
        states: set[str] = set()
        for path in _PROCESSES.glob("[0-9]*/stat"):
            fields = _fields(path)
            if len(fields) > _TIMES.stop and fields[_GROUP] == self._group:
                ticks += sum(map(int, fields[_TIMES]))
                states.add(fields[_STATE])
        return ticks, states == {_SLEEPING}


def _fields(path: Path) -> list[str]:
    """Give the fields behind the name, which may hold spaces and parentheses; none if it ended."""
    try:
        line = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    return line.rpartition(")")[2].split()
