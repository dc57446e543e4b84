"""Datasets outlive the code they were made from: carried to newer commits, compared with later
batches, audited.
"""

import json
import os
import re
import shlex
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import pytest

from goldwright.app.datasets.export import ExportRequest, export_dataset
from goldwright.engine.progress import SilentProgress
from goldwright.records import Decision, ReviewPass
from journeys.conftest import git
from journeys.sample_code import LENDING, SHOP, write_code
from journeys.starting import call
from journeys.workplace import Workplace

Done = subprocess.CompletedProcess[str]
Rows = dict[str, dict[str, Any]]

DEPOT: Final = {
    "depot/__init__.py": '"""A depot for parcels."""\n',
    "depot/errors.py": '''"""What the depot refuses."""


class DepotError(Exception):
    """Raised for everything that the depot refuses."""
''',
    "depot/scales.py": '''"""Weighing."""

from depot.errors import DepotError


def weigh_parcel(grams, tare, limit=None):
    """Subtract the tare of the crate from what the scales show."""
    limit = limit or 31500
    net = grams - tare
    if net <= 0:
        raise DepotError("the crate on the scales holds nothing")
    if net > limit:
        raise DepotError("a parcel of this weight is carried by nobody")
    if net < 100:
        raise DepotError("less than a hundred grams is sent as a letter")
    price = 350
    if net > 10000:
        price = 350 + net // 100
    if price > 600:
        raise DepotError("a parcel that dear is sent by another depot")
    return net
''',
    "depot/stamps.py": '''"""Postage."""

from depot.errors import DepotError

RATES = {"letter": 85, "box": 499}


def price_stamp(kind, express):
    """Look up the postage of a shipment and double it for express delivery."""
    cents = RATES.get(kind)
    if cents is None:
        raise DepotError("there is no postage for a shipment of this kind")
    if express and kind == "box":
        raise DepotError("boxes are not carried by the express rider")
    if cents > 400 and not kind.islower():
        raise DepotError("dear shipments are named in small letters")
    if express:
        cents = cents * 2
    if cents > 900:
        raise DepotError("no stamp is printed for as much money")
    return cents
''',
    "depot/routes.py": '''"""Ways through the town."""

from depot.errors import DepotError


def shorten_route(stops, longest=40):
    """Drop stops that are visited twice while keeping their order."""
    seen = set()
    kept = []
    for stop in stops:
        if stop not in seen:
            seen.add(stop)
            kept.append(stop)
    if not kept:
        raise DepotError("a way through the town needs a stop")
    if len(kept) > longest:
        raise DepotError("the day is too short for as many stops")
    if len(kept) == 1:
        return [*kept, *kept]
    start = kept[0]
    if start != "depot":
        raise DepotError("a way through the town begins at the depot")
    return kept
''',
    "depot/labels.py": '''"""Addresses on parcels."""

from depot.errors import DepotError


def print_label(street, town, postcode):
    """Join the lines of an address and refuse a postcode that is too short."""
    if len(postcode) < 4:
        raise DepotError("a postcode is written with four digits")
    if not street.strip():
        raise DepotError("nobody can be found without a street and a number")
    place = town.strip() or "town"
    if place == "elsewhere":
        raise DepotError("the vans of the depot do not drive elsewhere")
    if len(place) > 40:
        raise DepotError("the name of the town is longer than the label")
    lines = [street.strip(), f"{postcode} {place}"]
    return "\\n".join(lines)
''',
    "depot/couriers.py": '''"""Who drives."""

from depot.errors import DepotError


def pick_courier(drivers, load):
    """Choose the driver whose van has the least room left that still fits the load."""
    awake = [driver for driver in drivers if not driver.has_night_off]
    if not awake:
        raise DepotError("all drivers of the depot have the night off")
    fitting = [driver for driver in awake if driver.room >= load]
    if not fitting:
        raise DepotError("no van in the yard is large enough")
    if load < 0:
        raise DepotError("a load below nothing fits into any van")
    if load == 0 and len(fitting) == 1:
        raise DepotError("the last van is not sent out without a load")
    return min(fitting, key=lambda driver: driver.room)
''',
    "depot/ledger.py": '''"""What customers owe."""

from depot.errors import DepotError


def settle_account(invoices, payments):
    """Add up unpaid invoices and report how much credit remains."""
    owed = sum(invoice.cents for invoice in invoices if not invoice.paid)
    credit = sum(payments)
    if credit < 0:
        raise DepotError("nobody can pay less than nothing at all")
    if owed > 100000:
        raise DepotError("the debt has grown beyond what is lent")
    if not payments and owed > 5000:
        raise DepotError("who has paid nothing yet gets no more parcels")
    if credit > owed:
        return credit - owed
    return 0
''',
    "depot/clock.py": '''"""Opening hours."""

from depot.errors import DepotError

OPENS = 8
CLOSES = 18


def is_counter_open(hour, holiday):
    """Tell whether customers are served at an hour of a working day."""
    if hour < 0:
        raise DepotError("the day begins at midnight and not before")
    if hour > 24:
        raise DepotError("the day is over after twenty-four hours")
    if holiday and hour > 12:
        raise DepotError("nobody is at the counter after noon on a holiday")
    if holiday == "christmas":
        raise DepotError("the yard of the depot is locked on this day")
    if holiday:
        return False
    return OPENS <= hour < CLOSES
''',
    "depot/returns.py": '''"""What comes back."""

from depot.errors import DepotError


def accept_refund(receipt, days):
    """Check that goods come back within a month before money is repaid."""
    if days > 30:
        raise DepotError("goods are taken back for a month alone")
    if receipt.refunded:
        raise DepotError("the money for these goods was repaid before")
    if days < 0:
        raise DepotError("goods cannot come back before they were sold")
    if receipt.cents <= 0:
        raise DepotError("nothing was paid that could be paid back")
    if receipt.cents > 50000 and days > 7:
        raise DepotError("dear goods are taken back for a week alone")
    receipt.refunded = True
    return receipt.cents
''',
}
"""Modules with one function each, so that a change to one bears on one record."""
PLAN: Final = {
    "schema_version": "1.0.0", "name": "depot", "total": 7, "minimum_total": 7, "top_up_rounds": 1,
    "sample_share": 0.8, "cells": {"locate": {"easy": 7}},
}  # fmt: skip
FATES: Final = ("shifted", "renamed", "moved", "edited", "reworked", "deleted", "untouched")
"""What happens to the code of the records, in the order of their ids."""
REMARK: Final = "# Checked every spring.\n# And every autumn.\n\n"
KNOWCODE: Final = {
    "query_id": "k1",
    "query_text": "Where is postage looked up for a shipment?",
    "task_type": "locate",
    "difficulty": "easy",
    "expected_entities": ["depot/stamps.py::price_stamp"],
    "expected_files": ["depot/stamps.py"],
    "must_mention_facts": ["It reads RATES.", "It doubles.", "It returns."],
    "must_not_mention_facts": ["It rounds."],
}


