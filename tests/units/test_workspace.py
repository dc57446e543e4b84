"""Runs are made, found, locked and redone without ever losing or mixing anything."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest

from effort import share_of
from goldwright.errors import BusyError, DamagedStateError, InputError
from goldwright.manifest import RunManifest
from goldwright.plan import Plan
from goldwright.records.seal import Seal
from goldwright.workspace import (
    STAGE_FILES,
    RunDirectory,
    StageFileName,
    Workspace,
    cache_directory,
    find_plan,
    find_prompts,
    finish_superseding,
    lock,
    supersede,
)

NOON = datetime(2026, 4, 14, 12, 0, 0, tzinfo=UTC)
PLAN = Plan(
    schema_version="1.0.0", name="smoke", total=1, cells={"locate": {"easy": 1}}, minimum_total=1
)
SEAL = Seal(count=0, digest="sha256:" + "0" * 64)


def manifest(run: str, created_at: str = "2026-04-14T12:00:00Z") -> RunManifest:
    """A manifest with no more in it than it must have."""
    return RunManifest(
        run=run,
        goldwright_version="0.1.0",
        created_at=created_at,
        plan=PLAN,
        plan_path="plans/smoke.json",
        plan_digest=PLAN.content_digest(),
        repo="/repo",
        mirror="/mirror",
        origin="git",
        commit="c" * 40,
        tree="d" * 40,
        seed=7,
        roles={"author": "agent:author:offline-1"},
    )


def _chance() -> Random:
    return Random(1)


def _run(root: Path, name: str, created_at: str) -> RunDirectory:
    run = RunDirectory(root / "runs" / name)
    run.path.mkdir(parents=True)
    run.save(manifest(name, created_at))
    return run


def _python(code: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )


class TestMakingRuns:
    """A run directory is made by exactly one process."""

    def test_its_name_tells_time_plan_and_chance(self, tmp_path: Path) -> None:
        """The time is UTC whatever zone the clock is in."""
        eastern = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
        run = Workspace(tmp_path).new_run("phase1", lambda: eastern, _chance())
        assert run.name == "20260414T120000Z-phase1-2265"
        assert run.path.parent == tmp_path / "runs"
        assert run.path.stat().st_mode & 0o777 == 0o700

    def test_two_runs_of_one_second_and_one_chance_do_not_collide(self, tmp_path: Path) -> None:
        """A taken name is left alone and another one drawn."""
        workspace = Workspace(tmp_path)
        runs = {workspace.new_run("p", lambda: NOON, _chance()).name for _ in range(20)}
        assert len(runs) == 20

    def test_a_place_that_cannot_be_written_is_an_input_error(self, tmp_path: Path) -> None:
        """The line names the directory."""
        (tmp_path / "runs").write_text("a file")
        with pytest.raises(InputError, match="runs: cannot be written: File exists"):
            Workspace(tmp_path).new_run("p", lambda: NOON, _chance())


class TestFindingRuns:
    """``latest``, a name or a path."""

    def test_latest_is_the_one_created_last_whatever_its_name(self, tmp_path: Path) -> None:
        """The manifest's time decides; where times are equal the name does."""
        _run(tmp_path, "20260101T000000Z-b-0001", "2026-03-01T00:00:00Z")
        _run(tmp_path, "20260201T000000Z-a-0001", "2026-02-01T00:00:00Z")
        assert Workspace(tmp_path).find_run("latest").name == "20260101T000000Z-b-0001"
        _run(tmp_path, "20260101T000000Z-b-0002", "2026-03-01T00:00:00Z")
        assert Workspace(tmp_path).find_run("latest").name == "20260101T000000Z-b-0002"

    def test_a_run_that_died_before_its_manifest_is_not_the_latest(self, tmp_path: Path) -> None:
        """It never began; naming it says so."""
        workspace = Workspace(tmp_path)
        _run(tmp_path, "20260101T000000Z-a-0001", "2026-01-01T00:00:00Z")
        unborn = workspace.new_run("a", lambda: NOON, _chance())
        assert workspace.find_run("latest").name == "20260101T000000Z-a-0001"
        with pytest.raises(InputError, match=r"holds no run\.json, so it is no run that began"):
            workspace.find_run(unborn.name)

    def test_latest_passes_over_runs_that_hold_no_question(self, tmp_path: Path) -> None:
        """Whoever carries a run on, or asks how one stands, means the newest all the same."""
        workspace = Workspace(tmp_path)
        names = [f"2026010{day}T000000Z-a-0001" for day in (1, 2, 3, 4)]
        runs = [
            _run(tmp_path, name, f"2026-01-0{day}T00:00:00Z") for day, name in enumerate(names, 1)
        ]
        assert workspace.find_run("latest").name == names[3]
        assert workspace.passed_over("latest") == []
        runs[1].stage_path(StageFileName.CANDIDATES).write_text("{}\n")
        for run in runs[2:]:
            run.stage_path(StageFileName.CANDIDATES).touch()
        assert workspace.find_run("latest").name == names[1]
        assert [run.name for run in workspace.passed_over("latest")] == [names[3], names[2]]
        assert workspace.find_run("latest", may_be_empty=True).name == names[3]

    def test_a_run_whose_questions_are_written_again_is_the_latest(self, tmp_path: Path) -> None:
        """What it held before lies among the superseded files."""
        old = _run(tmp_path, "20260101T000000Z-a-0001", "2026-01-01T00:00:00Z")
        old.stage_path(StageFileName.CANDIDATES).write_text("{}\n")
        redone = _run(tmp_path, "20260102T000000Z-a-0001", "2026-01-02T00:00:00Z")
        redone.superseded_path(1).mkdir(parents=True)
        assert Workspace(tmp_path).find_run("latest").name == redone.name

    def test_a_damaged_manifest_does_not_hide_the_latest_run(self, tmp_path: Path) -> None:
        """Quietly taking an older run instead would be worse than the error that follows."""
        _run(tmp_path, "20260101T000000Z-a-0001", "2026-01-01T00:00:00Z")
        damaged = _run(tmp_path, "20260301T000000Z-a-0001", "2026-03-01T00:00:00Z")
        damaged.manifest_path.write_bytes(b"{")
        found = Workspace(tmp_path).find_run("latest")
        assert found.name == damaged.name
        with pytest.raises(DamagedStateError, match="damaged manifest"):
            found.manifest()

    def test_a_name_and_a_path_find_the_same_run(self, tmp_path: Path) -> None:
        """Shell completion gives paths, people give names."""
        run = _run(tmp_path, "20260101T000000Z-a-0001", "2026-01-01T00:00:00Z")
        workspace = Workspace(tmp_path)
        for given in (run.name, f"runs/{run.name}", f"runs/{run.name}/", str(run.path)):
            assert workspace.find_run(given) == RunDirectory(run.path.resolve())

    def test_a_wrong_name_lists_the_nearest(self, tmp_path: Path) -> None:
        """A typing error is answered with what was meant."""
        _run(tmp_path, "20260101T000000Z-smoke-0001", "2026-01-01T00:00:00Z")
        with pytest.raises(
            InputError, match="no such run; the nearest are 20260101T000000Z-smoke-0001"
        ):
            Workspace(tmp_path).find_run("20260101T000000Z-smoke-0010")

    def test_the_start_of_a_name_will_do(self, tmp_path: Path) -> None:
        """As long as one run alone begins so; else all that do are named."""
        first = _run(tmp_path, "20260101T000000Z-a-0001", "2026-01-01T00:00:00Z")
        second = _run(tmp_path, "20260101T000000Z-b-0001", "2026-01-01T00:00:00Z")
        workspace = Workspace(tmp_path)
        assert workspace.find_run("20260101T000000Z-a").name == first.name
        assert workspace.find_run("20260101T000000Z-b").name == second.name
        with pytest.raises(
            InputError,
            match="2026: is the start of 2 runs: 20260101T000000Z-a-0001, "
            "20260101T000000Z-b-0001; name one",
        ):
            workspace.find_run("2026")

    def test_a_directory_is_no_start_of_a_name(self, tmp_path: Path) -> None:
        """What lies there was meant, though it is no run."""
        _run(tmp_path, "20260101T000000Z-a-0001", "2026-01-01T00:00:00Z")
        (tmp_path / "2026").mkdir()
        with pytest.raises(InputError, match="it is no run that began"):
            Workspace(tmp_path).find_run("2026")

    def test_latest_misspelt_is_noticed(self, tmp_path: Path) -> None:
        """It is as much of a name as those of runs."""
        _run(tmp_path, "20260101T000000Z-a-0001", "2026-01-01T00:00:00Z")
        with pytest.raises(InputError, match=r"latestt: no such run; did you mean latest\?"):
            Workspace(tmp_path).find_run("latestt")

    @pytest.mark.parametrize("name", ["latest", "nothing", "", "..", "\0"])
    def test_an_empty_workspace_says_so(self, tmp_path: Path, name: str) -> None:
        """No run at all is an input error, not a crash."""
        with pytest.raises(InputError):
            Workspace(tmp_path).find_run(name)


