"""``goldwright review``: the page on which a person judges the records of a run."""

import os
from contextlib import ExitStack, suppress

import click

from goldwright.app.environment import current_environment
from goldwright.app.review import ReviewRequest, open_review_session, serve_review
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.cli.terminal import review_in_terminal
from goldwright.errors import InputError
from goldwright.records import ReviewPass

MOST_CANARIES = 20


@click.command("review")
@options.a_run
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
    type=click.IntRange(0, MOST_CANARIES),
    default=0,
    metavar="N",
    help="Hide N falsified answers in the sample when it is drawn, to learn what reviewers catch.",
)
@click.option("--terminal", is_flag=True, help="Review in this terminal, as over ssh.")
def command(
    run: str,
    reviewer: str,
    port: int,
    canaries: int,
    *,
    second: bool,
    adjudicate: bool,
    terminal: bool,
) -> None:
    """Judge the sample of RUN, and decide on records that were stopped.

    Opens a page for your browser on this machine. One key decides and goes on to the next record;
    what you said is on disk before the next record shows. Several reviewers, and the run itself,
    may be at work at once.
    """
    if second and adjudicate:
        raise InputError("--second and --adjudicate: one sitting at a time")
    sitting: ReviewPass = "second" if second else "adjudication" if adjudicate else "first"
    request = ReviewRequest(run, reviewer, sitting, canaries)
    environment = current_environment()
    with ExitStack() as until_the_end:
        with watching() as progress:
            session, name = until_the_end.enter_context(
                open_review_session(request, environment, progress)
            )
        if terminal:
            review_in_terminal(session)
            return
        with suppress(KeyboardInterrupt):
            serve_review(session, name, port=port, token_bytes=os.urandom, announce=_announce)
        click.echo("the review has ended; all that the page acknowledged is on disk", err=True)


def _announce(address: str) -> None:
    click.echo(address)
    click.echo(
        "open this address in a browser on this machine; Ctrl-C ends the review, nothing is lost",
        err=True,
    )