@dataclass(frozen=True)
class Desk(Workplace):
    """A workplace at which datasets are carried, compared and checked."""

    @property
    def files(self) -> dict[str, bytes]:
        """Everything below the working directory."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file()
        }

    def call(self, *arguments: object) -> Done:
        """Run the command."""
        environment = {**os.environ, "GOLDWRIGHT_CACHE": str(self.cache), "ANTHROPIC_API_KEY": ""}
        return call(*arguments, cwd=self.root, environment=environment)

    def rebase(self, dataset: str, rev: str, *more: str) -> Done:
        """Carry a dataset to a commit."""
        return self.call("rebase", dataset, "--repo", self.code, "--rev", rev, *more)

    def verify(self, dataset: object, rev: str, *more: str) -> Done:
        """Check a dataset at a commit."""
        return self.call("verify", dataset, "--repo", self.code, "--rev", rev, *more)

    def metadata(self, version: str) -> dict[str, Any]:
        """What stands beside a version."""
        found: dict[str, Any] = json.loads(
            (self.golden / f"golden_v{version}.meta.json").read_text()
        )
        return found

    def records(self, version: str) -> Rows:
        """The records of a version by id."""
        return {
            row["query_id"]: row
            for row in json.loads((self.golden / f"golden_v{version}.json").read_text())
        }

    def stage(self, name: str) -> Rows:
        """The records of a stage file of the newest run."""
        lines = (self.run / f"{name}.jsonl").read_text().splitlines()
        return {row["query_id"]: row for row in map(json.loads, lines)}

    def judge_all(self, reviewer: str, sitting: ReviewPass) -> None:
        """Let a person find everything correct that wants a verdict."""
        with self.room(reviewer, sitting) as room:
            for item in room.look().items:
                if item.queue in {"sample", "look"} and item.is_open:
                    seen = room.look().record_view(item.query_id)
                    room.give_verdict(
                        item.query_id, seen, "correct", key=f"{sitting}-{item.query_id}"
                    )

    def decide(self, query_id: str, decision: Decision, words: str = "") -> None:
        """Let a person keep, drop or send back a record."""
        with self.room() as room:
            changes = room.look().review_state.changed_claims(query_id)
            if decision == "keep" and changes:
                claims = tuple(change.claim_id for change in changes)
                room.note_look(query_id, claims, key=f"look-{query_id}")
            room.decide(
                query_id,
                room.look().record_view(query_id),
                decision,
                key=f"{decision}-{query_id}",
                words=words,
            )


@dataclass(frozen=True)
class Story:
    """A blessed version 1.0 of the first commit; ``ids`` maps what happens to a record's code to
    the record's id.
    """

    workplace: Desk
    ids: dict[str, str]
    one: str
    two: str
    bare: str


def commit(code: Path, message: str) -> str:
    """Commit everything there is and give the id of the commit."""
    git(code, "add", "--all")
    git(code, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(code, "rev-parse", "HEAD").strip()


def write_depot(code: Path) -> None:
    """Write the code of the depot."""
    for name, text in DEPOT.items():
        path = code / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def change(code: Path, fates: dict[str, str]) -> None:
    """Let its fate come over each file."""
    for fate, name in fates.items():
        path = code / name
        text = path.read_text()
        head, mark, function = text.partition("def ")
        match fate:
            case "shifted":
                path.write_text(head + REMARK + mark + function)
            case "renamed":
                (code / "depot/inner").mkdir()
                path.rename(code / "depot/inner" / path.name)
            case "moved":
                (code / "depot/joined.py").write_text(f'"""Moved here."""\n\n\n{mark}{function}')
                path.write_text(head.rstrip() + "\n")
            case "edited":
                path.write_text(re.sub(r"    return (.*)\n\Z", r"    return \1 or None\n", text))
            case "reworked":
                path.write_text(text.replace('"""\n    ', '"""\n    started = True\n    ', 1))
            case "deleted":
                path.unlink()


def started(workplace: Desk, *more: str) -> Done:
    """Make a run of the depot's plan."""
    workplace.root.mkdir(exist_ok=True)
    (workplace.root / "depot.json").write_text(json.dumps(PLAN))
    done = workplace.call("run", "depot.json", "--repo", workplace.code, *more)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """A version that two people blessed, and what happens to the code afterwards."""
    root = tmp_path_factory.mktemp("living")
    workplace = Desk(root / "desk", root / "cache", root / "code")
    write_depot(workplace.code)
    git(workplace.code, "init", "--quiet", "--initial-branch=main")
    one = commit(workplace.code, "Open the depot")
    started(workplace)
    workplace.judge_all("Ada", "first")
    workplace.judge_all("Bob", "second")
    request = ExportRequest("latest", "1.0")
    export_dataset(request, workplace.environment, SilentProgress())
    files = {
        query_id: row["expected_files"][0] for query_id, row in workplace.records("1.0").items()
    }
    ids = dict(zip(FATES, files, strict=True))
    change(workplace.code, {fate: files[query_id] for fate, query_id in ids.items()})
    two = commit(workplace.code, "Move on")
    for path in (workplace.code / "depot").rglob("*.py"):
        path.unlink()
    (workplace.code / "other.py").write_text('"""Nothing of a depot."""\n')
    return Story(workplace, ids, one, two, commit(workplace.code, "Close the depot"))


@pytest.fixture(scope="module")
def carried(story: Story, tmp_path_factory: pytest.TempPathFactory) -> tuple[Story, Done]:
    """The same with version 1.1, at the second commit, and what the command said."""
    workplace = story.workplace.copy(tmp_path_factory.mktemp("carried") / "desk")
    return replace(story, workplace=workplace), workplace.rebase("1.0", story.two)


@pytest.fixture
def blessed(story: Story, tmp_path: Path) -> Story:
    """The blessed version on a desk of this test's own."""
    return replace(story, workplace=story.workplace.copy(tmp_path / "desk"))


@pytest.fixture
def returned(carried: tuple[Story, Done], tmp_path: Path) -> Story:
    """The carried version and the run of the rest on a desk of this test's own."""
    return replace(carried[0], workplace=carried[0].workplace.copy(tmp_path / "desk"))


def check_refused(done: Done, workplace: Desk, before: dict[str, bytes], *words: str) -> None:
    """Check for one line, exit code 2, and nothing written."""
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in last
    assert workplace.files == before


def test_a_dataset_is_carried_as_the_next_minor_version(carried: tuple[Story, Done]) -> None:
    story, done = carried
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).name == "golden_v1.1.json"
    lines = done.stderr.splitlines()
    assert f"{story.one[:12]} to {story.two[:12]}: 1 unchanged, 3 moved, 2 edited, 1 gone" in lines
    told = [line for line in lines if line.startswith("  q_")]
    assert [line.split(":")[1].strip() for line in told] == ["edited", "edited", "gone"]
    assert lines[-1].startswith(f"next    goldwright review {story.workplace.run.name} ")
    assert all(
        (story.workplace.golden / f"golden_v1.1{end}").stat().st_mode & 0o777 == 0o444
        for end in (".json", ".meta.json")
    )