HOLDER = """
import sys
from pathlib import Path
from goldwright.workspace import RunDirectory
from goldwright.errors import BusyError
try:
    with RunDirectory(Path(sys.argv[1])).lock():
        print("held", flush=True)
        sys.stdin.readline()
except BusyError as error:
    print(error, flush=True)
"""
FORKER = """
import os, sys, time
from pathlib import Path
from goldwright.workspace import RunDirectory
with RunDirectory(Path(sys.argv[1])).lock():
    if os.fork() == 0:
        print("forked", flush=True)
        time.sleep(30)
        os._exit(0)
    time.sleep(30)
"""


class TestLocking:
    """One process carries on a run; the kernel frees the lock of a dead one."""

    def test_of_processes_at_once_exactly_one_holds_a_run(self, tmp_path: Path) -> None:
        """The others are told who does."""
        run = tmp_path / "a-run"
        run.mkdir()
        processes = [_python(HOLDER, str(run)) for _ in range(share_of(8, suite=3))]
        said = [process.stdout.readline().strip() for process in processes if process.stdout]
        for process in processes:
            process.communicate("\n", timeout=20)
        assert said.count("held") == 1
        holder = processes[said.index("held")].pid
        refusals = {text for text in said if text != "held"}
        assert refusals <= {
            f"run a-run is in use by another process (pid {holder})",
            "run a-run is in use by another process (just started)",
        }

    def test_a_killed_process_leaves_no_lock_behind(self, tmp_path: Path) -> None:
        """Its file stays, and means nothing."""
        process = _python(HOLDER, str(tmp_path))
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(BusyError, match=f"pid {process.pid}"), RunDirectory(tmp_path).lock():
            pass
        process.kill()
        process.communicate(timeout=20)
        with RunDirectory(tmp_path).lock():
            assert (tmp_path / "run.lock").read_text() == f"pid {os.getpid()}\n"

    def test_a_forked_child_does_not_keep_the_lock_of_its_killed_parent(
        self, tmp_path: Path
    ) -> None:
        """A pool of workers that outlives the runner must not block the resume."""
        process = _python(FORKER, str(tmp_path))
        assert process.stdout is not None
        assert process.stdout.readline() == "forked\n"
        child = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
        try:
            process.kill()
            process.wait(timeout=20)
            with RunDirectory(tmp_path).lock():
                os.kill(child, 0)
        finally:
            os.kill(child, signal.SIGKILL)
            process.communicate(timeout=20)

    def test_the_lock_is_free_after_the_block_whatever_ended_it(self, tmp_path: Path) -> None:
        """An exception releases it too."""
        run = RunDirectory(tmp_path)
        with pytest.raises(KeyError), run.lock():
            raise KeyError
        with run.lock():
            pass

    def test_a_lock_on_a_file_that_was_replaced_is_no_lock(self, tmp_path: Path) -> None:
        """Somebody else can hold the new file of that name."""
        path = tmp_path / "run.lock"
        with path.open("w+b") as replaced:
            path.unlink()
            path.touch()
            with pytest.raises(
                BusyError, match=r"in use by another process \(run\.lock was replaced\)"
            ):
                lock._acquire(replaced.fileno(), path, "run r")


