"""A whole run on a small repository, and what a user does with it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from effort import first_of
from goldwright.records import TASK_TYPES
from goldwright.stages.stage_graph import REPEATABLE_STAGES
from journeys.conftest import Command
from journeys.starting import PATIENCE_SECONDS, POLL_SECONDS, Started
from journeys.workplace import Workplace

STAGE_FILES: tuple[str, ...] = tuple(file for stage in REPEATABLE_STAGES for file in stage.writes)
# All are done again behind the first; but for little, nothing is behind the second.
MOST_AND_LEAST = ("author", "adversary")
OTHER_STAGES = [stage.name for stage in REPEATABLE_STAGES if stage.name not in MOST_AND_LEAST]
TIMES = {"created_at", "wall_clock_s"}


def plan_of(cells: Mapping[str, Mapping[str, int]]) -> str:
    """Write a plan of some cells, without a reserve."""
    total = sum(count for counts in cells.values() for count in counts.values())
    plan = {
        "schema_version": "1.0.0",
        "name": "own",
        "total": total,
        "minimum_total": total,
        "top_up_rounds": 0,
        "cells": cells,
    }
    return json.dumps(plan)


def records(run: Path, name: str) -> list[dict[str, object]]:
    """The records of a stage file without their times."""
    lines = (run / name).read_text().splitlines()
    return [
        {key: value for key, value in json.loads(line).items() if key not in TIMES}
        for line in lines
    ]


def test_a_smoke_run_from_start_to_draft(
    goldwright: Command, workplace: Path, repository: Path
) -> None:
    """Run, status, export and verify fit together, and the fates conserve."""
    done = goldwright("run", "smoke", "--repo", repository)
    name = done.stdout.strip()
    assert done.returncode in {0, 1}, done.stderr
    assert (workplace / "runs" / name / "run.json").is_file()
    assert "records selected" in done.stderr

    report = json.loads(goldwright("status", name, "--json").stdout)
    assert report["state"] == "complete"
    assert sum(report["fates"].values()) == report["emitted"]
    assert report["fates"]["failed_gate"] == 0
    assert report["selected"] >= 3
    assert (
        goldwright(
            "gate", workplace / "runs" / name / "01_oracle_answers.jsonl", "--repo", repository
        ).returncode
        == 0
    )

    exported = goldwright("export", "latest", "--version", "1.0", "--draft")
    assert exported.returncode == 0, exported.stderr
    draft = workplace / exported.stdout.strip()
    metadata = json.loads(draft.with_name("golden_v1.0.draft.meta.json").read_text())
    assert metadata["dataset_status"] == "agent_curated_pending_human_review"
    assert metadata["query_count"] == len(json.loads(draft.read_text())) == report["selected"]
    recall = metadata["label_recall"]
    assert recall == report["label_recall"]
    assert recall["records"] + recall["not_judged"] == report["selected"]
    low, high = recall["interval"]
    assert 0 <= low <= recall["recaptured"] / recall["brought"] <= high <= 1
    assert goldwright("verify", draft, "--repo", repository).returncode == 0
    again = goldwright("export", "latest", "--version", "1.0", "--draft")
    assert (again.returncode, "unchanged" in again.stderr) == (0, True)


def test_a_run_that_fell_short_is_taken_as_it_is_filled(
    goldwright: Command, finished: Workplace
) -> None:
    """No record changes, and the plan that it is held against is one that the codebase fills."""
    cells = {"locate": {"easy": 2}, "debug": {"hard": 90}}
    plan = {"schema_version": "1.0.0", "name": "much", "total": 92, "cells": cells}
    (finished.root / "much.json").write_text(json.dumps(plan))
    short = goldwright("run", "much.json", "--repo", finished.code, "--json")
    assert short.returncode == 1
    before = json.loads(short.stdout)
    assert before["selected"] < before["target"]
    told = goldwright("spot-check", before["run"]).stdout
    assert f"goldwright resume {before['run']} --as-filled" in " ".join(told.split())
    draft = goldwright("export", before["run"], "--version", "1.1", "--draft")
    assert "latest means this dataset from now on; it meant golden_v1.0.draft.json" in draft.stderr
    again = goldwright("export", before["run"], "--version", "1.1", "--draft")
    assert "from now on" not in again.stderr
    filled = goldwright("resume", before["run"], "--as-filled", "--json")
    assert filled.returncode == 0, filled.stderr
    after = json.loads(filled.stdout)
    assert (after["run"], after["target"]) == (before["run"], before["selected"])
    assert after["fates"] == before["fates"]
    assert goldwright("resume", before["run"], "--json").returncode == 0
    assert goldwright("resume", "latest", "--from", "oracle", "--as-filled").returncode == 0


def test_export_without_draft_names_everything_that_is_missing(
    goldwright: Command, finished: Workplace
) -> None:
    """A dataset is blessed by people or not at all."""
    before = sorted(finished.golden.iterdir())
    done = goldwright("export", "latest", "--version", "1.0")
    assert done.returncode == 1
    assert "first reviewer" in done.stderr
    assert "second" in done.stderr
    assert sorted(finished.golden.iterdir()) == before


def test_a_changed_codebase_fails_verification_unless_drift_is_allowed(
    goldwright: Command, finished: Workplace, codebase: Path
) -> None:
    """The hashes in the metadata are compared."""
    for path in codebase.rglob("*.py"):
        path.write_text(path.read_text() + "\n# a remark at the end\n")
    draft = finished.golden / "golden_v1.0.draft.json"
    done = goldwright("verify", draft, "--repo", codebase)
    assert done.returncode == 1
    assert "drift: " in done.stderr
    assert goldwright("verify", draft, "--repo", codebase, "--allow-drift").returncode == 0


@pytest.mark.parametrize(
    "surroundings",
    first_of(
        [
            {"PYTHONHASHSEED": "4242", "LC_ALL": "C", "TZ": "America/St_Johns"},
            {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"},
            {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0"},
        ],
        suite=1,
    ),
)
def test_the_same_seed_gives_the_same_run_everywhere(
    finished: Workplace, tmp_path: Path, surroundings: dict[str, str]
) -> None:
    """Hash seed, locale, time zone and the number of workers change nothing."""
    first = finished.run
    (finished.root / "goldwright.toml").write_text("[run]\nworkers = 1\n")
    # Not forked: a hash seed is that of a process from its start.
    second = subprocess.run(
        [sys.executable, "-m", "goldwright", "run", "smoke", "--repo", finished.code],
        cwd=finished.root,
        env={**os.environ, "GOLDWRIGHT_CACHE": str(tmp_path / "another cache"), **surroundings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode in {0, 1}, second.stderr
    for name in STAGE_FILES:
        assert records(finished.root / "runs" / second.stdout.strip(), name) == records(first, name)


@pytest.mark.thorough
def test_another_seed_asks_other_things(goldwright: Command, finished: Workplace) -> None:
    """The seed is not decoration."""
    first = finished.run
    seed = json.loads((first / "run.json").read_text())["seed"] + 1
    done = goldwright("run", "smoke", "--repo", finished.code, "--seed", seed)
    second = finished.root / "runs" / done.stdout.strip()
    texts = [
        [record["query_text"] for record in records(run, "00_candidates.jsonl")]
        for run in (first, second)
    ]
    assert texts[0] != texts[1]


def test_of_two_runners_on_one_run_one_works_and_the_other_exits_with_3(
    goldwright: Command, finished: Workplace
) -> None:
    """The lock is the kernel's, so a dead owner holds nothing."""
    name = finished.run.name
    lock = finished.run / "run.lock"
    script = (
        "import fcntl, sys, time; f = open(sys.argv[1], 'r+'); fcntl.flock(f, fcntl.LOCK_EX); "
        "print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(lock)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        done = goldwright("resume", name)
        holder.kill()
    assert (done.returncode, len(done.stderr.splitlines())) == (3, 1)
    assert "in use" in done.stderr
    time.sleep(0.05)
    assert goldwright("resume", name).returncode in {0, 1}


@pytest.mark.parametrize("stage", first_of([*MOST_AND_LEAST, *OTHER_STAGES], suite=2))
def test_redoing_a_stage_keeps_the_old_files_and_ends_in_the_same_records(
    goldwright: Command, finished: Workplace, stage: str
) -> None:
    """What is superseded is moved, never edited."""
    run = finished.run
    before = {name: records(run, name) for name in STAGE_FILES}
    done = goldwright("resume", run.name, "--from", stage)
    assert done.returncode in {0, 1}, done.stderr
    # All but what is done again stands, and is told of before the counts begin anew.
    told = [line for line in done.stderr.splitlines() if line.startswith("stands already: ")]
    assert len(told) == (stage != "author")
    assert all(f"queries written {len(before['00_candidates.jsonl'])}" in line for line in told)
    assert ("; answered " in "".join(told)) == (stage not in ("author", "oracle"))
    assert {name: records(run, name) for name in STAGE_FILES} == before
    moved = list((run / "superseded" / "01").iterdir())
    files = "file" if len(moved) == 1 else "files"
    assert f"; {len(moved)} older {files} kept in superseded/01" in done.stderr


def test_dropping_a_record_brings_a_reserve_in_and_conserves(
    goldwright: Command, finished: Workplace
) -> None:
    """The dropped record is rejected with its reason; the sums still match."""
    run = finished.run.name
    candidates = records(finished.run, "narrative_verdicts.jsonl")
    query_id = str(candidates[0]["query_id"])
    assert goldwright("drop", run, query_id, "--why", "nobody asks this").returncode == 0
    report = json.loads(goldwright("status", run, "--json").stdout)
    assert report["rejections"]["dropped"] == 1
    assert sum(report["fates"].values()) == report["emitted"]
    twice = goldwright("drop", run, query_id, "--why", "again")
    assert (twice.returncode, len(twice.stderr.splitlines())) == (2, 1)
    unknown = goldwright("drop", run, "q_99999", "--why", "gone")
    assert (unknown.returncode, len(unknown.stderr.splitlines())) == (2, 1)


def test_a_dry_run_writes_nothing(goldwright: Command, workplace: Path, codebase: Path) -> None:
    """It says what would be done."""
    done = goldwright("run", "phase1", "--repo", codebase, "--dry-run", "--json")
    planned = json.loads(done.stdout)
    assert done.returncode == 0
    assert planned["calls"]["oracle"] == 91
    assert not (workplace / "runs").exists()
    said = " ".join(goldwright("run", "phase1", "--repo", codebase, "--dry-run").stdout.split())
    assert "items the author writes the queries of a cell at a time" in said
    assert "91 are written for 60 records, because some get lost on the way" in said


def test_a_small_codebase_says_which_cells_it_cannot_fill(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """Exit code 1, the cells by name, no padding."""
    (workplace / "wide.json").write_text(plan_of({"locate": {"easy": 2}, "extend": {"hard": 4}}))
    done = goldwright("run", "wide.json", "--repo", codebase)
    assert done.returncode == 1
    assert "extend/hard" in done.stderr
    assert "locate/easy" not in done.stderr
    report = json.loads(goldwright("status", "--json").stdout)
    assert report["state"] == "complete"
    assert 2 < report["selected"] < 6


def test_a_run_that_is_stopped_by_signals_says_how_to_carry_on(
    goldwright: Command, workplace: Path, code: Path, tmp_path: Path
) -> None:
    """One line and the signal's exit code, however often, and in the end all is done."""
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(tmp_path / "cache")}
    signals = first_of(((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)), suite=1)
    # A smaller plan would be over before the last signal.
    kinds = TASK_TYPES[: 2 * len(signals)]
    (workplace / "long.json").write_text(
        plan_of({kind: {"easy": 6, "medium": 4} for kind in kinds})
    )
    arguments: tuple[object, ...] = ("run", "long.json", "--repo", code)
    for number, exit_code in signals:
        written = _bytes_of_records(workplace)
        with Started(*arguments, cwd=workplace, environment=environment) as program:
            _wait_for_more_than(written, workplace)
            program.send_signal(number)
            done = program.wait()
        assert done.returncode == exit_code, done.stderr
        (run,) = (workplace / "runs").iterdir()
        assert f"goldwright resume {run.name}" in done.stderr.splitlines()[-1]
        arguments = ("resume", run.name)
    carried_on = goldwright("resume", "latest", "--json")
    assert "nothing was left to do" not in carried_on.stderr
    report = json.loads(carried_on.stdout)
    assert report["state"] == "complete"
    assert "nothing was left to do" in goldwright("resume", "latest").stderr
    assert sum(report["fates"].values()) == report["emitted"]


def test_the_embedded_agents_say_of_how_much_they_read_nothing(
    goldwright: Command, codebase: Path
) -> None:
    (codebase / "basket.ts").write_text("export function total(): number { return 0; }\n")
    done = goldwright("run", "smoke", "--repo", codebase)
    python = len(list(codebase.rglob("*.py")))
    told = f"speak Python only: they work with {python} of the {python + 1} source files"
    assert told in done.stderr


def _bytes_of_records(workplace: Path) -> int:
    return sum(path.stat().st_size for path in workplace.glob("runs/*/0*.jsonl"))


def _wait_for_more_than(written: int, workplace: Path) -> None:
    """Wait until a run has written more records than it had."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if _bytes_of_records(workplace) > written:
            return
        time.sleep(POLL_SECONDS)
    raise TimeoutError(f"nothing new within {PATIENCE_SECONDS:.0f} seconds")
