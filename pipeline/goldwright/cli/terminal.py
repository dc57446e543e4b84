"""The review in a terminal, for those over ssh: the same session as the page, a line a choice."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

import click

from goldwright.app.environment import Environment
from goldwright.cli.terminal_record import judged_count, show_record
from goldwright.cli.terminal_training import TerminalTraining
from goldwright.cli.terminal_view import (
    find_claim,
    print_guidelines,
    read_note,
    show_change,
    show_claim,
)
from goldwright.code_blocks import rewrite_prose
from goldwright.errors import InputError
from goldwright.records import Decision, HumanVerdict
from goldwright.review.claim_edits import edit_claim
from goldwright.review.passes import ADJUDICATION, SECOND
from goldwright.review.queues import VERDICT_QUEUES, QueueItem
from goldwright.review.record_edits import QUESTION, ClaimChange, edit_record
from goldwright.review.review_rules import StaleReviewError
from goldwright.review.review_state import REJECTING_VERDICTS
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView

VERDICTS: Final[dict[str, HumanVerdict]] = {
    "1": "correct",
    "2": "minor_issue",
    "3": "major_issue",
    "4": "wrong",
}
# 2 is free, so that keep and drop lie under the same keys as correct and wrong.
DECISIONS: Final[dict[str, Decision]] = {"1": "keep", "3": "retry", "4": "drop"}
VERDICT_KEYS: Final = "1 correct  2 minor  3 major  4 wrong"
DECISION_KEYS: Final = "1 keep  3 retry with a hint  4 drop"
ADOPTED_KEYS: Final = "1 keep  4 drop"
OTHER_KEYS: Final = "c lines, c N of claim N  e N edit  u undo  s skip  p back  ? help  q end"
HELP: Final = (
    # No line is wider than 80 columns, so that none breaks in the middle of a word.
    "1 to 4 decide and go on; words after the number are kept as your note:\n"
    "    3 the caller is another one\n"
    "3 and 4 want a note, or a claim that is at fault, marked by x and its number:\n"
    "    2 x 4 says too little      (x question and x tier mark these)\n"
    "c shows the cited lines of the whole record, c N those of claim N\n"
    "e N changes claim N in your editor, w the wording of the question\n"
    "u takes your last word back; s and p go on and back without a word\n"
    "q ends, and nothing is lost\n"
)
_KEY_BITS: Final = 128


def review_in_terminal(session: ReviewSession, environment: Environment) -> None:
    """Show one record after the other and write down what the person says.

    Ends when no record is left without a judgement, or when the person ends it.
    """
    _TerminalReview(session, environment).run()


@dataclass(frozen=True, slots=True)
class _Move:
    """Where a line of the person leads: to another record, or to the end where there is none."""

    target: QueueItem | None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that the person typed.

    Attributes:
        command: The first word.
        argument: What stands behind it.
        seconds: How long the record had been on the screen.
    """

    command: str
    argument: str
    seconds: float


