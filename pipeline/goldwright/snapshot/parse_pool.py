"""Worker processes that parse many files at once; a file that kills a parser costs itself alone."""

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
from goldwright.snapshot.parse_worker import read_frame, write_frame

# Enough work for a worker that the exchange of a frame does not count.
BATCH_BYTES: Final = 200_000
PARSE_WORKER: Final = "goldwright.snapshot.parse_worker"
CRASHED: Final = msgspec.msgpack.encode(FileFacts(reason="the parser crashed on it"))

_Worker = subprocess.Popen[bytes]


class ParsePool:
    """Worker processes that draw files from one queue, largest first, each led by a thread."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        workers: int,
        arguments: Sequence[str],
        module: str = PARSE_WORKER,
        crashed: bytes = CRASHED,
    ) -> None:
        """Prepare the work.

        Args:
            files: The contents of the files by any keys.
            workers: How many processes parse at once.
            arguments: What each process is told to do, as its module reads it.
            module: What each process runs.
            crashed: The answer for a file that kills a process.
        """
        self._files = files
        self._workers = workers
        self._arguments = [module, *arguments]
        self._crashed = crashed
        self._batches: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        self._facts: dict[str, bytes] = {}

    def parse(self) -> dict[str, bytes]:
        """Parse all files and give their encoded facts by the same keys, in the same order."""
        for batch in _batches(self._files):
            self._batches.put(batch)
        threads: list[threading.Thread] = []
        for _ in range(self._workers):
            # A thread waits for its worker, so it takes nothing from the parsing.
            thread = threading.Thread(target=self._lead_workers, daemon=True)
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()
        return {key: self._facts.get(key, self._crashed) for key in self._files}

    def _lead_workers(self) -> None:
        """Lead one worker after another until the queue is empty."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._lead_worker()

    def _lead_worker(self) -> None:
        """Keep one worker busy until it dies on a batch.

        Raises:
            queue.Empty: There is nothing left to do.
        """
        worker = _start_worker(self._arguments)
        try:
            while True:
                batch = self._batches.get_nowait()
                contents = [self._files[key] for key in batch]
                answers = _parse_batch(worker, contents)
                if answers is None:
                    self._divide(batch)
                    return
                self._facts.update(zip(batch, answers, strict=True))
        finally:
            _stop_worker(worker)

    def _divide(self, batch: list[str]) -> None:
        """Put the files of a batch back one by one.

        One of them kills the parser; alone, only that one is lost.
        """
        if len(batch) == 1:
            return
        for key in batch:
            self._batches.put([key])


def _batches(files: Mapping[str, bytes]) -> Iterator[list[str]]:
    """Yield keys whose files have at least the size of a batch, the last ones excepted."""
    batch: list[str] = []
    size = 0
    # The largest first, so that none of them is what all wait for at the end.
    for key in sorted(files, key=lambda key: (-len(files[key]), key)):
        batch.append(key)
        size += len(files[key])
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _start_worker(arguments: Sequence[str]) -> _Worker:
    package_root = str(Path(__file__).parents[2])
    search_path = [package_root, *filter(None, sys.path)]
    return subprocess.Popen(  # noqa: S603  # this interpreter with a module of ours, and no shell
        [sys.executable, "-X", "utf8", "-m", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(search_path)},
    )


def _parse_batch(worker: _Worker, contents: list[bytes]) -> list[bytes] | None:
    """Have a batch parsed; None when the worker died over it."""
    if worker.stdin is None or worker.stdout is None:
        return None
    try:
        write_frame(worker.stdin, msgspec.msgpack.encode(contents))
        answer = read_frame(worker.stdout)
    except BrokenPipeError:
        return None
    if answer is None:
        return None
    return msgspec.msgpack.decode(answer, type=list[bytes])


def _stop_worker(worker: _Worker) -> None:
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    worker.kill()
    worker.wait()
