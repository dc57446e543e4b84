"""A review for several people over a network: a link for each, behind a proxy that speaks TLS."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.reviews.review import OTHER_PASS, ReviewRequest, open_review_session
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.records import ReviewPass
from goldwright.review.passes import ADJUDICATION, FIRST, SECOND
from goldwright.review.person_names import same_person
from goldwright.review.practice_desk import TrainingMode
from goldwright.review.session import ReviewSession
from goldwright.web.application import review_app
from goldwright.web.personal_links import PersonalLinks
from goldwright.web.request_guard import RequestGuard, new_token
from goldwright.web.server import serve

MOST_INVITED: Final = 16
_PASSES: Final[dict[str, ReviewPass]] = {
    "first": FIRST,
    "second": SECOND,
    "adjudicate": ADJUDICATION,
}
_OWN_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?)://(?P<name>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?/?"
)
_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Invitation:
    """Who is invited to which pass of a review."""

    reviewer: str
    review_pass: ReviewPass


@dataclass(frozen=True, slots=True)
class SharedReviewRequest:
    """Who may review which run, and from where.

    Attributes:
        run: The run by name or path, or ``latest``.
        invitations: One at least.
        public_url: Where the proxy lets people in, as in ``https://review.example.org``.
        port: The port on 127.0.0.1 that the proxy asks; 0 for any that is free.
        hours: How long the links are good, above 0.
        canaries: How many falsified answers are hidden when the sample is drawn.
        training: Whether practice records are offered to who is new.
    """

    run: str
    invitations: tuple[Invitation, ...]
    public_url: str
    port: int
    hours: float
    canaries: int
    training: TrainingMode = "off"


def read_invitation(text: str) -> Invitation:
    """Read ``NAME``, ``NAME:second`` or ``NAME:adjudicate``.

    Raises:
        InputError: The pass is none of these.
    """
    name, colon, pass_name = text.rpartition(":")
    if not colon:
        return Invitation(text, FIRST)
    if pass_name not in _PASSES:
        choices = ", ".join(_PASSES)
        raise InputError(f"--invite {text}: {pass_name!r} is no pass; wanted {choices}")
    return Invitation(name, _PASSES[pass_name])


def serve_shared_review(
    request: SharedReviewRequest,
    environment: Environment,
    progress: Progress,
    announce: Callable[[Sequence[tuple[Invitation, str]], int], None],
) -> None:
    """Serve the pages of all who are invited, until a signal comes or the links have expired.

    Args:
        request: Who may review what.
        environment: Clock, chance and workspace.
        progress: Is told what stands in the way of a blessing.
        announce: Is given each invitation with its link, which holds its token, and the port.

    Raises:
        InputError: The address is none that people can be let in by, somebody is invited to both
            independent passes, or the review cannot be opened.
    """
    origin = _origin(request.public_url)
    _refuse_one_for_two(request.invitations)
    expires_at = time.monotonic() + request.hours * _HOUR
    tokens = [new_token(environment.chance.randbytes) for _ in request.invitations]
    with ExitStack() as stack:
        sessions: list[tuple[ReviewSession, str]] = []
        for invitation in request.invitations:
            review_request = _review_request(request, invitation)
            session_opening = open_review_session(review_request, environment, progress)
            sessions.append(stack.enter_context(session_opening))

        def make_app(port: int) -> PersonalLinks:
            guards: list[RequestGuard] = []
            for (session, run), token in zip(sessions, tokens, strict=True):
                guard = review_app(
                    session,
                    run=run,
                    port=port,
                    token=token,
                    public_origin=origin,
                    expires_at=expires_at,
                )
                guards.append(guard)
            return PersonalLinks(guards)

        def announce_links(port: int) -> None:
            links = [f"{origin}/#t={token}" for token in tokens]
            personal_links = list(zip(request.invitations, links, strict=True))
            announce(personal_links, port)

        def is_over() -> bool:
            return time.monotonic() >= expires_at

        serve(make_app, port=request.port, announce=announce_links, stop=is_over)


def _review_request(request: SharedReviewRequest, invitation: Invitation) -> ReviewRequest:
    return ReviewRequest(
        request.run,
        invitation.reviewer,
        invitation.review_pass,
        request.canaries,
        training=request.training,
        may_wait=True,
    )


def _origin(public_url: str) -> str:
    """Give the origin that browsers will name.

    Raises:
        InputError: It is no ``https`` address of a host alone; ``http`` goes for this machine only.
    """
    parts = _ADDRESS.fullmatch(public_url)
    if parts is None:
        raise InputError(
            f"--listen {public_url}: wanted an address like https://review.example.org, "
            "at which your proxy lets people in"
        )
    if parts["scheme"] == "http" and parts["name"] not in _OWN_MACHINE:
        raise InputError(
            f"--listen {public_url}: links and verdicts would be read on the way; wanted https, "
            "by a proxy that speaks TLS"
        )
    return public_url.removesuffix("/").lower()


def _refuse_one_for_two(invitations: Sequence[Invitation]) -> None:
    """Refuse nobody, too many, and a person who would be both independent reviewers.

    Raises:
        InputError: It is so; the text names the person.
    """
    count = len(invitations)
    if not 1 <= count <= MOST_INVITED:
        raise InputError(f"--invite: wanted 1 to {MOST_INVITED} people, found {count}")
    for number, invited in enumerate(invitations):
        for earlier in invitations[:number]:
            is_same = same_person(invited.reviewer, earlier.reviewer)
            if is_same and invited.review_pass == earlier.review_pass:
                raise InputError(f"--invite {invited.reviewer}: is invited twice")
            if is_same and OTHER_PASS.get(invited.review_pass) == earlier.review_pass:
                raise InputError(
                    f"--invite {invited.reviewer}: the first and the second reviewer must be "
                    "different people"
                )
