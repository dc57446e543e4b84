"""What tests of the snapshot get."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from goldwright.snapshot import Snapshot, open_snapshot
from units.snapshot.codebases import OpenFiles


@pytest.fixture
def open_files(tmp_path: Path) -> OpenFiles:
    """Write files, and open the directory that holds them as a snapshot."""

    def write_and_open(files: Mapping[str, str | bytes]) -> Snapshot:
        for name, content in files.items():
            path = tmp_path / "code" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return open_snapshot(tmp_path / "code", cache=tmp_path / "cache")

    return write_and_open
