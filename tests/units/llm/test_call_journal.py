"""The call journal: what was paid is known after a crash at any point, and never paid again."""

import asyncio
import json
import selectors
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.canonical import canonical_json
from goldwright.journal import CallEntry
from goldwright.llm.call_journal import LONGEST_SENT, CallJournal
from goldwright.llm.journaling import JournalingProvider, ReplayingProvider
from goldwright.llm.port import (
    AssistantMessage,
    Message,
    Provider,
    ProviderFault,
    Reply,
    Request,
    Stop,
    ToolResult,
    ToolResults,
    ToolUse,
    Usage,
    UserMessage,
)
from goldwright.llm.pricing import ModelPricing, TokenRates
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.llm.spend import CallCost, Spend
from goldwright.stages.stage_graph import roles_from

PRICING = ModelPricing(TokenRates(input=0, cached=0, cache_write=0, output=1000))
BOUND = 100
PRESUMED = Spend(micro_usd=BOUND, presumed_micro_usd=BOUND, most_micro_usd=BOUND)
LONGEST_LINE = 1_048_576


class Killed(BaseException):
    """The end of the process."""


@dataclass
class MemoryLog:
    """The file of calls in memory; the process dies right after entry number ``dies_after``."""

    entries: list[CallEntry] = field(default_factory=list)
    dies_after: int | None = None

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        written = canonical_json(body)
        if len(written) > LONGEST_LINE:
            raise ValueError("the line is too long")
        line = CallEntry(len(self.entries), kind, json.loads(written))
        self.entries.append(line)
        if len(self.entries) == self.dies_after:
            raise Killed
        return line

    def kinds(self) -> list[str]:
        return [line.kind for line in self.entries]


def request(text: str = "?", item: str = "oracle:a", turns: tuple[Message, ...] = ()) -> Request:
    return Request(
        item=item,
        model="m",
        system="",
        turns=turns or (UserMessage(text),),
        max_output_tokens=BOUND,
    )


def reply(text: str = "yes", output: int = 7) -> Reply:
    usage = Usage(fresh=5, cached=3, cache_written=2, output=output)
    return Reply(
        text=text,
        tool_uses=(),
        stop="done",
        stop_reason="end",
        usage=usage,
        model="m",
        echo={"t": text},
    )


def moment() -> datetime:
    return datetime(2026, 4, 14, 12, 0, 0, 250_000, tzinfo=UTC)


def ask(provider: Provider, one: Request) -> Reply:
    return asyncio.run(provider.ask(one))


def writing(
    inner: Provider, call_journal: CallJournal, stopping: Callable[[], None] = lambda: None
) -> JournalingProvider:
    return JournalingProvider(inner, call_journal, PRICING, stopping=stopping, now=moment)


def journaled(log: MemoryLog, inner: Provider) -> ReplayingProvider:
    call_journal = CallJournal(log, roles_from)
    return ReplayingProvider(writing(inner, call_journal), call_journal)


class Story:
    """Four items of three questions each; two questions fail when they are asked first, one of them
    billed.
    """

    questions = tuple(
        request(f"{number}", f"{role}:q-{n}")
        for role in ("oracle", "judge")
        for n in (1, 2)
        for number in range(3)
    )

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self._fails = {self._name(self.questions[1]): False, self._name(self.questions[7]): True}

    def tell(self, log: MemoryLog) -> list[Reply]:
        """Ask everything, again where it failed."""
        line = journaled(log, ScriptedProvider(self._answer))
        return [self._ask(line, one) for one in self.questions]

    def _ask(self, line: Provider, one: Request) -> Reply:
        while True:
            try:
                return ask(line, one)
            except ProviderFault:
                continue

    def _answer(self, one: Request) -> Reply:
        name = self._name(one)
        self.asked[name] += 1
        if self.asked[name] == 1 and name in self._fails:
            raise ProviderFault("cut", "broken", may_be_billed=self._fails[name])
        return reply(f"answer to {name}", output=len(name))

    @staticmethod
    def _name(one: Request) -> str:
        return f"{one.item}/{one.key}"


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def booked(entries: Sequence[CallEntry]) -> tuple[int, int]:
    """Sum what is settled and what is presumed, entry by entry."""
    settled = sum(_number(line.body["micro_usd"]) for line in entries if line.kind == "reply")
    expected = sum(_number(line.body["expected"]) for line in entries if line.kind == "intent")
    ended = sum(
        _number(line.body["expected"]) for line in entries if line.kind in {"reply", "void"}
    )
    billed = sum(_number(line.body["micro_usd"]) for line in entries if line.kind == "void")
    return settled, expected - ended + billed