def test_a_guard_shows_before_the_merge_what_a_rebase_would_return(
    carried: tuple[Story, Done], blessed: Story
) -> None:
    before = blessed.workplace.files
    report = blessed.workplace.root / "guard.md"
    asked = ("guard", "1.0", "--repo", blessed.workplace.code, "--rev")
    done = blessed.workplace.call(*asked, blessed.two, "--json", "--markdown", report)
    assert done.returncode == 1, done.stderr
    said = json.loads(done.stdout)
    assert said["counts"] == {"unchanged": 1, "moved": 3, "edited": 2, "gone": 1}
    returned = {"edited", "reworked", "deleted"}
    assert {row["query_id"] for row in said["records"]} == {blessed.ids[fate] for fate in returned}
    for row in said["records"]:
        assert row["reasons"]
        # What a rebase says of it, word by word.
        told = carried[1].stderr
        assert f"{row['query_id']}: {row['kind']}: {'; '.join(row['reasons'])}" in told
    edited = next(row for row in said["records"] if row["query_id"] == blessed.ids["edited"])
    assert any(line[0] in "+-" for change in edited["changes"] for line in change["diff"])
    text = report.read_text()
    assert text.startswith("<!-- goldwright guard -->\n### 3 of 7 records of `golden_v1.0.json`")
    report.unlink()
    # A guard looks, and nothing more.
    assert blessed.workplace.files == before
    same = blessed.workplace.call(*asked, blessed.one)
    assert same.returncode == 0, same.stderr
    assert "all 7 records of golden_v1.0.json hold at" in same.stdout


def reasons_of(desk: Desk, query_id: str) -> list[str]:
    """Give why a record came back, whether it passes the gate or not."""
    queued = desk.stage("04_human_review_queue").get(query_id)
    if queued is not None:
        return list(queued["reasons"])
    failures = desk.stage("03_validation_failures")[query_id]["failures"]
    return [failure["message"] for failure in failures]


def test_what_is_decided_on_a_pull_request_is_known_after_the_merge(blessed: Story) -> None:
    desk, ids = blessed.workplace, blessed.ids
    report = desk.root / "guard.md"
    asked = ("guard", "1.0", "--repo", desk.code, "--rev", blessed.two)
    decide = "https://example.org/ann/depot/new/branch"
    assert desk.call(*asked, "--decide", decide, "--markdown", report).returncode == 1
    links = re.findall(
        r"\[(\w+)\]\((https://example.org/ann/depot/new/branch\S+?)\)", report.read_text()
    )
    report.unlink()
    wanted = {ids["deleted"]: "Drop", ids["edited"]: "Keep", ids["reworked"]: "Fix"}
    for verdict, link in links:
        fields = dict(parse_qsl(urlsplit(link).query))
        path = desk.root / fields["filename"]
        if wanted[path.stem] == verdict:
            path.parent.mkdir(exist_ok=True)
            decision = json.loads(fields["value"])
            path.write_text(json.dumps({**decision, "by": "Ann", "note": "as said"}))
    settled = desk.call(*asked, "--json")
    assert settled.returncode == 0, settled.stderr
    said = {row["query_id"]: row["decision"] for row in json.loads(settled.stdout)["records"]}
    assert said == {name: verdict.lower() for name, verdict in wanted.items()}
    # What was decided of other code counts no more.
    stale = desk.golden / "guard" / f"{ids['reworked']}.json"
    decided = json.loads(stale.read_text())
    stale.write_text(json.dumps({**decided, "change": "sha256:other"}))
    assert desk.call(*asked).returncode == 1
    done = desk.rebase("1.0", blessed.two)
    assert done.returncode == 0, done.stderr
    said_of_it = f"  {ids['deleted']}: left out: Ann said on the pull request: drop (as said)"
    assert said_of_it in done.stderr.splitlines()
    returned = desk.stage("00_candidates").keys()
    assert returned == {ids["edited"], ids["reworked"]}
    first = {name: reasons_of(desk, name)[0] for name in returned}
    assert first[ids["edited"]] == "Ann said on the pull request: keep (as said)"
    assert "pull request" not in first[ids["reworked"]]


def test_a_file_that_is_no_decision_stops_a_rebase(blessed: Story) -> None:
    desk = blessed.workplace
    (desk.golden / "guard").mkdir()
    (desk.golden / "guard" / "q_00001.json").write_text("{}")
    before = desk.files
    done = desk.rebase("1.0", blessed.two)
    check_refused(done, desk, before, "q_00001.json")


def test_the_metadata_tell_where_a_version_was_carried_from(carried: tuple[Story, Done]) -> None:
    story, _ = carried
    before, now = story.workplace.metadata("1.0"), story.workplace.metadata("1.1")
    assert (now["version"], now["dataset_status"], now["query_count"]) == (
        "1.1",
        # Four records are left of seven, and the plan asks for seven.
        "human_blessed_below_floors",
        4,
    )
    assert (before["repo_commit"], now["repo_commit"]) == (story.one, story.two)
    assert (
        now["repo_tree"] == git(story.workplace.code, "rev-parse", f"{story.two}^{{tree}}").strip()
    )
    assert now["rebased"] == {
        "version": "1.0",
        "dataset_sha256": before["dataset_sha256"],
        "repo_commit": story.one,
        "unchanged": 1,
        "moved": 3,
        "edited": [story.ids["edited"], story.ids["reworked"]],
        "gone": [story.ids["deleted"]],
        "returned_to": story.workplace.run.name,
    }
    assert [(cell["target"], cell["count"]) for cell in now["cells"]] == [(7, 4)]
    (batch,) = now["batches"]
    assert (batch["version"], len(batch["query_ids"])) == ("1.0", 4)
    kept = ("spot_check", "human_reviewers", "sittings", "run", "seed", "plan_digest", "roles")
    assert {name: now[name] for name in kept} == {name: before[name] for name in kept}
    assert now["known_limits"][0] == (
        "Carried over from version 1.0: 3 of its 7 records did not come along. What follows on "
        f"samples, people and the batch was said of it at commit {story.one[:12]}."
    )


def test_every_record_that_came_along_keeps_its_blessing_and_says_how_it_came(
    carried: tuple[Story, Done],
) -> None:
    story, _ = carried
    old, new = story.workplace.records("1.0"), story.workplace.records("1.1")
    assert list(new) == sorted(
        story.ids[fate] for fate in ("shifted", "renamed", "moved", "untouched")
    )
    for fate in ("shifted", "renamed", "moved", "untouched"):
        before, now = (rows[story.ids[fate]]["provenance"] for rows in (old, new))
        kind = "unchanged" if fate == "untouched" else "moved"
        assert now.pop("carried") == [{"from_commit": story.one, "kind": kind}]
        assert before.pop("carried") == []
        assert now == before
        people = (now["human_reviewer"], now["second_reviewer"], now["verdict"])
        assert people == (("Ada", "Bob", "correct") if now["human_reviewed"] else (None,) * 3)
    # One of the seven is in no sample.
    assert sum(row["provenance"]["human_reviewed"] for row in new.values()) >= 3


