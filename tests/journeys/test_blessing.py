"""From a finished run to a blessed version: what people must have said, and that a version is
written once.
"""

import itertools
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from effort import first_of, share_of
from goldwright.app.datasets.export import Export, ExportRequest, export_dataset
from goldwright.engine.progress import SilentProgress
from goldwright.errors import DamagedStateError, GoldwrightError, InputError
from goldwright.manifest import load_manifest
from goldwright.plan import Plan
from goldwright.records import HumanVerdict, ReviewPass
from goldwright.review.session import ReviewSession
from journeys.sample_code import LENDING, write_code
from journeys.starting import call
from journeys.stopped_records import queue_record, reserve_of
from journeys.workplace import Workplace, write_manifest

PLAN = {
    "schema_version": "1.0.0",
    "name": "few",
    "total": 9,
    "minimum_total": 8,
    "top_up_rounds": 1,
    "sample_share": 0.8,
    "cells": {"locate": {"easy": 3}, "debug": {"easy": 3}, "extend": {"medium": 3}},
}
SAMPLED = 8
NARRATIVE: Final = "canonical_narrative"
# Behind a block of code, a sentence begins on a line of its own.
ADDED = "\n\nNothing else happens."
PRINTED: Final = ("dataset", "metadata")


@dataclass(frozen=True)
class Desk(Workplace):
    """A workplace at which the command line is used, whole or up to a crash."""

    def start(self, *arguments: object, before: str = "") -> "subprocess.Popen[str]":
        """Start the command; ``before`` is done in its process first."""
        script = f"import runpy, sys; {before or 'pass'}; sys.argv[0] = 'goldwright'; "
        command = [
            sys.executable,
            "-c",
            f"{script}runpy.run_module('goldwright', run_name='__main__')",
        ]
        return subprocess.Popen(
            [*command, *map(str, arguments)],
            cwd=self.root,
            env={**os.environ, "GOLDWRIGHT_CACHE": str(self.cache)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def call(self, *arguments: object, before: str = "") -> "subprocess.CompletedProcess[str]":
        """Run the command to its end."""
        if not before:
            return call(
                *arguments,
                cwd=self.root,
                environment={**os.environ, "GOLDWRIGHT_CACHE": str(self.cache)},
            )
        with self.start(*arguments, before=before) as process:
            out, errors = process.communicate(timeout=300)
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)

    def status(self, name: str = "latest") -> dict[str, Any]:
        """What ``status`` says."""
        found: dict[str, Any] = json.loads(self.call("status", name, "--json").stdout)
        return found

    def spot_check(self) -> dict[str, Any]:
        """What ``spot-check`` says."""
        found: dict[str, Any] = json.loads(self.call("spot-check", "latest", "--json").stdout)
        return found

    def export(self, version: str = "1.0", *, out: Path | None = None) -> Export:
        """Export the newest run in this process."""
        request = ExportRequest("latest", version, out=out)
        return export_dataset(request, self.environment, SilentProgress())


def refusal(done: "subprocess.CompletedProcess[str]") -> str:
    """Give the one line that says why a command refused; lines that told of its work may stand
    before it.
    """
    line = done.stderr.splitlines()[-1]
    assert done.stderr.count("goldwright: ") == line.startswith("goldwright: ") == 1, done.stderr
    return line


def verdict(
    room: ReviewSession, query_id: str, word: HumanVerdict = "correct", note: str | None = None
) -> None:
    """Judge a record as it is."""
    seen = room.look().record_view(query_id)
    room.give_verdict(
        query_id, seen, word, key=f"{room.review_pass}-{query_id}-{seen.last}", note=note
    )


def add_a_sentence(room: ReviewSession, query_id: str) -> None:
    """Change the narrative of a record, and judge it so."""
    scene = room.look()
    answer, seen = scene.content(query_id).answer, scene.record_view(query_id)
    text = answer.canonical_narrative + ADDED
    room.edit(
        query_id,
        seen,
        NARRATIVE,
        text,
        answer.fact_citations,
        key=f"edit-{room.review_pass}-{query_id}",
    )
    verdict(room, query_id, "minor_issue")


def review_all(workplace: Desk, *, edited: bool = False) -> None:
    """Let two people find every record correct; ``edited``: but the first, which both change in the
    same way.
    """
    sittings: Mapping[ReviewPass, str] = {"first": "Ada", "second": "Bob"}
    for sitting, name in sittings.items():
        with workplace.room(name, sitting) as room:
            for place, item in enumerate(room.look().items):
                if item.queue in {"queued", "failed_gate"}:
                    continue
                if edited and not place:
                    add_a_sentence(room, item.query_id)
                else:
                    verdict(room, item.query_id)


def look_at_each(workplace: Desk) -> None:
    """Look at the records that each want it."""
    with workplace.room() as room:
        for item in room.look().items:
            if item.queue == "look" and item.is_open:
                verdict(room, item.query_id)


def records(path: Path) -> dict[str, dict[str, Any]]:
    """The records of a stage file by id."""
    return {row["query_id"]: row for row in map(json.loads, path.read_text().splitlines())}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A finished run of nine records, with reserves."""
    root = tmp_path_factory.mktemp("template")
    code = write_code(root / "code", LENDING)
    workplace = Desk(root / "desk", root / "cache", code)
    workplace.root.mkdir()
    (workplace.root / "few.json").write_text(json.dumps(PLAN))
    done = workplace.call("run", "few.json", "--repo", code)
    assert done.returncode == 0, done.stderr
    return workplace


@pytest.fixture(scope="module")
def reviewed_template(template: Desk, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """The same with all that people have to say, one record edited by both."""
    workplace = template.copy(tmp_path_factory.mktemp("reviewed") / "desk")
    review_all(workplace, edited=True)
    look_at_each(workplace)
    return workplace


@pytest.fixture
def finished(template: Desk, tmp_path: Path) -> Desk:
    """A finished run of this test's own."""
    return template.copy(tmp_path / "desk")


@pytest.fixture
def blessed(reviewed_template: Desk, tmp_path: Path) -> Desk:
    """A run of this test's own that both reviewers have judged."""
    return reviewed_template.copy(tmp_path / "desk")


def test_an_export_names_everything_that_is_missing_in_one_line(finished: Desk) -> None:
    manifest = json.loads((finished.run / "run.json").read_text())
    with finished.room() as room:
        sampled = room.look().review_state.events.sampled
        verdict(room, sampled[0])
        verdict(room, sampled[1], "minor_issue")
    with finished.room("Bob", "second") as room:
        verdict(room, sampled[0], "minor_issue")
    manifest["plan"]["cells"]["review"] = {"easy": 91}
    manifest["plan"] |= {"total": 100, "minimum_total": 99}
    manifest["plan_digest"] = Plan.model_validate(manifest["plan"]).content_digest()
    write_manifest(finished.run, {**manifest, "state": "open"})
    done = finished.call("export", "latest", "--version", "1.0")
    assert (done.returncode, done.stdout) == (1, "")
    line = refusal(done)
    for lack in (
        "the run is not finished",
        "9 records, where at least 99 are wanted",
        "review/easy holds 0 of 91",
        "6 of 8 verdicts of a first reviewer",
        "7 of 8 verdicts of a second, independent reviewer",
        "1 record on which the reviewers differ",
    ):
        assert lack in line
    assert not list(finished.golden.glob("golden_*"))


def test_what_both_reviewers_found_good_becomes_a_version_with_all_that_is_known_of_it(
    blessed: Desk,
) -> None:
    done = blessed.call("export", "latest", "--version", "1.0", "--json")
    assert done.returncode == 0, done.stderr
    path, meta_path = (blessed.root / json.loads(done.stdout)[name] for name in PRINTED)
    assert (path.name, meta_path.name) == ("golden_v1.0.json", "golden_v1.0.meta.json")
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, meta_path)] == [0o444, 0o444]
    meta = json.loads(meta_path.read_text())
    assert (meta["dataset_status"], meta["query_count"]) == ("human_blessed", 9)
    assert meta["human_reviewers"] == ["Ada", "Bob"]
    assert meta["sittings"] == {"first": ["Ada"], "second": ["Bob"]}
    check = meta["spot_check"]
    assert check["verdicts"] == {"correct": 7, "minor_issue": 1, "major_issue": 0, "wrong": 0}
    assert (
        check["round"],
        check["population"],
        check["sampled"],
        check["pairs"],
        check["agreeing"],
    ) == (1, 9, 8, 8, 8)
    # Eight clean of nine: one bad record stays unseen with a chance of 1 in 9.
    assert (check["confidence"], check["upper_bound"], check["upper_bound_stratified"]) == (
        0.95,
        1,
        1,
    )
    assert check["kappa"] == 1.0
    assert all(claim in meta["known_limits"] for claim in check["claims"])
    assert blessed.call("verify", path, "--repo", blessed.code).returncode == 0
    status = blessed.status()
    assert (status["fates"]["blessed"], status["fates"]["pending"]) == (9, 0)
    assert sum(status["fates"].values()) == status["emitted"]


