"""Handing in: what programs object to comes back, bounded, and what is good is kept."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from goldwright.agents.roles import AuthorWork, Findings
from goldwright.agents.toolset import Toolset
from goldwright.errors import QuarantineError
from goldwright.live_agents.author import CandidateReview
from goldwright.live_agents.draft_submission import (
    MOST_CHECKS,
    MOST_RETURNS,
    NO_DRAFT,
    NO_FINDINGS,
    WholeDraftReview,
)
from goldwright.live_agents.model_tools import ModelTools
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import MarkSource
from goldwright.llm.port import Reply, Request, ToolResults, ToolUse, Usage
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.llm.reply_parsing import ReplyError
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, CheckFailure
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.draft_check import screen_before_handing_in

Number = dict[str, int]
CELL = Cell("explain", "easy")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root: Path = tmp_path_factory.mktemp("drafts")
    (root / "code").mkdir()
    code = "def check(amount):\n    return amount\n\n\ndef weigh(parcel):\n    return parcel\n"
    (root / "code" / "shop.py").write_text(code, encoding="utf-8")
    return open_snapshot(root / "code", cache=root / "cache", workers=1)


@pytest.fixture
def toolset(snapshot: Snapshot) -> Toolset:
    return Toolset(snapshot)


def parse(text: str) -> Number:
    value = json.loads(text) if text.startswith("{") else None
    if not isinstance(value, dict) or set(value) != {"n"}:
        raise ReplyError("wanted an object with n")
    return value


def must_be_even(draft: Number) -> Findings:
    if draft["n"] % 2:
        return (CheckFailure(check="even", claim="n", message=f"{draft['n']} is odd"),)
    return ()


BRIEF = Brief(
    item="oracle:a",
    model="m",
    system="rules",
    task="task",
    schema={"type": "object"},
    parse_reply=parse,
    review=WholeDraftReview(must_be_even, "Mend it."),
)


def submit(arguments: dict[str, Any] | None) -> Reply:
    return called("submit", arguments)


def called(name: str, arguments: dict[str, Any] | None) -> Reply:
    use = ToolUse("c", name, arguments)
    return Reply("", (use,), "tools", "tools", Usage(), "m", echo={})


def said(text: str) -> Reply:
    return Reply(text, (), "done", "end", Usage(), "m", echo={})


def play(toolset: Toolset, *replies: Reply, brief: Brief[Number] = BRIEF) -> list[Request]:
    """Play a conversation to its end; the requests tell what came back."""
    story = list(replies)
    provider = ScriptedProvider(lambda _: story.pop(0))
    tools = ModelTools(toolset, OutputRenderer(toolset.snapshot), MarkSource("s", brief.item))
    asyncio.run(converse(provider, brief, tools))
    assert story == []
    return provider.requests


def results(request: Request) -> Sequence[str]:
    turn = request.turns[-1]
    assert isinstance(turn, ToolResults)
    return [result.text for result in turn.results]


@pytest.mark.parametrize("draft", [{"draft": {"n": 2}}, {"n": 2}, {"draft": '{"n": 2}'}])
def test_a_draft_is_taken_from_a_call_however_it_is_wrapped(
    toolset: Toolset, draft: dict[str, Any]
) -> None:
    assert len(play(toolset, submit(draft))) == 1
    assert toolset.slips == {}


def test_findings_come_back_with_their_codes_and_are_counted_once_a_draft(
    toolset: Toolset,
) -> None:
    asked = play(toolset, submit({"draft": {"n": 1}}), said('{"n": 3}'), submit({"n": 4}))
    assert results(asked[1]) == ["- even, n: 1 is odd\nMend it."]
    assert getattr(asked[2].turns[-1], "text", "") == "- even, n: 3 is odd\nMend it."
    assert toolset.slips == {"even": 2}


def test_a_draft_that_stays_wrong_is_handed_on_for_the_stage_to_decide(toolset: Toolset) -> None:
    asked = play(toolset, *[submit({"draft": {"n": 1}})] * (MOST_RETURNS + 1))
    assert len(asked) == MOST_RETURNS + 1


def test_a_fourth_draft_that_cannot_be_read_is_given_up(toolset: Toolset) -> None:
    with pytest.raises(QuarantineError, match="wanted an object"):
        play(toolset, *[submit({"draft": {}})] * 4)
    assert toolset.slips == {"unreadable": 4}


def test_the_last_chance_to_be_read_comes_with_the_schema(toolset: Toolset) -> None:
    asked = play(toolset, said("I think"), said("well"), said('{"n": 2}'))
    assert [request.schema is None for request in asked] == [True, True, False]


def test_a_check_ends_nothing_and_what_it_saw_last_is_handed_in_by_null(toolset: Toolset) -> None:
    null = {"draft": None}
    asked = play(
        toolset,
        submit(null),
        called("check_draft", {"draft": {"n": 1}}),
        called("check_draft", {"draft": {"n": 2}}),
        submit(null),
    )
    assert [results(request)[0] for request in asked[1:]] == [
        f"That cannot be used: {NO_DRAFT}. Hand in the whole object again.",
        "- even, n: 1 is odd",
        NO_FINDINGS,
    ]


def test_checks_are_bounded(toolset: Toolset) -> None:
    checks = [called("check_draft", {"draft": {"n": n}}) for n in range(MOST_CHECKS + 1)]
    asked = play(toolset, *checks, submit({"n": 2}))
    assert "call submit" in results(asked[-1])[0]


def test_nothing_is_checked_where_no_program_can(toolset: Toolset) -> None:
    asked = play(toolset, submit({"n": 1}), brief=replace(BRIEF, review=None))
    assert "check_draft" not in {tool.name for tool in asked[0].tools}


def question(text: str, target: str = "shop.py::check") -> CandidateDraft:
    return CandidateDraft(query_text=text, target_entity_ids=(target,))


def review_of(toolset: Toolset, count: int = 3) -> CandidateReview:
    check = screen_before_handing_in(
        CELL, count, toolset.snapshot, accepted=(), spent_targets=frozenset()
    )
    work = AuthorWork(CELL, count, 0, ((CELL, count),), (), 0, check=check)
    return CandidateReview(work, toolset)


def test_a_question_about_what_nobody_read_is_refused_until_it_is_read(toolset: Toolset) -> None:
    review = review_of(toolset)
    drafts = (question("What becomes of an amount?"),)
    assert [finding.check for finding in review.findings(drafts)] == ["unread_target"]
    toolset.search("amount", "shop.py")
    assert review.findings(drafts) == ()


def test_good_candidates_are_kept_and_the_others_come_back_alone(toolset: Toolset) -> None:
    toolset.read("shop.py")
    review = review_of(toolset)
    good = question("What becomes of an amount?")
    bad = question("How heavy is a parcel?", "shop.py::wegh")
    (finding,) = review.findings((good, bad))
    assert (finding.claim, finding.check) == ("candidate-2", "unresolved_target")
    assert review.take((good, bad)) == (good, bad)
    assert "1 of 3" in review.advice
    mended = question("How heavy is a parcel?", "shop.py::weigh")
    # Whoever hands all of it in again is not told that it repeats itself.
    assert review.findings((good, mended)) == ()
    assert review.take((good, mended)) == (good, mended)


def test_a_candidate_is_held_against_those_that_were_taken(toolset: Toolset) -> None:
    toolset.read("shop.py")
    review = review_of(toolset)
    review.take((question("What becomes of an amount?"),))
    (finding,) = review.findings((question("Which amount is handed back?"),))
    assert finding.check == "duplicate"
