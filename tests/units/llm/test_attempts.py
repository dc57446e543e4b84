"""One attempt at a call: whatever ends it is a fault with a kind, a message and a bill."""

import asyncio
import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final

import httpx2
import pytest

from goldwright.llm.port import FaultKind, ProviderFault, Usage
from goldwright.llm.providers.attempt import AttemptLimits
from goldwright.llm.providers.error_details import read_error
from goldwright.llm.providers.partial_reply import PartialReply

KEY: Final = "sk-1"
ADDRESS: Final = "http://localhost:1/v1"


class SdkError(Exception):
    """An error with whatever attributes an SDK gives it."""

    def __init__(self, text: str = "", **attributes: Any) -> None:
        super().__init__(text)
        headers: Mapping[str, str] = attributes.pop("headers", {})
        self.response = SimpleNamespace(headers=headers)
        for name, value in attributes.items():
            setattr(self, name, value)


def limits(seconds: float = 20.0, address: str | None = None) -> AttemptLimits:
    return AttemptLimits(seconds, KEY, (SdkError,), address=address)


def fault_of(
    error: Exception, partial: PartialReply | None = None, address: str | None = None
) -> ProviderFault:
    """Give the fault of an attempt that ends in an error."""

    async def fail() -> None:
        raise error

    with pytest.raises(ProviderFault) as caught:
        asyncio.run(limits(address=address).attempt(fail(), partial))
    return caught.value


def test_what_comes_in_time_is_handed_on() -> None:
    async def answer() -> str:
        return "So."

    assert asyncio.run(limits().attempt(answer())) == "So."


def test_the_whole_of_an_attempt_has_a_limit() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    with pytest.raises(ProviderFault, match=r"^TimeoutError$") as caught:
        asyncio.run(limits(seconds=0.0).attempt(hang()))
    assert (caught.value.kind, caught.value.may_be_billed) == ("timeout", True)


@pytest.mark.parametrize("error", [ZeroDivisionError(), AssertionError(), LookupError()])
def test_an_error_of_our_own_is_no_fault_of_the_provider(error: Exception) -> None:
    async def stumble() -> None:
        raise error

    with pytest.raises(type(error)):
        asyncio.run(limits().attempt(stumble()))


@pytest.mark.parametrize(
    ("error", "kind", "is_billed"),
    [
        (SdkError("oh", status_code=429), "rate_limited", False),
        (SdkError("oh", status_code=408), "timeout", True),
        (SdkError("oh", status_code=504), "gateway_timeout", True),
        (SdkError("oh", status_code=500), "server_error", False),
        (SdkError("oh", status_code=401), "access", False),
        # An error with status 200 arose while the body was read.
        (SdkError("oh", status_code=200), "cut", True),
        (SdkError("oh"), "cut", True),
        (httpx2.ConnectError("oh"), "unreachable", False),
        (httpx2.ReadError("oh"), "cut", True),
        (TimeoutError("oh"), "timeout", True),
        (OSError("oh"), "cut", True),
        (RuntimeError("oh"), "cut", True),
        (AttributeError("oh"), "malformed", True),
        (ValueError("oh"), "malformed", True),
        (json.JSONDecodeError("oh", "{", 1), "cut", True),
    ],
)
def test_an_attempt_that_may_have_been_worked_on_may_be_billed(
    error: Exception, kind: FaultKind, *, is_billed: bool
) -> None:
    fault = fault_of(error)
    assert (fault.kind, fault.may_be_billed, fault.usage) == (kind, is_billed, None)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (SdkError("oh", status_code=429), "429 oh"),
        (SdkError("bad sk-1", status_code=401), "401 bad <key>"),
        (SdkError("oh", status_code=409, body={"message": "in\nuse"}), "409 in use"),
        (SdkError("oh", status_code=200), "oh"),
        (ValueError(), "ValueError"),
        (ProviderFault("cut", "bad\n sk-1"), "bad <key>"),
    ],
)
def test_a_message_begins_with_the_status_and_never_holds_the_key(
    error: Exception, text: str
) -> None:
    assert str(fault_of(error)) == text


def test_a_fault_says_how_long_to_wait() -> None:
    error = SdkError("oh", status_code=429, headers={"retry-after": "7"})
    assert fault_of(error).retry_after == 7.0
    assert fault_of(SdkError("oh", status_code=429)).retry_after is None


def test_who_is_not_reached_is_named_by_the_address_in_the_settings() -> None:
    error = httpx2.ConnectError("All connection attempts failed.")
    assert str(fault_of(error)) == "All connection attempts failed."
    assert str(fault_of(error, address=ADDRESS)) == (
        f"nothing answers at {ADDRESS} (All connection attempts failed); is the server up?"
    )
    assert str(fault_of(httpx2.ReadError("reset"), address=ADDRESS)) == "reset"
    with_key = "http://localhost/sk-1"
    assert KEY not in str(fault_of(error, address=with_key))


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_without_the_path_is_named_unless_it_says_what_is_wrong(status: int) -> None:
    error = SdkError("Not Found.", status_code=status)
    assert str(fault_of(error, address=ADDRESS)) == (
        f"the server at {ADDRESS} does not know this API ({status} Not Found); "
        "is it the right one, and is /v1 missing?"
    )
    assert str(fault_of(error)) == f"{status} Not Found."
    telling = SdkError("oh", status_code=status, body={"message": "no m", "code": "no_model"})
    assert str(fault_of(telling, address=ADDRESS)) == f"{status} no m"
    other = SdkError("oh", status_code=403)
    assert str(fault_of(other, address=ADDRESS)) == "403 oh"


