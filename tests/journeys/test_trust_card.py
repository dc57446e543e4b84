"""The trust card as users meet it: at the end of a run, in `verify`, and beside a dataset."""

import json
from pathlib import Path

import pytest

from goldwright.golden.loading import read_metadata
from goldwright.trust_card.catalog import MEASURES
from journeys.conftest import Command
from journeys.workplace import Workplace

NAMES = [measure.text.name for measure in MEASURES]


@pytest.fixture
def draft(finished: Workplace) -> Path:
    """The draft of a smoke run."""
    return finished.golden / "golden_v1.0.draft.json"


def test_a_run_ends_with_its_trust_card_and_status_repeats_it(
    goldwright: Command, finished: Workplace
) -> None:
    """At most three lines, of a file that lies beside the records."""
    messages = (finished.code.parent / "run-messages.txt").read_text()
    card_lines = [line for line in messages.splitlines() if "reach what is wanted" in line]
    assert len(card_lines) == 1
    assert card_lines[0].startswith("trust card  ")
    name = finished.run.name
    stored = json.loads((finished.run / "trust_card.json").read_text())
    assert list(stored["figures"]) == NAMES
    status = goldwright("status", name)
    assert card_lines[0] in status.stdout.splitlines()
    report = json.loads(goldwright("status", name, "--json").stdout)
    assert report["trust_card"] == stored["figures"]


def test_a_run_that_was_stopped_before_its_card_was_written_gets_it_on_resume(
    goldwright: Command, finished: Workplace
) -> None:
    """Whatever moment it was stopped at, it ends in the same files."""
    card = finished.run / "trust_card.json"
    written = card.read_text()
    card.unlink()
    missing = goldwright("status", finished.run.name).stdout
    assert f"trust card  not measured yet: goldwright resume {finished.run.name}" in missing
    done = goldwright("resume", finished.run.name)
    assert "trust card" in done.stderr
    assert "nothing was left to do" not in done.stderr
    assert card.read_text() == written


def test_a_card_of_other_records_is_not_shown(goldwright: Command, finished: Workplace) -> None:
    """A record that a person drops changes what the card is about."""
    name = finished.run.name
    card = finished.run / "trust_card.json"
    card.write_text(card.read_text().replace('"content": "sha256:', '"content": "sha256:0'))
    assert "reach what is wanted" not in goldwright("status", name).stdout
    card.write_text("damaged")
    done = goldwright("status", name)
    assert (done.returncode, "reach what is wanted" in done.stdout) == (0, False)


def test_verify_prints_the_card_of_a_draft_and_of_its_run_alike(
    goldwright: Command, finished: Workplace, draft: Path
) -> None:
    """A dataset and the run behind it are the same records."""
    codebase = finished.code
    of_draft = goldwright("verify", draft, "--repo", codebase, "--card")
    assert of_draft.returncode == 0
    assert of_draft.stdout.startswith("figure ")
    of_run = goldwright("verify", finished.run.name, "--repo", codebase, "--card")
    assert (of_run.returncode, of_run.stdout) == (0, of_draft.stdout)
    document = json.loads(
        goldwright("verify", draft, "--repo", codebase, "--card", "--json").stdout
    )
    figures = document["trust_card"]["figures"]
    assert list(figures) == NAMES
    for figure in figures.values():
        assert len(figure["examples"]) == min(figure["offending"], 20)


def test_the_card_changes_the_exit_code_only_where_it_is_required(
    goldwright: Command, codebase: Path, draft: Path
) -> None:
    """A figure that surely misses its goal fails a build that asks for it."""
    document = json.loads(
        goldwright("verify", draft, "--repo", codebase, "--card", "--json").stdout
    )
    figures = document["trust_card"]["figures"].values()
    is_short = any(figure["verdict"] == "short" for figure in figures)
    assert goldwright("verify", draft, "--repo", codebase, "--card").returncode == 0
    required = goldwright("verify", draft, "--repo", codebase, "--require-card")
    assert required.returncode == int(is_short)


def test_without_being_asked_verify_measures_nothing(
    goldwright: Command, codebase: Path, draft: Path
) -> None:
    """The card takes time, so it has its own option."""
    document = json.loads(goldwright("verify", draft, "--repo", codebase, "--json").stdout)
    assert document["trust_card"] is None


def test_metadata_and_the_dataset_card_hold_every_figure(draft: Path) -> None:
    """What is published says how far it can be trusted."""
    metadata = read_metadata(draft)
    assert metadata is not None
    assert list(metadata.trust_card) == NAMES
    text = draft.with_suffix(".md").read_text()
    assert text.startswith("# Golden dataset 1.0\n")
    assert "do not call it blessed" in text
    for measure in MEASURES:
        assert f"| {measure.text.title} |" in text
    for section in ("Composition", "How it was made", "Trust card", "Known limits"):
        assert f"\n## {section}\n" in text


def test_a_dataset_in_another_format_has_no_trust_card(
    goldwright: Command, workplace: Path, codebase: Path
) -> None:
    """The figures are about our own records."""
    theirs = workplace / "theirs.jsonl"
    theirs.write_text(json.dumps({"query_id": "q1", "query": "Where?", "relevant_chunks": ["a"]}))
    done = goldwright("verify", theirs, "--repo", codebase, "--card")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_run_at_another_commit_is_refused(goldwright: Command, repository: Path) -> None:
    """The lines of its records mean nothing there."""
    name = goldwright("run", "smoke", "--repo", repository).stdout.strip()
    for path in repository.rglob("*.py"):
        path.write_text(path.read_text() + "\n# a remark at the end\n")
    done = goldwright("verify", name, "--repo", repository, "--card", "--allow-dirty")
    assert done.returncode == 2
    assert "is pinned to" in done.stderr
