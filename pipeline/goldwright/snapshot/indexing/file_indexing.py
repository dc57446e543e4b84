"""Facts for many files: in this process when they are few, in worker processes when that pays."""

import os
from collections.abc import Collection, Mapping
from typing import Final

import msgspec

from goldwright.snapshot.file_facts import NO_REASON, FileFacts
from goldwright.snapshot.file_guard import REASONS_OF_A_MACHINE, allow_deep_trees
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.indexing.parse_pool import ParsePool
from goldwright.snapshot.indexing.parse_worker import FALLBACK, facts_in
from goldwright.snapshot.languages.language_port import Language

# In bytes. A worker takes about 80 ms to start, in which one process parses 700 kB; measured on
# two cores.
SMALLEST_SHARED_WORK: Final = 1_500_000
# In bytes. What a file of this size can do to a process costs it seconds at most; a larger one is
# read in a worker, which has limits of memory and time, however little there is to read beside it.
LARGEST_READ_HERE: Final = 64 * 1024


def facts_of(
    files: Mapping[str, bytes], language: Language, workers: int | None
) -> dict[str, bytes]:
    """Parse files and give their encoded facts by the same keys.

    Args:
        files: The contents of the files by any keys.
        language: The language of all of them.
        workers: How many processes may parse (at least 1); as many as there are cores when there
            is none. The number changes nothing but the time.
    """
    sizes = [len(data) for data in files.values()]
    count = worker_count(sizes, workers)
    if count:
        pool = ParsePool(files, workers=count, arguments=[language.name])
        facts = pool.parse()
    else:
        facts = _parse_here(files, language)
    facts.update(_facts_by_fallback(files, facts, language))
    return facts


def are_lasting(facts: bytes) -> bool:
    """Whether encoded facts say nothing but what is in the file, so that they may be kept."""
    return not _is_failure(facts) or _reason_in(facts) not in REASONS_OF_A_MACHINE


def worker_count(sizes: Collection[int], workers: int | None) -> int:
    """Say how many processes should read some files; 0 where this process may do it itself.

    Args:
        sizes: The bytes of each file.
        workers: How many processes may work; as many as there are cores when there is none.
    """
    if sum(sizes) >= SMALLEST_SHARED_WORK:
        return min(workers or os.cpu_count() or 1, len(sizes))
    return int(max(sizes, default=0) > LARGEST_READ_HERE)


def _parse_here(files: Mapping[str, bytes], language: Language) -> dict[str, bytes]:
    allow_deep_trees()
    encoder = msgspec.msgpack.Encoder()
    with garbage_collection_paused():
        return {key: encoder.encode(facts_in(data, language)) for key, data in files.items()}


def _facts_by_fallback(
    files: Mapping[str, bytes], facts: Mapping[str, bytes], language: Language
) -> Mapping[str, bytes]:
    """Give files that could not be read to the fallback reader; keep what it can read."""
    promising: dict[str, bytes] = {}
    for key, data in facts.items():
        if _is_failure(data) and language.may_fallback_read(files[key], _reason_in(data)):
            promising[key] = files[key]
    if not promising:
        return {}
    pool = ParsePool(promising, workers=1, arguments=[language.name, FALLBACK])
    fallback_facts = pool.parse()
    return {key: data for key, data in fallback_facts.items() if not _is_failure(data)}


def _is_failure(data: bytes) -> bool:
    """Return whether encoded facts hold a reason, without decoding them."""
    return not data.endswith(NO_REASON)


def _reason_in(data: bytes) -> str:
    return msgspec.msgpack.decode(data, type=FileFacts).reason