def test_what_moved_is_anchored_where_it_stands_now(carried: tuple[Story, Done]) -> None:
    story, _ = carried
    old, new = story.workplace.records("1.0"), story.workplace.records("1.1")
    untouched = story.ids["untouched"]
    assert {**new[untouched], "provenance": None} == {**old[untouched], "provenance": None}

    before, now = (rows[story.ids["shifted"]] for rows in (old, new))
    for field in ("expected_line_ranges", "fact_citations", "source_evidence"):
        assert [(one["start"], one["end"]) for one in now[field]] == [
            (one["start"] + 3, one["end"] + 3) for one in before[field]
        ]
    assert (now["expected_files"], now["expected_entities"]) == (
        before["expected_files"],
        before["expected_entities"],
    )

    before, now = (rows[story.ids["renamed"]] for rows in (old, new))
    there = before["expected_files"][0].replace("depot/", "depot/inner/")
    assert now["expected_files"] == [there]
    assert [one["file"] for one in now["expected_line_ranges"]] == [there]
    assert now["canonical_narrative"] == before["canonical_narrative"].replace(
        before["expected_files"][0], there
    )

    before, now = (rows[story.ids["moved"]] for rows in (old, new))
    name = before["expected_entities"][0]["entity_id"].partition("::")[2]
    assert [one["entity_id"] for one in now["expected_entities"]] == [f"depot/joined.py::{name}"]
    assert now["expected_line_ranges"][0]["start"] == 4
    assert before["expected_files"][0] not in now["canonical_narrative"]


def test_the_new_version_is_accepted_at_the_new_commit_alone(carried: tuple[Story, Done]) -> None:
    story, _ = carried
    for dataset, rev, code in (
        ("1.1", story.two, 0),
        ("latest", story.two, 0),
        ("1.1", story.one, 1),
        ("1.0", story.two, 1),
    ):
        done = story.workplace.verify(dataset, rev)
        assert done.returncode == code, (dataset, rev, done.stderr)
        assert ("drift: " in done.stderr) == bool(code)
    assert story.workplace.verify("1.0", story.one).returncode == 0


def test_the_difference_of_both_versions_is_told_as_moving(carried: tuple[Story, Done]) -> None:
    story, _ = carried
    done = story.workplace.call("diff", "1.0", "1.1")
    assert done.returncode == 0, done.stderr
    assert "0 added, 3 removed, 0 changed, 3 re-anchored, 1 unchanged" in done.stdout
    found = json.loads(story.workplace.call("diff", "1.0", "1.1", "--json").stdout)
    moved = [one["query_id"] for one in found["reanchored"]]
    assert {*moved, *found["unchanged"]} == set(story.workplace.records("1.1"))
    # Both count the same records by the same words.
    rebased = story.workplace.metadata("1.1")["rebased"]
    assert (len(moved), len(found["unchanged"])) == (rebased["moved"], rebased["unchanged"])
    removed = len(rebased["edited"]) + len(rebased["gone"])
    assert len(found["removed"]) == removed


def test_the_difference_tells_of_what_is_missing_whether_its_code_changed_or_went(
    carried: tuple[Story, Done],
) -> None:
    story, _ = carried
    found = json.loads(story.workplace.call("diff", "1.0", "1.1", "--json").stdout)
    why = {one["record"]["query_id"]: " ".join(one["why"]) for one in found["removed"]}
    assert why.keys() == {story.ids[fate] for fate in ("edited", "reworked", "deleted")}
    assert "gone" in why[story.ids["deleted"]]
    assert "edited" in why[story.ids["edited"]]


def test_a_rebase_gives_the_same_records_every_time(blessed: Story) -> None:
    workplace = blessed.workplace
    for out in ("here", "there"):
        assert workplace.rebase("1.0", blessed.two, "--out", out).returncode == 0
    here, there = (workplace.root / out for out in ("here", "there"))
    assert (here / "golden_v1.1.json").read_bytes() == (there / "golden_v1.1.json").read_bytes()
    said = [json.loads((out / "golden_v1.1.meta.json").read_text()) for out in (here, there)]
    for one in said:
        assert one["rebased"].pop("returned_to") in {
            path.name for path in (workplace.root / "runs").iterdir()
        }
    assert said[0] == said[1]
    assert {path.name for path in workplace.golden.glob("*.*")} == {
        "golden_v1.0.json",
        "golden_v1.0.md",
        "golden_v1.0.meta.json",
    }


def test_a_version_at_its_own_commit_is_left_alone(carried: tuple[Story, Done]) -> None:
    story, _ = carried
    before = story.workplace.files
    done = story.workplace.rebase("latest", story.two)
    assert (done.returncode, done.stdout, story.workplace.files == before) == (0, "", True)
    assert f"it stands at {story.two[:12]} already; nothing to do" in done.stderr


@pytest.mark.parametrize(
    "taken", ["golden_v1.1.json", "golden_v1.1.md", "golden_v1.1.meta.json", "link"]
)
def test_a_version_that_is_taken_is_refused_before_anything_is_written(
    blessed: Story, taken: str
) -> None:
    golden = blessed.workplace.golden
    if taken == "link":
        (golden / "golden_v1.1.json").symlink_to("nowhere")
    else:
        (golden / taken).write_text("[]\n")
    before = blessed.workplace.files
    check_refused(
        blessed.workplace.rebase("1.0", blessed.two), blessed.workplace, before, "golden_v1.1"
    )


def test_a_second_rebase_asks_for_another_number_and_takes_it(returned: Story) -> None:
    before = returned.workplace.files
    done = returned.workplace.rebase("1.0", returned.two)
    check_refused(
        done, returned.workplace, before, "golden_v1.1.json", "never overwritten", "--version"
    )
    assert len(done.stderr.splitlines()) == 1
    assert returned.workplace.rebase("1.0", returned.two, "--version", "1.5").returncode == 0
    assert returned.workplace.metadata("1.5")["rebased"]["version"] == "1.0"
    check_refused(
        returned.workplace.rebase("1.0", returned.two, "--version", "one"),
        returned.workplace,
        returned.workplace.files,
        "one",
    )


def test_a_place_that_cannot_be_written_leaves_no_run_behind(blessed: Story) -> None:
    (blessed.workplace.root / "file").write_text("")
    before = blessed.workplace.files
    check_refused(
        blessed.workplace.rebase("1.0", blessed.two, "--out", "file"),
        blessed.workplace,
        before,
        "file",
    )


