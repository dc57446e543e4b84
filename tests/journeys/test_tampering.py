"""Whatever somebody changes of what a blessing rests on, ``verify`` says so."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from goldwright.app.datasets.export import ExportRequest, export_dataset
from goldwright.app.datasets.verify import VerifyRequest, verify_dataset
from goldwright.app.reviews.review import ReviewRequest, open_review_session
from goldwright.engine.progress import SilentProgress
from goldwright.errors import GoldwrightError
from goldwright.records import HumanVerdict, ReviewPass
from goldwright.review.passes import SECOND
from goldwright.review.session import ReviewSession
from journeys.blessed_site import Site, Tampering
from journeys.conftest import git
from journeys.tampering import tamperings
from journeys.test_living_datasets import Desk, commit

ALL = tuple(tamperings())
NOUNS = (
    "anchor", "barrel", "candle", "drum", "engine", "funnel", "gasket", "hammer",
    "ingot", "jersey", "kettle", "lantern", "mirror", "needle", "oar", "pulley",
)  # fmt: skip
VERBS = ("weigh", "paint", "store", "lend", "repair", "label", "sort", "count")
FAULTS = (
    "is too heavy for the crane", "was painted in the rain", "has no place on the shelf",
    "was lent to somebody before", "is beyond any repair", "carries the name of another yard",
    "lies in the wrong heap", "was counted by nobody",
)  # fmt: skip
PLAN = {
    "schema_version": "1.0.0", "name": "yard", "total": 14, "minimum_total": 14,
    "sample_share": 0.5, "top_up_rounds": 1, "cells": {"locate": {"easy": 14}},
}  # fmt: skip


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, Path]:
    """A version whose two reviewers caught every canary and signed, and the keys of both."""
    root = tmp_path_factory.mktemp("signed")
    desk = Desk(root / "desk", root / "cache", root / "code")
    _write_yard(desk.code / "yard")
    git(desk.code, "init", "--quiet", "--initial-branch=main")
    commit(desk.code, "Open the yard")
    desk.root.mkdir()
    (desk.root / "yard.json").write_text(json.dumps(PLAN))
    done = desk.call("run", "yard.json", "--repo", desk.code)
    assert done.returncode == 0, done.stderr
    signers = []
    sittings: tuple[tuple[str, ReviewPass], ...] = (("Ada", "first"), ("Bob", "second"))
    for reviewer, sitting in sittings:
        key = root / reviewer
        _make_key(key)
        public = key.with_suffix(".pub").read_text()
        signers.append(f"{reviewer} {public}")
        _review(desk, reviewer, sitting, key)
    allowed = root / "allowed_signers"
    allowed.write_text("".join(signers))
    export_dataset(ExportRequest("latest", "1.0"), desk.environment, SilentProgress())
    return desk, allowed


def _write_yard(package: Path) -> None:
    """Write a module for each noun, with a function whose messages no other one has."""
    package.mkdir(parents=True)
    (package / "errors.py").write_text("class YardError(Exception):\n    pass\n")
    for index, noun in enumerate(NOUNS):
        verb = VERBS[index % len(VERBS)]
        lines = ["from yard.errors import YardError", "", "", f"def {verb}_{noun}(piece, limit):"]
        for step in range(4):
            fault = FAULTS[(index + step) % len(FAULTS)]
            lines.append(f"    if piece.{noun}_{step} > limit + {step}:")
            lines.append(f'        raise YardError("the {noun} {fault}")')
        lines.append(f"    return piece.{noun}_9")
        (package / f"{noun}.py").write_text("\n".join(lines) + "\n")


def _make_key(path: Path) -> None:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(command, check=True)


def _review(desk: Desk, reviewer: str, review_pass: ReviewPass, key: Path) -> None:
    request = ReviewRequest(
        desk.run.name, reviewer, review_pass, canaries=6, sign_key=key, training="offer"
    )
    with open_review_session(request, desk.environment, SilentProgress()) as (session, _):
        if session.review_pass == SECOND:
            session.practice.skip(key=f"skip-{reviewer}")
        else:
            _practise(session)
        canaries = session.look().review_state.events.canaries
        for item in session.look().items:
            on_screen = session.look().record_view(item.query_id)
            verdict: HumanVerdict = "wrong" if item.query_id in canaries else "correct"
            event_key = f"{review_pass}-{item.query_id}"
            note = "the claim is falsified" if verdict == "wrong" else None
            session.give_verdict(item.query_id, on_screen, verdict, key=event_key, note=note)


def _practise(session: ReviewSession) -> None:
    """Call each practice record correct, whatever it is."""
    session.practice.begin(key="training")
    training = session.practice.latest(session.look())
    assert training is not None
    for record in training.records:
        _, content = session.practice.find(session.look(), record.place)
        key = f"practice-{record.place}"
        session.practice.give_word(record.place, content.digest, "correct", key=key)


def _verify(desk: Desk, allowed_signers: Path | None) -> int:
    """Give the exit code of ``goldwright verify 1.0 --allowed-signers``."""
    request = VerifyRequest("1.0", desk.code, "HEAD", allowed_signers=allowed_signers)
    try:
        verification = verify_dataset(request, desk.environment)
    except GoldwrightError as error:
        return error.exit_code
    return 0 if verification.is_sound else 1


def test_what_nobody_touched_is_sound(signed: tuple[Desk, Path]) -> None:
    desk, allowed = signed
    assert _verify(desk, allowed) == 0
    assert _verify(desk, None) == 0


def test_metadata_and_card_say_how_the_reviewers_practised(signed: tuple[Desk, Path]) -> None:
    desk, _ = signed
    check = json.loads((desk.golden / "golden_v1.0.meta.json").read_text())["spot_check"]
    ada, bob = check["trainings"]
    assert (ada["reviewer"], ada["sitting"], ada["skipped"]) == ("Ada", "first", False)
    assert 0 < ada["right"] < ada["judged"] == ada["records"]
    assert (bob["records"], bob["skipped"]) == (0, True)
    card = (desk.golden / "golden_v1.0.md").read_text()
    assert f"Ada practised: {ada['right']} of {ada['judged']}." in card
    assert "Bob skipped the practice records." in card


def test_practice_records_are_offered_before_the_first_batch_alone(
    signed: tuple[Desk, Path], tmp_path: Path
) -> None:
    desk = signed[0].copy(tmp_path / "desk")
    another = desk.run.with_name("another")
    shutil.copytree(desk.run, another)
    (another / "human_reviews.jsonl").unlink()
    offered: dict[str, bool] = {}
    for reviewer in ("ada", "Cleo"):
        request = ReviewRequest("another", reviewer, training="offer")
        with open_review_session(request, desk.environment, SilentProgress()) as (session, _):
            offered[reviewer] = session.practice.is_offered(session.look())
    assert offered == {"ada": False, "Cleo": True}


def test_there_are_ways_enough() -> None:
    assert len({tampering.name for tampering in ALL}) == len(ALL) >= 40


@pytest.mark.parametrize("tampering", ALL, ids=lambda tampering: tampering.name)
def test_tampering_is_noticed(
    signed: tuple[Desk, Path], tmp_path: Path, tampering: Tampering
) -> None:
    desk = signed[0].copy(tmp_path / "desk")
    allowed = tmp_path / "allowed_signers"
    shutil.copy(signed[1], allowed)
    tampering.do(Site(desk.golden, desk.run, allowed))
    assert _verify(desk, allowed) == tampering.exit_code


def test_reviews_that_went_on_after_an_export_are_no_tampering(
    signed: tuple[Desk, Path], tmp_path: Path
) -> None:
    desk = signed[0].copy(tmp_path / "desk")
    key = tmp_path / "Cleo"
    _make_key(key)
    allowed = tmp_path / "allowed_signers"
    allowed.write_text(signed[1].read_text() + f"Cleo {key.with_suffix('.pub').read_text()}")
    _review_nothing(desk, key)
    assert _verify(desk, allowed) == 0


def test_a_run_that_is_elsewhere_is_said_to_be(signed: tuple[Desk, Path], tmp_path: Path) -> None:
    desk = signed[0].copy(tmp_path / "desk")
    name = desk.run.name
    shutil.rmtree(desk.run)
    request = VerifyRequest("1.0", desk.code, "HEAD")
    verification = verify_dataset(request, desk.environment)
    assert verification.is_sound
    assert verification.replay is not None
    assert verification.replay.absent_runs == (name,)


def _review_nothing(desk: Desk, key: Path) -> None:
    request = replace(ReviewRequest(desk.run.name, "Cleo", "adjudication"), sign_key=key)
    with open_review_session(request, desk.environment, SilentProgress()):
        pass
