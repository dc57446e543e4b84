"""A run with models that is killed and resumed ends as one that was left alone, and pays for little
twice.
"""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
CAMPAIGN = TESTS / "benchmarks" / "live_kills.py"


def test_killed_runs_with_models_end_in_the_same_dataset_and_pass_no_ceiling() -> None:
    command = [sys.executable, str(CAMPAIGN), "--kills", "2", "--seed", "7", "--clock"]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = done.stdout.splitlines()
    assert "datasets that differ: 0" in found
    assert "ceilings passed: 0" in found
    assert any(line.endswith("runs over that bound: 0") for line in found)
    assert any(line.endswith("runs that booked less than was billed: 0") for line in found)
