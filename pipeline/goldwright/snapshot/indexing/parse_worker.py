"""A process that parses files for another one: frames of files come in, frames of facts go out.

A frame of files holds a list of byte strings in msgpack. It is read to its end before it is
answered, with a frame for each file, so that neither side waits for the other with a full pipe and
the other side knows which file the process was at when it ended.

In both directions a frame is four bytes of length, most significant first, and then the content.
The process ends when its input does, and in the midst of a file soon after the one it works for. It
has little memory, and little time for each file: what takes more ends it.
"""

import contextlib
import math
import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Final

import msgspec

from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.file_guard import allow_deep_trees, attempt
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.languages.language_catalog import language_named
from goldwright.snapshot.languages.language_port import Language

LENGTH_BYTES: Final = 4
FALLBACK: Final = "--fallback"
# In bytes of address space. The largest file that is read takes half of it at most (measured: 2 MB
# of one dictionary take 1 GB).
MOST_MEMORY: Final = 2 << 30
# In seconds of a processor. The survey, which takes longest, reads more than 200 kB a second, and
# ten times as much of usual code (measured).
_SECONDS_FOR_A_FILE: Final = 5.0
_SECONDS_FOR_A_BYTE: Final = 20e-6
SECONDS_BETWEEN_LOOKS: Final = 0.5


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Read one frame; ``None`` when the stream ended."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    if len(data) < size:
        return None
    return data


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Write one frame, to the last byte."""
    head = len(data).to_bytes(LENGTH_BYTES, "big")
    stream.write(head)
    stream.write(data)
    stream.flush()


def seconds_for(size: int) -> float:
    """Say how long a processor may work over a file of a given size in bytes."""
    return _SECONDS_FOR_A_FILE + _SECONDS_FOR_A_BYTE * size


def main(arguments: list[str]) -> None:
    """Answer frames until there are no more.

    Args:
        arguments: The name of a language, and ``--fallback`` for its fallback reader.
    """
    language = language_named(arguments[0])
    encoder = msgspec.msgpack.Encoder()

    def answer(data: bytes) -> bytes:
        return encoder.encode(facts_in(data, language, fallback=FALLBACK in arguments))

    answer_frames(answer)


def facts_in(data: bytes, language: Language, *, fallback: bool = False) -> FileFacts:
    """Collect the facts of a file; those of a file that cannot be read say why."""
    read_facts = language.read_facts_by_fallback if fallback else language.read_facts
    return attempt(lambda: read_facts(data), lambda reason: FileFacts(reason=reason))


def answer_frames(answer: Callable[[bytes], bytes]) -> None:
    """Answer each byte string of each frame until there are no more frames."""
    allow_deep_trees()
    _limit(resource.RLIMIT_AS, MOST_MEMORY)
    _limit(resource.RLIMIT_CORE, 0)
    # In the midst of a file nobody reads the end of the frames.
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    decoder = msgspec.msgpack.Decoder(list[bytes])
    with garbage_collection_paused():
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            for data in decoder.decode(frame):
                _allow_time(seconds_for(len(data)))
                write_frame(sys.stdout.buffer, answer(data))


def _end_with(parent: int) -> None:
    """End this process as soon as its parent is gone.

    PR_SET_PDEATHSIG would end it with the thread that started it, which need not be the last.
    """
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def _allow_time(seconds: float) -> None:
    """Let the process end when it has worked for so long from now on."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    worked = usage.ru_utime + usage.ru_stime
    _limit(resource.RLIMIT_CPU, math.ceil(worked + seconds))


def _limit(kind: int, most: int) -> None:
    """Set a soft limit, as far as the system has one and allows it."""
    _, hard = resource.getrlimit(kind)
    soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (soft, hard))


if __name__ == "__main__":
    main(sys.argv[1:])
