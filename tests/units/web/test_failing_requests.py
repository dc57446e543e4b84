"""A request that fails costs itself: it is answered with a message, and the next one is served."""

import asyncio
import json

import pytest
from starlette.requests import Request
from starlette.responses import Response

from goldwright.errors import DamagedStateError, InputError, NoRoomError
from goldwright.web.application import with_error_responses


def _answer(error: Exception) -> Response:
    async def fail(_request: Request) -> Response:
        raise error

    request = Request({"type": "http", "method": "GET", "headers": []})

    async def ask() -> Response:
        return await with_error_responses(fail)(request)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (InputError("wanted a number"), 422, "wanted a number"),
        (NoRoomError("x: no room"), 422, "x: no room"),
        (DamagedStateError("x: damaged"), 503, "x: damaged"),
    ],
)
def test_an_expected_error_is_answered_in_its_own_words(
    error: Exception, status: int, text: str
) -> None:
    answer = _answer(error)
    assert (answer.status_code, json.loads(bytes(answer.body))) == (status, {"message": text})


def test_a_bug_is_answered_without_what_its_message_holds_and_logged_for_the_report(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer = _answer(KeyError("sk-secret"))
    message = json.loads(bytes(answer.body))["message"]
    assert answer.status_code == 500
    assert "KeyError" in message
    assert "sk-secret" not in message
    (record,) = caplog.records
    assert record.exc_info is not None
