"""Keeping the garbage collector out of the way."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def keep_for_good() -> None:
    """Let the collector pass over everything that exists by now.

    The index of a large codebase holds millions of objects and lives as long as the run; going
    through it again and again took a third of the time of dealing its questions.
    """
    gc.freeze()


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Keep the collector away from the many short-lived nodes of a parse, which form no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
