"""The review in a terminal, for those over ssh: the same room, the same words, one line a choice."""

import re
import shutil
import time
import uuid
from collections.abc import Iterator
from typing import Final, get_args

import click

from goldwright.errors import InputError
from goldwright.records import AnswerDraft, Decision, FileRange, HumanVerdict, claims_of
from goldwright.records.answer import ClaimType
from goldwright.review.claim_edits import edit_claim
from goldwright.review.queues import VERDICT_QUEUES, QueueItem
from goldwright.review.review_rules import StaleReviewError
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import RecordView, SessionView
from goldwright.text import make_visible

LINES_AROUND: Final = 2
LONGEST_EXCERPT: Final = 60
VERDICTS: Final[dict[str, HumanVerdict]] = dict(zip("1234", get_args(HumanVerdict), strict=True))
DECISIONS: Final[dict[str, Decision]] = {"1": "keep", "3": "retry", "4": "drop"}
WORDS: Final[dict[ClaimType, str]] = {
    "entity": "entity",
    "file": "file",
    "line_range": "lines",
    "must_mention_fact": "must mention",
    "must_not_mention_fact": "must not say",
    "narrative": "narrative",
}
JUDGING: Final = "1 correct  2 minor  3 major  4 wrong"
DECIDING: Final = "1 keep  3 retry with a hint  4 drop"
OTHERS: Final = "c lines, c N of claim N  e N edit  u undo  s skip  p back  ? help  q end"
HELP: Final = """\
1 to 4 decide and go on; words after the number are kept as your note, as in: 3 the caller is another one
with "x N" among them, as in: 2 x 4 says too little, claim 4 is marked as at fault
c shows the cited lines of the whole record, c N those of claim N; e N changes claim N in your editor
u takes your last word back; s and p go on and back without a word; q ends, and nothing is lost"""
WIDEST: Final = 100
_MARKED: Final = re.compile(r"(?:^|(?<=\s))x (\d{1,3})(?=\s|$)")


def review_in_terminal(session: ReviewSession) -> None:
    """Show one record after the other and write down what the person says, until nothing is open or
    they end it.
    """
    scene = session.draw_sample(key=_key())
    item = scene.next_open(None)
    if scene.review_state.events.sample is None and session.review_pass != "adjudication":
        click.echo(
            "the sample is drawn once the run is complete; until then there are only records that were stopped"
        )
    while item is not None:
        shown_at = time.monotonic()
        _show(session, scene, item)
        item = _listen(session, scene, item, shown_at)
        scene = session.look()
    click.echo(
        f"{_done(scene)} of {len(scene.items)} records have a word of this sitting; it is all on disk"
    )


def _listen(
    session: ReviewSession, scene: SessionView, item: QueueItem, shown_at: float
) -> QueueItem | None:
    """Take lines until one leads to another record; None ends the review."""
    while True:
        click.echo(DECIDING if item.queue not in VERDICT_QUEUES else JUDGING)
        click.echo(OTHERS)
        try:
            line = click.prompt(">", prompt_suffix=" ", default="", show_default=False).strip()
        except click.Abort:
            return None
        word, _, rest = line.partition(" ")
        try:
            moved, following = _act(
                session, scene, item, word, rest.strip(), time.monotonic() - shown_at
            )
        except StaleReviewError as error:
            click.echo(str(error))
            return session.look().item(item.query_id)
        except InputError as error:
            click.echo(str(error))
            continue
        if moved:
            return following


def _act(
    session: ReviewSession,
    scene: SessionView,
    item: QueueItem,
    word: str,
    rest: str,
    seconds: float,
) -> tuple[bool, QueueItem | None]:
    """Do what one line says: whether it leads away from the record, and where to."""
    if word == "q":
        return True, None
    if word == "u":
        undone = session.undo(key=_key())
        return True, session.look().item(undone)
    if word in {"s", "p"}:
        return True, _neighbour(scene, item, 1 if word == "s" else -1)
    if word in {"c", "?"}:
        if word == "c":
            _show_claim(session, scene, item, rest)
        else:
            click.echo(HELP)
        return False, None
    if word == "e":
        return _edit(session, scene, item, rest)
    return _decide(session, scene, item, word, rest, seconds)


def _decide(
    session: ReviewSession,
    scene: SessionView,
    item: QueueItem,
    word: str,
    rest: str,
    seconds: float,
) -> tuple[bool, QueueItem | None]:
    seen = scene.record_view(item.query_id)
    if item.queue in VERDICT_QUEUES and word in VERDICTS:
        disputed, note = _at_fault(scene.content(item.query_id).answer, rest)
        session.give_verdict(
            item.query_id,
            seen,
            VERDICTS[word],
            key=_key(),
            note=note or None,
            disputed=disputed,
            seconds=round(seconds, 1),
        )
    elif item.queue not in VERDICT_QUEUES and word in DECISIONS:
        hint = rest or (click.prompt("hint") if DECISIONS[word] == "retry" else "")
        session.decide(item.query_id, seen, DECISIONS[word], key=_key(), words=hint)
    else:
        raise InputError(
            f"{word or 'an empty line'}: says nothing; words after 1 to 4 are kept as your note"
        )
    return True, session.look().next_open(item.query_id)