def test_a_reviewed_record_says_who_changed_what_and_when(blessed: Desk) -> None:
    done = blessed.export()
    before = records(blessed.run / "01_oracle_answers.jsonl")
    rows = {row["query_id"]: row for row in json.loads(done.dataset.read_text())}
    with blessed.room() as room:
        sampled = room.look().review_state.events.sampled
    for query_id, row in rows.items():
        people = row["provenance"]
        assert people["human_reviewed"] is (query_id in sampled)
        if query_id not in sampled:
            assert (people["human_reviewer"], people["verdict"], people["edits"]) == (
                None,
                None,
                [],
            )
            continue
        assert (people["human_reviewer"], people["second_reviewer"], people["adjudicator"]) == (
            "Ada",
            "Bob",
            None,
        )
        assert people["reviewed_at"].endswith("Z")
        assert people["verdict"] == ("minor_issue" if query_id == sampled[0] else "correct")
    changed = rows[sampled[0]]
    (edit,) = changed["provenance"]["edits"]
    text = before[sampled[0]][NARRATIVE]
    assert changed[NARRATIVE] == text + ADDED
    assert (edit["field"], edit["before"], edit["after"]) == (NARRATIVE, text, text + ADDED)
    assert edit["reviewer"] in {"Ada", "Bob"}
    assert edit["reviewed_at"].endswith("Z")
    assert all(
        row[NARRATIVE] == before[one][NARRATIVE] for one, row in rows.items() if one != sampled[0]
    )


