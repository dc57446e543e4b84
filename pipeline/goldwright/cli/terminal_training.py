"""The practice records in a terminal: the same round as on the page, a line a word."""

from collections.abc import Callable
from typing import Final, Literal

import click

from goldwright.cli.terminal_view import (
    RULE_WIDTH,
    print_claims,
    print_guidelines,
    print_wrapped,
    read_note,
    show_claim,
    show_lines,
)
from goldwright.errors import InputError
from goldwright.records import HumanVerdict, PracticeEvent, PracticeRecord
from goldwright.review.practice_answers import feedback_on
from goldwright.review.record_content import RecordContent
from goldwright.review.review_rules import StaleReviewError
from goldwright.review.session import ReviewSession
from goldwright.review.training import training_results, training_sentences

OFFER: Final = (
    "{} practice records with known answers come first, if you like: some are as the agents left "
    "them, some were falsified. After each word you are told whether it was right; "
    "none of them counts, and how many were right is kept with the review."
)
OFFER_KEYS: Final = "t practise  s skip  q end"
PRACTICE_KEYS: Final = "c lines, c N of claim N  t end the practice records  ? help  q end"

Outcome = Literal["over", "ended"]
"""Whether the review comes next, or the person wants to end."""


class TerminalTraining:
    """The training round of one sitting; whatever was said is on disk before anything is told."""

    def __init__(
        self,
        session: ReviewSession,
        verdicts: dict[str, HumanVerdict],
        verdict_keys: str,
        new_key: Callable[[], str],
        seconds: Callable[[], float],
    ) -> None:
        """Prepare; nothing is shown yet.

        Args:
            session: The review session.
            verdicts: The verdict of each key.
            verdict_keys: What the keys mean, on one line.
            new_key: Draws the key of an event.
            seconds: A clock.
        """
        self._session = session
        self._desk = session.practice
        self._verdicts = verdicts
        self._verdict_keys = verdict_keys
        self._new_key = new_key
        self._seconds = seconds

    def run(self) -> Outcome:
        """Offer a round to who is new, and play the one that goes on to its end."""
        if self._desk.is_offered(self._session.look()) and self._offer() == "ended":
            return "ended"
        has_practised = False
        while (record := self._next_record()) is not None:
            has_practised = True
            if self._play(record) == "ended":
                return "ended"
        if has_practised:
            self._print_summary()
        return "over"

    def _next_record(self) -> PracticeRecord | None:
        training = self._desk.latest(self._session.look())
        return None if training is None else training.next_record

    def _offer(self) -> Outcome:
        click.echo("")
        size = self._desk.size(self._session.look())
        print_wrapped(OFFER.format(size), indent="")
        while True:
            match self._prompt(OFFER_KEYS):
                case "t":
                    self._desk.begin(key=self._new_key())
                    return "over"
                case "s":
                    self._desk.skip(key=self._new_key())
                    return "over"
                case "q" | None:
                    return "ended"
                case typed:
                    click.echo(f"{typed or 'an empty line'}: says nothing here")

    def _play(self, record: PracticeRecord) -> Outcome:
        """Show a record and take lines until it has a word, or the round ends."""
        view = self._session.look()
        _, content = self._desk.find(view, record.place)
        self._show(record, content)
        shown_at = self._seconds()
        while True:
            text = self._prompt(f"{self._verdict_keys}\n{PRACTICE_KEYS}")
            if text is None:
                return "ended"
            try:
                elapsed = self._seconds() - shown_at
                outcome = self._act(record, content, text, elapsed)
            except StaleReviewError as error:
                # The round has gone on elsewhere; show what comes next in it.
                click.echo(str(error))
                return "over"
            except InputError as error:
                click.echo(str(error))
                continue
            if outcome is not None:
                return outcome

    def _act(
        self, record: PracticeRecord, content: RecordContent, text: str, seconds: float
    ) -> Outcome | None:
        """Do what a line says; None to stay on the record."""
        command, _, argument = text.partition(" ")
        if command in self._verdicts:
            self._give_word(record, content, text, seconds)
            return "over"
        match command:
            case "q":
                return "ended"
            case "t":
                self._desk.skip(key=self._new_key())
                return "over"
            case "c":
                show_claim(self._session.snapshot, content.answer, argument.strip())
            case "?":
                print_guidelines()
            case _:
                click.echo(f"{command or 'an empty line'}: says nothing")
        return None

    def _show(self, record: PracticeRecord, content: RecordContent) -> None:
        training = self._desk.latest(self._session.look())
        count = len(training.records) if training is not None else 0
        click.echo("")
        click.secho("─" * RULE_WIDTH, dim=True)
        candidate = content.candidate
        cell = f"{candidate.task_type}/{candidate.difficulty}"
        click.echo(f"practice record {record.place} of {count}   {cell}")
        click.echo("")
        print_wrapped(candidate.query_text, indent="", is_bold=True)
        print_claims(content.answer)

    def _give_word(
        self, record: PracticeRecord, content: RecordContent, text: str, seconds: float
    ) -> None:
        command, _, argument = text.partition(" ")
        note, disputed = read_note(content.answer, argument)
        verdict = self._verdicts[command]
        rounded_seconds = round(seconds, 1)
        word = self._desk.give_word(
            record.place,
            content.digest,
            verdict,
            key=self._new_key(),
            note=note,
            disputed=disputed,
            seconds=rounded_seconds,
        )
        if isinstance(word, PracticeEvent):
            self._tell(record, word)

    def _tell(self, record: PracticeRecord, word: PracticeEvent) -> None:
        feedback = feedback_on(record, word)
        click.echo("")
        heading = f"{feedback.heading}. {feedback.verdict}"
        print_wrapped(heading, indent="", is_bold=True)
        if not feedback.why:
            return
        print_wrapped(feedback.why, indent="")
        if feedback.remark:
            print_wrapped(feedback.remark, indent="")
        print_wrapped(f"{feedback.claim_id}, as it was: {feedback.before}", indent="  ")
        print_wrapped(f"{feedback.claim_id}, as shown: {feedback.after}", indent="  ")
        for cited in feedback.seen_at:
            if self._session.snapshot.has_text(cited.file):
                show_lines(self._session.snapshot, cited)

    def _print_summary(self) -> None:
        training = self._desk.latest(self._session.look())
        if training is None:
            return
        click.echo("")
        for sentence in training_sentences(training_results([training])):
            print_wrapped(f"{sentence} The review begins.", indent="", is_bold=True)

    def _prompt(self, keys: str) -> str | None:
        """Ask for a line; None where the input ends."""
        click.echo(keys)
        try:
            text: str = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        except click.Abort:
            return None
        return text.strip()