def _at_fault(answer: AnswerDraft, words: str) -> tuple[tuple[str, ...], str]:
    """Take the claims that are marked as at fault out of a note."""
    numbers = _MARKED.findall(words)
    return tuple(dict.fromkeys(_claim(answer, one)[0] for one in numbers)), " ".join(
        _MARKED.sub(" ", words).split()
    )


def _edit(
    session: ReviewSession, scene: SessionView, item: QueueItem, rest: str
) -> tuple[bool, QueueItem | None]:
    answer = scene.content(item.query_id).answer
    claim_id, text = _claim(answer, rest)
    fresh = click.edit(text) if rest else None
    if fresh is None:
        click.echo("left as it was")
        return False, None
    change = edit_claim(answer, claim_id, " ".join(fresh.split()), None)
    seen: RecordView = scene.record_view(item.query_id)
    session.edit(item.query_id, seen, change.field, change.after, change.citations, key=_key())
    return True, session.look().item(item.query_id)


def _neighbour(scene: SessionView, item: QueueItem, by: int) -> QueueItem:
    names = [one.query_id for one in scene.items]
    place = names.index(item.query_id) + by
    return scene.items[max(0, min(place, len(names) - 1))]


def _show(session: ReviewSession, scene: SessionView, item: QueueItem) -> None:
    content = scene.content(item.query_id)
    click.echo("")
    click.echo(click.style("─" * 72, dim=True))
    click.echo(f"{_done(scene)} of {len(scene.items)} done   {item.query_id}   {item.cell}")
    for reason in item.why:
        click.echo(click.style(f"here because {make_visible(reason)}", dim=True))
    click.echo("")
    click.secho(make_visible(content.candidate.query_text), bold=True)
    for number, line in enumerate(_claims(content.answer), start=1):
        _wrapped(line, indent=f"{number:>3}  ")
    for edit in content.edits:
        _wrapped(f"changed: {edit.field}, {edit.reviewer}, {edit.reviewed_at}", indent="     ")
    for failure in session.failures(content) if item.queue == "failed_gate" or content.edits else ():
        _wrapped(f"the gate: {failure.check}: {failure.claim}: {failure.message}", indent="     ")


def _wrapped(text: str, *, indent: str) -> None:
    width = min(shutil.get_terminal_size().columns, WIDEST)
    rest = " " * len(indent)
    click.echo(
        click.wrap_text(
            make_visible(text), width=width, initial_indent=indent, subsequent_indent=rest
        )
    )


def _claims(answer: AnswerDraft) -> Iterator[str]:
    for claim in claims_of(answer):
        cited = _lines(answer, claim.claim_id) if "fact" in claim.claim_type else ()
        where = " ".join(f"[{one.file.rpartition('/')[2]}:{one.start}-{one.end}]" for one in cited)
        yield f"{WORDS[claim.claim_type]}: {claim.claim} {where}".rstrip()


def _claim(answer: AnswerDraft, number: str) -> tuple[str, str]:
    claims = list(claims_of(answer))
    if not number.isdecimal() or not 1 <= int(number) <= len(claims):
        raise InputError(f"{number or 'no number'}: name a claim by its number, 1 to {len(claims)}")
    chosen = claims[int(number) - 1]
    return chosen.claim_id, chosen.claim


def _lines(answer: AnswerDraft, claim_id: str) -> Iterator[FileRange]:
    kind, _, place = claim_id.rpartition("-")
    if kind == "range":
        yield answer.expected_line_ranges[int(place) - 1]
    elif claim_id == "narrative":
        yield from answer.expected_line_ranges
    else:
        yield from (
            FileRange(file=one.file, start=one.start, end=one.end)
            for one in answer.fact_citations
            if one.claim_id == claim_id
        )


def _show_claim(session: ReviewSession, scene: SessionView, item: QueueItem, number: str) -> None:
    answer = scene.content(item.query_id).answer
    claim_id, text = _claim(answer, number) if number else ("narrative", "")
    ranges = list(_lines(answer, claim_id))
    entity = session.snapshot.entity(text) if not ranges else None
    spans = entity.spans if entity else ()
    ranges.extend(
        FileRange(file=text.partition("::")[0], start=span.first, end=span.last) for span in spans
    )
    for one in ranges:
        if session.snapshot.has_text(one.file):
            _show_lines(session, one)


def _show_lines(session: ReviewSession, one: FileRange) -> None:
    lines = session.snapshot.source(one.file).lines
    click.secho(make_visible(one.file), underline=True)
    last = min(one.end, one.start + LONGEST_EXCERPT)
    for number in range(max(one.start - LINES_AROUND, 1), min(last + LINES_AROUND, len(lines)) + 1):
        mark = ">" if one.start <= number <= one.end else " "
        click.echo(f"{number:>5} {mark} {make_visible(lines[number - 1])}")


def _done(scene: SessionView) -> int:
    return sum(not one.is_open for one in scene.items)


def _key() -> str:
    return str(uuid.uuid4())
