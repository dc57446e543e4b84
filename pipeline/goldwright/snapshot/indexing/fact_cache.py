"""Facts kept between runs, by the git object id of the content they were read from."""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from goldwright.snapshot.disposal import make_own_directory, remove_entry
from goldwright.snapshot.file_facts import INDEX_VERSION
from goldwright.snapshot.plain_files import read_plain_file

TEMPORARY_PREFIX: Final = ".facts-"
"""How the names of files begin that were not finished."""

FACTS_SUFFIX: Final = ".facts"

# Of the file; the facts inside have a version of their own.
_FORMAT: Final = 2
# Of each entry; it stands before the facts.
DIGEST_BYTES: Final = 16
# Facts of 200,000 files, the most that are read, take some 600 MB.
_MOST_BYTES: Final = 4 * 1024 * 1024 * 1024
# Keeps these digests apart from any other digest of the same bytes; BLAKE2 takes 16 bytes.
_PURPOSE: Final = b"goldwright-facts"
_DECODER: Final = msgspec.msgpack.Decoder(dict[str, bytes])


@dataclass(frozen=True, slots=True)
class CachedFacts:
    """What a cache holds.

    Attributes:
        by_oid: Encoded facts by object id; empty when there are none that can be trusted.
        fault: What is wrong with the file; None where nothing is, or there is none.
    """

    by_oid: Mapping[str, bytes] = field(default_factory=dict)
    fault: str | None = None


class FactCache:
    """One file of encoded facts for one codebase and language.

    Each entry carries a digest of itself, its object id, the language and the version of the
    reader, so that none can stand in another's place. Two processes may write at once: each puts a
    complete file in place, and the last one stays.

    Attributes:
        path: The file.
    """

    def __init__(self, directory: Path, codebase: str, language: str) -> None:
        # Another interpreter has another grammar, and so reads other facts from the same content.
        interpreter = sys.implementation.cache_tag
        version = f"{_FORMAT}.{INDEX_VERSION}-{interpreter}"
        self.path = directory / f"{codebase}-{language}-{version}{FACTS_SUFFIX}"
        self._context = f"{language}-{version}"

    def load(self) -> CachedFacts:
        """Read all facts; those of a file with any fault are not used."""
        if not os.path.lexists(self.path):
            return CachedFacts()
        data = read_plain_file(self.path, most_bytes=_MOST_BYTES)
        if data is None:
            return CachedFacts(fault="is no file that can be read")
        if not _is_ours(self.path):
            return CachedFacts(fault="may have been written by another user")
        try:
            entries = _DECODER.decode(data)
        except (msgspec.DecodeError, RecursionError):
            return CachedFacts(fault="is cut off or changed")
        facts: dict[str, bytes] = {}
        for oid, entry in entries.items():
            facts[oid] = entry[DIGEST_BYTES:]
            if self._digest(oid, facts[oid]) != entry[:DIGEST_BYTES]:
                return CachedFacts(fault="holds facts that are not what was written")
        return CachedFacts(facts)

    def save(self, facts: Mapping[str, bytes]) -> None:
        """Replace the facts; a cache that cannot be written is no error."""
        entries = {oid: self._digest(oid, data) + data for oid, data in facts.items()}
        body = msgspec.msgpack.encode(entries)
        with contextlib.suppress(OSError):
            make_own_directory(self.path.parent)
            if os.path.lexists(self.path) and not self.path.is_file():
                remove_entry(self.path)
            self._put_in_place(body)

    @classmethod
    def at(cls, path: Path) -> "FactCache | None":
        """Give the cache that a file is; None where its name is that of another version."""
        codebase, _, language_and_version = path.stem.partition("-")
        language = language_and_version.partition("-")[0]
        fact_cache = cls(path.parent, codebase, language)
        return fact_cache if fact_cache.path == path else None

    def discard(self) -> None:
        """Remove the file; one that cannot be removed is no error."""
        with contextlib.suppress(OSError):
            remove_entry(self.path)

    def _put_in_place(self, body: bytes) -> None:
        descriptor, name = tempfile.mkstemp(dir=self.path.parent, prefix=TEMPORARY_PREFIX)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(body)
            Path(name).replace(self.path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise

    def _digest(self, oid: str, facts: bytes) -> bytes:
        header = f"{self._context}\0{oid}\0".encode("ascii", "replace")
        digest = hashlib.blake2b(header, digest_size=DIGEST_BYTES, person=_PURPOSE)
        digest.update(facts)
        return digest.digest()


def _is_ours(path: Path) -> bool:
    status = path.lstat()
    return status.st_uid == os.geteuid()
