"""Reading changes of files, here or in worker processes."""

from collections.abc import Mapping
from typing import Final

import msgspec

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
from goldwright.snapshot.file_guard import allow_deep_trees, attempt
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.indexing.file_indexing import worker_count
from goldwright.snapshot.indexing.parse_pool import ParsePool
from goldwright.snapshot.languages.language_catalog import language_named

CHANGE_WORKER: Final = "goldwright.snapshot.indexing.change_worker"


class ChangeRequest(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A change of one file.

    Attributes:
        language: The name of its language.
        old: The older content; None where the file is new.
        new: The newer content; None where the file is removed.
        hunks: The lines that changed.
    """

    language: str
    old: bytes | None
    new: bytes | None
    hunks: tuple[Hunk, ...]


def read_changes(
    requests: Mapping[str, ChangeRequest], workers: int | None = None
) -> dict[str, DefinitionChanges]:
    """Read changes of files, each guarded: what goes wrong over one costs that one alone.

    Args:
        requests: The changes by any keys.
        workers: How many processes may read; as many as there are cores when there is none. The
            number changes nothing but the time.
    """
    encoded = {key: msgspec.msgpack.encode(request) for key, request in requests.items()}
    sizes = [len(data) for data in encoded.values()]
    count = worker_count(sizes, workers)
    if count:
        pool = ParsePool(
            encoded, workers=count, arguments=(), module=CHANGE_WORKER, failed=encoded_failure
        )
        answers = pool.parse()
    else:
        allow_deep_trees()
        with garbage_collection_paused():
            answers = {key: encoded_change(data) for key, data in encoded.items()}
    return {key: _CHANGES.decode(answer) for key, answer in answers.items()}


def encoded_change(encoded_request: bytes) -> bytes:
    """Read one change; both sides are encoded, as they travel between processes."""
    request = _REQUESTS.decode(encoded_request)
    language = language_named(request.language)

    def work() -> DefinitionChanges:
        return language.code_change(request.old, request.new, request.hunks)

    return msgspec.msgpack.encode(attempt(work, _failure))


def encoded_failure(reason: str) -> bytes:
    """Write the answer for a change that ended its process."""
    return msgspec.msgpack.encode(_failure(reason))


def _failure(reason: str) -> DefinitionChanges:
    return DefinitionChanges(reason=reason)


_REQUESTS: Final = msgspec.msgpack.Decoder(ChangeRequest)
_CHANGES: Final = msgspec.msgpack.Decoder(DefinitionChanges)