class TestSuperseding:
    """Redoing a stage moves its files aside, whole and once."""

    FILES = (StageFileName.ORACLE_ANSWERS, StageFileName.ADVERSARY_REPORTS)

    def _prepared(self, root: Path) -> tuple[RunDirectory, RunManifest]:
        run = _run(root, "r", "2026-01-01T00:00:00Z")
        for file in STAGE_FILES[:3]:
            run.stage_path(file).write_text(file)
        begun = (
            run.manifest()
            .sealed(self.FILES[0], SEAL)
            .sealed(StageFileName.CANDIDATES, SEAL)
            .completed()
        )
        run.save(begun)
        return run, begun

    def test_files_move_and_their_seals_go_and_the_manifest_tells(self, tmp_path: Path) -> None:
        """What hangs on the stage is kept under ``superseded/01``; what it hangs on stays."""
        run, begun = self._prepared(tmp_path)
        done = supersede(run, begun, from_stage="oracle", files=self.FILES)
        assert done == run.manifest()
        assert [(redone.number, redone.from_stage) for redone in done.redone] == [(1, "oracle")]
        assert (done.state, done.redoing, set(done.seals)) == (
            "open",
            None,
            {"00_candidates.jsonl"},
        )
        assert sorted(path.name for path in (run.path / "superseded" / "01").iterdir()) == list(
            self.FILES
        )
        assert run.stage_path(StageFileName.CANDIDATES).read_text() == "00_candidates.jsonl"

    def test_a_second_redoing_gets_a_place_of_its_own(self, tmp_path: Path) -> None:
        """Nothing that was superseded is overwritten."""
        run, begun = self._prepared(tmp_path)
        first = supersede(run, begun, from_stage="oracle", files=self.FILES)
        run.stage_path(self.FILES[0]).write_text("second")
        second = supersede(run, first, from_stage="oracle", files=self.FILES)
        assert [redone.number for redone in second.redone] == [1, 2]
        assert (run.superseded_path(1) / self.FILES[0]).read_text() == self.FILES[0]
        assert (run.superseded_path(2) / self.FILES[0]).read_text() == "second"

    @pytest.mark.parametrize("moved", [0, 1, 2])
    def test_a_crash_after_any_move_is_finished_on_the_next_open(
        self, tmp_path: Path, moved: int
    ) -> None:
        """The intent is in the manifest before the first file moves."""
        plain, begun = self._prepared(tmp_path / "plain")
        expected = supersede(plain, begun, from_stage="oracle", files=self.FILES)
        run, begun = self._prepared(tmp_path / "crashed")
        run.save(
            begun.model_copy(
                update={"redoing": expected.redone[0], "seals": expected.seals, "state": "open"}
            )
        )
        run.superseded_path(1).mkdir(parents=True)
        for file in self.FILES[:moved]:
            run.stage_path(file).rename(run.superseded_path(1) / file)
        assert finish_superseding(run, run.manifest()) == expected
        assert run.manifest() == expected
        assert sorted(path.name for path in run.superseded_path(1).iterdir()) == list(self.FILES)

    def test_a_redoing_that_cannot_move_files_is_still_intended(self, tmp_path: Path) -> None:
        """Once the obstacle is gone, the next open carries it out."""
        run, begun = self._prepared(tmp_path)
        obstacle = run.path / "superseded"
        obstacle.write_text("")
        with pytest.raises(InputError, match="superseded/01: cannot be written"):
            supersede(run, begun, from_stage="oracle", files=self.FILES)
        obstacle.unlink()
        done = finish_superseding(run, run.manifest())
        assert [redone.from_stage for redone in done.redone] == ["oracle"]
        assert set(done.seals) == {"00_candidates.jsonl"}

    def test_nothing_begun_is_nothing_to_finish(self, tmp_path: Path) -> None:
        """Every open may ask."""
        run, begun = self._prepared(tmp_path)
        assert finish_superseding(run, begun) is begun
        assert not (run.path / "superseded").exists()

    def test_a_file_in_both_places_is_damage(self, tmp_path: Path) -> None:
        """Neither is thrown away."""
        run, begun = self._prepared(tmp_path)
        run.superseded_path(1).mkdir(parents=True)
        (run.superseded_path(1) / self.FILES[0]).write_text("other")
        with pytest.raises(DamagedStateError, match=r"01_oracle_answers\.jsonl: stands in 01 too"):
            supersede(run, begun, from_stage="oracle", files=self.FILES)
        assert run.stage_path(self.FILES[0]).read_text() == self.FILES[0]


