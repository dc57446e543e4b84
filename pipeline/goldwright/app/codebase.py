"""The codebase that a request names, pinned and indexed."""

from pathlib import Path
from typing import Protocol

from goldwright.app.environment import Environment
from goldwright.snapshot import Snapshot, open_snapshot


class CodebaseRequest(Protocol):
    """A request that names a codebase and the state to pin it to."""

    @property
    def repo(self) -> Path:
        """A git repository or a plain directory."""
        ...

    @property
    def rev(self) -> str | None:
        """The commit; HEAD where there is none."""
        ...

    @property
    def allow_dirty(self) -> bool:
        """Whether to pin the files of the work tree as they are."""
        ...


def open_codebase(request: CodebaseRequest, environment: Environment) -> Snapshot:
    """Pin and index a codebase; the index is cached, so the second time is fast.

    Raises:
        InputError: It cannot be read, has no such commit, or has uncommitted changes.
    """
    return open_snapshot(
        request.repo,
        rev=request.rev,
        cache=environment.cache,
        allow_dirty=request.allow_dirty,
        chance=environment.chance,
    )