def whole_story() -> tuple[list[CallEntry], list[Reply]]:
    log = MemoryLog()
    replies = Story().tell(log)
    return log.entries, replies


ENTRIES, REPLIES = whole_story()


def test_the_story_holds_every_kind_of_entry_of_a_call() -> None:
    assert Counter(line.kind for line in ENTRIES) == {"intent": 14, "reply": 12, "void": 2}


@pytest.mark.parametrize("dies_after", range(1, len(ENTRIES) + 1))
def test_a_run_killed_after_any_entry_ends_as_one_left_alone(dies_after: int) -> None:
    """No answer in the journal is asked for again, every open intent is presumed, and no money is
    forgotten.
    """
    log, story = MemoryLog(dies_after=dies_after), Story()
    with pytest.raises(Killed):
        story.tell(log)
    known = Counter(
        f"{line.body['item']}/{line.body['key']}" for line in log.entries if line.kind == "reply"
    )
    before = CallJournal(log, roles_from).total
    assert (before.micro_usd - before.presumed_micro_usd, before.presumed_micro_usd) == booked(
        log.entries
    )
    log.dies_after = None
    story.asked, asked_before = Counter(story.asked), Counter(story.asked)
    assert story.tell(log) == REPLIES
    asked_again = story.asked - asked_before
    assert not asked_again.keys() & known.keys()
    after = CallJournal(log, roles_from).total
    assert after.calls == 12
    assert (
        after.micro_usd - after.presumed_micro_usd >= before.micro_usd - before.presumed_micro_usd
    )
    assert (after.micro_usd - after.presumed_micro_usd, after.presumed_micro_usd) == booked(
        log.entries
    )


@pytest.mark.parametrize("seed_deaths", [(3, 5, 9), (1, 2, 3, 4, 5, 6, 7), tuple(range(2, 28, 3))])
def test_many_kills_cost_at_most_the_calls_that_were_in_flight(
    seed_deaths: tuple[int, ...],
) -> None:
    log, story = MemoryLog(), Story()
    deaths = 0
    for dies_after in seed_deaths:
        log.dies_after = dies_after
        try:
            story.tell(log)
        except Killed:
            deaths += 1
    log.dies_after = None
    assert story.tell(log) == REPLIES
    assert deaths > 0
    total = CallJournal(log, roles_from).total
    a_billed_fault = BOUND
    assert total.presumed_micro_usd <= a_billed_fault + deaths * BOUND
    assert total.micro_usd - total.presumed_micro_usd == booked(ENTRIES)[0]


def test_a_reopened_journal_knows_the_same_sums_as_the_one_that_wrote_it() -> None:
    log = MemoryLog()
    call_journal = CallJournal(log, roles_from)
    scripted = ScriptedProvider(lambda one: reply(one.item))
    for item in ("oracle:a", "judge:a", "oracle:b"):
        ask(writing(scripted, call_journal), request(item=item))
    call_journal.record_intent(request("late", "author:x"), CallCost(BOUND, BOUND), at=moment())
    again = CallJournal(log, roles_from)
    assert again.total == call_journal.total
    assert again.spent_by_role() == call_journal.spent_by_role()
    assert again.spent_by_item() == call_journal.spent_by_item()
    assert again.spent("oracle:b") == call_journal.spent("oracle:b")


