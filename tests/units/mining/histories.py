"""Histories that are written for one test."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from random import Random

from goldwright.mining import Mined, MiningSettings, mine_history
from goldwright.snapshot import Snapshot, open_snapshot

DAY = 86_400


class Repository:
    """A repository of a test; each commit is a day younger than the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._day = 0
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        """Run git as a user does, who has no settings."""
        date = f"{1_600_000_000 + self._day * DAY} +0000"
        environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
        }
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        command = ["git", "-C", str(self.path), *identity, *arguments]
        run = subprocess.run(command, env=environment, capture_output=True, check=True)
        return run.stdout.decode().strip()

    def commit(
        self, message: str, files: Mapping[str, str | None], *, author: str | None = None
    ) -> str:
        """Write files, or remove those that are None, and commit them."""
        self._day += 1
        for name, text in files.items():
            path = self.path / name
            if text is None:
                self.git("rm", "-q", "--", name)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        by = ("--author", author) if author else ()
        self.git("commit", "-q", "--allow-empty", "-m", message, *by)
        return self.git("rev-parse", "HEAD")

    def open(self, cache: Path) -> Snapshot:
        """Open the last commit."""
        return open_snapshot(self.path, rev="HEAD", cache=cache, chance=Random(1))


def mine(repository: Repository, cache: Path, **settings: object) -> Mined:
    """Mine all of a history."""
    snapshot = repository.open(cache)
    chosen = MiningSettings(**settings)  # type: ignore[arg-type]  # as the test names them
    return mine_history(
        snapshot.mirror, snapshot.commit, chosen, snapshot=snapshot, report=lambda _: None
    )