def begun(*, counts: bool) -> PartialReply:
    """A reply that has begun, and may have been counted."""
    partial = PartialReply()
    partial.begin()
    if counts:
        partial.count(Usage(fresh=9, output=1))
    return partial


@pytest.mark.parametrize(
    "error", [SdkError("oh", status_code=500), ProviderFault("overloaded", "busy")]
)
def test_a_reply_that_had_begun_is_billed_with_what_was_counted(error: Exception) -> None:
    silent = fault_of(error, PartialReply())
    assert (silent.may_be_billed, silent.usage) == (False, None)
    uncounted = fault_of(error, begun(counts=False))
    assert (uncounted.may_be_billed, uncounted.usage) == (True, None)
    counted = fault_of(error, begun(counts=True))
    assert (counted.may_be_billed, counted.usage) == (True, Usage(fresh=9, output=1))


def test_what_a_fault_has_counted_itself_stands() -> None:
    fault = ProviderFault("malformed", "odd", may_be_billed=True, usage=Usage(fresh=7))
    assert fault_of(fault, begun(counts=True)).usage == Usage(fresh=7)


@pytest.mark.parametrize(
    ("said", "output"), [("", None), ("a", 1), ("abcd", 1), ("abcde", 2), ("ääa", 2), ("ää", 1)]
)
def test_four_bytes_of_output_are_a_token_where_nothing_is_counted(
    said: str, output: int | None
) -> None:
    partial = PartialReply()
    partial.say(said)
    assert partial.usage == (None if output is None else Usage(output=output))
    partial.count(Usage(fresh=3, cached=2, output=1))
    assert partial.usage == Usage(fresh=3, cached=2, output=output or 1)
    partial.count(Usage(counted=False))
    assert partial.counted == Usage(fresh=3, cached=2, output=1)


@pytest.mark.parametrize(
    ("attributes", "codes"),
    [
        ({"body": {"error": {"code": "a", "type": "b", "status": "c"}}}, "a b c"),
        ({"body": {"code": "a", "type": None, "status": ""}}, "a"),
        ({"body": {"error": "text", "type": "b"}}, "b"),
        ({"details": {"error": {"status": "c", "code": 7}}}, "7 c"),
        ({"body": {"type": "b", "details": {"error_code": "d"}}}, "b d"),
        ({"body": {"type": "b", "details": {"other": "d"}}}, "b"),
        ({"body": {"type": "b", "details": ["error_code"]}}, "b"),
        ({"body": "text", "details": {"code": "a"}}, "a"),
        ({"body": {"type": "b"}, "error_code": "e"}, "b e"),
        ({}, ""),
    ],
)
def test_all_codes_that_an_error_names_are_read(attributes: Mapping[str, Any], codes: str) -> None:
    assert read_error(SdkError("oh", **attributes), KEY).codes.split() == codes.split()


@pytest.mark.parametrize(
    ("attributes", "status"),
    [
        ({"status_code": 429, "code": 500}, 429),
        ({"status_code": None, "code": 500}, 500),
        ({"status_code": "429"}, None),
        ({"code": "rate_limited"}, None),
        ({"code": True}, None),
    ],
)
def test_a_status_is_a_number(attributes: Mapping[str, Any], status: int | None) -> None:
    assert read_error(SdkError("oh", **attributes), KEY).status == status


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ({"body": {"error": {"message": "inner"}, "message": "outer"}}, "inner"),
        ({"body": {"message": "outer"}}, "outer"),
        ({"details": {"error": {"message": "inner"}}}, "inner"),
        ({"body": {"message": ""}}, "oh"),
        ({}, "oh"),
    ],
)
def test_the_message_of_the_body_says_more_than_that_of_the_sdk(
    attributes: Mapping[str, Any], text: str
) -> None:
    assert read_error(SdkError("oh", **attributes), KEY).message == text


@pytest.mark.parametrize(
    ("headers", "details", "seconds"),
    [
        ({"retry-after": "7"}, [{"retryDelay": "3s"}], 7.0),
        ({"retry-after": "soon"}, [{"retryDelay": "3s"}], 3.0),
        ({}, [{"retryDelay": "x3s"}, {"retryDelay": "0.25s"}, {"retryDelay": "9s"}], 0.25),
        ({}, [{"retryDelay": "3"}], None),
        ({}, [{"retryDelay": "3.s"}], None),
        ({"retry-after-ms": "0"}, None, 0.0),
        (None, [{"retryDelay": "3s"}], 3.0),
    ],
)
def test_a_header_says_how_long_to_wait_and_else_the_body(
    headers: Mapping[str, str] | None, details: object, seconds: float | None
) -> None:
    error = SdkError("oh", headers=headers, body={"details": details})
    assert read_error(error, KEY).retry_after == seconds
