"""``goldwright review``: the page on which a person judges the records of a run."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from goldwright.app.environment import Environment, current_environment
from goldwright.app.reviews.review import ReviewRequest, open_review_session, serve_review
from goldwright.app.reviews.shared_review import (
    Invitation,
    SharedReviewRequest,
    read_invitation,
    serve_shared_review,
)
from goldwright.cli import options
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.cli.terminal import review_in_terminal
from goldwright.errors import InputError
from goldwright.records import ReviewPass
from goldwright.review.passes import ADJUDICATION, FIRST, SECOND
from goldwright.review.practice_desk import TrainingMode
from goldwright.review.sampling import USUAL_CANARIES
from goldwright.review.session import ReviewSession

# A working day and the evening; a link that is found later opens nothing.
DEFAULT_HOURS: Final = 12.0
MOST_HOURS: Final = 720.0
# Each one is a record more that a person has to judge.
MAX_CANARIES: Final = 20
MOST_FURTHER: Final = 1000


@click.command("review", cls=SettingsCommand)
@options.run_argument
@click.option(
    "--reviewer",
    metavar="NAME",
    help="Who you are; it is kept with every verdict. Required without --invite.",
)
@click.option("--second", is_flag=True, help="Be the second, independent reviewer of the sample.")
@click.option(
    "--adjudicate", is_flag=True, help="Settle the records on which two reviewers differ."
)
@click.option(
    "--port",
    type=int,
    default=0,
    metavar="N",
    help="The port on 127.0.0.1. [default: any free one]",
)
@click.option(
    "--listen",
    metavar="URL",
    help="Let several people review over a network: the https address of your proxy, which hands "
    "on to --port.",
)
@click.option(
    "--invite",
    multiple=True,
    metavar="NAME[:PASS]",
    help="With --listen: a link for this person; PASS is first, second or adjudicate. Repeatable.",
)
@click.option(
    "--hours",
    type=click.FloatRange(0, MOST_HOURS, min_open=True),
    default=DEFAULT_HOURS,
    show_default=True,
    metavar="H",
    help="With --listen: how long the links are good.",
)
@click.option(
    "--canaries",
    type=click.IntRange(0, MAX_CANARIES),
    default=USUAL_CANARIES,
    show_default=True,
    metavar="N",
    help="Hide N falsified answers in the sample when it is drawn, to learn what reviewers catch.",
)
@click.option(
    "--more",
    type=click.IntRange(1, MOST_FURTHER),
    metavar="N",
    help="Add N records of the batch, and more falsified answers, to a sample that proved nothing.",
)
@click.option(
    "--training/--no-training",
    default=None,
    help="Begin with five practice records, or offer none. [default: offer them to who is new]",
)
@click.option("--terminal", is_flag=True, help="Review in this terminal, as over ssh.")
@click.option(
    "--scripted",
    is_flag=True,
    help="Take the words of a review in the terminal from a pipe; every version then says so.",
)
@click.option(
    "--sign-key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Sign with this SSH key how far the reviews go when you end.",
)
def command(
    run: str,
    *,
    reviewer: str | None,
    listen: str | None,
    invite: tuple[str, ...],
    hours: float,
    port: int,
    canaries: int,
    more: int | None,
    sign_key: Path | None,
    training: bool | None,
    second: bool,
    adjudicate: bool,
    terminal: bool,
    scripted: bool,
) -> None:
    """Judge the sample of RUN, and decide on records that were stopped.

    Opens a page for your browser on this machine. One key decides and goes on to the next record;
    what you said is on disk before the next record shows. Several reviewers, and the run itself,
    may be at work at once.
    """
    mode = _training_mode(training, scripted=scripted)
    if listen is not None or invite:
        _refuse_beside_links(
            {
                "--reviewer": reviewer is not None,
                "--second": second,
                "--adjudicate": adjudicate,
                "--terminal": terminal,
                "--scripted": scripted,
                "--sign-key": sign_key is not None,
                "--training": mode == "begin",
                "--more": more is not None,
            }
        )
        if listen is None or not invite:
            raise InputError("--listen and --invite: each wants the other")
        invitations = tuple(map(read_invitation, invite))
        shared_request = SharedReviewRequest(run, invitations, listen, port, hours, canaries, mode)
        _serve_links(shared_request)
        return
    if reviewer is None:
        raise InputError("--reviewer: wanted your name; it is kept with every verdict")
    review_pass = _review_pass(second=second, adjudicate=adjudicate)
    _refuse_pipe(terminal=terminal, scripted=scripted)
    request = ReviewRequest(
        run, reviewer, review_pass, canaries, scripted, sign_key, mode, more=more or 0
    )
    environment = current_environment()
    with _open_session(request, environment) as (session, name):
        if terminal:
            review_in_terminal(session, environment)
        else:
            _serve_page(session, name, port, environment)


def _training_mode(training: bool | None, *, scripted: bool) -> TrainingMode:  # noqa: FBT001  # as click gives it
    source = click.get_current_context().get_parameter_source("training")
    # A setting that held for each sitting would begin a round in each; it means the offer.
    if training and source is ParameterSource.COMMANDLINE:
        return "begin"
    # A script has nothing to learn, and its words must not be taken for those on practice records.
    return "off" if training is False or scripted else "offer"


def _refuse_pipe(*, terminal: bool, scripted: bool) -> None:
    """Refuse what is no person's, unless it says so: ``yes 1`` can bless anything."""
    if scripted and not terminal:
        raise InputError("--scripted: goes with --terminal alone; a page is for people")
    if terminal and not scripted and not sys.stdin.isatty():
        raise InputError(
            "--terminal: wants a person at a terminal, found a pipe or a file; "
            "what a script says is taken with --scripted, and every version says so"
        )


