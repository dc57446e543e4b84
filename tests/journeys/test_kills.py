"""A run that is killed and resumed ends as one that was left alone."""

import subprocess
import sys
from pathlib import Path

CAMPAIGN = Path(__file__).resolve().parents[1] / "benchmarks" / "kill_campaign.py"


def test_killed_runs_end_in_the_same_records_as_one_that_was_left_alone() -> None:
    """Eight kills at seeded moments and system calls: nothing is lost, doubled or different."""
    command = [sys.executable, str(CAMPAIGN), "--kills", "8", "--seed", "11"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    verdict = done.stdout.splitlines()[-1]
    assert verdict.startswith("8 kills, ")
    assert ": 0 lost, 0 duplicated, 0 mismatched (" in verdict