def test_what_people_have_judged_keeps_its_plan(blessed: Story) -> None:
    done = blessed.workplace.call("resume", "latest", "--as-filled")
    check_refused(done, blessed.workplace, blessed.workplace.files, "people have judged records")


def test_a_draft_stays_a_draft(blessed: Story) -> None:
    workplace = blessed.workplace
    assert workplace.call("export", "latest", "--version", "1.0", "--draft").returncode == 0
    done = workplace.rebase("golden/golden_v1.0.draft.json", blessed.two)
    assert (done.returncode, Path(done.stdout.strip()).name) == (0, "golden_v1.1.draft.json")
    metadata = workplace.metadata("1.1.draft")
    assert metadata["dataset_status"] == "agent_curated_pending_human_review"
    assert metadata["spot_check"] is None
    draft = "golden/golden_v1.1.draft.json"
    assert workplace.verify(draft, blessed.two).returncode == 0
    # What came back and was kept belongs to the draft, and is no dataset by itself.
    workplace.decide(blessed.ids["edited"], "keep")
    for fate in ("reworked", "deleted"):
        workplace.decide(blessed.ids[fate], "drop", "it is gone")
    told = workplace.call("spot-check", "latest").stdout
    (command,) = [line[8:] for line in told.splitlines() if line.startswith("next    ")]
    before = workplace.files
    alone = workplace.call("export", "latest", "--version", "1.2")
    check_refused(alone, workplace, before, "--base", "golden_v1.1.draft.json --draft")
    added = workplace.call(*shlex.split(command)[1:])
    assert added.returncode == 0, added.stderr
    assert "added to" in added.stderr
    metadata = workplace.metadata("1.2.draft")
    assert metadata["dataset_status"] == "agent_curated_pending_human_review"
    assert metadata["base"]["query_count"] < metadata["query_count"]
    blessed_with = ("export", "latest", "--version", "1.3", "--base", draft)
    check_refused(workplace.call(*blessed_with), workplace, workplace.files, "pass --draft")
    assert "golden_v1.0.json (the only version)" in workplace.verify("latest", blessed.one).stderr


def test_a_dataset_without_metadata_is_refused(blessed: Story) -> None:
    (blessed.workplace.root / "alone.json").write_bytes(
        (blessed.workplace.golden / "golden_v1.0.json").read_bytes()
    )
    before = blessed.workplace.files
    check_refused(
        blessed.workplace.rebase("alone.json", blessed.two),
        blessed.workplace,
        before,
        "alone.json",
        "no metadata",
    )


