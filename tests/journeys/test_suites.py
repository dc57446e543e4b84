"""``goldwright suite`` and ``merge``: one dataset over codebases, however it was computed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from journeys.conftest import Command
from journeys.live import PLAN
from journeys.tutorials import forked_program

# What a job of an array runs, as docs/scale.md shows it.
JOB = (
    'exec "$PYTHON" -m goldwright suite run suite.toml --out "shard-$SLURM_ARRAY_TASK_ID"'
    ' --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"'
)


@pytest.fixture
def suite(workplace: Path, code: Path) -> Path:
    (workplace / "small.json").write_text(PLAN)
    lines = ["name = 'shops'", "plan = 'small.json'"]
    for name, repo in (("early", code), ("late", code), ("gone", workplace / "nowhere")):
        seed = 7 if name == "late" else 0
        lines += ["[[codebases]]", f"name = '{name}'", f"repo = '{repo}'", f"seed = {seed}"]
    path = workplace / "suite.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def forked_python(tmp_path: Path) -> Path:
    """A script that starts the program as ``python -m goldwright`` does."""
    program, python = tmp_path / "goldwright", tmp_path / "python"
    program.write_text(forked_program())
    python.write_text(f'#!/bin/sh\nshift 2\nexec {program} "$@"\n')
    for script in (program, python):
        script.chmod(0o755)
    return python


def start_job(
    workplace: Path, cache: Path, number: int, python: Path | str = sys.executable
) -> "subprocess.Popen[bytes]":
    variables = {
        **os.environ,
        "GOLDWRIGHT_CACHE": str(cache),
        "PYTHON": str(python),
        "SLURM_ARRAY_TASK_ID": str(number),
        "SLURM_ARRAY_TASK_COUNT": "2",
    }
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        ["sh", "-c", JOB], cwd=workplace, env=variables, stdout=quiet, stderr=quiet
    )


def wait_for(path: Path, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if any(path.glob("*/runs/*/run.json")):
            return
        assert process.poll() is None
        time.sleep(0.05)
    pytest.fail("no run began within 30 s")


def test_an_array_of_shards_one_of_them_killed_gives_the_bytes_of_one_machine(
    suite: Path, workplace: Path, cache: Path, goldwright: Command, forked_python: Path
) -> None:
    run = goldwright("suite", "run", suite, "--out", "one", "--json")
    # The codebase that is not there costs itself only.
    assert run.returncode == 1
    state = json.loads(run.stdout)
    assert [done["codebase"] for done in state["done"]] == ["early", "late"]
    assert list(state["failures"]) == ["gone"]
    killed = start_job(workplace, cache, 1)
    wait_for(workplace / "shard-1" / "codebases", killed)
    killed.kill()
    killed.wait()
    for number in (1, 2):
        job = start_job(workplace, cache, number, forked_python)
        job.wait()
    merge = goldwright("merge", "shard-1", "shard-2", "--out", "merged")
    assert merge.returncode == 1
    assert "gone: failed" in merge.stdout
    refused = goldwright("suite", "export", "merged", "--version", "1.0")
    assert refused.returncode == 1
    assert "not done: gone" in refused.stderr
    written = []
    for place in ("one", "merged"):
        export = goldwright("suite", "export", place, "--version", "1.0", "--partial")
        path = Path(export.stdout.strip())
        provenance = path.with_name("suite_v1.0.draft.provenance.json")
        written.append((workplace / path).read_bytes() + (workplace / provenance).read_bytes())
    assert written[0] == written[1]
    score = goldwright("suite", "eval", suite, "merged", "--retriever", "bm25", "--json")
    assert score.returncode == 1
    report = json.loads(score.stdout)
    assert list(report["codebases"]) == ["early", "late"]
    means = [
        sum(query["values"]["MRR"] for query in single["queries"]) / len(single["queries"])
        for single in report["codebases"].values()
    ]
    assert report["averages"]["MRR"]["macro"] == pytest.approx(sum(means) / 2)