@pytest.mark.thorough
def test_the_same_run_gives_the_same_bytes_again_and_elsewhere(
    blessed: Desk, tmp_path: Path
) -> None:
    first = blessed.call("export", "latest", "--version", "1.0")
    assert first.returncode == 0, first.stderr
    again = blessed.call("export", "latest", "--version", "1.0")
    assert (again.returncode, "unchanged" in again.stderr) == (0, True)
    blessed.export(out=blessed.root / "elsewhere")
    copied = blessed.copy(tmp_path / "another desk")
    # The ledger stays: metadata name the entry of the last sitting.
    for path in copied.golden.glob("golden_*"):
        path.unlink()
    copied.export()
    for name in ("golden_v1.0.json", "golden_v1.0.md", "golden_v1.0.meta.json"):
        data = (blessed.golden / name).read_bytes()
        assert (blessed.root / "elsewhere" / name).read_bytes() == data
        assert (copied.golden / name).read_bytes() == data


@pytest.mark.parametrize("version", ["v1.0", "golden_v1.0"])
def test_a_version_is_written_under_its_own_name_however_it_is_asked_for(
    blessed: Desk, version: str
) -> None:
    done = blessed.call("export", "latest", "--version", version)
    names = {path.name for path in blessed.golden.glob("*.*")}
    published = {"golden_v1.0.json", "golden_v1.0.md", "golden_v1.0.meta.json"}
    assert done.returncode == 2 or names == published
    assert names <= published


def test_no_command_touches_a_version_that_is_there(blessed: Desk) -> None:
    blessed.export()
    before = {
        path: (path.read_bytes(), path.stat().st_ino, path.stat().st_mode)
        for path in blessed.golden.glob("*.*")
    }
    target = min(records(blessed.run / "narrative_verdicts.jsonl"))
    for arguments, code in (
        (("drop", "latest", target, "--why", "nobody asks this"), 0),
        (("export", "latest", "--version", "1.0"), None),
        (("resume", "latest", "--from", "agreement", "--accept-changes"), 0),
        (("export", "latest", "--version", "1.0", "--base", "1.0"), 1),
    ):
        done = blessed.call(*arguments)
        assert code is None or done.returncode == code, (arguments, done.stderr)
    review_all(blessed)
    look_at_each(blessed)
    done = blessed.call("export", "latest", "--version", "1.0")
    assert done.returncode == 2
    assert "never overwritten" in refusal(done)
    after = {
        path: (path.read_bytes(), path.stat().st_ino, path.stat().st_mode)
        for path in blessed.golden.glob("*.*")
    }
    assert after == before


