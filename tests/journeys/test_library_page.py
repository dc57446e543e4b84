"""The page on the library: its examples run as they stand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from journeys.sample_code import SHOP, write_code

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A directory to work in, with the small package that the examples are about."""
    root = tmp_path / "workspace"
    write_code(root / "shop", SHOP)
    return root


def test_the_examples_run_in_their_order_in_one_namespace(workspace: Path, tmp_path: Path) -> None:
    program = workspace / "library.py"
    program.write_text(python_lines(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-W", "error", program.name],
        cwd=workspace,
        env={**os.environ, "GOLDWRIGHT_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    # Lines of the traceback are lines of the page.
    assert result.returncode == 0, result.stderr
    assert len(result.stdout.splitlines()) > 20


def python_lines(page: str) -> str:
    """Keep the lines of Python blocks where they are, and blank all others."""
    lines = []
    inside = False
    for line in page.splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines) + "\n"