class TestShippedFiles:
    """A person's own plans and prompts, else those of the program."""

    def test_a_plan_is_found_by_path_then_by_name_then_among_the_shipped(
        self, tmp_path: Path
    ) -> None:
        """The nearer one wins."""
        assert find_plan("phase1", tmp_path).name == "phase1.json"
        assert tmp_path not in find_plan("phase1", tmp_path).parents
        own = tmp_path / "plans" / "phase1.json"
        own.parent.mkdir()
        own.write_text("{}")
        assert find_plan("phase1", tmp_path) == own
        (tmp_path / "phase1").write_text("{}")
        assert find_plan("phase1", tmp_path) == tmp_path / "phase1"
        assert find_plan(str(own), tmp_path) == own

    def test_an_unknown_plan_lists_those_that_are_known(self, tmp_path: Path) -> None:
        """The line says what was wanted."""
        with pytest.raises(
            InputError, match="phase9: no such plan; give a path, or one of phase1, phase2, smoke"
        ):
            find_plan("phase9", tmp_path)

    def test_prompts_of_another_program_are_not_taken_for_ours(self, tmp_path: Path) -> None:
        """A directory of that name counts only if it has a prompt for the Oracle."""
        shipped = find_prompts(None, tmp_path)
        own = tmp_path / "prompts"
        own.mkdir()
        assert find_prompts(None, tmp_path) == shipped
        (own / "oracle.md").write_text("read the source")
        assert find_prompts(None, tmp_path) == own
        assert find_prompts("prompts", tmp_path) == own
        with pytest.raises(InputError, match="nowhere: no such directory of prompts"):
            find_prompts("nowhere", tmp_path)

    def test_the_cache_is_where_the_environment_says(self) -> None:
        """Our variable, else the desktop's, else the home directory; empty means unset."""
        home = Path("/home/ann")
        assert cache_directory({"GOLDWRIGHT_CACHE": "/c", "XDG_CACHE_HOME": "/x"}, home) == Path(
            "/c"
        )
        assert cache_directory({"GOLDWRIGHT_CACHE": "", "XDG_CACHE_HOME": "/x"}, home) == Path(
            "/x/goldwright"
        )
        assert cache_directory({}, home) == Path("/home/ann/.cache/goldwright")
