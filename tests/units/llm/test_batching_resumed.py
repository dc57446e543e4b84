"""Batches of earlier processes: waited for, looked for, tidied up, and never handed in again."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pytest

from goldwright.llm.batching import BatchingProvider
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import ProviderFault, Reply, Request
from goldwright.llm.spend import FREE
from goldwright.stages.stage_graph import roles_from
from units.llm.test_batching import reply_to, request
from units.llm.test_batching_edges import Desk, Rig, faults

AT: Final = datetime(2026, 11, 29, tzinfo=UTC)


async def follow(batches: BatchingProvider) -> None:
    """Begin as a process that resumes a run does, and let it go on for a while."""
    batches.follow_earlier()
    for _ in range(300):
        await asyncio.sleep(0)


def earlier(rig: Rig, *, answered: bool = False, is_named: bool = True) -> Request:
    """Write down that a batch of one request was handed in, and is answered where that is so."""
    journal = CallJournal(rig.log, roles_from)
    asked = request("judge:a")
    journal.record_intent(asked, FREE, at=AT, in_batch=True)
    journal.begin_batch("gw-1", "m", [("judge:a", asked.key)])
    if is_named:
        journal.name_batch("gw-1", "b-1")
    if answered:
        journal.record_reply(asked, reply_to(asked), presumed=FREE, cost=FREE, at=AT)
    rig.desk.kept = {"gw-1-0": asked}
    return asked


def test_files_that_could_not_be_deleted_are_tried_again_at_the_end() -> None:
    rig = Rig(Desk(discard_faults=faults("server_error", 1)))
    earlier(rig, answered=True)
    rig.play(follow)
    assert rig.desk.discarded == ["gw-1"]
    assert CallJournal(rig.log, roles_from).finished_batches("m") == ()


def test_files_of_earlier_processes_are_deleted_at_the_beginning() -> None:
    rig = Rig(Desk())
    earlier(rig, answered=True)

    async def look(batches: BatchingProvider) -> list[str]:
        await follow(batches)
        return list(rig.desk.discarded)

    assert rig.play(look) == ["gw-1"]
    assert rig.desk.discarded == ["gw-1"]


@pytest.mark.parametrize("fault", [None, ProviderFault("cut", "oh")])
def test_what_came_before_anybody_asked_is_kept_for_who_asks_first(
    fault: ProviderFault | None,
) -> None:
    rig = Rig(Desk(odd_results={0: fault} if fault else {}))
    asked = earlier(rig)

    async def ask_late(batches: BatchingProvider) -> Reply:
        await follow(batches)
        assert rig.slept == [2.0]
        return await batches.ask(asked)

    if fault is None:
        assert rig.play(ask_late) == reply_to(asked)
    else:
        with pytest.raises(ProviderFault, match=r"^oh$") as caught:
            rig.play(ask_late)
        assert caught.value is not fault
    assert rig.desk.submitted == []


def test_what_waits_in_an_earlier_batch_is_not_handed_in_again() -> None:
    rig = Rig(Desk(polls=3))
    asked = earlier(rig)

    async def ask_at_once(batches: BatchingProvider) -> Reply:
        batches.follow_earlier()
        return await batches.ask(asked)

    assert rig.play(ask_at_once) == reply_to(asked)
    assert rig.desk.submitted == []
    assert rig.slept == [2.0, 3.0, 4.5]


@pytest.mark.parametrize("found", ["b-7", None])
def test_an_earlier_batch_without_a_name_is_looked_for_and_else_handed_in(
    found: str | None,
) -> None:
    rig = Rig(Desk(found=found))
    asked = earlier(rig, is_named=False)

    async def ask_at_once(batches: BatchingProvider) -> Reply:
        batches.follow_earlier()
        return await batches.ask(asked)

    rig.desk.kept = {"gw-1-0": asked} if found else {}
    assert rig.play(ask_at_once) == reply_to(asked)
    assert rig.desk.looked_for == [("gw-1", frozenset())]
    ids = CallJournal(rig.log, roles_from).batch_ids()
    assert ids == {found or "b-1"}
    assert len(rig.desk.submitted) == (0 if found else 1)
    # What never was is forgotten with its files.
    assert rig.desk.discarded == ([] if found else ["gw-1"])


def test_what_is_for_another_model_is_left_to_its_own_provider() -> None:
    rig = Rig(Desk())
    journal = CallJournal(rig.log, roles_from)
    asked = replace(request("judge:a"), model="other")
    journal.record_intent(asked, FREE, at=AT, in_batch=True)
    journal.begin_batch("gw-1", "other", [("judge:a", asked.key)])
    rig.play(follow)
    assert rig.slept == []
    assert rig.desk.looked_for == []
