"""Where files may not grow at will, no compiled module is left that later starts fail over."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_SCRIPT = """
import os, resource, subprocess, sys
from goldwright.process.bytecode import leave_no_cut_bytecode
limit = {limit}
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
sys.dont_write_bytecode = False
leave_no_cut_bytecode(os.environ)
import large_module
subprocess.run([sys.executable, "-c", "import second_module"], check=True)
"""
_MODULE = "\n".join(f"NAME_{number} = 'text {number}'" for number in range(400))


@pytest.mark.parametrize(
    ("limit", "is_cached"), [("4000", False), ("resource.RLIM_INFINITY", True)]
)
def test_no_compiled_module_is_cut(tmp_path: Path, limit: str, is_cached: bool) -> None:
    for name in ("large_module", "second_module"):
        (tmp_path / f"{name}.py").write_text(_MODULE)
    paths = [str(tmp_path), *sys.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-c", _SCRIPT.format(limit=limit)], env=environment, check=True)
    cached = sorted(path.name.partition(".")[0] for path in tmp_path.rglob("*.pyc"))
    assert cached == (["large_module", "second_module"] if is_cached else [])
