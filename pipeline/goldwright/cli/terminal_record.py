"""A record under review in a terminal: where it stands, and what was said of it."""

import click

from goldwright.cli.terminal_view import NOTE_INDENT, RULE_WIDTH, print_claims, print_wrapped
from goldwright.review.queues import QueueItem
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView


def show_record(session: ReviewSession, view: SessionView, item: QueueItem) -> None:
    """Show a record with the reasons why it is here, its edits and the checks that it fails."""
    content = view.content(item.query_id)
    _print_heading(view, item)
    click.echo("")
    print_wrapped(content.candidate.query_text, indent="", is_bold=True)
    print_claims(content.answer)
    for edit in content.edits:
        text = f"changed: {edit.field}, {edit.reviewer}, {edit.reviewed_at}"
        print_wrapped(text, indent=NOTE_INDENT)
    # What is as the agents left it has passed the gate, unless it is here because it did not.
    if item.queue == "failed_gate" or content.edits:
        for failure in session.failures(content):
            text = f"the gate: {failure.check}: {failure.claim}: {failure.message}"
            print_wrapped(text, indent=NOTE_INDENT)


def judged_count(view: SessionView) -> int:
    """Count the records that have a judgement of this review pass."""
    return sum(item.judgement is not None for item in view.items)


def _print_heading(view: SessionView, item: QueueItem) -> None:
    click.echo("")
    click.secho("─" * RULE_WIDTH, dim=True)
    total = len(view.items)
    progress = f"{judged_count(view)} of {total} done"
    click.echo(f"{progress}   {item.query_id}   {item.cell}")
    for reason in item.why:
        print_wrapped(f"here because {reason}", indent="", is_dim=True)
