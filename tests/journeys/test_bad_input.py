"""Wrong input: one line on stderr, the right exit code, nothing written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from effort import first_of
from journeys.conftest import Command, git
from journeys.workplace import Workplace

PLAN = {
    "schema_version": "1.0.0",
    "name": "one",
    "total": 1,
    "cells": {"locate": {"easy": 1}},
    "minimum_total": 0,
}


def check_refused(
    done: "subprocess.CompletedProcess[str]", workplace: Path, *words: str, code: int = 2
) -> None:
    """Check that a command ended in one line that says these words, and left nothing behind."""
    lines = done.stderr.splitlines()
    assert done.returncode == code, done.stderr
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("goldwright: ")
    assert len(lines[0]) <= 320
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in lines[0]
    assert done.stdout == ""
    assert not list(workplace.glob("runs/*"))


def test_a_repository_that_is_missing(goldwright: Command, workplace: Path) -> None:
    """Class 1."""
    check_refused(goldwright("run", "smoke", "--repo", workplace / "nowhere"), workplace, "nowhere")


def test_a_repository_that_is_a_file(goldwright: Command, workplace: Path) -> None:
    """Class 2."""
    (workplace / "file").write_text("x")
    check_refused(goldwright("run", "smoke", "--repo", workplace / "file"), workplace, "file")


def test_a_revision_of_a_plain_directory(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """Class 3: without git there are no revisions."""
    check_refused(goldwright("run", "smoke", "--repo", codebase, "--rev", "HEAD"), workplace, "git")


def test_a_repository_without_commits(goldwright: Command, workplace: Path, codebase: Path) -> None:
    """Class 4."""
    git(codebase, "init", "--quiet")
    check_refused(goldwright("run", "smoke", "--repo", codebase), workplace, "commit")


def test_a_gitfile_that_points_elsewhere(
    goldwright: Command, workplace: Path, repository: Path
) -> None:
    """Class 6."""
    other = workplace / "other"
    other.mkdir()
    (other / ".git").write_text(f"gitdir: {repository / '.git'}\n")
    (other / "a.py").write_text("def f(): pass\n")
    check_refused(goldwright("run", "smoke", "--repo", other), workplace, "other")


def test_uncommitted_work(goldwright: Command, workplace: Path, repository: Path) -> None:
    """Class 10."""
    with (repository / "shop/orders.py").open("a") as file:
        file.write("\nx = 1\n")
    check_refused(
        goldwright("run", "smoke", "--repo", repository),
        workplace,
        "shop/orders.py",
        "--allow-dirty",
    )


def test_a_codebase_without_python(goldwright: Command, workplace: Path) -> None:
    """Class 11."""
    (workplace / "docs").mkdir()
    (workplace / "docs/readme.txt").write_text("hello")
    check_refused(goldwright("run", "smoke", "--repo", workplace / "docs"), workplace, "Python")


@pytest.mark.parametrize(
    "rev", ["nonesuch", "--output=stolen", "-x", ":/Open", "HEAD^{/Open}", "a b", "HEAD\n"]
)
def test_a_revision_that_is_none(
    goldwright: Command, workplace: Path, repository: Path, rev: str
) -> None:
    """Classes 12 and 13."""
    check_refused(goldwright("run", "smoke", "--repo", repository, f"--rev={rev}"), workplace)
    assert not (workplace / "stolen").exists()


def test_a_configuration_that_is_missing(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """Class 14."""
    check_refused(
        goldwright("run", "smoke", "--repo", codebase, "--config", "no.toml"), workplace, "no.toml"
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[agents\n", ["not TOML", "line 1"]),
        (b"[agents]\nauthr = 'offline'\n", ["agents.authr"]),
        (b"[run]\nseed = 'seven'\n", ["run.seed"]),
        (b"[run]\nworkers = 0\n", ["run.workers"]),
        (b"[run]\nseed = -1\n", ["run.seed"]),
        (b"[run]\nseed = nan\n", []),
        (b"[run]\nseed = 1\nseed = 2\n", ["not TOML"]),
        (b"\xff\xfe[run]\n", ["UTF-8"]),
        (b"when = 1979-05-27\n", []),
        (b"[agents]\noracle = 'anthropic:some-model'\n", ["agents.oracle"]),
    ],
)
def test_a_configuration_that_is_wrong(
    goldwright: Command, workplace: Path, codebase: Path, content: bytes, words: list[str]
) -> None:
    """Classes 15 to 20, each with the place of it."""
    (workplace / "goldwright.toml").write_bytes(content)
    check_refused(
        goldwright("run", "smoke", "--repo", codebase), workplace, "goldwright.toml", *words
    )


def test_a_prompt_that_is_missing(goldwright: Command, workplace: Path, codebase: Path) -> None:
    """Class 27."""
    (workplace / "mine").mkdir()
    (workplace / "goldwright.toml").write_text("[paths]\nprompts = 'mine'\n")
    check_refused(goldwright("run", "smoke", "--repo", codebase), workplace, "mine")


def test_a_prompt_with_an_unknown_placeholder(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """Class 28."""
    own = workplace / "mine"
    own.mkdir()
    for prompt in (Path(__file__).parents[2] / "prompts").glob("*.md"):
        (own / prompt.name).write_text(prompt.read_text())
    with (own / "oracle.md").open("a") as file:
        file.write("\nAnd then {frobnicate} it.\n")
    (workplace / "goldwright.toml").write_text("[paths]\nprompts = 'mine'\n")
    check_refused(
        goldwright("run", "smoke", "--repo", codebase), workplace, "oracle.md", "frobnicate"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_of_runs_that_cannot_be_written(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """Class 29."""
    (workplace / "runs").mkdir(mode=0o500)
    check_refused(goldwright("run", "smoke", "--repo", codebase), workplace, "runs")


def test_a_place_for_runs_that_is_a_file(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """Class 29, as root sees it."""
    (workplace / "runs").write_text("taken")
    check_refused(goldwright("run", "smoke", "--repo", codebase), workplace, "runs")


@pytest.mark.parametrize("command", ["status", "resume"])
def test_a_run_that_is_not_there(goldwright: Command, workplace: Path, command: str) -> None:
    """Class 32."""
    check_refused(goldwright(command, "20260101T000000Z-phase1-0000"), workplace, "no such run")
    check_refused(goldwright(command, "latest"), workplace, "no run yet")


def test_a_run_of_a_newer_program(goldwright: Command, finished: Workplace) -> None:
    """Class 34."""
    manifest = finished.run / "run.json"
    manifest.write_text(
        manifest.read_text().replace('"schema_version": "1.0.0"', '"schema_version": "9.0.0"', 1)
    )
    done = goldwright("resume", finished.run.name)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "newer" in done.stderr


def test_a_plan_that_changed_since_the_run_began(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """Class 35."""
    plan = workplace / "mine.json"
    plan.write_text(json.dumps(PLAN))
    name = goldwright("run", "mine.json", "--repo", codebase).stdout.strip()
    plan.write_text(json.dumps({**PLAN, "total": 2, "cells": {"locate": {"easy": 2}}}))
    done = goldwright("resume", name)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "plan changed" in done.stderr
    assert "--accept-changes" in done.stderr
    again = goldwright("resume", name, "--accept-changes", "--json")
    assert json.loads(again.stdout)["target"] == 2


def test_a_stage_file_that_was_damaged(goldwright: Command, finished: Workplace) -> None:
    """Class 36."""
    path = finished.run / "01_oracle_answers.jsonl"
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0][:-20], *lines[1:]]))
    for command in ("status", "resume"):
        done = goldwright(command, finished.run.name)
        assert (done.returncode, len(done.stderr.splitlines())) == (4, 1)
        assert "01_oracle_answers.jsonl" in done.stderr


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"{}",
        b"[1]",
        b'[{"query_id": "q"}]',
        b"\xff",
        b"[NaN]",
        b'[{"a": 1, "a": 2}]',
        b"[" * 100_000,
    ],
)
def test_a_dataset_that_is_none(
    goldwright: Command, workplace: Path, codebase: Path, content: bytes
) -> None:
    """Class 38."""
    (workplace / "golden.json").write_bytes(content)
    check_refused(goldwright("verify", "golden.json", "--repo", codebase), workplace, "golden.json")


@pytest.mark.parametrize(
    "change",
    [
        {"total": 7},
        {"cells": {"locate": {"trivial": 1}}},
        {"cells": {"sing": {"easy": 1}}},
        {"total": 1.5},
        {"name": "../evil"},
        {"over_emission": 99},
        {"surprise": 1},
        {"cells": {"locate": {"easy": -1, "medium": 2}}},
    ],
)
def test_a_plan_that_is_wrong(
    goldwright: Command, workplace: Path, codebase: Path, change: dict[str, object]
) -> None:
    """A plan is checked before anything runs."""
    (workplace / "mine.json").write_text(json.dumps({**PLAN, **change}))
    check_refused(goldwright("run", "mine.json", "--repo", codebase), workplace, "mine.json")


def test_a_plan_that_is_not_there(goldwright: Command, workplace: Path, codebase: Path) -> None:
    """The known names are listed."""
    check_refused(goldwright("run", "phase9", "--repo", codebase), workplace, "phase1")


@pytest.mark.parametrize("budget", ["0", "-1", "nan", "inf"])
def test_a_budget_that_is_none(
    goldwright: Command, workplace: Path, codebase: Path, budget: str
) -> None:
    """Only a positive number of dollars is a ceiling."""
    check_refused(
        goldwright("run", "smoke", "--repo", codebase, "--budget-usd", budget),
        workplace,
        "--budget-usd",
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", "smoke"],
        ["frobnicate"],
        ["run", "smoke", "--repo"],
        ["run", "--seed", "x", "smoke"],
        ["gate"],
    ],
)
def test_a_command_line_that_is_wrong(
    goldwright: Command, workplace: Path, arguments: list[str]
) -> None:
    """Usage errors are one line too."""
    check_refused(goldwright(*arguments), workplace)


def test_what_is_missing_leads_to_the_help(goldwright: Command, workplace: Path) -> None:
    """A newcomer who left something out learns where all of it stands."""
    wanted = "Missing option '--repo'. goldwright verify --help says what it takes."
    check_refused(goldwright("verify", "latest"), workplace, wanted)


def test_a_command_that_is_misspelt_is_guessed(goldwright: Command, workplace: Path) -> None:
    """The nearest name, or where all names stand."""
    check_refused(goldwright("exprt"), workplace, "did you mean export?")
    check_refused(goldwright("zzz"), workplace, "goldwright --help lists them")


def test_answers_that_are_none(goldwright: Command, workplace: Path, codebase: Path) -> None:
    """A line that is no answer is named."""
    (workplace / "answers.jsonl").write_text('{"query_id": "q1"\n')
    check_refused(
        goldwright("gate", "answers.jsonl", "--repo", codebase), workplace, "answers.jsonl:1"
    )
    check_refused(
        goldwright("gate", "missing.jsonl", "--repo", codebase), workplace, "missing.jsonl"
    )


@pytest.mark.parametrize("command", ["status", "show", "spot_check"])
def test_looking_at_a_run_loads_nothing_that_plays_one(command: str) -> None:
    """No agents and no providers behind what people type all day."""
    check = (
        f"import sys; import goldwright.cli.{command}; "
        "slow = {'libcst', 'openai', 'anthropic', 'goldwright.offline_agents', "
        "'goldwright.canaries.mutations', 'goldwright.trust_card.catalog', 'yaml'}; "
        "sys.exit(', '.join(sorted(slow & set(sys.modules))) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_help_names_every_command_and_is_quick_to_import() -> None:
    """No SDK, no libcst and no pydantic behind --help."""
    check = (
        "import sys; from goldwright.cli import exit_code; code = exit_code(['--help']); "
        "slow = {'libcst', 'pydantic', 'openai', 'anthropic'}; "
        "sys.exit(code or not slow.isdisjoint(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    for name in (
        "run",
        "resume",
        "status",
        "retry",
        "drop",
        "review",
        "spot-check",
        "requeue",
        "export",
    ):
        assert name in done.stdout
    for name in ("verify", "diff", "rebase", "drift", "gate"):
        assert f"\n  {name} " in done.stdout


@pytest.mark.parametrize(
    "arguments", first_of([["run", "--help"], ["--help"], ["--version"]], suite=1)
)
def test_a_reader_that_went_away_is_no_quality_gate_that_said_no(arguments: list[str]) -> None:
    """As in ``goldwright diff 1.0 1.1 | head``."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "goldwright", *arguments]
    done = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
