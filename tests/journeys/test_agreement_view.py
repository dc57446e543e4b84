"""The view that compares two reviewers, while they go on reviewing."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from journeys.browser import Desk, Reader, ReviewServer, make_review_desk, review_desk
from journeys.sharing import make_once
from journeys.test_review_page import judge_all

NOTHING_NEW = 204
LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def workplace(shared: Path, tmp_path: Path) -> Desk:
    """A copy of a run that nobody has reviewed."""
    desk = review_desk(make_once(shared / "review-desk", make_review_desk))
    return desk.copy(tmp_path / "desk")


def judge_twice(browser: Browser, first: ReviewServer, second: ReviewServer) -> None:
    """Both judge the whole sample; they differ on its first record."""
    with Reader(browser, first.address) as reader:
        judge_all(reader, "2")
    with Reader(browser, second.address) as reader:
        judge_all(reader)


def test_what_is_said_while_the_view_is_open_comes_into_it_and_is_marked(
    browser: Browser, workplace: Desk
) -> None:
    """A difference ends and one begins; the place on the page stays, and a key opens it anew."""
    with (
        ReviewServer(workplace, "Ann") as first,
        ReviewServer(workplace, "Bo", "--second") as second,
    ):
        judge_twice(browser, first, second)
        differing, other = [word["query_id"] for word in workplace.words[:2]]
        with (
            ReviewServer(workplace, "Cyd", "--adjudicate") as third,
            Reader(browser, third.address) as reader,
        ):
            reader.turn("g")
            assert reader.see(".differing .id") == differing
            with reader.page.expect_response(lambda response: response.status == NOTHING_NEW):
                reader.page.evaluate(LOOK_AGAIN)
            assert reader.page.locator("#changed").count() == 0
            reader.page.focus(f"[data-at={differing}]")
            second.judge(differing, "wrong")
            reader.page.evaluate(LOOK_AGAIN)
            reader.page.wait_for_selector(".differing .wrong")
            assert reader.page.evaluate("document.activeElement.dataset.at") == differing
            assert "changed since you opened this" in reader.see(".differing .note")
            assert differing in reader.told("Somebody has spoken on")
            second.judge(differing, "minor_issue")
            second.judge(other, "minor_issue")
            reader.page.evaluate(LOOK_AGAIN)
            reader.page.wait_for_selector(f".differing [data-at={other}]")
            assert reader.page.locator(f".differing [data-at={differing}]").count() == 0
            assert f"{differing}, {other}" in reader.see("#changed")
            reader.turn("g")
            assert reader.page.locator("#changed").count() == 0


def test_a_view_that_is_closed_opens_when_the_last_verdict_is_there_and_tells_no_more(
    browser: Browser, workplace: Desk
) -> None:
    """What others say meanwhile does not even show in how often the page is drawn."""
    with (
        ReviewServer(workplace, "Ann") as first,
        ReviewServer(workplace, "Bo", "--second") as second,
    ):
        with Reader(browser, first.address) as reader:
            judge_all(reader, "2")
        sample = [word["query_id"] for word in workplace.words]
        with Reader(browser, first.address) as reader:
            reader.turn("g")
            shown = reader.shown
            for query_id in sample[:-1]:
                second.judge(query_id, "correct")
                with reader.page.expect_response("**/agreement?*") as answer:
                    reader.page.evaluate(LOOK_AGAIN)
                assert answer.value.status == 204
            assert reader.shown == shown
            second.judge(sample[-1], "correct")
            reader.page.evaluate(LOOK_AGAIN)
            reader.page.wait_for_selector(".differing")
            assert reader.page.locator("#changed").count() == 0


@pytest.mark.parametrize(("keys", "part"), [("kx", "Wording of the question"), ("kkx", "Tier")])
def test_question_and_tier_are_marked_like_any_claim(
    browser: Browser, workplace: Desk, keys: str, part: str
) -> None:
    """They stand above the first claim, and the view names them."""
    with (
        ReviewServer(workplace, "Ann") as first,
        ReviewServer(workplace, "Bo", "--second") as second,
    ):
        with Reader(browser, first.address) as reader:
            query = reader.data("query")
            reader.press(*keys)
            reader.turn("3")
            reader.turn("p")
            [marked] = reader.page.locator("[data-disputed]").all()
            assert part.lower().endswith(marked.get_attribute("data-claim") or "nothing")
            assert marked.locator(".flag").is_visible()
            reader.turn("s")
            judge_all(reader)
        with Reader(browser, second.address) as reader:
            judge_all(reader)
            reader.turn("g")
            assert reader.see(".agreement h3").startswith(part)
            assert reader.see(".differing .id") == query


def test_a_tier_is_marked_and_not_changed(browser: Browser, workplace: Desk) -> None:
    """The plan deals the tiers."""
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        reader.press("k", "k", "e")
        assert "mark it (x)" in reader.told("cannot be changed")
        assert reader.page.locator(".editor").count() == 0
        reader.press("j", "e")
        assert reader.page.locator("#question .editor").count() == 1
        reader.press("Escape")
