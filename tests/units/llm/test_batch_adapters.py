"""The batch APIs of three providers: the real SDKs hand in, ask, fetch and delete."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import pytest

from goldwright.llm.batch_port import BatchAdapter, EntryResult, HandedIn, StillUnderWayError
from goldwright.llm.catalog import BATCHED, Api, open_adapter, open_batches
from goldwright.llm.port import ProviderFault, Reply, Request, UserMessage
from scripted.batches import ERROR, Fate
from scripted.server import Fault, Running, serve_in_thread
from scripted.wire import Heard, Say

T = TypeVar("T")
Work = Callable[[BatchAdapter], Awaitable[T]]

APIS: Final[tuple[Api, ...]] = tuple(BATCHED)
KEY: Final = "a-secret-key"
MODEL: Final = "scripted-1"
FATES: Final[tuple[Fate, ...]] = ("succeeded", "errored", "expired", "canceled", "succeeded")


def request(text: str) -> Request:
    return Request("judge:a", MODEL, "Judge.", (UserMessage(text),), max_output_tokens=77)


def batch_of(label: str, count: int, batch_id: str | None = None) -> HandedIn:
    entries = {f"{label}-{place}": ("judge:a", f"key-{place}") for place in range(count)}
    return HandedIn(label, MODEL, entries, batch_id)


def requests_of(batch: HandedIn) -> dict[str, Request]:
    return {custom_id: request(custom_id) for custom_id in batch.entries}


def repeat(heard: Heard) -> Say:
    """Say what was asked."""
    return Say(f"to {heard.turns[0].text}")


def at(api: Api, url: str, work: Work[T]) -> T:
    """Do some work with the batches of a provider."""

    async def run() -> T:
        base = f"{url}/v1" if api == "responses" else url
        adapter = open_adapter(api, key=KEY, base_url=base, seconds=20.0)
        batches = open_batches(api, adapter)
        try:
            return await work(batches)
        finally:
            await batches.close()

    return asyncio.run(run())


def canned(api: Api, answers: Mapping[str, Any], work: Work[T]) -> tuple[T, list[str]]:
    """Do some work with a provider that answers by the end of a path, and give what was asked."""
    asked: list[str] = []

    def answer(_serial: int, path: str) -> Fault:
        asked.append(path)
        (body,) = [body for end, body in answers.items() if path.endswith(end)]
        return Fault("status", status=200, body=body)

    with serve_in_thread(repeat, batch_faults=answer) as server:
        return at(api, server.url, work), asked


async def wait_for(batches: BatchAdapter, batch: HandedIn) -> int:
    """Ask until a batch has ended, and give how often."""
    polls = 1
    while not await batches.has_ended(batch.batch_id or ""):
        polls += 1
    return polls


async def hand_in(batches: BatchAdapter, batch: HandedIn) -> dict[str, EntryResult]:
    """Hand a batch in, and fetch what became of it."""
    batch.batch_id = await batches.submit(batch, requests_of(batch))
    assert await wait_for(batches, batch) == 2
    return await batches.results(batch)


def outcomes(results: Mapping[str, EntryResult]) -> dict[str, str]:
    """Give the text of each reply, and the kind and the message of each fault."""
    return {
        custom_id: result.text if isinstance(result, Reply) else f"{result.kind}: {result}"
        for custom_id, result in results.items()
    }


def played(api: Api, batch: HandedIn, fates: Sequence[Fate]) -> tuple[dict[str, str], Running]:
    """Hand a batch in whose entries fare so, and tell what came of them."""
    with serve_in_thread(repeat) as server:
        server.server.batches.fate = fates.__getitem__
        results = at(api, server.url, lambda batches: hand_in(batches, batch))
    for result in results.values():
        assert isinstance(result, Reply) or not result.may_be_billed
    return outcomes(results), server


UNANSWERED: Final = "server_error: the entry of a batch {} before it was answered"
# What each provider calls its failure, and the end of an entry that nobody worked on.
FAULTS: Final[dict[Api, tuple[str, str, str]]] = {
    "anthropic": (
        f"server_error: api_error: {ERROR}",
        UNANSWERED.format("expired"),
        UNANSWERED.format("canceled"),
    ),
    "responses": (
        f"server_error: server_error: {ERROR}",
        UNANSWERED.format("expired"),
        UNANSWERED.format("cancelled"),
    ),
    "google": (
        f"server_error: 500: {ERROR}",
        f"gateway_timeout: 504: {ERROR}",
        f"server_error: 1: {ERROR}",
    ),
}


@pytest.mark.parametrize("api", APIS)
def test_every_entry_gets_its_own_reply_or_the_fault_that_befell_it(api: Api) -> None:
    told, _ = played(api, batch_of("gw", 5), FATES)
    errored, expired, canceled = FAULTS[api]
    assert told == {
        "gw-0": "to gw-0",
        "gw-1": errored,
        "gw-2": expired,
        "gw-3": canceled,
        "gw-4": "to gw-4",
    }


@pytest.mark.parametrize("api", ["anthropic", "responses"])
def test_what_a_provider_leaves_out_is_missing_among_the_results(api: Api) -> None:
    told, _ = played(api, batch_of("gw", 3), ("succeeded", "left out", "succeeded"))
    assert told == {"gw-0": "to gw-0", "gw-2": "to gw-2"}


@pytest.mark.parametrize("api", APIS)
def test_entries_of_nobody_are_passed_over(api: Api) -> None:
    """The provider tells of more than was handed in."""
    handed_in = batch_of("gw", 3)

    async def fetch_fewer(batches: BatchAdapter) -> dict[str, EntryResult]:
        await hand_in(batches, handed_in)
        asked_for = {"gw-0": ("judge:a", "key-0"), "gw-x": ("judge:a", "key-x")}
        return await batches.results(HandedIn("gw", MODEL, asked_for, handed_in.batch_id))

    with serve_in_thread(repeat) as server:
        results = at(api, server.url, fetch_fewer)
    assert outcomes(results) == {"gw-0": "to gw-0"}


@pytest.mark.parametrize("api", APIS)
def test_an_entry_is_asked_for_with_the_body_of_a_single_request(api: Api) -> None:
    heard: list[Heard] = []

    def answer(one: Heard) -> Say:
        heard.append(one)
        return Say("So.")

    async def ask_both_ways(batches: BatchAdapter) -> Reply:
        await batches.submit(batch_of("gw", 1), {"gw-0": request("Where?")})
        adapter: Any = batches
        reply: Reply = await adapter._adapter.ask(request("Where?"))
        return reply

    with serve_in_thread(answer) as server:
        assert at(api, server.url, ask_both_ways).text == "So."
    in_batch, alone = heard
    body = {name: value for name, value in alone.body.items() if name != "stream"}
    assert dict(in_batch.body) == body
    assert (in_batch.model, in_batch.max_output_tokens) == (MODEL, 77)


@pytest.mark.parametrize("api", ["responses", "google"])
def test_a_batch_is_found_by_its_label_among_others(api: Api) -> None:
    async def find_each(batches: BatchAdapter) -> list[str | None]:
        ids = [await batches.submit(batch_of(f"gw-{n}", 1), {"x": request("?")}) for n in range(3)]
        found = [await batches.find(batch_of(f"gw-{n}", 1), ids) for n in range(3)]
        assert found == ids
        return [await batches.find(batch_of("gw-9", 1), []), *ids]

    with serve_in_thread(repeat) as server:
        nowhere, *ids = at(api, server.url, find_each)
    assert nowhere is None
    assert len(set(ids)) == 3


def test_a_batch_of_anthropic_is_found_by_its_size_whatever_became_of_its_entries() -> None:
    fates: tuple[Fate, ...] = ("succeeded", "errored", "expired", "canceled", "canceled", "expired")
    batch = batch_of("gw", len(fates))

    async def find(batches: BatchAdapter) -> tuple[str, str | None]:
        batch_id = await batches.submit(batch, requests_of(batch))
        smaller = HandedIn("gw", MODEL, {"gw-0": ("judge:a", "key-0")})
        assert await batches.find(smaller, ()) is None
        return batch_id, await batches.find(batch, ())

    with serve_in_thread(repeat) as server:
        server.server.batches.fate = fates.__getitem__
        batch_id, found = at("anthropic", server.url, find)
    assert found == batch_id


def listed(batch_id: str, *, ended: bool = True, results: bool = True) -> dict[str, Any]:
    """A batch of one entry, as Anthropic lists it."""
    counts = {"processing": 0, "succeeded": 1, "errored": 0, "canceled": 0, "expired": 0}
    return {
        "id": batch_id,
        "processing_status": "ended" if ended else "canceling",
        "request_counts": counts,
        "results_url": f"/v1/messages/batches/{batch_id}/results" if results else None,
    }


def found_among(*batches: dict[str, Any], results: bytes = b"") -> tuple[str | None, list[str]]:
    """Look for a batch of one entry among those that a provider lists."""
    page = {"data": list(batches), "has_more": False}
    # The SDK looks a batch up before it fetches its results.
    looked_up = {f"/{batch['id']}": batch for batch in batches}
    answers = {"/batches": page, "/results": results, **looked_up}
    return canned("anthropic", answers, lambda own: own.find(batch_of("gw", 1), ["known"]))


def test_only_batches_that_may_be_the_one_are_looked_into() -> None:
    ours = b'{"custom_id": "gw-0", "result": {"type": "expired"}}\n'
    others = b'{"custom_id": "other-0", "result": {"type": "expired"}}\n'
    known, gone, right = listed("known"), listed("gone", results=False), listed("right")
    found, asked = found_among(known, gone, right, results=ours)
    assert found == "right"
    of_right = "/v1/messages/batches/right"
    assert asked == ["/v1/messages/batches", of_right, f"{of_right}/results"]
    assert found_among(right, results=others)[0] is None
    assert found_among(right)[0] is None
    # What is found counts, whatever else is under way.
    found, _ = found_among(listed("later", ended=False), right, results=ours)
    assert found == "right"


def test_a_batch_without_results_yet_may_be_the_one() -> None:
    with pytest.raises(StillUnderWayError):
        found_among(listed("later", ended=False))


@pytest.mark.parametrize(
    ("api", "end", "status", "has_ended"),
    [
        ("anthropic", "/b-1", {"processing_status": "in_progress"}, False),
        ("anthropic", "/b-1", {"processing_status": "canceling"}, False),
        ("anthropic", "/b-1", {"processing_status": "ended"}, True),
        *(
            ("responses", "/b-1", {"status": status}, False)
            for status in ("validating", "in_progress", "finalizing", "cancelling")
        ),
        *(
            ("responses", "/b-1", {"status": status}, True)
            for status in ("completed", "expired", "cancelled")
        ),
        *(
            ("google", "/b-1", {"metadata": {"state": f"BATCH_STATE_{state}"}}, False)
            for state in ("UNSPECIFIED", "PENDING", "RUNNING")
        ),
        *(
            ("google", "/b-1", {"metadata": {"state": f"BATCH_STATE_{state}"}}, True)
            for state in ("SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED")
        ),
        ("google", "/b-1", {"metadata": {"state": "JOB_STATE_PARTIALLY_SUCCEEDED"}}, True),
    ],
)
def test_a_batch_has_ended_where_its_status_says_so(
    api: Api, end: str, status: Mapping[str, Any], *, has_ended: bool
) -> None:
    name = "batches/b-1" if api == "google" else "b-1"
    answers = {end: {"id": "b-1", "name": name, **status}}
    ended, asked = canned(api, answers, lambda batches: batches.has_ended(name))
    assert ended is has_ended
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("errors", "text"),
    [
        ({"data": [{"message": "too many"}, {"message": "too large"}]}, "too many; too large"),
        ({"data": [{"message": None}]}, "no reason was given"),
        ({"data": [{"message": f"not with {KEY}"}]}, "not with <key>"),
        ({"data": None}, "no reason was given"),
        (None, "no reason was given"),
    ],
)
def test_a_batch_that_was_refused_as_a_whole_says_why(errors: object, text: str) -> None:
    answers = {"/b-1": {"id": "b-1", "status": "failed", "errors": errors}}
    with pytest.raises(ProviderFault, match=f"^the batch was refused: {text}$") as caught:
        canned("responses", answers, lambda batches: batches.has_ended("b-1"))
    assert (caught.value.kind, caught.value.may_be_billed) == ("bad_request", False)


@pytest.mark.parametrize("state", ["CANCELLED", "EXPIRED", "FAILED"])
def test_a_job_of_google_that_ended_without_replies_leaves_its_entries_unanswered(
    state: str,
) -> None:
    job = {"name": "batches/b-1", "metadata": {"state": f"BATCH_STATE_{state}"}}
    batch = batch_of("gw", 2, "batches/b-1")
    results, _ = canned("google", {"/b-1": job}, lambda batches: batches.results(batch))
    assert results.keys() == batch.entries.keys()
    for fault in results.values():
        assert isinstance(fault, ProviderFault)
        assert str(fault) == f"the entry of a batch {state.lower()} before it was answered"
        assert (fault.kind, fault.may_be_billed) == ("server_error", False)


@pytest.mark.parametrize("api", APIS)
def test_nobody_asks_for_the_results_of_a_batch_without_a_name(api: Api) -> None:
    with (
        serve_in_thread(repeat) as server,
        pytest.raises((ProviderFault, ValueError), match="gw has not been handed in"),
    ):
        at(api, server.url, lambda batches: batches.results(batch_of("gw", 1)))
    assert server.log == []


def files_after(work: Work[None]) -> list[str]:
    """Give the names of the files that a provider keeps when some work is done."""
    with serve_in_thread(repeat) as server:
        at("responses", server.url, work)
        return [name for name, _ in server.server.batches.files.values()]


def test_what_was_uploaded_for_a_batch_is_deleted_with_its_results() -> None:
    ours, others = batch_of("gw-ours", 2), batch_of("gw-others", 2)

    async def leave(batches: BatchAdapter) -> None:
        for batch in (ours, others):
            await hand_in(batches, batch)

    async def tidy(batches: BatchAdapter) -> None:
        await leave(batches)
        # Twice: what is deleted already is no fault.
        for _ in range(2):
            await batches.discard(ours)

    results = ["out-batch_{}.jsonl", "err-batch_{}.jsonl"]
    kept = ["gw-others.jsonl", *(name.format(2) for name in results)]
    own_files = ["gw-ours.jsonl", *(name.format(1) for name in results)]
    assert sorted(files_after(leave)) == sorted(own_files + kept)
    assert files_after(tidy) == kept


def test_an_upload_that_nobody_confirmed_is_deleted_by_its_name() -> None:
    async def lose(batches: BatchAdapter) -> None:
        for label in ("gw-ours", "gw-ours", "gw-others"):
            await batches.submit(batch_of(label, 1), {f"{label}-0": request("?")})
        await batches.discard(batch_of("gw-ours", 1))

    assert files_after(lose) == ["gw-others.jsonl"]


def test_a_batch_that_its_provider_has_forgotten_leaves_its_upload_to_be_deleted() -> None:
    async def forget(batches: BatchAdapter) -> None:
        await batches.submit(batch_of("gw-ours", 1), {"gw-ours-0": request("?")})
        await batches.discard(batch_of("gw-ours", 1, "batch_99"))

    assert files_after(forget) == []


@pytest.mark.parametrize("api", ["anthropic", "google"])
def test_where_nothing_is_uploaded_nothing_is_deleted(api: Api) -> None:
    with serve_in_thread(repeat) as server:
        at(api, server.url, lambda batches: batches.discard(batch_of("gw", 1, "b-1")))
    assert server.log == []


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("status", "kind"), [(404, "no_such_model"), (500, "server_error")])
def test_every_question_about_batches_is_an_attempt(api: Api, status: int, kind: str) -> None:
    batch = batch_of("gw", 1, "batches/b-1" if api == "google" else "b-1")
    questions: list[Work[object]] = [
        lambda batches: batches.submit(batch, requests_of(batch)),
        lambda batches: batches.find(batch, ()),
        lambda batches: batches.has_ended(batch.batch_id or ""),
        lambda batches: batches.results(batch),
    ]

    async def ask_all(batches: BatchAdapter) -> list[object]:
        asked = [question(batches) for question in questions]
        return await asyncio.gather(*asked, return_exceptions=True)

    broken = Fault("status", status=status)
    with serve_in_thread(repeat, batch_faults=lambda *_: broken) as server:
        ends = at(api, server.url, ask_all)
    assert [end.kind for end in ends if isinstance(end, ProviderFault)] == [kind] * 4
