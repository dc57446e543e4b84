"""Facts kept between runs, by the git object id of the content they were read from."""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from goldwright.snapshot.file_facts import INDEX_VERSION

# Of SHA-256; the digest stands before the facts.
DIGEST_BYTES: Final = 32


class FactCache:
    """One file of encoded facts for one codebase.

    A file that is damaged or of another version counts as empty. Two processes may write at once:
    each puts a complete file in place, and the last one stays.
    """

    def __init__(self, directory: Path, name: str) -> None:
        # Another interpreter has another grammar, and so reads other facts from the same content.
        version = f"{INDEX_VERSION}-{sys.implementation.cache_tag}"
        file_name = f"{name}-{version}.facts"
        self._path = directory / file_name

    def load(self) -> Mapping[str, bytes]:
        """Read the facts by object id; empty when there are none that can be trusted."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return {}
        digest = data[:DIGEST_BYTES]
        body = data[DIGEST_BYTES:]
        if hashlib.sha256(body).digest() != digest:
            return {}
        try:
            return msgspec.msgpack.decode(body, type=dict[str, bytes])
        except msgspec.DecodeError:
            return {}

    def save(self, facts: Mapping[str, bytes]) -> None:
        """Replace the facts; a cache that cannot be written is no error."""
        body = msgspec.msgpack.encode(dict(facts))
        digest = hashlib.sha256(body).digest()
        directory = self._path.parent
        with contextlib.suppress(OSError):
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, temporary = tempfile.mkstemp(dir=directory, prefix=".facts-")
            with os.fdopen(descriptor, "wb") as file:
                file.write(digest)
                file.write(body)
            Path(temporary).replace(self._path)
