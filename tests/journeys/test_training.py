"""Practice records before the first batch: on the page and in the terminal, with a kill between."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from journeys.browser import CONTRAST, REVIEWS, Desk, Reader, ReviewServer
from journeys.test_review_page import untouched_desk, workplace

__all__ = ["untouched_desk", "workplace"]

MARKED_ROWS = "[...document.querySelectorAll('.row.now')].map((row) => Number(row.dataset.line))"


def training_records(desk: Desk) -> list[dict[str, Any]]:
    """The practice records of the last round that was begun."""
    rounds = [event for event in desk.words if event["event"] == "training"]
    records: list[dict[str, Any]] = rounds[-1]["records"]
    return records


def key_for(record: dict[str, Any], *, is_right: bool) -> str:
    """The key of a word that is right, or of one that is not."""
    return "4" if (record["kind"] is not None) == is_right else "1"


def give_word(reader: Reader, record: dict[str, Any], *, is_right: bool) -> None:
    """Judge the practice record on screen, with a claim marked where that condemns it."""
    key = key_for(record, is_right=is_right)
    if key == "4":
        reader.press("x")
    reader.turn(key)
    heading = "Right" if is_right else "Not right"
    assert reader.see(".feedback .verdict") == heading
    assert reader.told(heading)


def test_who_is_new_practises_and_a_kill_loses_no_word(browser: Browser, workplace: Desk) -> None:
    """The offer, a right and a wrong word, a kill, the rest, the summary, and then the review."""
    server = ReviewServer(workplace, "Ada", offers_training=True)
    with Reader(browser, server.address) as reader:
        assert reader.see("h1") == "5 practice records first?"
        reader.turn("t")
        records = training_records(workplace)
        assert (reader.data("lane"), reader.data("query")) == ("practice", "practice-1")
        # Neither its own id nor anything that edits it is on the page.
        html = reader.page.content()
        assert not any(record["query_id"] in html for record in records)
        assert reader.page.locator("[data-edit], [data-do=find].add, [data-key=e]").count() == 0
        give_word(reader, records[0], is_right=True)
        reader.turn("s")
        give_word(reader, records[1], is_right=False)
        reader.page.reload()
        reader.page.wait_for_selector(".feedback")
        assert reader.see(".feedback .verdict") == "Not right"
        server.kill()
        with ReviewServer(workplace, "Ada", port=server.port, offers_training=True) as again:
            reader.page.goto(again.address)
            reader.page.wait_for_selector("#record[data-query=practice-3]")
            for record in records[2:]:
                give_word(reader, record, is_right=True)
                if record["kind"] is not None:
                    lines = record["seen_at"]
                    marked = reader.page.evaluate(MARKED_ROWS)
                    assert {cited["start"] for cited in lines} <= set(marked)
                    assert record["claim_id"] in reader.see(".feedback")
                assert reader.page.evaluate(CONTRAST) == []
                reader.turn("s")
            assert reader.see("h1") == "4 of 5 right"
            assert reader.page.evaluate(CONTRAST) == []
            reader.turn("s")
            assert reader.data("lane") == "sample"
    events = [event["event"] for event in workplace.words]
    assert events == ["training", *["practice"] * 5]
    drawn = json.loads((workplace.run / REVIEWS).read_text().splitlines()[0])["drawn"]
    sampled = {record["query_id"] for record in drawn}
    assert sampled.isdisjoint(record["query_id"] for record in records)
    assert "Ada practised: 4 of 5." in workplace.goldwright("status").stdout
    check = json.loads(workplace.goldwright("spot-check", "latest", "--json").stdout)
    assert (check["judged"]["first"], check["canaries"]) == (0, None)
    assert check["trainings"][0]["right"] == 4


def test_one_key_skips_the_practice_records_and_that_is_written(
    browser: Browser, workplace: Desk
) -> None:
    with (
        ReviewServer(workplace, "Bo", "--second", offers_training=True) as server,
        Reader(browser, server.address, scheme="dark", width=390, height=844) as reader,
    ):
        assert reader.page.evaluate(CONTRAST) == []
        reader.turn("s")
        assert reader.data("lane") == "sample"
        assert [event["event"] for event in workplace.words] == ["training_skip"]
        reader.page.reload()
        reader.page.wait_for_selector("#record[data-lane=sample]")


def review_in_terminal(desk: Desk, typed: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """Type into the review in a terminal, as a script does."""
    command = [sys.executable, "-m", "goldwright", "review", "latest", "--reviewer", "Ada"]
    return subprocess.run(
        [*command, "--terminal", "--scripted", "--canaries", "0", *options],
        input=typed,
        cwd=desk.path,
        env=dict(desk.environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.thorough
def test_the_terminal_plays_the_same_round_and_takes_it_up_again(workplace: Desk) -> None:
    done = review_in_terminal(workplace, "?\nc\n9\n4\n1\n", "--training")
    assert done.returncode == 0, done.stderr
    assert "practice record 1 of 5" in done.stdout
    assert "say first what is wrong with it" in done.stdout
    records = training_records(workplace)
    first = "Right." if records[0]["kind"] is None else "Not right."
    assert first in done.stdout
    rest = [key_for(record, is_right=True) for record in records[1:]]
    typed = "".join(f"{key} x 1 see there\n" if key == "4" else f"{key}\n" for key in rest)
    done = review_in_terminal(workplace, f"{typed}q\n", "--training")
    assert "practice record 2 of 5" in done.stdout
    assert "practice record 1 of 5" not in done.stdout
    right = 4 + (records[0]["kind"] is None)
    assert f"Ada practised: {right} of 5. The review begins." in done.stdout
    words = workplace.words
    assert [event["event"] for event in words] == ["training", *["practice"] * 5]
    assert len({event["place"] for event in words[1:]}) == 5
    assert f"Ada practised: {right} of 5." in workplace.goldwright("status").stdout


@pytest.mark.thorough
def test_a_round_can_be_ended_and_begun_again(workplace: Desk) -> None:
    review_in_terminal(workplace, "1\nt\nq\n", "--training")
    first = {record["query_id"] for record in training_records(workplace)}
    review_in_terminal(workplace, "q\n", "--training")
    assert [event["event"] for event in workplace.words] == [
        "training", "practice", "training_skip", "training",
    ]  # fmt: skip
    assert first != {record["query_id"] for record in training_records(workplace)}
    assert "ended it after 1 of 5" in workplace.goldwright("status").stdout


def test_a_setting_turns_the_offer_off(workplace: Desk) -> None:
    Path(workplace.path / "goldwright.toml").write_text("[review]\ntraining = false\n")
    with ReviewServer(workplace, "Ada", offers_training=True) as server:
        assert 'data-lane="sample"' in server.html("/view")
