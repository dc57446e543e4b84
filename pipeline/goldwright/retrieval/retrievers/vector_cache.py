"""Vectors kept between runs, by the digest of the text that they were made from."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from goldwright.retrieval.retrievers.text_encoder import Vectors

FORMAT: Final = "1"
_DIGEST: Final = hashlib.sha256().digest_size


class VectorCache:
    """A directory of files that are created once and never changed, each with the vectors of some
    texts.

    A file holds the SHA-256 of the rest, the number of vectors, their keys and their rows in single
    precision, least byte first. One that is damaged is taken away, and a directory that cannot be
    read or written counts as empty.
    """

    def __init__(self, directory: Path, *, codebase: str, encoder: str) -> None:
        made_by = hashlib.sha256(f"{FORMAT}\n{encoder}".encode()).hexdigest()[:16]
        self._directory = directory / f"{codebase}-{made_by}"

    def load(self) -> dict[bytes, Vectors]:
        """The vectors by key, as far as they can be trusted."""
        found: dict[bytes, Vectors] = {}
        with contextlib.suppress(OSError):
            for path in sorted(self._directory.glob("*.vectors")):
                kept = _read(path)
                found.update(kept)
                if not kept:
                    path.unlink()
        return found

    def add(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Keep vectors of one length under their keys, in a new file; that it cannot be written is
        no error.
        """
        keys = b"".join(vectors)
        rows = np.stack(list(vectors.values())).astype("<f4").tobytes()
        body = len(vectors).to_bytes(8, "little") + keys + rows
        path = self._directory / f"{hashlib.sha256(keys).hexdigest()[:32]}.vectors"
        with contextlib.suppress(OSError):
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, fresh = tempfile.mkstemp(dir=self._directory, prefix=".vectors-")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(hashlib.sha256(body).digest() + body)
                os.link(fresh, path)
            finally:
                Path(fresh).unlink()


def key_of(text: str) -> bytes:
    """The key of a text: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _read(path: Path) -> dict[bytes, Vectors]:
    data = path.read_bytes()
    digest, body = data[:_DIGEST], data[_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        return {}
    count = int.from_bytes(body[:8], "little")
    keys, rows = body[8 : 8 + count * _DIGEST], body[8 + count * _DIGEST :]
    matrix = np.frombuffer(rows, dtype="<f4").astype(np.float32).reshape(count, -1)
    return {keys[place * _DIGEST : (place + 1) * _DIGEST]: matrix[place] for place in range(count)}
