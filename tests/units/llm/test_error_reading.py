"""What is read from the errors and counts of SDKs, which no SDK has checked."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.llm.port import FaultKind, Usage
from goldwright.llm.providers.error_details import clean_message, read_error
from goldwright.llm.providers.fault_kinds import kind_of_status, kind_of_transport_error
from goldwright.llm.providers.reply_values import (
    read_arguments,
    read_optional_tokens,
    read_tokens,
    read_usage,
)


class SdkError(Exception):
    """An error with whatever attributes an SDK gives it."""

    def __init__(
        self, text: str = "", *, headers: Mapping[str, str] | None = None, **attributes: object
    ) -> None:
        super().__init__(text)
        self.response = SimpleNamespace(headers=headers or {})
        for name, value in attributes.items():
            setattr(self, name, value)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, "access"),
        (402, "spend_limit"),
        (403, "access"),
        (404, "no_such_model"),
        (408, "timeout"),
        (409, "conflict"),
        (413, "too_long"),
        (429, "rate_limited"),
        (499, "bad_request"),
        (500, "server_error"),
        (502, "server_error"),
        (503, "overloaded"),
        (504, "gateway_timeout"),
        (529, "overloaded"),
        (418, "bad_request"),
    ],
)
def test_the_status_alone_names_most_kinds(status: int, kind: FaultKind) -> None:
    assert kind_of_status(status, "", "sorry") == kind


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("prompt is too long: 9 tokens", "too_long"),
        ("the maximum context is 8192", "too_long"),
        ("this model's context length is 8192", "too_long"),
        ("Your input exceeds the context window", "too_long"),
        ("The input token count (9) exceeds the maximum", "too_long"),
        ("too many tokens", "too_long"),
        ("model x does not exist", "no_such_model"),
        ("The model `x` was not found", "no_such_model"),
        ("API key not valid. Please pass one.", "access"),
        ("invalid x-api-key", "access"),
        ("Your credit balance is too low", "spend_limit"),
        ("insufficient funds", "spend_limit"),
        ("unknown field", "bad_request"),
    ],
)
def test_a_refused_request_is_told_by_its_text(status: int, text: str, kind: FaultKind) -> None:
    assert kind_of_status(status, "", text) == kind
    assert kind_of_status(status, "", text.upper()) == kind


@pytest.mark.parametrize(
    ("status", "codes", "message", "kind"),
    [
        (429, "insufficient_quota", "", "spend_limit"),
        (400, "billing_hard_limit_reached", "", "spend_limit"),
        # Providers speak of billing in ordinary rate limits too.
        (429, "", "see your plan and billing details: spend limit", "rate_limited"),
        (500, "insufficient_quota", "credit balance", "server_error"),
        (400, "model_not_found", "", "no_such_model"),
        (400, "context_length_exceeded", "", "too_long"),
        (400, "API_KEY_INVALID", "", "access"),
    ],
)
def test_codes_decide_where_they_are_given(
    status: int, codes: str, message: str, kind: FaultKind
) -> None:
    assert kind_of_status(status, codes, message) == kind


def caused_by(cause: Exception) -> Exception:
    error = RuntimeError("connection error")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ConnectError("x"), "unreachable"),
        (httpx2.ConnectTimeout("x"), "unreachable"),
        (httpx2.PoolTimeout("x"), "unreachable"),
        (ConnectionRefusedError(), "unreachable"),
        (httpx2.ReadTimeout("x"), "timeout"),
        (TimeoutError(), "timeout"),
        (httpx2.ReadError("x"), "cut"),
        (OSError("x"), "cut"),
        (RuntimeError("x"), "cut"),
        (json.JSONDecodeError("x", "{", 1), "cut"),
        (KeyError("x"), "malformed"),
        (AttributeError("x"), "malformed"),
        (IndexError("x"), "malformed"),
        (TypeError("x"), "malformed"),
        (ValueError("x"), "malformed"),
        (caused_by(httpx2.ConnectError("x")), "unreachable"),
        (caused_by(httpx2.ReadTimeout("x")), "timeout"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_error_without_a_status_is_named_by_its_class_or_its_cause(
    error: Exception, kind: FaultKind
) -> None:
    assert kind_of_transport_error(error) == kind


def test_each_sdk_has_its_own_names_for_status_and_body() -> None:
    body = {"error": {"message": "too hot", "code": "c", "type": "t"}}
    of_openai = read_error(SdkError("raw", status_code=400, body=body), "")
    assert (of_openai.status, of_openai.message) == (400, "too hot")
    assert of_openai.codes.split() == ["c", "t"]
    of_google = read_error(SdkError("raw", code=429, details={"message": "m", "status": "S"}), "")
    assert (of_google.status, of_google.message, of_google.codes.split()) == (429, "m", ["S"])
    own = SdkError(
        "raw", status_code=400, body={"details": {"error_code": "inner"}}, error_code="own"
    )
    of_anthropic = read_error(own, "")
    assert of_anthropic.codes.split() == ["inner", "own"]
    assert of_anthropic.message == "raw"


def test_an_error_without_a_response_has_neither_status_nor_codes() -> None:
    details = read_error(ValueError("oh"), "")
    assert (details.status, details.codes.strip(), details.message) == (None, "", "oh")
    assert details.retry_after is None
    assert read_error(SdkError(status_code=True), "").status is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500"}, 1.5),
        # The more exact one counts.
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_a_header_asks_for_is_read_in_seconds(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert read_error(SdkError(headers=headers), "").retry_after == seconds


@pytest.mark.parametrize(
    ("ahead", "least", "most"),
    [
        (timedelta(seconds=100), 90, 101),
        (timedelta(seconds=-100), 0, 0),
        (timedelta(days=2), 3600, 3600),
    ],
)
@pytest.mark.parametrize("is_named", [True, False])
def test_a_date_is_waited_for_within_an_hour(
    ahead: timedelta, least: float, most: float, is_named: bool
) -> None:
    """A date without a zone is taken as UTC, as HTTP has it."""
    moment = datetime.now(UTC) + ahead
    date = format_datetime(moment if is_named else moment.replace(tzinfo=None))
    seconds = read_error(SdkError(headers={"retry-after": date}), "").retry_after
    assert seconds is not None
    assert least <= seconds <= most


@pytest.mark.parametrize(
    ("details", "seconds"),
    [
        ([{"@type": "Help"}, {"retryDelay": "12.5s"}], 12.5),
        (["text", {"retryDelay": "3s"}], 3.0),
        ([{"retryDelay": "soon"}], None),
        ([{"retryDelay": 3}], None),
        ([], None),
        ({"retryDelay": "3s"}, None),
    ],
)
def test_google_says_in_the_body_how_long_to_wait(details: object, seconds: float | None) -> None:
    error = SdkError(code=429, details={"error": {"message": "m", "details": details}})
    assert read_error(error, "").retry_after == seconds


def test_a_message_is_one_visible_line_of_at_most_300_characters() -> None:
    assert clean_message(" two\n\n lines ", "") == "two lines"
    assert clean_message("x" * 300, "") == "x" * 300
    assert clean_message("x" * 301, "") == "x" * 299 + "…"
    assert clean_message("a\u202eb", "") == "a\\u{202e}b"


def test_the_key_never_stands_in_a_message() -> None:
    assert clean_message("key sk-1 is wrong: sk-1", "sk-1") == "key <key> is wrong: <key>"
    assert clean_message("plain", "") == "plain"
    assert "sk-1" not in read_error(SdkError("bad sk-1"), "sk-1").message


@pytest.mark.parametrize("value", [-1, True, 1.0, "1", None])
def test_what_is_no_number_of_tokens_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="is no number of tokens"):
        read_tokens(value)


def test_a_count_that_may_be_left_out_is_zero_then() -> None:
    assert (read_optional_tokens(None), read_optional_tokens(3), read_tokens(0)) == (0, 3, 0)


@pytest.mark.parametrize(
    ("usage", "is_counted"),
    [
        (Usage(fresh=1), True),
        (Usage(fresh=0, output=1), True),
        (Usage(), False),
        # More cached input than input at all.
        (Usage(fresh=-1, cached=5, output=1), False),
    ],
)
def test_counts_of_nothing_and_counts_that_contradict_themselves_do_not_count(
    usage: Usage, is_counted: bool
) -> None:
    read = read_usage(lambda _: usage, None)
    assert read == (usage if is_counted else Usage(counted=False))


@pytest.mark.parametrize("error", [AttributeError, IndexError, KeyError, TypeError, ValueError])
def test_a_usage_of_another_shape_does_not_count(error: type[Exception]) -> None:
    def fail(_: object) -> Usage:
        raise error

    assert read_usage(fail, None) == Usage(counted=False)


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ({"a": 1}, {"a": 1}),
        ("[]", None),
        ('{"a": NaN}', None),
        ('{"a": Infinity}', None),
        ("{", None),
        ("[" * 100_000, None),
        (None, None),
        (7, None),
    ],
)
def test_the_arguments_of_a_call_are_an_object_or_none(
    value: object, arguments: dict[str, object] | None
) -> None:
    assert read_arguments(value) == arguments


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_any_object_is_read_as_arguments(arguments: dict[str, object]) -> None:
    assert read_arguments(json.dumps(arguments)) == arguments
