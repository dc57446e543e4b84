"""Results of batches, which no SDK has checked: an odd entry spoils no other."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from goldwright.canonical import canonical_json
from goldwright.llm.batch_port import EntryResult
from goldwright.llm.catalog import Api
from goldwright.llm.port import FaultKind, ProviderFault, Reply
from goldwright.llm.providers.batch_entries import entry_fault, text_of, unanswered_entry
from units.llm.test_batch_adapters import KEY, UNANSWERED, batch_of, canned

RESPONSE: Final = {
    "model": "scripted-1",
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "So."}]}],
    "usage": {"input_tokens": 9, "output_tokens": 3, "input_tokens_details": {}},
}
MESSAGE: Final = {
    "model": "scripted-1",
    "stop_reason": "end_turn",
    "content": [{"type": "text", "text": "So."}],
    "usage": {"input_tokens": 9, "output_tokens": 3},
}
CANDIDATE: Final = {
    "candidates": [{"content": {"parts": [{"text": "So."}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 3},
}


def lines(*entries: object) -> bytes:
    return b"".join(canonical_json(entry).encode() + b"\n" for entry in entries)


def results_of(api: Api, count: int, answers: Mapping[str, Any]) -> dict[str, EntryResult]:
    """Fetch the results of a batch from a provider that answers so."""
    batch = batch_of("gw", count, "batches/b-1" if api == "google" else "b-1")
    results, _ = canned(api, answers, lambda batches: batches.results(batch))
    return results


def of_anthropic(*results: object) -> list[EntryResult]:
    """Fetch results, each of which stands in an entry of its own."""
    batch = {"id": "b-1", "results_url": "/v1/messages/batches/b-1/results"}
    entries = [{"custom_id": f"gw-{n}", "result": result} for n, result in enumerate(results)]
    answers = {"/b-1": batch, "/results": lines(*entries)}
    return list(results_of("anthropic", len(results), answers).values())


def of_openai(*results: Mapping[str, object], in_errors: bool = False) -> list[EntryResult]:
    """Fetch results from one of the two files."""
    file = "error_file_id" if in_errors else "output_file_id"
    batch = {"id": "b-1", "output_file_id": None, "error_file_id": None, file: "f-1"}
    entries = [{"custom_id": f"gw-{n}", **result} for n, result in enumerate(results)]
    answers = {"/b-1": batch, "/f-1/content": lines(*entries)}
    return list(results_of("responses", len(results), answers).values())


def of_google(*results: Mapping[str, object], count: int = 0, **job: object) -> list[EntryResult]:
    """Fetch results of a job, each of which is given by its place."""
    output = {"inlinedResponses": {"inlinedResponses": list(results)}} if results else None
    metadata = {"state": "BATCH_STATE_SUCCEEDED", "output": output, **job}
    answers = {"/b-1": {"name": "batches/b-1", "metadata": metadata}}
    return list(results_of("google", count or len(results), answers).values())


def told(results: list[EntryResult]) -> list[str]:
    """Give the text of a reply, or the kind and the message of a fault."""
    return [
        result.text if isinstance(result, Reply) else f"{result.kind}: {result}"
        for result in results
    ]


def billed(results: list[EntryResult]) -> list[bool]:
    return [isinstance(result, Reply) or result.may_be_billed for result in results]


def test_an_entry_of_anthropic_of_another_shape_is_malformed_and_the_others_are_read() -> None:
    good = {"type": "succeeded", "message": MESSAGE}
    results = of_anthropic(
        good,
        {"type": "succeeded", "message": {**MESSAGE, "content": None}},
        {"type": "errored", "error": {"type": "overloaded_error", "message": "busy"}},
        {"type": "errored", "error": {"error": {"type": "billing_error", "message": None}}},
        {"type": "a_fate_of_tomorrow"},
        good,
    )
    assert told(results) == [
        "So.",
        "malformed: 'NoneType' object is not iterable",
        "overloaded: overloaded_error: busy",
        "spend_limit: billing_error:",
        UNANSWERED.format("a_fate_of_tomorrow"),
        "So.",
    ]
    assert billed(results) == [True, True, False, False, False, True]


@pytest.mark.parametrize("in_errors", [False, True])
def test_an_entry_of_openai_is_read_from_either_file(*, in_errors: bool) -> None:
    good = {"response": {"status_code": 200, "body": RESPONSE}}
    error = {"code": "rate_limit_exceeded", "type": "requests", "message": "slow down"}
    results = of_openai(
        {**good, "error": None},
        good,
        {"response": {"status_code": 429, "body": {"error": error}}},
        {"response": {"status_code": 400, "body": {"error": {"type": "bad", "message": None}}}},
        {"response": {"status_code": 401, "body": {"error": {}}}},
        {"error": {"code": "batch_expired", "message": "late"}},
        {"error": {"code": "batch_cancelled", "message": "late"}},
        {"error": {"code": "not_found_error", "message": "no model"}},
        {"error": {"code": None, "message": None}},
        {"response": None},
        {"response": {"status_code": 200, "body": {"output": [{}]}}},
        in_errors=in_errors,
    )
    assert told(results) == [
        "So.",
        "So.",
        "rate_limited: rate_limit_exceeded: slow down",
        "bad_request: bad:",
        "access: :",
        UNANSWERED.format("expired"),
        UNANSWERED.format("cancelled"),
        "no_such_model: not_found_error: no model",
        "server_error: :",
        "malformed: 'NoneType' object is not subscriptable",
        "malformed: 'type'",
    ]
    assert billed(results) == [True, True, *[False] * 7, True, True]


def test_both_files_of_openai_count() -> None:
    good = {"custom_id": "gw-0", "response": {"status_code": 200, "body": RESPONSE}}
    late = {"custom_id": "gw-1", "error": {"code": "batch_expired", "message": "late"}}
    odd = {"response": {"status_code": 200, "body": RESPONSE}}
    answers = {
        "/b-1": {"id": "b-1", "output_file_id": "good", "error_file_id": "bad"},
        "/good/content": lines(good, odd),
        "/bad/content": lines(late),
    }
    results = results_of("responses", 3, answers)
    assert told(list(results.values())) == ["So.", UNANSWERED.format("expired")]
    assert list(results) == ["gw-0", "gw-1"]


@pytest.mark.parametrize(
    ("content", "kind"), [(b'{"custom_id": "gw-0", "resp', "cut"), (b"[]\n", "malformed")]
)
def test_a_file_that_was_cut_is_fetched_again(content: bytes, kind: FaultKind) -> None:
    answers = {
        "/b-1": {"id": "b-1", "output_file_id": "f-1", "error_file_id": None},
        "/f-1/content": content,
    }
    with pytest.raises(ProviderFault) as caught:
        results_of("responses", 1, answers)
    assert caught.value.kind == kind


def test_an_entry_of_google_is_known_by_its_place_where_nothing_else_names_it() -> None:
    results = of_google(
        {"response": CANDIDATE},
        {"error": {"code": 429, "message": "slow down"}},
        {"error": {"code": 100, "message": "go on"}},
        {"error": {"code": 99, "message": "of another kind"}},
        {"error": {"message": "without a code"}},
        {},
        {"response": {}},
    )
    assert told(results) == [
        "So.",
        "rate_limited: 429: slow down",
        "bad_request: 100: go on",
        "server_error: 99: of another kind",
        "server_error: : without a code",
        UNANSWERED.format("was left out"),
        "cut: a reply without a candidate",
    ]
    assert billed(results) == [True, *[False] * 5, True]
    first = results[0]
    assert isinstance(first, Reply)
    assert (first.model, first.usage.total) == ("scripted-1", 12)


def test_an_entry_of_google_is_known_by_its_metadata_before_its_place() -> None:
    swapped = [
        {"metadata": {"custom_id": "gw-1"}, "response": CANDIDATE},
        {"metadata": {"custom_id": "gw-0"}, "error": {"code": 500, "message": "oh"}},
        {"metadata": {"custom_id": "other"}, "response": CANDIDATE},
    ]
    metadata = {"output": {"inlinedResponses": {"inlinedResponses": swapped}}}
    results = results_of("google", 3, {"/b-1": {"name": "batches/b-1", "metadata": metadata}})
    assert {name: type(result) for name, result in results.items()} == {
        "gw-1": Reply,
        "gw-0": ProviderFault,
    }


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("CANCELLED", [UNANSWERED.format("cancelled")] * 2),
        ("EXPIRED", [UNANSWERED.format("expired")] * 2),
        ("SUCCEEDED", []),
    ],
)
def test_a_job_of_google_without_results_ends_each_entry_as_its_state_says(
    state: str, expected: list[str]
) -> None:
    results = of_google(count=2, state=f"BATCH_STATE_{state}")
    assert told(results) == expected


def test_what_a_job_of_google_brought_before_it_expired_counts() -> None:
    assert told(of_google({"response": CANDIDATE}, state="BATCH_STATE_EXPIRED")) == ["So."]


def test_the_key_stands_in_no_fault_of_an_entry() -> None:
    text = f"the key {KEY}\n is wrong"
    error = {"code": 401, "message": text}
    faults = [
        *of_anthropic(
            {"type": "errored", "error": {"type": "authentication_error", "message": text}}
        ),
        *of_openai({"response": {"status_code": 401, "body": {"error": error}}}),
        *of_google({"error": error}),
    ]
    assert [str(fault) for fault in faults] == [
        "authentication_error: the key <key> is wrong",
        "401: the key <key> is wrong",
        "401: the key <key> is wrong",
    ]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("invalid_request_error", "bad_request"),
        ("authentication_error", "access"),
        ("billing_error", "spend_limit"),
        ("permission_error", "access"),
        ("not_found_error", "no_such_model"),
        ("request_too_large", "too_long"),
        ("rate_limit_error", "rate_limited"),
        ("overloaded_error", "overloaded"),
        ("timeout_error", "gateway_timeout"),
        ("api_error", "server_error"),
        ("an_error_of_tomorrow", "server_error"),
    ],
)
def test_the_error_of_an_entry_is_that_of_its_status(code: str, kind: FaultKind) -> None:
    fault = entry_fault(code, "sorry")
    assert (fault.kind, str(fault), fault.may_be_billed) == (kind, f"{code}: sorry", False)
    # A status of its own says more than the code.
    assert entry_fault(code, "sorry", 409).kind == "conflict"


def test_an_entry_that_nobody_worked_on_is_free_and_handed_in_again() -> None:
    fault = unanswered_entry("expired")
    assert (fault.kind, fault.may_be_billed) == ("server_error", False)


@pytest.mark.parametrize(("value", "text"), [(None, ""), ("a", "a"), (7, "7"), (0, "0")])
def test_nothing_is_an_empty_text(value: object, text: str) -> None:
    assert text_of(value) == text
