"""The entries of the call journal, letter for letter, and what a later process reads in them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from goldwright.canonical import canonical_json
from goldwright.errors import DamagedStateError
from goldwright.journal import CallEntry
from goldwright.llm.batch_port import HandedIn
from goldwright.llm.call_journal import LONGEST_SENT, CallJournal
from goldwright.llm.port import (
    AssistantMessage,
    ProviderFault,
    Reply,
    Request,
    ToolUse,
    Usage,
    UserMessage,
)
from goldwright.llm.spend import CallCost, Spend
from goldwright.stages.stage_graph import roles_from

AT: Final = datetime(2026, 11, 29, 20, 0, 0, 123_456, tzinfo=UTC)
ASKED: Final = Request("judge:a", "m-1", "Judge.", (UserMessage("?"),))
PRESUMED: Final = CallCost(50, 100)
USAGE: Final = Usage(fresh=100, cached=20, cache_written=8, output=30)
REPLY: Final = Reply(
    "So.",
    (ToolUse("c1", "read", {"b": 1, "a": 2}),),
    "tools",
    "tool_use",
    USAGE,
    "m-1",
    {"z": 1, "a": 2},
)
CALL: Final = {
    "item": "judge:a",
    "key": ASKED.key,
    "at": "2026-11-29T20:00:00.123+00:00",
    "model": "m-1",
    "expected": 50,
    "reserved": 100,
}


@dataclass
class Log:
    """The file of calls in memory."""

    entries: list[CallEntry] = field(default_factory=list)

    def append(self, kind: str, body: Mapping[str, object]) -> CallEntry:
        entry = CallEntry(len(self.entries), kind, json.loads(canonical_json(body)))
        self.entries.append(entry)
        return entry


def opened(log: Log) -> CallJournal:
    return CallJournal(log, roles_from)


def answered(log: Log, reply: Reply = REPLY, asked: Request = ASKED) -> CallJournal:
    """Write a call down that was answered."""
    journal = opened(log)
    journal.record_intent(asked, PRESUMED, at=AT)
    journal.record_reply(asked, reply, presumed=PRESUMED, cost=CallCost(7, 9), at=AT)
    return journal


def last(log: Log) -> tuple[str, Mapping[str, Any]]:
    return log.entries[-1].kind, log.entries[-1].body


def test_a_reply_is_written_with_its_cost_its_size_and_its_echo_as_it_came() -> None:
    log = Log()
    answered(log)
    assert last(log) == (
        "reply",
        {
            **CALL,
            "micro_usd": 7,
            "most_micro_usd": 9,
            "input_bytes": ASKED.input_bytes,
            "reply": {
                "text": "So.",
                "tool_uses": [{"call_id": "c1", "name": "read", "arguments": {"a": 2, "b": 1}}],
                "stop": "tools",
                "stop_reason": "tool_use",
                "usage": {
                    "fresh": 100,
                    "cached": 20,
                    "cache_written": 8,
                    "output": 30,
                    "counted": True,
                },
                "model": "m-1",
                # In the order in which its provider wrote it, which the log would change.
                "echo": '{"z":1,"a":2}',
            },
        },
    )


def test_a_fault_is_written_with_its_kind_and_the_beginning_of_its_message() -> None:
    log = Log()
    fault = ProviderFault("cut", "x" * 501)
    opened(log).record_void(ASKED, fault, presumed=PRESUMED, cost=CallCost(7, 9), at=AT)
    costs = {"micro_usd": 7, "most_micro_usd": 9}
    assert last(log) == ("void", {**CALL, **costs, "fault": "cut", "message": "x" * 500})


def test_what_was_given_up_is_written_with_the_beginning_of_its_reason() -> None:
    log = Log()
    opened(log).quarantine("judge:a", "x" * 2001)
    assert last(log) == ("quarantine", {"item": "judge:a", "why": "x" * 2000})


@pytest.mark.parametrize("in_batch", [False, True])
def test_an_intent_says_whether_its_reply_can_be_fetched_later(*, in_batch: bool) -> None:
    log = Log()
    turns = (UserMessage("?"), AssistantMessage({"a": 1}), UserMessage("more"), UserMessage("now"))
    asked = Request("judge:a", "m-1", "Judge.", turns)
    opened(log).record_intent(asked, PRESUMED, at=AT, in_batch=in_batch)
    sent = {"turn": 4, "sent": [{"said": "more"}, {"said": "now"}]}
    told = {"in_batch": True} if in_batch else {}
    assert last(log) == ("intent", {**CALL, "key": asked.key, **sent, **told})
    awaited = {("judge:a", asked.key): PRESUMED} if in_batch else {}
    assert opened(log).awaited_calls() == awaited


@pytest.mark.parametrize(("size", "is_told"), [(-1, True), (0, True), (1, False)])
def test_turns_of_64_kibibytes_are_repeated_and_longer_ones_counted(
    size: int, *, is_told: bool
) -> None:
    log = Log()
    around = len(f"[{UserMessage('').as_json}]")
    text = "x" * (64 * 1024 - around + size)
    assert LONGEST_SENT == 64 * 1024
    asked = Request("judge:a", "m-1", "Judge.", (UserMessage(text),))
    opened(log).record_intent(asked, PRESUMED, at=AT)
    sent = log.entries[-1].body["sent"]
    assert sent == ([{"said": text}] if is_told else f"{64 * 1024 + size} characters")


def test_a_later_process_reads_a_reply_as_it_was_and_gives_it_once() -> None:
    log = Log()
    answered(log)
    journal = opened(log)
    assert journal.recall(ASKED) == REPLY
    assert journal.recall(ASKED) is None
    assert list(REPLY.echo) == ["z", "a"]


def test_the_process_that_wrote_a_reply_does_not_give_it_again() -> None:
    assert answered(Log()).recall(ASKED) is None


def test_what_a_role_has_used_is_expected_of_it_by_this_process_and_later_ones() -> None:
    log = Log()
    journals = [answered(log), opened(log)]
    for journal in journals:
        assert journal.expected_usage(ASKED) == USAGE
        # Another role of the model, and a model of which nothing is known.
        assert journal.expected_usage(Request("oracle:a", "m-1", "Judge.", ASKED.turns)) == USAGE
        other = Request("judge:a", "m-2", "Judge.", ASKED.turns)
        assert journal.expected_usage(other).output == 500


def test_replies_of_which_older_journals_do_not_know_the_size_teach_nothing() -> None:
    log = Log()
    answered(log)
    old_body = {key: value for key, value in log.entries[-1].body.items() if key != "input_bytes"}
    log.entries[-1] = CallEntry(1, "reply", old_body)
    assert opened(log).expected_usage(ASKED).output == 500


def watched(log: Log) -> tuple[CallJournal, list[int]]:
    journal = opened(log)
    told: list[int] = []
    journal.watch(told.append)
    return journal, told


def test_who_watches_the_money_hears_of_ends_without_what_is_under_way() -> None:
    log = Log()
    journal, told = watched(log)
    first, second = (Request(f"judge:{n}", "m-1", "Judge.", ASKED.turns) for n in "ab")
    for one in (first, second):
        journal.record_intent(one, PRESUMED, at=AT)
    assert (told, journal.total.micro_usd) == ([0], 100)
    journal.record_reply(first, REPLY, presumed=PRESUMED, cost=CallCost(7, 9), at=AT)
    fault = ProviderFault("cut", "oh")
    journal.record_void(second, fault, presumed=PRESUMED, cost=CallCost(11, 20), at=AT)
    assert told == [0, 7, 18]
    assert journal.total.most_micro_usd == 29
    # What a process left open when it ended is presumed to be spent from then on.
    journal.record_intent(first, PRESUMED, at=AT)
    assert watched(log)[1] == [68]


def batched(log: Log, *items: str) -> tuple[CallJournal, list[Request]]:
    """Write intents of calls in batches down, and open the journal anew."""
    journal = opened(log)
    asked = [Request(item, "m-1", "Judge.", (UserMessage(item),)) for item in items]
    for one in asked:
        journal.record_intent(one, PRESUMED, at=AT, in_batch=True)
    return opened(log), asked


def test_a_call_that_waits_in_a_batch_is_taken_once_and_counts_as_under_way() -> None:
    log = Log()
    batched(log, "judge:a", "judge:b")
    journal, told = watched(log)
    (first, _), _ = journal.awaited_calls()
    taken = Request(first, "m-1", "Judge.", (UserMessage(first),))
    assert journal.take_awaited(taken) == PRESUMED
    assert journal.take_awaited(taken) is None
    assert [item for item, _ in journal.awaited_calls()] == ["judge:b"]
    journal.record_reply(taken, REPLY, presumed=PRESUMED, cost=CallCost(7, 9), at=AT)
    assert told == [100, 57]


@pytest.mark.parametrize("end", ["reply", "void", "quarantine", "redo"])
def test_what_has_ended_is_awaited_no_more(end: str) -> None:
    log = Log()
    journal, (first, second) = batched(log, "judge:a", "judge:b")
    cost = CallCost(7, 9)
    match end:
        case "reply":
            journal.record_reply(first, REPLY, presumed=PRESUMED, cost=cost, at=AT)
        case "void":
            fault = ProviderFault("cut", "oh")
            journal.record_void(first, fault, presumed=PRESUMED, cost=cost, at=AT)
        case "quarantine":
            journal.quarantine("judge:a", "no")
        case _:
            log.append("redo", {"from": "agreement", "keeps_replies": True})
    left = [("judge:b", second.key)]
    if end == "redo":
        left.insert(0, ("judge:a", first.key))
    assert list(opened(log).awaited_calls()) == left
    log.append("redo", {"from": "agreement"})
    assert opened(log).awaited_calls() == {}


def test_a_batch_is_written_when_it_is_handed_in_named_and_gone() -> None:
    log = Log()
    journal, (first, second) = batched(log, "judge:a", "judge:b")
    calls = [("judge:a", first.key), ("judge:b", second.key)]
    batch = journal.begin_batch("gw-1", "m-1", calls)
    entries = dict(zip(("gw-1-0", "gw-1-1"), calls, strict=True))
    assert batch == HandedIn("gw-1", "m-1", entries)
    rows = [list(call) for call in calls]
    assert last(log) == ("batch", {"label": "gw-1", "model": "m-1", "calls": rows})
    journal.name_batch("gw-1", "b-1")
    assert last(log) == ("batch", {"label": "gw-1", "id": "b-1"})
    journal.discard_batch("gw-1")
    assert last(log) == ("batch", {"label": "gw-1", "discarded": True})
    journal.drop_batch("gw-1")
    assert last(log) == ("batch", {"label": "gw-1"})


def state_of(journal: CallJournal) -> tuple[object, ...]:
    """What a journal knows of the batches to a model."""
    finished = [batch.label for batch in journal.finished_batches("m-1")]
    under_way = [batch.label for batch in journal.open_batches("m-1")]
    return under_way, finished, sorted(journal.batch_ids()), journal.batches_begun


def test_a_process_and_the_one_after_it_know_the_same_of_batches() -> None:
    log = Log()
    journal, (first, second) = batched(log, "judge:a", "judge:b")

    def check(expected: tuple[object, ...]) -> None:
        assert state_of(journal) == expected
        assert state_of(opened(log)) == expected

    def end(one: Request) -> None:
        journal.take_awaited(one)
        journal.record_reply(one, REPLY, presumed=PRESUMED, cost=CallCost(7, 9), at=AT)

    check(([], [], [], 0))
    calls = [("judge:a", first.key), ("judge:b", second.key)]
    journal.begin_batch("gw-1", "m-1", calls)
    check((["gw-1"], [], [], 1))
    journal.name_batch("gw-1", "b-1")
    journal.begin_batch("gw-2", "m-2", calls)
    journal.begin_batch("gw-3", "m-1", calls[:1])
    check((["gw-1", "gw-3"], [], ["b-1"], 3))
    journal.drop_batch("gw-3")
    check((["gw-1"], [], ["b-1"], 3))
    end(first)
    check((["gw-1"], [], ["b-1"], 3))
    end(second)
    check(([], ["gw-1"], ["b-1"], 3))
    journal.discard_batch("gw-1")
    check(([], [], ["b-1"], 3))


def test_work_that_is_given_up_waits_for_its_batches_no_more_and_others_do() -> None:
    log = Log()
    journal, _ = batched(log, "judge:a", "oracle:a", "judge:b")
    journal.forget({"oracle"})
    assert [item for item, _ in journal.awaited_calls()] == ["judge:a", "judge:b"]
    journal.quarantine("judge:a", "no")
    assert journal.items_given_up() == ("judge:a",)
    assert [journal.begins_anew(item) for item in ("judge:a", "judge:b", "x")] == [
        True,
        False,
        False,
    ]


def test_who_began_anew_and_was_answered_goes_on() -> None:
    log = Log()
    answered(log).quarantine("judge:a", "no")
    assert opened(log).begins_anew("judge:a")
    answered(log)
    again = opened(log)
    assert not again.begins_anew("judge:a")
    assert again.items_given_up() == ("judge:a",)
    assert again.recall(ASKED) == REPLY
    assert again.begins_anew("judge:a")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("intent", {"item": "judge:a"}),
        ("reply", {**CALL, "micro_usd": 1, "reply": {"text": 7}}),
        ("void", CALL),
        ("batch", {"label": "gw-9", "id": "b-9"}),
        ("batch", {"label": "gw-9", "model": "m", "calls": [["judge:a"]]}),
        ("quarantine", {}),
    ],
)
def test_an_entry_that_was_not_written_so_is_named(kind: str, body: dict[str, Any]) -> None:
    log = Log([CallEntry(0, kind, body)])
    with pytest.raises(DamagedStateError, match=f"a line of the kind {kind} is not as written"):
        opened(log)


def test_a_reply_that_could_not_be_read_again_is_not_written() -> None:
    log = Log()
    nameless: Any = None
    for odd in (replace(REPLY, model=nameless), replace(REPLY, echo={"n": float("nan")})):
        with pytest.raises(ValueError, match=r"str|not JSON compliant"):
            opened(log).record_reply(ASKED, odd, presumed=PRESUMED, cost=CallCost(7, 9), at=AT)
    assert log.entries == []


def test_sums_of_roles_stand_in_the_order_of_their_first_calls() -> None:
    log = Log()
    for item in ("oracle:a", "judge:a", "oracle:b"):
        asked = Request(item, "m-1", "Judge.", ASKED.turns)
        answered(log, asked=asked)
    one = Spend(
        calls=1, input_tokens=128, cached_tokens=20, output_tokens=30, micro_usd=7, most_micro_usd=9
    )
    by_item = opened(log).spent_by_item()
    assert by_item == {"oracle:a": one, "judge:a": one, "oracle:b": one}
    assert list(by_item) == ["oracle:a", "judge:a", "oracle:b"]
    by_role = opened(log).spent_by_role()
    assert {role: spend.micro_usd for role, spend in by_role.items()} == {"oracle": 14, "judge": 7}