@pytest.mark.parametrize("with_metadata", [False, True])
def test_a_name_that_is_taken_stays_as_it_is_with_nothing_beside_it(
    blessed: Desk, with_metadata: bool
) -> None:
    blessed.golden.mkdir(exist_ok=True)
    taken = blessed.golden / "golden_v1.0.json"
    taken.write_text("[]\n")
    if with_metadata:
        (blessed.golden / "golden_v1.0.meta.json").write_text("{}\n")
    before = {path.name: path.read_bytes() for path in blessed.golden.glob("*.*")}
    done = blessed.call("export", "latest", "--version", "1.0")
    assert done.returncode == 2
    assert "golden_v1.0" in refusal(done)
    assert {path.name: path.read_bytes() for path in blessed.golden.glob("*.*")} == before


@pytest.mark.thorough
def test_two_exports_at_once_write_one_version(blessed: Desk) -> None:
    both = [blessed.start("export", "latest", "--version", "1.0") for _ in range(3)]
    ended = [process.communicate(timeout=300) for process in both]
    assert [process.returncode for process in both] == [0, 0, 0], ended
    assert sorted(path.name for path in blessed.golden.glob("*.*")) == [
        "golden_v1.0.json",
        "golden_v1.0.md",
        "golden_v1.0.meta.json",
    ]
    assert sorted("unchanged" in errors for _, errors in ended) == [False, True, True]


# In the most room there is the metadata is written, and the dataset is not.
@pytest.mark.parametrize("room_for", first_of([12_000, 0, 100], suite=1))
def test_a_full_disk_ends_in_one_line_and_the_next_export_works(
    blessed: Desk, room_for: int
) -> None:
    # Python itself would leave compiled modules that are cut.
    limit = "import resource, sys; sys.dont_write_bytecode = True; "
    limit += f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room_for}, {room_for}))"
    done = blessed.call("export", "latest", "--version", "1.0", before=limit)
    assert done.returncode == 2
    assert "no room to write" in refusal(done)
    left = {path.name for path in blessed.golden.iterdir() if path.is_file()}
    assert left <= {"golden_v1.0.meta.json"}
    for name in left:
        json.loads((blessed.golden / name).read_text())
    assert len(json.loads(blessed.export().dataset.read_text())) == 9


TOUCHES: Final = {
    "open",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.chmod",
    "os.rename",
    "tempfile.mkstemp",
}


def killed_at(workplace: Desk, moment: int, out: Path) -> bool:
    """Export in a process that is killed when it touches ``out`` for the n-th time; false if it
    ended before.
    """
    child = os.fork()
    if not child:
        touched = itertools.count(1)

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            if (
                event in TOUCHES
                and any(str(out) in str(one) for one in arguments)
                and next(touched) == moment
            ):
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(watch)
            workplace.export(out=out)
            os._exit(0)
        finally:
            os._exit(1)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in {0, -signal.SIGKILL}
    return ended != 0


def test_an_export_that_is_killed_anywhere_leaves_no_dataset_without_its_metadata(
    blessed: Desk,
) -> None:
    export = blessed.export()
    whole, card = export.dataset.read_bytes(), export.card.read_text()
    # To put one file into its place takes more touches than are stepped over.
    for place, moment in enumerate(itertools.count(1, share_of(1, suite=3))):
        out = blessed.root / f"killed-{moment}"
        if not killed_at(blessed, moment, out):
            break
        dataset, metadata = out / "golden_v1.0.json", out / "golden_v1.0.meta.json"
        assert metadata.exists() or not dataset.exists()
        assert not metadata.exists() or json.loads(metadata.read_text())["query_count"] == 9
        assert not dataset.exists() or dataset.read_bytes() == whole
        if place % share_of(1, suite=5):
            continue
        again = blessed.export(out=out)
        assert (again.dataset.read_bytes(), again.card.read_text()) == (whole, card)
    assert moment > 8


OTHERS: Final = {
    "easy": "medium",
    "medium": "easy",
    "locate": "explain",
    "debug": "explain",
    "extend": "explain",
    "high": "medium",
    "low": "medium",
    "equivalent": "minor_divergence",
    "supported": "partial",
}