def test_a_dataset_of_another_repository_is_refused(blessed: Story, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_depot(other)
    git(other, "init", "--quiet", "--initial-branch=main")
    commit(other, "Something else")
    before = blessed.workplace.files
    done = blessed.workplace.call("rebase", "1.0", "--repo", other)
    check_refused(done, blessed.workplace, before, blessed.one[:12])


def test_a_dataset_of_another_program_is_refused(blessed: Story) -> None:
    (blessed.workplace.root / "k.json").write_text(json.dumps([KNOWCODE]))
    before = blessed.workplace.files
    check_refused(
        blessed.workplace.rebase("k.json", blessed.two), blessed.workplace, before, "k.json"
    )


def test_where_no_record_comes_along_there_is_no_version_but_a_run(blessed: Story) -> None:
    done = blessed.workplace.rebase("1.0", blessed.bare, "--json")
    said = json.loads(done.stdout)
    assert (done.returncode, said["dataset"], said["metadata"], said["counts"]) == (
        1,
        None,
        None,
        {"gone": 7},
    )
    assert said["returned_to"] == blessed.workplace.run.name
    assert {path.name for path in blessed.workplace.golden.glob("*.*")} == {
        "golden_v1.0.json",
        "golden_v1.0.md",
        "golden_v1.0.meta.json",
    }


def test_the_records_that_did_not_come_along_wait_for_people(carried: tuple[Story, Done]) -> None:
    story, _ = carried
    report = json.loads(story.workplace.call("status", "latest", "--json").stdout)
    assert (report["state"], report["plan"], report["emitted"], report["selected"]) == (
        "complete",
        "rebase",
        3,
        0,
    )
    # Whether an answer still passes the gate hangs on what its facts say of the changed lines.
    assert report["fates"]["queued"] + report["fates"]["failed_gate"] == 3
    said = story.workplace.call("status")
    assert "decide on 3 records in review" in said.stderr + said.stdout
    check = story.workplace.call("spot-check", "latest")
    assert check.returncode == 0
    assert f"next    goldwright review {story.workplace.run.name}" in check.stdout
    assert story.workplace.stage("00_candidates").keys() == {
        story.ids[one] for one in ("edited", "reworked", "deleted")
    }
    failures = story.workplace.stage("03_validation_failures")
    reasons = failures[story.ids["deleted"]]["failures"]
    assert {"rebase", "file_exists"} <= {one["check"] for one in reasons}


@pytest.fixture(scope="module")
def settled(
    carried: tuple[Story, Done], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Story, Done]:
    """The rest settled by people: one record kept, one dropped, one played again by the run, and
    looked at.
    """
    story = replace(
        carried[0], workplace=carried[0].workplace.copy(tmp_path_factory.mktemp("settled") / "desk")
    )
    story.workplace.decide(story.ids["edited"], "keep")
    story.workplace.decide(story.ids["deleted"], "drop", "the code is gone")
    story.workplace.decide(story.ids["reworked"], "retry", "read the function again")
    done = story.workplace.call("resume", "latest", "--json")
    early = story.workplace.call("export", "latest", "--version", "1.2", "--base", "1.1")
    assert (early.returncode, "outside the sample to be looked at" in early.stderr) == (1, True), (
        early.stderr
    )
    story.workplace.judge_all("Cleo", "first")
    return story, done


def test_what_came_back_is_no_version_by_itself(
    settled: tuple[Story, Done], tmp_path: Path
) -> None:
    """The records that came along would be missing, and nobody would be told."""
    workplace = settled[0].workplace.copy(tmp_path / "desk")
    done = workplace.call("export", "latest", "--version", "1.2")
    assert (done.returncode, "add --base 1.1" in done.stderr) == (2, True), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.fixture
def joined(settled: tuple[Story, Done], tmp_path: Path) -> Story:
    """Version 1.2: what people settled, added to version 1.1."""
    workplace = settled[0].workplace.copy(tmp_path / "desk")
    done = workplace.call("export", "latest", "--version", "1.2", "--base", "1.1")
    assert done.returncode == 0, done.stderr
    return replace(settled[0], workplace=workplace)


def test_a_resumed_run_plays_what_was_sent_back_and_authors_nothing(
    settled: tuple[Story, Done],
) -> None:
    story, done = settled
    workplace, attempt = story.workplace, f"{story.ids['reworked']}-retry1"
    report = json.loads(done.stdout)
    assert (report["state"], report["emitted"], report["fates"]["rejected"]) == (
        "complete",
        4,
        2,
    ), done.stderr
    candidates = workplace.stage("00_candidates")
    assert candidates.keys() == {
        *(story.ids[fate] for fate in ("edited", "reworked", "deleted")),
        attempt,
    }
    assert (candidates[attempt]["hint"], candidates[attempt]["parent"]) == (
        "read the function again",
        story.ids["reworked"],
    )
    assert attempt in workplace.stage("narrative_verdicts")
    answers = workplace.stage("01_oracle_answers")
    (before,), (now,) = (
        answers[one]["expected_line_ranges"] for one in (story.ids["reworked"], attempt)
    )
    # A record is returned with the lines that its code has now.
    assert (now["start"], now["end"]) == (before["start"], before["end"])
    again = json.loads(workplace.call("resume", "latest", "--json").stdout)
    assert (again["emitted"], again["fates"]["blessed"]) == (4, 2)


def test_what_was_sent_back_is_not_passed_over_when_nobody_can_play_it(returned: Story) -> None:
    returned.workplace.decide(returned.ids["reworked"], "retry", "read the function again")
    settings = '[agents]\noracle = "anthropic:claude-new"\n[run]\nunpriced = true\n'
    (returned.workplace.root / "goldwright.toml").write_text(settings)
    done = returned.workplace.call("resume", "latest")
    assert done.returncode == 2, done.stderr
    assert "agents.oracle: no key for anthropic" in done.stderr.splitlines()[-1]


def test_when_all_is_settled_the_spot_check_leads_to_the_export(
    settled: tuple[Story, Done],
) -> None:
    story, _ = settled
    done = story.workplace.call("spot-check", "latest")
    assert done.returncode == 0
    assert "holds" in done.stdout
    assert f"next    goldwright export {story.workplace.run.name}" in done.stdout
    assert "goldwright review" not in done.stdout


def test_what_people_settled_is_added_again_with_their_names(joined: Story) -> None:
    workplace, attempt = joined.workplace, f"{joined.ids['reworked']}-retry1"
    records, before = workplace.records("1.2"), workplace.records("1.1")
    assert records.keys() == {*before, joined.ids["edited"], attempt}
    assert {one: records[one] for one in before} == before
    kept, retried = records[joined.ids["edited"]]["provenance"], records[attempt]["provenance"]
    assert (kept["human_reviewed"], kept["human_reviewer"]) == (True, "Ada")
    assert kept["reviewed_at"].endswith("Z")
    assert (retried["human_reviewed"], retried["human_reviewer"], retried["verdict"]) == (
        True,
        "Cleo",
        "correct",
    )
    metadata = workplace.metadata("1.2")
    assert (metadata["query_count"], metadata["repo_commit"]) == (6, joined.two)
    assert (metadata["base"]["version"], metadata["base"]["query_count"]) == ("1.1", 4)
    assert metadata["human_reviewers"] == ["Ada", "Bob", "Cleo"]
    assert [batch["human_reviewers"] for batch in metadata["batches"]] == [
        ["Ada", "Bob"],
        ["Ada", "Cleo"],
    ]
    (cell,) = metadata["cells"]
    # What came back was asked for once: 7 in all, and not 7 and 3.
    assert (cell["count"], cell["target"]) == (6, 7)
    assert metadata["dataset_status"] == "human_blessed_below_floors"
    assert workplace.verify("1.2", joined.two).returncode == 0
    assert "2 added, 0 removed, 0 changed" in workplace.call("diff", "1.1", "1.2").stdout


def test_the_card_says_of_which_records_its_counts_are(joined: Story) -> None:
    golden = joined.workplace.golden
    carried_card = (golden / "golden_v1.1.md").read_text()
    joined_card = (golden / "golden_v1.2.md").read_text()
    as_it_was = "Said of the batch of version 1.0 as it came in; 4 of its records are among the 4"
    assert carried_card.count(as_it_was) == 2
    assert "carried over from version 1.0: 4 of its 7." in carried_card
    assert re.search(r"at most \d of the 4 records of this version", carried_card)
    assert "Said of the batch of version 1.2 as it came in; 2 of its records" in joined_card
    assert "| locate | 6 of 7 |" in joined_card
    assert "(the newest batch, 2 of the 6 records)" in joined_card
    assert "| Ada, Bob | 6 of 7 |" in joined_card
    assert "the limits of the other 4 stand on its card" in joined_card
    limits = joined.workplace.metadata("1.2")["known_limits"]
    assert limits[0].startswith("The batch of version 1.0 holds 6 records with 2 that came back")


def test_a_version_with_a_batch_added_is_carried_and_its_cells_are_those_of_the_file(
    joined: Story,
) -> None:
    workplace = joined.workplace
    code = workplace.root.parent / "later"
    git(workplace.root, "clone", "--quiet", str(workplace.code), str(code))
    git(code, "checkout", "--quiet", joined.two)
    path = code / workplace.records("1.2")[joined.ids["untouched"]]["expected_files"][0]
    path.write_text(path.read_text().replace("def ", REMARK + "def "))
    done = workplace.call(
        "rebase", "1.2", "--repo", code, "--rev", commit(code, "Remark"), "--json"
    )
    said = json.loads(done.stdout)
    assert (done.returncode, said["counts"], said["returned_to"]) == (
        0,
        {"unchanged": 5, "moved": 1},
        None,
    )
    now, before = workplace.metadata("1.3"), workplace.metadata("1.2")
    assert (now["query_count"], now["base"]) == (6, before["base"])
    assert [cell["count"] for cell in before["cells"]] == [6]
    assert [cell["count"] for cell in now["cells"]] == [6]


def test_returned_records_are_not_authored_anew(returned: Story) -> None:
    done = returned.workplace.call("resume", "latest", "--from", "author")
    check_refused(done, returned.workplace, returned.workplace.files, "came back from a rebase")


def test_a_run_of_returned_records_that_is_done_again_asks_nothing_else(returned: Story) -> None:
    before = returned.workplace.stage("00_candidates").keys()
    done = returned.workplace.call("resume", "latest", "--from", "oracle")
    assert done.returncode in {0, 1}, done.stderr
    assert returned.workplace.stage("00_candidates").keys() == before


@pytest.mark.thorough
def test_a_plain_directory_is_carried_too(tmp_path: Path) -> None:
    workplace = Desk(tmp_path / "desk", tmp_path / "cache", tmp_path / "code")
    write_depot(workplace.code)
    started(workplace)
    assert workplace.call("export", "latest", "--version", "1.0", "--draft").returncode == 0
    records = workplace.records("1.0.draft")
    files = [row["expected_files"][0] for row in records.values()]
    change(workplace.code, {"shifted": files[0], "renamed": files[1], "edited": files[2]})
    draft = "golden/golden_v1.0.draft.json"
    assert workplace.call("verify", draft, "--repo", workplace.code).returncode == 1
    done = workplace.call("rebase", draft, "--repo", workplace.code, "--json")
    said = json.loads(done.stdout)
    assert (done.returncode, said["counts"]) == (0, {"unchanged": 4, "moved": 2, "edited": 1}), (
        done.stderr
    )
    metadata = workplace.metadata("1.1.draft")
    assert (metadata["repo_origin"], metadata["repo_commit"]) == ("directory", said["new_commit"])
    assert (
        workplace.call(
            "verify", "golden/golden_v1.1.draft.json", "--repo", workplace.code
        ).returncode
        == 0
    )
    before = workplace.files
    again = workplace.call("rebase", "golden/golden_v1.1.draft.json", "--repo", workplace.code)
    assert (again.returncode, workplace.files == before) == (0, True)


def rewritten(story: Story, name: str) -> Path:
    """Write the blessed version as people would who are short of words."""
    rows = json.loads((story.workplace.golden / "golden_v1.0.json").read_text())
    for row in rows:
        row["canonical_narrative"] = "It is there."
        row["must_mention_facts"] = [min(row["must_mention_facts"], key=len)]
    path = story.workplace.root / name
    path.write_text(json.dumps(rows))
    return path


def test_a_batch_is_like_the_version_that_was_made_of_it(story: Story) -> None:
    done = story.workplace.call("drift", "latest")
    assert done.returncode == 0, done.stderr
    assert "7 records against 7 of golden_v1.0.json" in done.stdout
    assert "SHIFTED" not in done.stdout
    assert "requeue" not in done.stdout
    assert "no measure of 10 differs significantly" in done.stdout
    assert re.search(r"^found by plain search .* -$", done.stdout, re.MULTILINE)
    assert "too few records of it or of others to compare" in done.stdout
    said = json.loads(story.workplace.call("drift", "latest", "--against", "1.0", "--json").stdout)
    assert [one["is_shifted"] for one in said["drift"]["shifts"]] == [False] * 10
    assert said["agents"]["oracle"][0]["total"] == len(story.workplace.stage("01_oracle_answers"))


def test_a_batch_that_is_compared_with_itself_is_said_to_be(story: Story) -> None:
    plain = story.workplace.call("drift", "latest", "--against", "1.0")
    (said,) = [line for line in plain.stdout.splitlines() if "made of this very batch" in line]
    assert said.startswith("golden_v1.0.json was made of this very batch")
    assert "words of the narrative" in plain.stdout
    assert (
        json.loads(story.workplace.call("drift", "latest", "--json").stdout)["is_of_this_batch"]
        is True
    )


def test_a_dataset_of_the_same_queries_is_known_for_the_batch_s_own_without_metadata(
    blessed: Story,
) -> None:
    rewritten(blessed, "terse.json")
    other = [
        row | {"query_text": f"Another: {row['query_text']}"}
        for row in json.loads((blessed.workplace.root / "terse.json").read_text())
    ]
    (blessed.workplace.root / "other.json").write_text(json.dumps(other))
    for name, is_own in (("terse.json", True), ("other.json", False)):
        done = blessed.workplace.call(
            "drift",
            blessed.workplace.run.name,
            "--against",
            blessed.workplace.root / name,
            "--json",
        )
        assert json.loads(done.stdout)["is_of_this_batch"] is is_own


@pytest.mark.thorough
def test_a_batch_with_other_narratives_is_shifted_and_can_be_requeued(blessed: Story) -> None:
    workplace, name = blessed.workplace, blessed.workplace.run.name
    terse = rewritten(blessed, "terse.json")
    done = workplace.call("drift", name, "--against", terse)
    assert done.returncode == 1, done.stderr
    assert re.search(
        r"^words of the narrative: [\d.]+ in the batch, 3\.00 in the golden dataset, [\d.]+ more",
        done.stdout,
        re.MULTILINE,
    )
    assert "less within cells" not in done.stdout
    (following,) = [line for line in done.stdout.splitlines() if line.startswith("next ")]
    assert following.split()[1:4] == ["goldwright", "requeue", name]

    before = workplace.files
    check_refused(
        workplace.call("requeue", name, "--against", "1.0"), workplace, before, "nothing to requeue"
    )
    again = workplace.call(*following.split()[2:])
    assert again.returncode in {0, 1}, again.stderr
    manifest = json.loads((workplace.run / "run.json").read_text())
    assert (manifest["requeued_from"], manifest["round"], manifest["commit"]) == (
        name,
        2,
        blessed.one,
    )
    assert any("words of the narrative" in lesson for lesson in manifest["lessons"])


def test_a_run_that_is_named_twice_counts_once(story: Story) -> None:
    name = story.workplace.run.name
    said = json.loads(story.workplace.call("drift", name, "latest", "--json").stdout)
    assert said["agents"]["oracle"][0]["total"] == len(story.workplace.stage("01_oracle_answers"))
    (adversary,) = said["agents"]["adversary"]
    assert 0 < adversary["total"] <= len(story.workplace.stage("02_adversary_reports"))
    assert (adversary["runs"], adversary["side_by_side"]) == (1, False)


def test_a_comparison_names_the_run_whatever_it_was_called_by(story: Story) -> None:
    assert (
        json.loads(story.workplace.call("drift", "latest", "--json").stdout)["run"]
        == story.workplace.run.name
    )


@pytest.mark.parametrize("dry", [("--dry-run",), ()])
def test_a_retired_model_plays_no_more(blessed: Story, dry: tuple[str, ...]) -> None:
    agents = '[agents]\noracle = "anthropic:claude-old"\nretired = ["anthropic:claude-old"]\n'
    settings = f"{agents}[run]\nunpriced = true\n"
    (blessed.workplace.root / "goldwright.toml").write_text(settings)
    before = blessed.workplace.files
    done = blessed.workplace.call(
        "run", "depot.json", "--repo", blessed.workplace.code, "--rev", blessed.one, *dry
    )
    words = ("goldwright.toml", "agents.oracle", "anthropic:claude-old", "retired")
    check_refused(done, blessed.workplace, before, *words)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["agent:oracle:claude-old", "claude-old", ""])
