"""Facts for many files: in this process when they are few, in worker processes when that pays."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.language import Language
from goldwright.snapshot.parse_worker import read_frame, write_frame

# A worker takes about 80 ms to start, in which one process parses 700 kB; measured on two cores.
SMALLEST_SHARED_WORK: Final = 1_500_000
BATCH_BYTES: Final = 200_000
# The reason is the last field of the facts; an empty one is this byte in msgpack.
NO_REASON: Final = b"\xa0"
CRASHED: Final = msgspec.msgpack.encode(FileFacts(reason="the parser crashed on it"))


def facts_of(
    files: Mapping[str, bytes], language: Language, workers: int | None
) -> dict[str, bytes]:
    """Parse files and give their encoded facts by the same keys.

    The number of workers (at least 1; as many as there are cores when there is none) changes
    nothing else.
    """
    count = min(workers or os.cpu_count() or 1, len(files))
    size = sum(map(len, files.values()))
    if count >= 2 and size >= SMALLEST_SHARED_WORK:
        facts = _WorkerPool(files, count, language.name).work()
    else:
        facts = _facts_here(files, language)
    facts.update(_newer_facts(files, facts, language))
    return facts


def _newer_facts(
    files: Mapping[str, bytes], facts: Mapping[str, bytes], language: Language
) -> Mapping[str, bytes]:
    """Give the files that look newer than the first reader to the second; keep what it can read."""
    newer = {}
    for key, data in facts.items():
        if _failed(data):
            reason = msgspec.msgpack.decode(data, type=FileFacts).reason
            if language.may_be_newer(files[key], reason):
                newer[key] = files[key]
    read = _WorkerPool(newer, 1, language.name, "--newer").work() if newer else {}
    return {key: data for key, data in read.items() if not _failed(data)}


def _failed(data: bytes) -> bool:
    return not data.endswith(NO_REASON)


def _facts_here(files: Mapping[str, bytes], language: Language) -> dict[str, bytes]:
    encoder = msgspec.msgpack.Encoder()
    with garbage_collection_paused():
        return {key: encoder.encode(language.read_facts(data)) for key, data in files.items()}


class _WorkerPool:
    """Worker processes that draw files from one queue, largest first, each led by a thread."""

    def __init__(self, files: Mapping[str, bytes], count: int, *arguments: str) -> None:
        self._files = files
        self._arguments = arguments
        self._count = count
        self._todo: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        self._done: dict[str, bytes] = {}

    def work(self) -> dict[str, bytes]:
        for batch in _batches(self._files):
            self._todo.put(batch)
        leaders = [threading.Thread(target=self._lead, daemon=True) for _ in range(self._count)]
        for leader in leaders:
            leader.start()
        for leader in leaders:
            leader.join()
        return {key: self._done.get(key, CRASHED) for key in self._files}

    def _lead(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._employ()

    def _employ(self) -> None:
        """Keep one worker busy until the queue is empty (then ``queue.Empty``) or the worker dies
        on a batch.
        """
        process = _hired(self._arguments)
        try:
            while True:
                batch = self._todo.get_nowait()
                answers = _ask(process, [self._files[key] for key in batch])
                if answers is None:
                    # One of them kills the parser; alone, only that one is lost.
                    for key in batch if len(batch) > 1 else ():
                        self._todo.put([key])
                    return
                self._done.update(zip(batch, answers, strict=True))
        finally:
            _dismiss(process)


def _batches(files: Mapping[str, bytes]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for key in sorted(files, key=lambda key: (-len(files[key]), key)):
        batch.append(key)
        size += len(files[key])
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _hired(arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    package_root = str(Path(__file__).parents[2])
    search_path = os.pathsep.join([package_root, *(path for path in sys.path if path)])
    return subprocess.Popen(  # noqa: S603  # this interpreter with a module of ours, and no shell
        [sys.executable, "-X", "utf8", "-m", "goldwright.snapshot.parse_worker", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.defpath, "PYTHONPATH": search_path},
    )


def _ask(process: "subprocess.Popen[bytes]", contents: list[bytes]) -> list[bytes] | None:
    """Have a batch parsed; ``None`` when the worker died over it."""
    if process.stdin is None or process.stdout is None:
        return None
    try:
        write_frame(process.stdin, msgspec.msgpack.encode(contents))
        answer = read_frame(process.stdout)
    except BrokenPipeError:
        return None
    return None if answer is None else msgspec.msgpack.decode(answer, type=list[bytes])


def _dismiss(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    process.kill()
    process.wait()