def test_sums_are_told_by_item_and_role() -> None:
    log = MemoryLog()
    call_journal = CallJournal(log, roles_from)
    scripted = ScriptedProvider(lambda _: reply())
    for item in ("oracle:a", "oracle:b", "judge:a"):
        ask(writing(scripted, call_journal), request(item=item))
    one = Spend(
        calls=1, input_tokens=10, cached_tokens=3, output_tokens=7, micro_usd=7, most_micro_usd=7
    )
    assert call_journal.spent("oracle:a") == one
    assert call_journal.spent("oracle:z") == Spend()
    assert call_journal.spent_by_item() == {"oracle:a": one, "oracle:b": one, "judge:a": one}
    assert {role: spend.calls for role, spend in call_journal.spent_by_role().items()} == {
        "oracle": 2,
        "judge": 1,
    }
    assert (call_journal.total.calls, call_journal.total.tokens, call_journal.total.micro_usd) == (
        3,
        51,
        21,
    )


def test_asking_for_a_sum_leaves_no_trace() -> None:
    call_journal = CallJournal(MemoryLog(), roles_from)
    call_journal.spent("oracle:a")
    assert call_journal.recall(request()) is None
    assert (call_journal.spent_by_item(), call_journal.spent_by_role()) == ({}, {})


def test_an_intent_is_written_before_the_request_is_sent_and_a_reply_before_it_is_used() -> None:
    log = MemoryLog()
    seen: list[list[str]] = []

    def answer(_: Request) -> Reply:
        seen.append(log.kinds())
        return reply()

    ask(journaled(log, ScriptedProvider(answer)), request())
    assert seen == [["intent"]]
    assert log.kinds() == ["intent", "reply"]
    intent = log.entries[0].body
    assert intent == {
        "item": "oracle:a",
        "key": request().key,
        "at": "2026-04-14T12:00:00.250+00:00",
        "model": "m",
        "expected": BOUND,
        "reserved": BOUND,
        "turn": 1,
        "sent": [{"said": "?"}],
    }


def test_every_entry_of_a_call_says_when_it_was_written() -> None:
    log = MemoryLog()
    ask(writing(ScriptedProvider(lambda _: reply()), CallJournal(log, roles_from)), request())
    times = [entry.body["at"] for entry in log.entries]
    assert times == ["2026-04-14T12:00:00.250+00:00"] * 2


def test_an_intent_that_cannot_be_written_is_not_sent() -> None:
    scripted = ScriptedProvider(lambda _: reply())
    log = MemoryLog(dies_after=1)
    with pytest.raises(Killed):
        ask(journaled(log, scripted), request())
    assert scripted.requests == []