def test_a_retired_name_that_is_no_model_is_refused(blessed: Story, name: str) -> None:
    (blessed.workplace.root / "goldwright.toml").write_text(f'[agents]\nretired = ["{name}"]\n')
    before = blessed.workplace.files
    done = blessed.workplace.call(
        "run", "depot.json", "--repo", blessed.workplace.code, "--rev", blessed.one, "--dry-run"
    )
    check_refused(done, blessed.workplace, before, "goldwright.toml", "agents.retired")


def test_the_metadata_name_the_retired_models(blessed: Story) -> None:
    workplace = blessed.workplace
    (workplace.root / "goldwright.toml").write_text(
        '[agents]\nretired = ["anthropic:claude-old", "openai:gpt-old"]\n'
    )
    started(workplace, "--rev", blessed.one)
    assert workplace.call("export", "latest", "--version", "2.0", "--draft").returncode == 0
    assert workplace.metadata("2.0.draft")["retired_agents"] == [
        "anthropic:claude-old",
        "openai:gpt-old",
    ]


@pytest.mark.thorough
def test_a_batch_of_the_second_phase_is_sampled_twice_and_claims_no_more_than_that_shows(
    tmp_path: Path,
) -> None:
    code = write_code(tmp_path / "code", {**LENDING, **SHOP, **DEPOT})
    workplace = Desk(tmp_path / "desk", tmp_path / "cache", code)
    workplace.root.mkdir()
    # The shares and ceilings of the second phase, over cells that a little code fills.
    shipped = json.loads((Path(__file__).parents[2] / "plans" / "phase2.json").read_text())
    cells = {task_type: {"easy": 8} for task_type in ("locate", "explain", "debug", "extend")}
    plan = {**shipped, "cells": cells, "total": 32, "minimum_total": 20}
    (workplace.root / "second.json").write_text(json.dumps(plan))
    done = workplace.call("run", "second.json", "--repo", workplace.code)
    assert done.returncode in {0, 1}, done.stderr
    selected = json.loads(workplace.call("status", "latest", "--json").stdout)["selected"]
    assert 20 < selected <= 40
    for name, sitting in (("Ada", "first"), ("Bob", "second")):
        with workplace.room(name, "first" if sitting == "first" else "second") as room:
            for item in room.look().queues[0].items:
                room.give_verdict(
                    item.query_id,
                    room.look().record_view(item.query_id),
                    "correct",
                    key=f"{sitting}{item.query_id}",
                )
    done = workplace.call("spot-check", "latest")
    assert done.returncode == 0
    assert f"sample  2 of {selected} records" in done.stdout
    said = json.loads(workplace.call("spot-check", "latest", "--json").stdout)
    assert (said["sampled"], said["population"]) == (2, selected)
    # Two clean ones of N leave M bad ones unseen with a chance of (N - M)(N - M - 1) / N(N - 1),
    # which is 5 % at most.
    unseen = [
        bad
        for bad in range(selected + 1)
        if 20 * (selected - bad) * (selected - bad - 1) >= selected * (selected - 1)
    ]
    assert said["bounds"]["simple"] == unseen[-1]
    assert f"at most {unseen[-1]} of the {selected} records" in done.stdout
    assert "It cannot show that fewer than 5 % are bad" in done.stdout
    assert "major or wrong, below 3%" in done.stdout


