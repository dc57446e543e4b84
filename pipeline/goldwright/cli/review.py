"""``goldwright review``: the page on which a person judges the records of a run."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import click

from goldwright.app.environment import Environment, current_environment
from goldwright.app.review import ReviewRequest, open_review_session, serve_review
from goldwright.cli import options
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings import SettingsCommand
from goldwright.cli.terminal import review_in_terminal
from goldwright.errors import InputError
from goldwright.records import ReviewPass
from goldwright.review.passes import ADJUDICATION, FIRST, SECOND
from goldwright.review.session import ReviewSession

# A fifth of the 17 records of a sample of sixty, rounded up: with fewer, no catch rate could show
# that the bound on bad records says anything at all.
DEFAULT_CANARIES: Final = 4
# Each one is a record more that a person has to judge.
MAX_CANARIES: Final = 20


@click.command("review", cls=SettingsCommand)
@options.run_argument
@click.option(
    "--reviewer", required=True, metavar="NAME", help="Who you are; it is kept with every verdict."
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
    "--canaries",
    type=click.IntRange(0, MAX_CANARIES),
    default=DEFAULT_CANARIES,
    show_default=True,
    metavar="N",
    help="Hide N falsified answers in the sample when it is drawn, to learn what reviewers catch.",
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
    reviewer: str,
    port: int,
    canaries: int,
    sign_key: Path | None,
    *,
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
    review_pass = _review_pass(second=second, adjudicate=adjudicate)
    _refuse_pipe(terminal=terminal, scripted=scripted)
    request = ReviewRequest(run, reviewer, review_pass, canaries, scripted, sign_key)
    environment = current_environment()
    with _open_session(request, environment) as (session, name):
        if terminal:
            review_in_terminal(session, environment)
        else:
            _serve_page(session, name, port, environment)


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
