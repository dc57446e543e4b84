"""Work on a case that fails over a file: the case is declined, and the file is set aside."""

from collections.abc import Callable
from typing import TypeVar

from goldwright.agents.roles import RoleRefusedError
from goldwright.errors import GoldwrightError
from goldwright.records import QueryCandidate
from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.file_guard import blame

T = TypeVar("T")


def decline_unreadable(
    codebase: Codebase, candidate: QueryCandidate, purpose: str, work: Callable[[], T]
) -> T:
    """Do some work of a program, not of a model, on a case.

    Args:
        codebase: The codebase.
        candidate: The case. The file of its first target is set aside unless the error came up
            over what was read of another one.
        purpose: What is done, as in ``answering``.
        work: Does it.

    Raises:
        RoleRefusedError: It failed over a file.
        GoldwrightError: The input or state of the program is not what it should be.
        OSError: A file of ours cannot be read.
    """
    try:
        return work()
    except (GoldwrightError, OSError, RoleRefusedError):
        raise
    except Exception as error:  # the law of ``file_guard``
        path, _ = split_entity_id(candidate.target_entity_ids[0])
        reason = blame(codebase, path, purpose, error)
        raise RoleRefusedError(f"unreadable: {reason}") from error
