"""What each live role is told, and what it is not told."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from goldwright.agents.roles import AdversaryWork, AuthorWork, JudgeWork, OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.errors import QuarantineError
from goldwright.live_agents.adversary import ClaimRuling, LiveAdversary
from goldwright.live_agents.author import LiveAuthor
from goldwright.live_agents.judge import NO_ANSWER, LiveJudge
from goldwright.live_agents.oracle import LiveOracle
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Reply, Request, Usage
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.plan import Cell
from goldwright.prompts import PromptLibrary
from goldwright.records import (
    INTENT_MEANINGS,
    FileRange,
    Intent,
    NarrativeVerdictDraft,
    OracleAnswer,
    QueryCandidate,
)
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.gate.examples import ANSWER

PROMPTS = Path(__file__).parents[3] / "prompts"
CODE = """\
def check(amount):
    if amount < 1:
        raise ValueError("amount must be positive")
    return amount
"""
INTENT = Intent(
    kind="raise_condition",
    subject="shop.py::check",
    lines=FileRange(file="shop.py", start=3, end=3),
    detail="ValueError",
    settles=("the whole condition",),
)
CANDIDATE = QueryCandidate(
    query_id="q_00001",
    task_type="debug",
    difficulty="easy",
    query_text="When is an amount turned away?",
    target_entity_ids=("shop.py::check",),
    intent=INTENT,
    authored_by="agent:author:the-writer",
    created_at="2026-01-01T00:00:00Z",
)
WRITTEN = ANSWER.model_dump(mode="json", exclude={"source_evidence"})
EQUIVALENT = {"answers_question": True, "verdict": "equivalent", "reason": "They agree."}

ClientMaker = Callable[[str, object], tuple[RoleClient, ScriptedProvider]]


class UnwrittenJournal(CallJournal):
    """Takes note of nothing: the roles alone are under test."""

    def __init__(self) -> None:
        """Open no log."""

    def quarantine(self, item: str, reason: str) -> None:
        """Forget it."""


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root: Path = tmp_path_factory.mktemp("roles")
    (root / "code").mkdir()
    (root / "code" / "shop.py").write_text(CODE, encoding="utf-8")
    return open_snapshot(root / "code", cache=root / "cache", workers=1)


@pytest.fixture(scope="module")
def prompts() -> PromptLibrary:
    return PromptLibrary.load(PROMPTS)


@pytest.fixture
def make_client(prompts: PromptLibrary) -> ClientMaker:
    """Give the client of a role whose model says one thing, and the provider behind it."""

    def make(role: str, said: object) -> tuple[RoleClient, ScriptedProvider]:
        text = json.dumps(said)

        def answer(request: Request) -> Reply:
            usage = Usage(fresh=1, output=1)
            return Reply(text, (), "done", "end", usage, request.model, echo={"text": text})

        provider = ScriptedProvider(answer)
        return RoleClient(role, "m", provider, UnwrittenJournal(), prompts, "secret"), provider

    return make


def everything_told(provider: ScriptedProvider) -> str:
    """Put together what a model was told in its first request."""
    request = provider.requests[0]
    return request.system + "\n" + "\n".join(str(turn) for turn in request.turns)


def author_work() -> AuthorWork:
    cell = Cell("debug", "easy")
    return AuthorWork(cell=cell, count=1, round=0, cells=((cell, 1),), accepted=(), seed=0)


def test_the_author_is_told_every_kind_of_reason_with_its_meaning(
    make_client: ClientMaker, snapshot: Snapshot
) -> None:
    client, provider = make_client("author", {"candidates": []})
    renderer = OutputRenderer(snapshot)
    asyncio.run(LiveAuthor(client, renderer).play(author_work(), Toolset(snapshot)))
    told = everything_told(provider)
    for kind, meaning in INTENT_MEANINGS.items():
        assert f"`{kind}`: {meaning.asks}; lines: {meaning.lines}" in told.replace("\\n", "\n")


@pytest.mark.parametrize(
    ("area", "told"),
    [("shop/*", '"shop/*"'), ("a\n- b/", r'"a\n- b/"'), (None, "wherever you like")],
)
def test_the_author_is_told_where_to_begin(
    make_client: ClientMaker, snapshot: Snapshot, area: str | None, told: str
) -> None:
    """A name of a directory stays on its line, whatever it holds."""
    client, provider = make_client("author", {"candidates": []})
    work = replace(author_work(), start_area=area)
    asyncio.run(LiveAuthor(client, OutputRenderer(snapshot)).play(work, Toolset(snapshot)))
    task = getattr(provider.requests[0].turns[0], "text", "")
    assert f"- Begin looking in: {told}" in task.split("\n")


def test_the_reason_that_an_author_hands_back_is_read_strictly(
    make_client: ClientMaker, snapshot: Snapshot
) -> None:
    draft = CANDIDATE.model_dump(
        mode="json",
        include={
            "query_text",
            "target_entity_ids",
            "focus_area",
            "difficulty_rationale",
            "classifier_expectation",
            "intent",
        },
    )
    client, _ = make_client("author", {"candidates": [draft]})
    author = LiveAuthor(client, OutputRenderer(snapshot))
    (candidate,) = asyncio.run(author.play(author_work(), Toolset(snapshot)))
    assert candidate.intent == INTENT
    draft["intent"] |= {"kind": "curiosity"}
    client, _ = make_client("author", {"candidates": [draft]})
    author = LiveAuthor(client, OutputRenderer(snapshot))
    with pytest.raises(QuarantineError, match="intent"):
        asyncio.run(author.play(author_work(), Toolset(snapshot)))


def test_the_oracle_is_shown_the_reason_and_told_not_to_trust_it(
    make_client: ClientMaker, snapshot: Snapshot
) -> None:
    client, provider = make_client("oracle", WRITTEN)
    oracle = LiveOracle(client, OutputRenderer(snapshot))
    asyncio.run(oracle.play(OracleWork(CANDIDATE), Toolset(snapshot)))
    task = provider.requests[0].turns[0]
    (question,) = [
        json.loads(line) for line in getattr(task, "text", "").split("\n") if line[:1] == "{"
    ]
    assert question["intent"] == INTENT.model_dump(mode="json")
    assert "authored_by" not in question
    assert "Derive all of it again from the code" in provider.requests[0].system


def test_an_oracle_without_a_reason_is_told_that_there_is_none(
    make_client: ClientMaker, snapshot: Snapshot
) -> None:
    client, provider = make_client("oracle", WRITTEN)
    oracle = LiveOracle(client, OutputRenderer(snapshot))
    candidate = CANDIDATE.model_copy(update={"intent": None})
    asyncio.run(oracle.play(OracleWork(candidate), Toolset(snapshot)))
    assert '"intent": null' in getattr(provider.requests[0].turns[0], "text", "")


def test_the_adversary_learns_neither_who_wrote_what_nor_why_it_was_asked(
    make_client: ClientMaker, snapshot: Snapshot
) -> None:
    """What the Author was after would tell it which claims are likely to be right."""
    answer = OracleAnswer(
        **dict(ANSWER),
        query_id="q_00001",
        task_type="debug",
        difficulty="easy",
        authored_by="agent:oracle:the-answerer",
        created_at="2026-01-01T00:00:00Z",
    )
    client, provider = make_client("adversary", {})
    adversary = LiveAdversary(client, snapshot)
    with pytest.raises(QuarantineError):
        asyncio.run(adversary.play(AdversaryWork(CANDIDATE, answer), Toolset(snapshot)))
    told = everything_told(provider)
    assert CANDIDATE.query_text in told
    for secret in ("the-writer", "the-answerer", "raise_condition", "the whole condition"):
        assert secret not in told


@pytest.mark.parametrize(
    ("citation", "lines"),
    [
        ("a/b.py:6-10", ("a/b.py", 6, 10)),
        ("a.py:6", ("a.py", 6, 6)),
        ("a.py:L6-L10", ("a.py", 6, 10)),
        ("odd:name.py:6-10", ("odd:name.py", 6, 10)),
        ("a.py", None),
        ("a.py:six", None),
        ("a.py:6-", None),
        ("a.py:6-" + "9" * 5000, None),
        (":1-2", None),
    ],
)
def test_a_citation_of_a_report_is_read_or_sent_back(
    citation: str, lines: tuple[str, int, int] | None
) -> None:
    ruling = ClaimRuling(claim_id="fact-1", verdict="supported", citation=citation)
    cited = None if lines is None else FileRange(file=lines[0], start=lines[1], end=lines[2])
    assert ruling.lines == cited


@pytest.mark.parametrize(
    ("changes", "verdict", "reason"),
    [
        ({}, "equivalent", "They agree."),
        ({"verdict": "minor_divergence"}, "minor_divergence", "They agree."),
        ({"answers_question": False}, "significant_divergence", f"{NO_ANSWER} They agree."),
    ],
)
def test_a_narrative_that_leaves_the_question_open_agrees_with_nothing(
    make_client: ClientMaker, changes: dict[str, Any], verdict: str, reason: str
) -> None:
    client, provider = make_client("judge", EQUIVALENT | changes)
    work = JudgeWork("q_00001", CANDIDATE.query_text, "It is refused.", "It raises.")
    judged = asyncio.run(LiveJudge(client).play(work))
    assert judged == NarrativeVerdictDraft(verdict=verdict, reason=reason)  # type: ignore[arg-type]  # the words of the table
    assert CANDIDATE.query_text in everything_told(provider)


def test_a_judge_who_does_not_say_whether_the_question_is_answered_is_asked_again(
    make_client: ClientMaker,
) -> None:
    client, provider = make_client("judge", {"verdict": "equivalent", "reason": "They agree."})
    work = JudgeWork("q_00001", CANDIDATE.query_text, "It is refused.", "It raises.")
    with pytest.raises(QuarantineError, match="answers_question"):
        asyncio.run(LiveJudge(client).play(work))
    assert len(provider.requests) == 4