class SkippingSelector(selectors.DefaultSelector):
    """Passes over the time in which nothing happens."""

    skipped_seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.skipped_seconds += max(timeout or 0.0, 0.0)
        return super().select(0 if timeout else timeout)


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop in which waiting takes no time."""

    def __init__(self) -> None:
        self._skipping = SkippingSelector()
        super().__init__(self._skipping)

    def time(self) -> float:
        return super().time() + self._skipping.skipped_seconds


def stopped_while_asked(inner: Provider, call_journal: CallJournal) -> float:
    """Cancel a call under way, and tell how many seconds it took to end."""

    async def story() -> float:
        loop = asyncio.get_running_loop()
        call = asyncio.create_task(
            writing(inner, call_journal, lambda: notices.append("stopping")).ask(request())
        )
        await asyncio.sleep(0.1)
        call.cancel()
        start = loop.time()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return loop.time() - start

    notices: list[str] = []
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        seconds = runner.run(story())
    assert notices == ["stopping"]
    return seconds


@dataclass
class Slow:
    """A provider that answers after so many seconds."""

    seconds: float
    fault: ProviderFault | None = None

    async def ask(self, _: Request) -> Reply:
        await asyncio.sleep(self.seconds)
        if self.fault:
            raise self.fault
        return reply()


def test_the_reply_to_a_call_that_is_stopped_is_waited_for_and_kept() -> None:
    log = MemoryLog()
    assert stopped_while_asked(Slow(19), CallJournal(log, roles_from)) == pytest.approx(
        18.9, abs=0.5
    )
    assert log.kinds() == ["intent", "reply"]
    assert CallJournal(log, roles_from).recall(request()) == reply()


def test_a_fault_of_a_call_that_is_stopped_is_written_and_not_raised() -> None:
    log = MemoryLog()
    stopped_while_asked(Slow(5, ProviderFault("unreachable", "down")), CallJournal(log, roles_from))
    assert log.kinds() == ["intent", "void"]
    assert CallJournal(log, roles_from).total == Spend()


def test_a_call_cut_off_in_flight_is_presumed_to_be_spent() -> None:
    """Who stops is not kept waiting for longer than 20 seconds."""
    log = MemoryLog()
    assert stopped_while_asked(Slow(3600), CallJournal(log, roles_from)) == pytest.approx(
        20, abs=0.5
    )
    assert log.kinds() == ["intent"]
    assert CallJournal(log, roles_from).total == PRESUMED


@pytest.mark.parametrize(("is_billed", "cost"), [(True, BOUND), (False, 0)])
def test_a_fault_is_written_with_what_may_have_to_be_paid(*, is_billed: bool, cost: int) -> None:
    def fail(_: Request) -> Reply:
        raise ProviderFault("cut", "x" * 1000, may_be_billed=is_billed)

    log = MemoryLog()
    with pytest.raises(ProviderFault):
        ask(journaled(log, ScriptedProvider(fail)), request())
    assert log.entries[-1].kind == "void"
    assert (log.entries[-1].body["fault"], len(str(log.entries[-1].body["message"]))) == (
        "cut",
        500,
    )
    assert CallJournal(log, roles_from).total == Spend(0, 0, 0, 0, cost, cost, cost)
    assert CallJournal(log, roles_from).recall(request()) is None


def test_equal_requests_of_one_item_get_their_replies_back_in_order_and_each_once() -> None:
    log = MemoryLog()
    replies = iter([reply("first"), reply("second"), reply("third")])
    line = writing(ScriptedProvider(lambda _: next(replies)), CallJournal(log, roles_from))
    for _ in range(2):
        ask(line, request())
    again = journaled(log, ScriptedProvider(lambda _: next(replies)))
    assert [ask(again, request()).text for _ in range(3)] == ["first", "second", "third"]


def test_the_same_request_of_another_item_is_another_one() -> None:
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply("a"))), request(item="oracle:a"))
    scripted = ScriptedProvider(lambda _: reply("b"))
    line = journaled(log, scripted)
    assert ask(line, request(item="oracle:b")).text == "b"
    assert ask(line, request(item="oracle:a")).text == "a"
    assert len(scripted.requests) == 1


def change(one: Request, **what: Any) -> Request:
    return replace(one, **what)


@pytest.mark.parametrize(
    "changed",
    [
        {"model": "n"},
        {"system": "be brief"},
        {"turns": (UserMessage("!"),)},
        {"turns": (UserMessage("?"), UserMessage("?"))},
        {"tools_closed": True},
        {"schema": {"type": "object"}},
        {"max_output_tokens": 200},
    ],
)
def test_a_request_of_which_the_model_sees_anything_else_is_asked(
    changed: Mapping[str, Any],
) -> None:
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply())), request())
    scripted = ScriptedProvider(lambda _: reply())
    ask(journaled(log, scripted), change(request(), **changed))
    assert len(scripted.requests) == 1


def test_work_that_was_given_up_begins_anew_and_keeps_its_cost() -> None:
    log = MemoryLog()
    call_journal = CallJournal(log, roles_from)
    ask(writing(ScriptedProvider(lambda _: reply("bad")), call_journal), request())
    ask(writing(ScriptedProvider(lambda _: reply("good")), call_journal), request(item="oracle:b"))
    call_journal.quarantine("oracle:a", "no JSON")
    again = CallJournal(log, roles_from)
    assert again.recall(request()) is None
    assert again.recall(request(item="oracle:b")) == reply("good")
    assert again.total.micro_usd == call_journal.total.micro_usd == 14


def test_work_that_was_given_up_is_asked_anew_in_the_same_process_too() -> None:
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply("bad"))), request())
    call_journal = CallJournal(log, roles_from)
    call_journal.quarantine("oracle:a", "no JSON")
    assert call_journal.recall(request()) is None


def test_replies_that_came_after_work_was_begun_anew_are_not_paid_again() -> None:
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply("bad"))), request())
    CallJournal(log, roles_from).quarantine("oracle:a", "no JSON")
    ask(journaled(log, ScriptedProvider(lambda _: reply("good"))), request())
    assert CallJournal(log, roles_from).recall(request()) == reply("good")


@pytest.mark.parametrize(
    ("stage", "kept"),
    [
        ("author", set()),
        ("oracle", {"author"}),
        ("gate", {"author", "oracle"}),
        ("adversary", {"author", "oracle", "completeness"}),
        ("completeness", {"author", "oracle", "adversary"}),
        ("agreement", {"author", "oracle", "adversary", "completeness"}),
    ],
)
def test_a_stage_done_again_forgets_its_roles_and_those_that_follow(
    stage: str, kept: set[str]
) -> None:
    roles = ("author", "oracle", "adversary", "completeness", "judge")
    log = MemoryLog()
    call_journal = CallJournal(log, roles_from)
    for role in roles:
        ask(
            writing(ScriptedProvider(lambda one: reply(one.item)), call_journal),
            request(item=f"{role}:a"),
        )
    log.append("redo", {"number": 1, "from": stage})
    again = CallJournal(log, roles_from)
    assert {role for role in roles if again.recall(request(item=f"{role}:a"))} == kept
    assert again.total.micro_usd == 35
    live = CallJournal(MemoryLog(log.entries[:-1]), roles_from)
    live.forget(roles_from(stage))
    assert {role for role in roles if live.recall(request(item=f"{role}:a"))} == kept
    assert live.total.micro_usd == 35


def test_replies_that_came_after_a_stage_was_done_again_count() -> None:
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply("old"))), request())
    CallJournal(log, roles_from).quarantine("oracle:a", "no JSON")
    log.append("redo", {"number": 1, "from": "oracle"})
    ask(journaled(log, ScriptedProvider(lambda _: reply("new"))), request())
    assert CallJournal(log, roles_from).recall(request()) == reply("new")


def test_replies_still_count_where_a_stage_is_redone_with_them() -> None:
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply("old"))), request())
    log.append("redo", {"number": 1, "from": "oracle", "keeps_replies": True})
    assert CallJournal(log, roles_from).recall(request()) == reply("old")


def test_who_watches_the_money_is_told_of_calls_that_ended_and_of_those_a_crash_cut_off() -> None:
    seen: list[int] = []
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply())), request())
    call_journal = CallJournal(log, roles_from)
    call_journal.watch(seen.append)
    ask(writing(ScriptedProvider(lambda _: reply()), call_journal), request())
    call_journal.record_intent(request("under way"), CallCost(BOUND, BOUND), at=moment())
    ask(writing(ScriptedProvider(lambda _: reply()), call_journal), request())
    assert seen == [7, 14, 21]
    CallJournal(log, roles_from).watch(seen.append)
    assert seen[-1] == 21 + BOUND


def test_entries_of_others_on_the_shelf_are_passed_over() -> None:
    log = MemoryLog()
    log.append("round", {"round": 0, "asks": []})
    log.append("tools", {"item": "oracle:a", "by": "x", "calls": []})
    assert CallJournal(log, roles_from).total == Spend()


def test_a_reply_too_long_for_the_file_is_a_fault_that_is_billed() -> None:
    log = MemoryLog()
    with pytest.raises(ProviderFault) as caught:
        ask(journaled(log, ScriptedProvider(lambda _: reply("x" * LONGEST_LINE))), request())
    assert (caught.value.kind, caught.value.may_be_billed) == ("malformed", True)
    assert log.kinds() == ["intent", "void"]


def test_only_what_is_new_to_the_model_is_written_with_an_intent() -> None:
    log = MemoryLog()
    shown = ToolResults((ToolResult("c1", "read", "text"),), "note")
    turns: tuple[Message, ...] = (
        UserMessage("first"),
        AssistantMessage({"a": 1}),
        shown,
        AssistantMessage({"b": 2}),
        UserMessage("last"),
        shown,
    )
    ask(journaled(log, ScriptedProvider(lambda _: reply())), request(turns=turns))
    assert log.entries[0].body["sent"] == [
        {"said": "last"},
        {"shown": [["c1", "read", "text", False]], "note": "note"},
    ]


def test_long_turns_are_told_by_their_length() -> None:
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: reply())), request("x" * LONGEST_SENT))
    assert log.entries[0].body["sent"] == f"{LONGEST_SENT + 13} characters"


texts = st.text(st.characters(exclude_categories=()), max_size=20)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(texts, values, max_size=3)
STOPS: tuple[Stop, ...] = ("done", "tools", "length", "refused", "paused", "overflow", "unknown")
tokens = st.integers(0, 10**6)
replies = st.builds(
    Reply,
    text=texts,
    tool_uses=st.lists(st.builds(ToolUse, texts, texts, st.none() | objects), max_size=3).map(
        tuple
    ),
    stop=st.sampled_from(STOPS),
    stop_reason=texts,
    usage=st.builds(Usage, tokens, tokens, tokens, tokens, st.booleans()),
    model=texts,
    echo=values,
)


@given(replies)
def test_a_reply_comes_back_from_the_journal_as_it_was(one: Reply) -> None:
    """Lone surrogates, long numbers and odd keys included."""
    log = MemoryLog()
    ask(journaled(log, ScriptedProvider(lambda _: one)), request())
    assert CallJournal(log, roles_from).recall(request()) == one


def test_a_reply_that_holds_half_a_character_comes_back_as_it_was() -> None:
    """Models break off within a pair; such a reply is paid, and must be counted."""
    log, one = MemoryLog(), reply("half \ud800 a pair")
    ask(journaled(log, ScriptedProvider(lambda _: one)), request())
    assert CallJournal(log, roles_from).recall(request()) == one


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_reply_that_holds_no_json_number_is_a_fault_in_the_journal(number: float) -> None:
    """Models write NaN into the arguments of tools; such a reply is paid, and must be counted."""
    log = MemoryLog()
    use = ToolUse("c1", "read", {"first": number})
    with pytest.raises(ProviderFault):
        ask(
            journaled(log, ScriptedProvider(lambda _: replace(reply(), tool_uses=(use,)))),
            request(),
        )
    assert log.kinds() == ["intent", "void"]


def test_half_a_character_can_be_sent_back_to_the_model_that_wrote_it() -> None:
    """Every result bears the name of the tool that the model called."""
    log = MemoryLog()
    shown = ToolResults((ToolResult("c1", "\ud800", "there is no such tool", is_error=True),))
    ask(
        journaled(log, ScriptedProvider(lambda _: reply())),
        request(turns=(UserMessage("?"), AssistantMessage({"a": 1}), shown)),
    )
    assert log.kinds() == ["intent", "reply"]