def mutated(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return OTHERS.get(value, f"{value} and more")
    if isinstance(value, list):
        return value[1:] if value else ["more"]
    return "something" if value is None else value


def with_line(path: Path, query_id: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change one record of a stage file."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        if row["query_id"] == query_id:
            change(row)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


STAGES = ("00_candidates", "01_oracle_answers", "02_adversary_reports", "narrative_verdicts")


def sampled_id(workplace: Desk) -> str:
    """The record of the sample that was judged correct and comes last."""
    with workplace.room() as room:
        return room.look().review_state.events.sampled[-1]


@pytest.mark.parametrize("stage", STAGES)
def test_no_field_of_a_reviewed_record_can_be_changed_unnoticed(blessed: Desk, stage: str) -> None:
    path, query_id = blessed.run / f"{stage}.jsonl", sampled_id(blessed)
    data = path.read_bytes()
    for name, value in records(path)[query_id].items():
        if name == "schema_version":
            continue

        def change(row: dict[str, Any], *, name: str = name, value: object = value) -> None:
            row[name] = mutated(value)

        with_line(path, query_id, change)
        assert path.read_bytes() != data, name
        with pytest.raises(GoldwrightError):
            blessed.export()
        path.write_bytes(data)
    assert not list(blessed.golden.glob("golden_*"))
    blessed.export()


CONTENT = {
    "00_candidates": ("query_text", "task_type", "difficulty"),
    "01_oracle_answers": (
        "expected_entities",
        "expected_files",
        "expected_line_ranges",
        "must_mention_facts",
        "must_not_mention_facts",
        "fact_citations",
        "canonical_narrative",
        "source_evidence",
        "confidence",
        "uncertainty_notes",
    ),
}


def test_a_verdict_falls_with_any_change_of_what_was_judged_even_where_no_seal_holds_it(
    blessed: Desk,
) -> None:
    query_id = sampled_id(blessed)
    manifest = json.loads((blessed.run / "run.json").read_text())
    write_manifest(blessed.run, {**manifest, "seals": {}})
    blessed.export(out=blessed.root / "unchanged")
    for stage, names in CONTENT.items():
        path = blessed.run / f"{stage}.jsonl"
        data = path.read_bytes()
        for name in names:

            def change(row: dict[str, Any], *, name: str = name) -> None:
                row[name] = mutated(row[name])

            with_line(path, query_id, change)
            with pytest.raises(GoldwrightError):
                blessed.export()
            path.write_bytes(data)
    assert not list(blessed.golden.glob("golden_*"))


@pytest.mark.parametrize("change", ["cut", "swap", "unknown"])
def test_words_that_were_taken_out_or_bent_are_noticed(blessed: Desk, change: str) -> None:
    path = blessed.run / "human_reviews.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    if change == "cut":
        del lines[3]
    elif change == "swap":
        lines[3], lines[4] = lines[4], lines[3]
    else:
        lines[3] = lines[3].replace('"correct"', '"perfect"')
    path.write_text("".join(lines))
    with pytest.raises(DamagedStateError):
        blessed.export()


def test_a_threshold_lowered_in_the_manifest_is_noticed(blessed: Desk) -> None:
    manifest = json.loads((blessed.run / "run.json").read_text())
    manifest["plan"]["minimum_total"] = 1
    write_manifest(blessed.run, manifest)
    with pytest.raises(GoldwrightError):
        blessed.export()


def breach(workplace: Desk, note: str) -> tuple[str, tuple[str, ...]]:
    """Let both reviewers find the first record of the sample wrong; gives its id and the sample."""
    for name, sitting in (("Ada", "first"), ("Bob", "second")):
        with workplace.room(name, "first" if sitting == "first" else "second") as room:
            sampled = room.look().review_state.events.sampled
            for query_id in sampled:
                verdict(room, query_id, "wrong" if query_id == sampled[0] else "correct", note)
    return sampled[0], sampled


def _is_sealed(path: Path) -> bool:
    """Tell whether a file is one that nobody may touch; a replaced run closes its reviews."""
    return path.is_file() and path.name != "human_reviews.jsonl"


def test_a_breach_is_answered_with_a_fresh_batch_that_knows_what_was_found(finished: Desk) -> None:
    early = finished.call("requeue", "latest")
    assert early.returncode == 2
    assert "breaches no ceiling" in refusal(early)
    faulty, sampled = breach(finished, "the caller is another one")
    targets = set(records(finished.run / "00_candidates.jsonl")[faulty]["target_entity_ids"])
    done = finished.call("export", "latest", "--version", "1.0")
    assert done.returncode == 1
    assert "breaches a ceiling" in refusal(done)
    assert finished.call("spot-check", "latest").returncode == 1
    old = finished.run
    before = {path.name: path.read_bytes() for path in old.iterdir() if _is_sealed(path)}
    done = finished.call("requeue", "latest")
    assert done.returncode in {0, 1}, done.stderr
    assert finished.run != old
    assert {path.name: path.read_bytes() for path in old.iterdir() if _is_sealed(path)} == before
    # The batch that failed is closed, for reviews as for exports.
    (last,) = (old / "human_reviews.jsonl").read_text().splitlines()[-1:]
    assert json.loads(last)["replaced_by"] == finished.run.name
    closed = finished.call("export", old.name, "--version", "1.0")
    assert (closed.returncode, "replaces it" in refusal(closed)) == (1, True)
    reviewed = finished.call("review", old.name, "--reviewer", "Ada", "--terminal", "--scripted")
    assert (reviewed.returncode, "replaces it" in refusal(reviewed)) == (2, True)
    manifest = load_manifest(finished.run / "run.json")
    assert (manifest.round, manifest.requeued_from, manifest.state) == (2, old.name, "complete")
    assert any("the caller is another one" in lesson for lesson in manifest.lessons)
    assert targets <= set(manifest.spent_targets)
    fresh = records(finished.run / "00_candidates.jsonl").values()
    assert not targets & {target for row in fresh for target in row["target_entity_ids"]}
    assert len(sampled) == SAMPLED
    again = finished.call("requeue", old.name)
    assert (again.returncode, refusal(again).count(f"{finished.run.name} replaces it already")) == (
        2,
        1,
    )
    fresh_check(finished)


def fresh_check(workplace: Desk) -> None:
    """The sample of a second round is new, nobody has judged it, and its bounds pay for the first
    look.
    """
    assert workplace.spot_check()["outcome"] == "no_sample"
    with workplace.room("Bob") as room:
        scene = room.look()
        assert all(item.is_open for item in scene.items)
        sampled = scene.review_state.events.sampled
        for query_id in sampled:
            verdict(room, query_id)
    check = workplace.spot_check()
    assert (check["round"], check["bounds"]["confidence"]) == (2, 0.975)
    assert check["missing"][0].startswith(f"{len(sampled)} of {len(sampled)} verdicts of a second")


def test_a_stage_that_is_redone_after_review_puts_the_verdicts_away_and_counts_as_a_look(
    blessed: Desk,
) -> None:
    reviews = blessed.run / "human_reviews.jsonl"
    said = reviews.read_bytes()
    refused = blessed.call("resume", "latest", "--from", "agreement")
    assert refused.returncode == 2
    assert "verdicts by " in refused.stderr
    assert "would be set aside" in refused.stderr
    assert reviews.read_bytes() == said
    done = blessed.call("resume", "latest", "--from", "agreement", "--accept-changes")
    assert done.returncode == 0, done.stderr
    assert not reviews.exists()
    assert (blessed.run / "superseded/01/human_reviews.jsonl").read_bytes() == said
    done = blessed.call("export", "latest", "--version", "1.0")
    assert done.returncode == 1
    assert "no sample" in done.stderr
    fresh_check(blessed)


def test_what_a_reviewer_wants_tried_again_is_tried_by_resume(
    finished: Desk,
) -> None:
    workplace = finished
    stopped = reserve_of(workplace.run)[0]
    queue_record(workplace.run, stopped)
    parent = stopped.query_id
    hint = "The answer also needs lending/catalogue.py::Book to be named."
    with workplace.room() as room:
        sampled = room.look().review_state.events.sampled
        room.decide(parent, room.look().record_view(parent), "retry", key="retry-1", words=hint)
    done = workplace.call("resume", "latest")
    assert done.returncode in {0, 1}, done.stderr
    (attempt,) = (
        row
        for row in records(workplace.run / "00_candidates.jsonl").values()
        if row["parent"] == parent
    )
    assert attempt["hint"] == hint
    assert f"{attempt['query_id']}: tried again" in done.stderr
    status = workplace.status()
    assert (status["state"], status["rejections"]["retried"]) == ("complete", 1)
    assert sum(status["fates"].values()) == status["emitted"]
    assert workplace.call("resume", "latest").returncode in {0, 1}
    assert workplace.status()["emitted"] == status["emitted"]
    with workplace.room() as room:
        assert room.look().review_state.events.sampled == sampled
        with pytest.raises(InputError, match="acted on this already"):
            room.undo(key="undo-1")


def second_run(workplace: Desk, code: Path) -> None:
    """Run another batch and let people find it good."""
    done = workplace.call("run", "few.json", "--repo", code, "--seed", "7")
    assert done.returncode == 0, done.stderr
    review_all(workplace)
    look_at_each(workplace)


def test_a_second_batch_is_added_to_a_version_without_repeating_or_renaming_what_is_there(
    blessed: Desk,
) -> None:
    first = blessed.export()
    base = json.loads(first.dataset.read_text())
    second_run(blessed, blessed.code)
    done = blessed.call("export", "latest", "--base", "1.0", "--version", "1.1")
    assert done.returncode == 0, done.stderr
    rows = {
        row["query_id"]: row
        for row in json.loads((blessed.golden / "golden_v1.1.json").read_text())
    }
    meta = json.loads((blessed.golden / "golden_v1.1.meta.json").read_text())
    added = meta["base"]
    assert all(rows[row["query_id"]] == row for row in base)
    assert (added["version"], added["query_count"]) == ("1.0", 9)
    assert len(rows) == meta["query_count"] == 9 + 9 - len(added["left_out"])
    batch = records(blessed.run / "00_candidates.jsonl")
    fresh = set(rows) - {row["query_id"] for row in base}
    assert added["renamed"]
    assert {rows[one]["query_text"] for one in fresh} == {
        batch[added["renamed"].get(one, one)]["query_text"] for one in fresh
    }
    texts = [row["query_text"] for row in rows.values()]
    assert len(set(texts)) == len(texts)
    assert json.loads(first.dataset.read_text()) == base
    assert (
        blessed.call(
            "verify", blessed.golden / "golden_v1.1.json", "--repo", blessed.code
        ).returncode
        == 0
    )


def test_a_batch_that_adds_nothing_is_refused(blessed: Desk) -> None:
    blessed.export()
    done = blessed.call("export", "latest", "--base", "1.0", "--version", "1.1")
    assert done.returncode == 2
    assert "records repeat records of 1.0" in refusal(done)
    assert not (blessed.golden / "golden_v1.1.json").exists()


def one_after_the_other(workplace: Desk) -> list[str]:
    """Two people judge the sample, the first one alone, and drop what they have judged; gives the
    sample.
    """
    with workplace.room() as room:
        sampled = list(room.look().review_state.events.sampled)
        for query_id in sampled:
            verdict(room, query_id)
    return sampled


def test_a_sample_that_one_person_judged_and_dropped_blesses_nothing(finished: Desk) -> None:
    """Dropping what a second reviewer would have seen is no way around that reviewer."""
    for query_id in one_after_the_other(finished):
        dropped = finished.call("drop", "latest", query_id, "--why", "no second look")
        assert (dropped.returncode, "counts as a major finding" in dropped.stderr) == (0, True)
    with finished.room() as room:
        for item in room.look().items:
            if item.is_open and item.queue not in {"queued", "failed_gate"}:
                verdict(room, item.query_id)
    done = finished.call("export", "latest", "--version", "1.0")
    assert done.returncode == 1
    assert "breaches a ceiling" in refusal(done)
    assert "two people have confirmed nothing" in refusal(done)


def typed_in_terminal(desk: Desk, typed: str, *options: str, **variables: str) -> str:
    """Type into the review of Ada, and give what it printed."""
    command = ("review", "latest", "--reviewer", "Ada", "--terminal", "--scripted", *options)
    before = f"import os; os.environ.update({variables!r})"
    with desk.start(*command, before=before) as process:
        out, errors = process.communicate(typed, timeout=300)
    assert process.returncode == 0, errors
    return out


def test_a_review_in_a_terminal_says_the_same_words(finished: Desk) -> None:
    """Marked claims and notes, help, undo, an empty line, and a width of 80."""
    typed = "?\n3 x 1 the caller is another one\nu\n\n3 x 1 x 2 x tier it says less\n1 fine\nq\n"
    out = typed_in_terminal(finished, typed, COLUMNS="80")
    assert "words after the number are kept as your note" in out
    assert "says nothing" in out
    assert max(map(len, out.splitlines())) <= 120
    events = [
        json.loads(line) for line in (finished.run / "human_reviews.jsonl").read_text().splitlines()
    ][1:]
    assert [event["event"] for event in events] == ["verdict", "undo", "verdict", "verdict"]
    said = [
        (one["verdict"], one["note"], len(one["disputed"]))
        for one in events
        if one["event"] == "verdict"
    ]
    assert said == [
        ("major_issue", "the caller is another one", 1),
        ("major_issue", "it says less", 3),
        ("correct", "fine", 0),
    ]


def test_an_editor_changes_a_narrative_with_its_code_and_the_question(finished: Desk) -> None:
    """Lines that an editor wraps are joined; those of quoted code stay lines."""
    answers = records(finished.run / "01_oracle_answers.jsonl")
    candidates = records(finished.run / "00_candidates.jsonl")
    numbers = "".join(f"e {number}\n" for number in range(1, 30))
    editor = "sed -i 1s/^/Say:/"
    # A falsified answer is not the one on disk.
    options = ("--canaries", "0")
    typed_in_terminal(finished, f"w\n{numbers}q\n", *options, EDITOR=editor, VISUAL=editor)
    events = [
        json.loads(line) for line in (finished.run / "human_reviews.jsonl").read_text().splitlines()
    ]
    edits = {event["field"]: event for event in events if event["event"] == "edit"}
    query_id = edits["query_text"]["query_id"]
    assert edits["query_text"]["after"] == f"Say:{candidates[query_id]['query_text']}"
    narrative = answers[query_id]["canonical_narrative"]
    assert "\n```python" in narrative
    assert edits["canonical_narrative"]["after"] == f"Say:{narrative}"


def test_an_adjudication_does_not_settle_a_later_difference(finished: Desk) -> None:
    one_after_the_other(finished)
    with finished.room("Bob", "second") as room:
        sampled = list(room.look().review_state.events.sampled)
        for query_id in sampled:
            verdict(room, query_id, "minor_issue" if query_id == sampled[0] else "correct")
    with finished.room("Cyd", "adjudication") as room:
        verdict(room, sampled[0])
    assert finished.spot_check()["outcome"] == "holds"
    with finished.room("Bob", "second") as room:
        verdict(room, sampled[0], "wrong", "It misses the question.")
    check = finished.spot_check()
    assert (check["outcome"], check["disputed"]) == ("incomplete", [sampled[0]])
    with finished.room("Cyd", "adjudication") as room:
        verdict(room, sampled[0])
    assert finished.spot_check()["outcome"] == "holds"


@pytest.mark.thorough
def test_a_batch_of_another_commit_is_not_added(blessed: Desk, tmp_path: Path) -> None:
    blessed.export()
    code = tmp_path / "newer"
    shutil.copytree(blessed.code, code)
    with (code / "lending" / "errors.py").open("a") as errors:
        errors.write("\n# newer\n")
    second_run(blessed, code)
    done = blessed.call("export", "latest", "--base", "1.0", "--version", "1.1")
    assert done.returncode == 2
    assert "rebase it first" in refusal(done)
    assert not (blessed.golden / "golden_v1.1.json").exists()


def test_nothing_is_added_to_a_draft(blessed: Desk) -> None:
    done = blessed.call("export", "latest", "--version", "1.0", "--draft")
    assert done.returncode == 0, done.stderr
    base = blessed.golden / "golden_v1.0.draft.json"
    done = blessed.call("export", "latest", "--base", base, "--version", "1.1")
    assert (done.returncode, "no blessed version" in done.stderr) == (2, True)


def test_a_pipe_into_the_terminal_is_no_person(finished: Desk) -> None:
    done = finished.call("review", "latest", "--reviewer", "Ada", "--terminal")
    assert (done.returncode, "wants a person at a terminal" in refusal(done)) == (2, True)
    assert not (finished.run / "human_reviews.jsonl").exists()