class _TerminalReview:
    """One review pass; ``_view`` is the state from which the record on screen was drawn."""

    def __init__(self, session: ReviewSession, environment: Environment) -> None:
        self._session = session
        self._clock = environment.clock
        self._chance = environment.chance
        self._view: SessionView = session.draw_sample(key=self._new_key())

    def run(self) -> None:
        """Go through the records that have no judgement of this pass yet."""
        is_adjudication = self._session.review_pass == ADJUDICATION
        if self._view.review_state.events.sample is None and not is_adjudication:
            click.echo(
                "the sample is drawn once the run is complete; "
                "until then there are only records that were stopped"
            )
        if self._session.review_pass == SECOND:
            click.echo(
                "second reviewer: this is the agents' text, without what the first one said or "
                "changed"
            )
        training = TerminalTraining(
            self._session, VERDICTS, VERDICT_KEYS, self._new_key, self._clock.seconds
        )
        item = None
        if training.run() == "over":
            item = self._view.next_open(None) or self._last_judged()
        while item is not None:
            item = self._review(item)
            self._view = self._session.look()
        count = judged_count(self._view)
        total = len(self._view.items)
        if is_adjudication and not total:
            click.echo("there is nothing to settle")
            return
        hint = "" if count == total else "; the same command goes on with the rest"
        click.echo(f"{count} of {total} records have a word of this pass; it is all on disk{hint}")

    def _last_judged(self) -> QueueItem | None:
        """Give the last record of a pass that is complete, so that a slip can be taken back."""
        if not self._view.items:
            return None
        click.echo("every record of this pass has a word; u takes one back, p goes back, q ends")
        return self._view.items[-1]

    def _review(self, item: QueueItem) -> QueueItem | None:
        """Take lines until one leads to another record; gives that, None at the end."""
        shown_at = self._clock.seconds()
        show_record(self._session, self._view, item)
        while True:
            text = self._prompt(item)
            if text is None:
                return None
            seconds = self._clock.seconds() - shown_at
            try:
                move = self._act(item, _parse_line(text, seconds))
            except StaleReviewError as error:
                # Another reviewer was faster. Nothing was written; show the record as it is now.
                click.echo(str(error))
                return self._session.look().item(item.query_id)
            except InputError as error:
                click.echo(str(error))
                continue
            if move is not None:
                return move.target

    def _prompt(self, item: QueueItem) -> str | None:
        """Ask for a line; None where the input ends."""
        keys = ADOPTED_KEYS if self._view.batch.plan.is_adopted else DECISION_KEYS
        if item.queue in VERDICT_QUEUES:
            keys = VERDICT_KEYS
        click.echo(keys)
        click.echo(OTHER_KEYS)
        try:
            text: str = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        except click.Abort:
            return None
        return text.strip()

    def _act(self, item: QueueItem, line: _Line) -> _Move | None:
        """Do what a line says; gives where to go, None to stay on the record."""
        match line.command:
            case "c":
                answer = self._view.content(item.query_id).answer
                show_claim(self._session.snapshot, answer, line.argument)
                self._show_changes(item, line.argument)
            case "?":
                click.echo(HELP)
                print_guidelines()
            case "e" | "w":
                return self._edit(item, line)
            case "q" | "u" | "s" | "p":
                return self._navigate(item, line.command)
            case _:
                return self._judge(item, line)
        return None

    def _show_changes(self, item: QueueItem, number: str) -> None:
        """Show what changed behind a claim, or behind all of them, and write down the look."""
        changes = self._view.review_state.changed_claims(item.query_id)
        if number:
            answer = self._view.content(item.query_id).answer
            claim_id = find_claim(answer, number).claim_id
            changes = tuple(change for change in changes if change.claim_id == claim_id)
        if not changes:
            return
        for change in changes:
            show_change(self._session.snapshot, change)
        claim_ids = tuple(dict.fromkeys(change.claim_id for change in changes))
        self._session.note_look(item.query_id, claim_ids, key=self._new_key())

    def _judge(self, item: QueueItem, line: _Line) -> _Move:
        if item.queue in VERDICT_QUEUES and line.command in VERDICTS:
            return self._give_verdict(item, line)
        if item.queue not in VERDICT_QUEUES and line.command in DECISIONS:
            return self._decide(item, line)
        raise InputError(
            f"{line.command or 'an empty line'}: says nothing; begin with a number, as in: "
            "3 x 2 it is another caller    (? explains)"
        )

    def _give_verdict(self, item: QueueItem, line: _Line) -> _Move:
        answer = self._view.content(item.query_id).answer
        note, disputed = read_note(answer, line.argument)
        verdict = VERDICTS[line.command]
        if verdict in REJECTING_VERDICTS and note is None and not disputed:
            raise InputError(
                f"say what is wrong with it, behind the {line.command}: {line.command} x 2 it is "
                "another caller    (2 is the claim at fault; either of the two will do)"
            )
        on_screen = self._view.record_view(item.query_id)
        self._session.give_verdict(
            item.query_id,
            on_screen,
            verdict,
            key=self._new_key(),
            note=note,
            disputed=disputed,
            seconds=round(line.seconds, 1),
        )
        return self._move_to_next(item)

    def _decide(self, item: QueueItem, line: _Line) -> _Move:
        decision = DECISIONS[line.command]
        note = line.argument
        # A retry hands the note to the Oracle as its hint, so it cannot go without.
        if decision == "retry" and not note:
            note = click.prompt("hint")
        self._session.decide(
            item.query_id,
            self._view.record_view(item.query_id),
            decision,
            key=self._new_key(),
            words=note,
        )
        return self._move_to_next(item)

    def _move_to_next(self, item: QueueItem) -> _Move:
        view = self._session.look()
        return _Move(view.next_open(item.query_id))

    def _navigate(self, item: QueueItem, command: str) -> _Move:
        match command:
            case "u":
                # The record whose judgement was taken back is shown again.
                query_id = self._session.undo(key=self._new_key())
                return _Move(self._session.look().item(query_id))
            case "s":
                return self._move_by(1, item)
            case "p":
                return self._move_by(-1, item)
            case _:
                return _Move(None)

    def _move_by(self, step: int, item: QueueItem) -> _Move:
        """Move along the records; before the first and after the last it stays where it is."""
        items = self._view.items
        query_ids = [neighbour.query_id for neighbour in items]
        last_position = len(items) - 1
        position = query_ids.index(item.query_id) + step
        if not 0 <= position <= last_position:
            click.echo("this is the last record" if step > 0 else "this is the first record")
        position = min(position, last_position)
        position = max(position, 0)
        return _Move(items[position])

    def _edit(self, item: QueueItem, line: _Line) -> _Move | None:
        content = self._view.content(item.query_id)
        claim_id, before = QUESTION, content.candidate.query_text
        if line.command == "e":
            claim = find_claim(content.answer, line.argument)
            claim_id, before = claim.claim_id, claim.claim
        text = click.edit(before)
        # The editor was closed without saving.
        if text is None:
            click.echo("left as it was")
            return None
        # Editors end a file with a newline, and some wrap lines; those of quoted code stay.
        unwrapped = rewrite_prose(text, _on_one_line)
        if claim_id == QUESTION:
            change = edit_record(content, ClaimChange(QUESTION, unwrapped)).change
        else:
            change = edit_claim(content.answer, claim_id, unwrapped, None)
        on_screen = self._view.record_view(item.query_id)
        self._session.edit(
            item.query_id,
            on_screen,
            change.field,
            change.after,
            change.citations,
            key=self._new_key(),
        )
        view = self._session.look()
        return _Move(view.item(item.query_id))

    def _new_key(self) -> str:
        """Draw a key for an event; an event whose key stands in the log already is not repeated."""
        random_bits = self._chance.getrandbits(_KEY_BITS)
        return str(UUID(int=random_bits, version=4))


def _parse_line(text: str, seconds: float) -> _Line:
    command, _, argument = text.partition(" ")
    return _Line(command, argument.strip(), seconds)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
