"""Worker processes that parse many files at once; a file that kills a parser costs itself alone."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.file_guard import CRASHED, TOO_SLOW
from goldwright.snapshot.indexing.parse_worker import read_frame, seconds_for, write_frame

# Enough work for a worker that the exchange of a frame does not count.
BATCH_BYTES: Final = 200_000
PARSE_WORKER: Final = "goldwright.snapshot.indexing.parse_worker"
# In seconds. A worker ends by itself where it has worked too long; the clock on the wall is for one
# that waits, however busy the machine is.
_LONGEST_WAIT: Final = 60.0
_WAIT_FOR_WORK: Final = 10.0

_Worker = subprocess.Popen[bytes]


def _facts_without(reason: str) -> bytes:
    return msgspec.msgpack.encode(FileFacts(reason=reason))


class ParsePool:
    """Worker processes that draw files from one queue, largest first, each led by a thread."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        workers: int,
        arguments: Sequence[str],
        module: str = PARSE_WORKER,
        failed: Callable[[str], bytes] = _facts_without,
    ) -> None:
        """Prepare the work.

        Args:
            files: The contents of the files by any keys.
            workers: How many processes parse at once.
            arguments: What each process is told to do, as its module reads it.
            module: What each process runs.
            failed: Makes the answer for a file that ends a process, of the reason.
        """
        self._files = files
        self._workers = workers
        self._arguments = [module, *arguments]
        self._failed = failed
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
        # A file without an answer was on its way to a worker that could not even start.
        missing = self._failed(CRASHED)
        return {key: self._facts.get(key, missing) for key in self._files}

    def _lead_workers(self) -> None:
        """Lead one worker after another until the queue is empty."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._lead_worker()

    def _lead_worker(self) -> None:
        """Keep one worker busy until it ends over a batch.

        Raises:
            queue.Empty: There is nothing left to do.
        """
        worker = _start_worker(self._arguments)
        try:
            while True:
                batch = self._batches.get_nowait()
                contents = [self._files[key] for key in batch]
                answers = _parse_batch(worker, contents)
                self._facts.update(zip(batch, answers, strict=False))
                if len(answers) < len(batch):
                    unanswered_keys = batch[len(answers) :]
                    self._give_up(unanswered_keys, _reason_of_end(worker))
                    return
        finally:
            _stop_worker(worker)

    def _give_up(self, batch: list[str], reason: str) -> None:
        """Give up the first file of the rest of a batch, over which a worker ended.

        Where it did not end for want of time, the file is tried alone first: another one may have
        left too little memory for it.
        """
        culprit, *untried = batch
        if untried:
            self._batches.put(untried)
        if untried and reason == CRASHED:
            self._batches.put([culprit])
        else:
            self._facts[culprit] = self._failed(reason)


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
    package_root = str(Path(__file__).parents[3])
    search_path = [package_root, *filter(None, sys.path)]
    environment = {"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(search_path)}
    return subprocess.Popen(  # noqa: S603  # this interpreter with a module of ours, and no shell
        [sys.executable, "-X", "utf8", "-m", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _parse_batch(worker: _Worker, contents: list[bytes]) -> list[bytes]:
    """Have a batch parsed; there are fewer answers than files when the worker ended over one."""
    answers: list[bytes] = []
    if worker.stdin is None or worker.stdout is None:
        return answers
    size = sum(map(len, contents))
    seconds = _LONGEST_WAIT + _WAIT_FOR_WORK * seconds_for(size)
    clock = threading.Timer(seconds, worker.kill)
    clock.start()
    try:
        write_frame(worker.stdin, msgspec.msgpack.encode(contents))
        while len(answers) < len(contents):
            answer = read_frame(worker.stdout)
            if answer is None:
                break
            answers.append(answer)
    except BrokenPipeError:
        pass
    finally:
        clock.cancel()
    return answers


def _reason_of_end(worker: _Worker) -> str:
    """Say why a worker ended over a file: by its own limit, by our clock, or by itself."""
    code = worker.wait()
    return TOO_SLOW if -code in (signal.SIGXCPU, signal.SIGKILL) else CRASHED


def _stop_worker(worker: _Worker) -> None:
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    worker.kill()
    worker.wait()
