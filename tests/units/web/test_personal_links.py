"""Each request reaches the page of whoever holds its token, from the public address alone."""

import asyncio
from collections.abc import Callable

import pytest
from starlette.types import Message, Receive, Scope, Send

from goldwright.web.personal_links import PersonalLinks
from goldwright.web.request_guard import RequestGuard

ORIGIN = "https://review.example.org"
HEADERS = {"host": "review.example.org", "origin": ORIGIN, "authorization": "Bearer of-ada"}


def page_of(name: str) -> Callable[[Scope, Receive, Send], object]:
    async def page(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": name.encode()})

    return page


def ask(links: PersonalLinks, **changes: str) -> tuple[int, str]:
    headers = {**HEADERS, **changes}
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/view",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    asyncio.run(links(scope, receive, send))
    return sent[0]["status"], sent[1]["body"].decode()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def links(clock: Clock) -> PersonalLinks:
    return PersonalLinks(
        [
            RequestGuard(
                page_of(name),  # type: ignore[arg-type]  # an application in one function
                port=1,
                token=f"of-{name}",
                open_paths=frozenset(),
                public_origin=ORIGIN,
                expires_at=expires_at,
                seconds=clock,
            )
            for name, expires_at in (("ada", 10.0), ("bo", 20.0))
        ]
    )


def test_everybody_sees_their_own_page(links: PersonalLinks) -> None:
    assert ask(links) == (200, "ada")
    assert ask(links, authorization="Bearer of-bo") == (200, "bo")


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"authorization": "Bearer of-cy"}, 401),
        ({"authorization": ""}, 401),
        ({"host": "127.0.0.1:1"}, 421),
        ({"host": "review.example.org:80"}, 421),
        ({"origin": "http://review.example.org"}, 403),
        ({"origin": "https://elsewhere.example"}, 403),
    ],
)
def test_nobody_else_is_let_in(links: PersonalLinks, changes: dict[str, str], status: int) -> None:
    assert ask(links, **changes)[0] == status


def test_an_expired_link_opens_nothing(links: PersonalLinks, clock: Clock) -> None:
    clock.now = 10.0
    assert ask(links)[0] == 401
    assert ask(links, authorization="Bearer of-bo") == (200, "bo")
    clock.now = 20.0
    assert ask(links, authorization="Bearer of-bo")[0] == 401


def test_guesses_are_counted_whoever_they_are_about(links: PersonalLinks) -> None:
    """And those who hold a link are let in all the same."""
    statuses = [ask(links, authorization=f"Bearer {number}")[0] for number in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert ask(links) == (200, "ada")
    assert ask(links, authorization="Bearer of-bo") == (200, "bo")


def test_somebody_has_to_be_invited() -> None:
    with pytest.raises(ValueError, match="nobody"):
        PersonalLinks([])