@contextmanager
def _open_session(
    request: ReviewRequest, environment: Environment
) -> Iterator[tuple[ReviewSession, str]]:
    """Open a session; its progress is off the screen before the review begins."""
    with ExitStack() as stack:
        with progress_on_stderr(environment.clock) as progress:
            opened = stack.enter_context(open_review_session(request, environment, progress))
        yield opened


def _review_pass(*, second: bool, adjudicate: bool) -> ReviewPass:
    if second and adjudicate:
        raise InputError("--second and --adjudicate: one sitting at a time")
    if second:
        return SECOND
    if adjudicate:
        return ADJUDICATION
    return FIRST


def _refuse_beside_links(option_flags: Mapping[str, bool]) -> None:
    given_options = [name for name, is_given in option_flags.items() if is_given]
    if given_options:
        raise InputError(
            f"{given_options[0]}: goes with a review on this machine; with --listen, --invite "
            "says who"
        )


def _serve_links(request: SharedReviewRequest) -> None:
    environment = current_environment()
    with suppress(KeyboardInterrupt), progress_on_stderr(environment.clock) as progress:
        serve_shared_review(request, environment, progress, _announce_links)
    click.echo("the review has ended; all that the pages acknowledged is on disk", err=True)


def _announce_links(links: Sequence[tuple[Invitation, str]], port: int) -> None:
    for invited, link in links:
        click.echo(f"{invited.reviewer} ({invited.review_pass}): {link}")
    click.echo(
        f"hand each person their own link; the proxy asks 127.0.0.1:{port}; Ctrl-C ends the "
        "review, nothing is lost",
        err=True,
    )


def _serve_page(session: ReviewSession, run: str, port: int, environment: Environment) -> None:
    # Ctrl-C is the way to end a review, so it is no interruption.
    with suppress(KeyboardInterrupt):
        serve_review(
            session,
            run,
            port=port,
            token_bytes=environment.chance.randbytes,
            announce=_announce,
        )
    click.echo("the review has ended; all that the page acknowledged is on disk", err=True)


def _announce(address: str) -> None:
    click.echo(address)
    click.echo(
        "open this address in a browser on this machine; Ctrl-C ends the review, nothing is lost",
        err=True,
    )
