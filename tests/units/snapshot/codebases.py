"""Codebases that are written for one test."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from goldwright.snapshot import Snapshot

OpenFiles: TypeAlias = Callable[[Mapping[str, str | bytes]], Snapshot]
"""Writes files and opens them as a snapshot; a second call adds files to those of the first."""
