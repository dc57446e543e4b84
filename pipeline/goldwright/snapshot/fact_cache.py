"""Facts kept between runs, by the git object id of the content they were read from."""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from goldwright.snapshot.file_facts import INDEX_VERSION

DIGEST_BYTES = 32


class FactCache:
    """One file of encoded facts for one codebase; a file that is damaged or of another version
    counts as empty.

    Two processes may write at once: each puts a whole file in place, and the last one stays.
    """

    def __init__(self, directory: Path, name: str) -> None:
        version = f"{INDEX_VERSION}-{sys.implementation.cache_tag}"
        self._path = directory / f"{name}-{version}.facts"

    def load(self) -> Mapping[str, bytes]:
        """The facts by object id; empty when there are none that can be trusted."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return {}
        body = data[DIGEST_BYTES:]
        if hashlib.sha256(body).digest() != data[:DIGEST_BYTES]:
            return {}
        try:
            return msgspec.msgpack.decode(body, type=dict[str, bytes])
        except msgspec.DecodeError:
            return {}

    def save(self, facts: Mapping[str, bytes]) -> None:
        """Put the facts in place of what was there; a cache that cannot be written is no error."""
        body = msgspec.msgpack.encode(dict(facts))
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, fresh = tempfile.mkstemp(dir=self._path.parent, prefix=".facts-")
            with os.fdopen(descriptor, "wb") as file:
                file.write(hashlib.sha256(body).digest())
                file.write(body)
            Path(fresh).replace(self._path)
