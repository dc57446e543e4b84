"""Mending a record at the page: question, entities and lines, and a look at code that changed."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from goldwright.records import ChangedClaim, FileRange
from journeys.browser import (
    REVIEWS,
    Desk,
    Reader,
    ReviewServer,
    make_review_desk,
    review_desk,
)
from journeys.sharing import make_once
from journeys.stopped_records import change_queued_record, leave_pools_open
from journeys.test_review_page import judge_all


@pytest.fixture
def workplace(shared: Path, tmp_path: Path) -> Desk:
    """A copy of a run that nobody has reviewed."""
    desk = review_desk(make_once(shared / "review-desk", make_review_desk))
    return desk.copy(tmp_path / "desk")


def edits_in(workplace: Desk) -> list[dict[str, Any]]:
    """The edits that are on disk, oldest first."""
    lines = (workplace.run / REVIEWS).read_text().splitlines()
    events = [json.loads(line) for line in lines]
    return [event for event in events if event["event"] == "edit"]


def find(reader: Reader, text: str) -> None:
    """Search the codebase by keyboard."""
    reader.press("/")
    reader.page.fill("#sought", text)
    reader.press("Enter")
    reader.page.wait_for_selector("#hits h3, #hits .empty")


def add_entity(reader: Reader, name: str) -> str:
    """Expect the first entity of a name that is not expected yet, as a supporting one."""
    expected = {
        one.get_attribute("data-entity") for one in reader.page.locator("[data-entity]").all()
    }
    find(reader, name)
    buttons = reader.page.locator("#hits [data-expect]").all()
    entity_ids = [button.get_attribute("data-expect") or "" for button in buttons]
    entity_id = next(one for one in entity_ids if one not in expected)
    reader.page.click(f'#hits [data-expect="{entity_id}"]')
    reader.page.select_option(".editor .role", "supporting")
    reader.page.fill(".editor textarea", "It takes part in this.")
    reader.turn("Control+Enter")
    return entity_id


def test_entities_lines_and_question_are_mended_judged_and_settled(
    browser: Browser, workplace: Desk
) -> None:
    """Two reviewers leave different texts, an adjudicator takes one, and the export says who
    changed what.
    """
    run = workplace.run.name
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        query = reader.data("query")
        digest = reader.data("content")
        entity_id = add_entity(reader, "re")
        assert "The gate" in reader.told("The change is written")
        added = reader.page.locator(f'[data-entity="{entity_id}"]')
        assert added.get_attribute("data-role") == "supporting"
        added.locator(".pick").click()
        reader.press("e")
        reader.page.select_option(".editor .role", "contextual")
        reader.turn("Control+Enter")
        assert added.get_attribute("data-role") == "contextual"
        reader.press("w")
        question = reader.page.input_value(".editor textarea")
        reader.page.fill(".editor textarea", question + " Say so in short.")
        reader.turn("Control+Enter")
        assert reader.see("h1").endswith("Say so in short.")
        for _ in range(3):
            reader.turn("u")
        assert reader.data("content") == digest
        add_entity(reader, "re")
        reader.turn("2")
        judge_all(reader)
    with (
        ReviewServer(workplace, "Bo", "--second") as server,
        Reader(browser, server.address) as reader,
    ):
        assert (reader.data("query"), reader.data("content")) == (query, digest)
        judge_all(reader)
    with (
        ReviewServer(workplace, "Cy", "--adjudicate") as server,
        Reader(browser, server.address) as reader,
    ):
        assert entity_id in reader.see(".edits")
        reader.turn("2")
    exported = workplace.goldwright("export", run, "--version", "1.0", "--draft")
    assert exported.returncode == 0, exported.stderr
    [path] = (workplace.path / "golden").glob("*draft.json")
    labels = {label["query_id"]: label for label in json.loads(path.read_text())}
    assert entity_id in [entity["entity_id"] for entity in labels[query]["expected_entities"]]
    [edit] = labels[query]["provenance"]["edits"]
    assert (edit["field"], edit["reviewer"]) == ("expected_entities", "Ann")
    assert len(edit["after"]) == len(edit["before"]) + 1


def test_what_the_gate_finds_is_said_at_once_and_lines_become_evidence(
    browser: Browser, workplace: Desk
) -> None:
    """Without a primary entity an answer is none; lines that a person names count as read."""
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        for entity in reversed(reader.page.locator("[data-role]").all()):
            entity.locator(".pick").click()
            reader.press("e")
            before = reader.shown
            reader.page.click(".editor .remove")
            reader.page.wait_for_function("before => window.reading.shown > before", arg=before)
        assert "The gate stops it: " in reader.told("The change is written")
        assert "somebody changed" not in reader.see(".failures")
        reader.press("2")
        assert "the gate stops it" in reader.told("as it stands")
        reader.turn("u")
        place = reader.page.get_attribute("#range-1", "data-lines") or ""
        file = place.partition("\t")[0]
        count = reader.see(f'.pane[data-file="{file}"] .size').split()[0]
        reader.page.click("#range-1 .pick")
        reader.press("e")
        reader.page.fill(".editor .start", "1")
        reader.page.fill(".editor .end", count)
        reader.turn("Control+Enter")
    edit = edits_in(workplace)[-1]
    assert edit["field"] == "expected_line_ranges"
    assert [*edit["evidence"]][-1]["end"] == edit["after"][0]["end"]
    assert list(edit["cited_text"]) == [
        f"{file}:{edit['after'][0]['start']}-{edit['after'][0]['end']}"
    ]


def test_any_file_is_opened_and_what_is_none_is_refused(browser: Browser, workplace: Desk) -> None:
    """The page shows files of the snapshot alone, whatever address is asked for."""
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        find(reader, ".py")
        cited = {pane.get_attribute("data-file") for pane in reader.page.locator(".pane").all()}
        files = reader.page.locator("#hits [data-open][data-line='1']").all()
        paths = [one.get_attribute("data-open") or "" for one in files]
        path = next(one for one in paths if one not in cited and "::" not in one)
        shown = reader.shown
        reader.page.locator(f'#hits [data-open="{path}"]').first.click()
        reader.page.wait_for_function("before => window.reading.shown > before", arg=shown)
        assert reader.page.locator(f'.pane[data-file="{path}"] .row').count() > 0
        find(reader, "<img src=x onerror=alert(1)>")
        assert "Nothing in the codebase" in reader.see("#hits")
        reader.press("Escape")
        for path in ("../../../etc/passwd", "/etc/passwd", ".git/config"):
            html = server.html(f"/view?at={reader.data('query')}&whole={path}")
            assert "This file is not in the snapshot." in html
            assert "root:" not in html


@pytest.fixture
def returned(workplace: Desk) -> str:
    """The id of a record of the run that a rebase has returned, with two changed claims."""
    place = FileRange(file="lending/counter.py", start=1, end=6)
    changes = (
        ChangedClaim(
            claim_id="fact-1",
            reason="its lines do not say what they said",
            before=place,
            old_lines=("if <script>alert(1)</script>:", "    return None"),
            now=place,
        ),
        ChangedClaim(claim_id="narrative", reason="it speaks of <b>code</b> that is gone"),
    )
    return change_queued_record(workplace.run, changes).query_id


def test_a_returned_record_is_kept_after_a_look_at_each_change(
    browser: Browser, workplace: Desk, returned: str
) -> None:
    """Old and new code stand beside one another, and Keep waits for every look."""
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        reader.page.click("[data-do=overview]")
        reader.page.click(f'#overview [data-at="{returned}"]')
        reader.page.wait_for_selector("#changes")
        keep = reader.page.locator(".choice.keep")
        assert keep.is_disabled()
        assert "<script>alert(1)</script>" in reader.see(".sides")
        reader.press("1")
        assert "2 claims" in reader.told("Not yet")
        reader.turn("l")
        assert "1 to go" in reader.told("Looked at fact-1")
        assert keep.is_disabled()
        reader.turn("l")
        assert not keep.is_disabled()
        reader.turn("1")
    assert [event["event"] for event in workplace.words] == ["look", "look", "decision"]
    assert workplace.words[-1]["decision"] == "keep"


def test_what_searches_found_is_expected_with_one_key(browser: Browser, workplace: Desk) -> None:
    """The entity and a reason stand in the editor; what was added is offered no more."""
    leave_pools_open(workplace.run)
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        offered = reader.page.locator(".found [data-expect]")
        count = offered.count()
        first = offered.first.get_attribute("data-expect") or ""
        reader.press("a")
        assert first in reader.see(".editor .what")
        assert reader.page.input_value(".editor textarea") == "It answers as well."
        reader.turn("Control+Enter")
        assert reader.page.locator(f'[data-entity="{first}"]').count() == 1
        assert first not in [
            offered.nth(place).get_attribute("data-expect") for place in range(offered.count())
        ]
        assert offered.count() in {count - 1, count}
    [edit] = [word for word in workplace.words if word["event"] == "edit"]
    assert first in json.dumps(edit)