UNSOUND_KNOWCODE: Final = {
    **KNOWCODE,
    "query_id": "k2",
    "query_text": "Which code drops a stop that comes twice?",
    "expected_entities": ["depot/routes.py::nowhere"],
    "expected_files": ["depot/nothing.py"],
}
CODERAG: Final = (
    {
        "query": "stamp price wrong",
        "relevant_files": ["depot/stamps.py"],
        "relevant_symbols": ["price_stamp"],
    },
    {
        "query": "refund after a month",
        "relevant_files": ["depot/gone.py"],
        "relevant_symbols": ["accept_refund"],
    },
)
VAULTMIND: Final = """- name: postage
  text: where is the postage looked up
  expected:
    - depot/stamps.py::price_stamp
- name: lost
  text: where do lost parcels wait
  expected:
    - depot/lost.py
"""
FOREIGN: Final = {
    "knowcode.json": json.dumps([KNOWCODE, UNSOUND_KNOWCODE]),
    "coderag.jsonl": "".join(f"{json.dumps(row)}\n" for row in CODERAG),
    "vaultmind.yaml": VAULTMIND,
}
"""Datasets of other programs, of two records each: a sound one and one with defects."""


@pytest.mark.parametrize(
    ("file", "query_id", "checks"),
    [
        ("knowcode.json", "k2", ["unresolved_entity", "missing_file", "entity_file_unlisted"]),
        ("coderag.jsonl", "line 2", ["unresolved_entity", "missing_file"]),
        ("vaultmind.yaml", "lost", ["missing_file"]),
    ],
)
def test_a_dataset_of_another_program_is_audited_record_by_record(
    story: Story, tmp_path: Path, file: str, query_id: str, checks: list[str]
) -> None:
    path = tmp_path / file
    path.write_text(FOREIGN[file])
    done = story.workplace.verify(path, story.one)
    assert done.returncode == 1, done.stderr
    (row,) = map(json.loads, done.stdout.splitlines())
    assert (row["query_id"], row["record"]) == (query_id, 2)
    assert [one["check"] for one in row["failures"]] == checks
    lines = [line.split() for line in done.stderr.splitlines()]
    assert lines[0][-5:] == [f"{path.stem},", "2", "records,", "at", story.one[:12]]
    assert [line[-1] for line in lines if line[:4] == ["1", "of", "2", "records"]] == [
        *checks,
        "defect",
    ]

    whole = story.workplace.verify(path, story.one, "--json")
    said = json.loads(whole.stdout)
    assert (whole.returncode, said["sound"], said["format"], said["records"]) == (
        1,
        False,
        path.stem,
        2,
    )
    assert [(one["query_id"], one["record"], one["check"]) for one in said["defects"]] == [
        (query_id, 2, check) for check in checks
    ]
    assert {code: count for code, count in said["records_hit"].items() if count} == dict.fromkeys(
        checks, 1
    )


def test_a_foreign_dataset_without_a_defect_is_sound(story: Story, tmp_path: Path) -> None:
    path = tmp_path / "sound.yaml"
    path.write_text(FOREIGN["vaultmind.yaml"].partition("- name: lost")[0])
    done = story.workplace.verify(path, story.one)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout
    assert "1 of 1 records without a defect" in done.stderr


def test_a_version_is_verified_by_number_path_or_as_the_latest(story: Story) -> None:
    for asked, how in (
        ("latest", "the only version"),
        ("1.0", "pinned"),
        (story.workplace.golden / "golden_v1.0.json", "named by its path"),
    ):
        done = story.workplace.verify(asked, story.one)
        assert (done.returncode, done.stdout) == (0, "")
        assert f"golden_v1.0.json ({how}), sha256:" in done.stderr
        assert "7 of 7 records pass the gate" in done.stderr
        assert "hashes compared" in done.stderr


@pytest.mark.parametrize("command", ["verify", "rebase"])
def test_a_version_that_was_tampered_with_is_named_with_both_hashes(
    blessed: Story, command: str
) -> None:
    path = blessed.workplace.golden / "golden_v1.0.json"
    known = blessed.workplace.metadata("1.0")["dataset_sha256"]
    path.chmod(0o644)
    path.write_text(path.read_text().replace("locate", "explain", 1))
    before = blessed.workplace.files
    done = blessed.workplace.call(
        command, "1.0", "--repo", blessed.workplace.code, "--rev", blessed.two
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert "golden_v1.0.json" in done.stderr
    assert known in done.stderr
    assert len(set(re.findall(r"sha256:[0-9a-f]{64}", done.stderr))) == 2
    assert blessed.workplace.files == before
