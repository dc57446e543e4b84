"""Vectors kept between runs, by the digest of the text that they were computed from."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from goldwright.retrieval.embedders.port import Vectors
from goldwright.retrieval.vector_sets import TEMPORARY_PREFIX

# Part of the directory's name; a change leaves all older files aside.
FORMAT: Final = "1"
_DIGEST_SIZE: Final = hashlib.sha256().digest_size
_COUNT_SIZE: Final = 8


class VectorCache:
    """A directory of files that are created once and never changed, each with some vectors.

    A file contains, one behind the other: the SHA-256 of all that follows, the number of vectors
    (8 bytes), their keys, and their rows in single precision; numbers have their least byte first.
    A damaged file is deleted, and a directory that cannot be read or written counts as empty.
    """

    def __init__(self, directory: Path, *, codebase: str, encoder: str) -> None:
        identity = f"{FORMAT}\n{encoder}"
        digest = hashlib.sha256(identity.encode()).hexdigest()
        name = f"{codebase}-{digest[:16]}"
        self._directory = directory / name

    def load(self) -> dict[bytes, Vectors]:
        """Return all undamaged vectors by key."""
        vectors: dict[bytes, Vectors] = {}
        with contextlib.suppress(OSError):
            for path in sorted(self._directory.glob("*.vectors")):
                vectors.update(_read_or_delete_file(path))
        return vectors

    def add(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Keep vectors of one length under their keys, in a new file.

        Failing to write it is no error: they are computed again next time.
        """
        keys = b"".join(vectors)
        rows = np.stack(list(vectors.values()))
        row_bytes = rows.astype("<f4").tobytes()
        count = len(vectors).to_bytes(_COUNT_SIZE, "little")
        # Named by its keys, so that two processes that write the same vectors write one file.
        name = hashlib.sha256(keys).hexdigest()[:32]
        with contextlib.suppress(OSError):
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = self._directory / f"{name}.vectors"
            _create_file(path, count + keys + row_bytes)


def key_of(text: str) -> bytes:
    """Return the key of a text: its SHA-256."""
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).digest()


def _create_file(path: Path, body: bytes) -> None:
    """Write a file under another name and link it, so that it is never seen half written.

    Raises:
        OSError: It cannot be written, or exists already.
    """
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY_PREFIX)
    try:
        with os.fdopen(descriptor, "wb") as file:
            digest = hashlib.sha256(body).digest()
            file.write(digest + body)
        os.link(temporary, path)
    finally:
        Path(temporary).unlink()


def _read_or_delete_file(path: Path) -> dict[bytes, Vectors]:
    """Read the vectors of a file; a damaged one is deleted and has none."""
    data = path.read_bytes()
    digest = data[:_DIGEST_SIZE]
    body = data[_DIGEST_SIZE:]
    if hashlib.sha256(body).digest() != digest:
        path.unlink()
        return {}
    count = int.from_bytes(body[:_COUNT_SIZE], "little")
    keys_end = _COUNT_SIZE + count * _DIGEST_SIZE
    numbers = np.frombuffer(body[keys_end:], dtype="<f4")
    rows = numbers.astype(np.float32).reshape(count, -1)
    vectors: dict[bytes, Vectors] = {}
    for index, row in enumerate(rows):
        key_start = _COUNT_SIZE + index * _DIGEST_SIZE
        key = body[key_start : key_start + _DIGEST_SIZE]
        vectors[key] = row
    return vectors
