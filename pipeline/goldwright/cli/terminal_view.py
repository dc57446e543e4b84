"""A record in a terminal: its query, its claims by number, and the lines that they cite."""

import re
import shutil
from collections.abc import Collection, Iterator
from typing import Final

import click

from goldwright.code_blocks import texts_and_blocks
from goldwright.errors import InputError
from goldwright.records import AnswerDraft, ChangedClaim, Claim, FileRange, claims_of
from goldwright.records.answer import ClaimType
from goldwright.review.guidelines import VERDICT_GUIDELINES
from goldwright.snapshot import Snapshot
from goldwright.text import make_visible

CONTEXT_LINES: Final = 2
"""Lines shown before and after a cited range."""

# A longer range is cut after so many lines.
MAX_EXCERPT_LINES: Final = 60
# Wider lines of prose are hard to read, however wide the terminal is.
MAX_WIDTH: Final = 100
RULE_WIDTH: Final = 72
# Below the text of a claim, which begins behind its number.
NOTE_INDENT: Final = " " * 5
CLAIM_NAMES: Final[dict[ClaimType, str]] = {
    "entity": "entity",
    "file": "file",
    "line_range": "lines",
    "must_mention_fact": "must mention",
    "must_not_mention_fact": "must not say",
    "narrative": "narrative",
}
# "x 4" as words of their own inside a note; no record has a claim of four digits.
_DISPUTED_CLAIM: Final = re.compile(r"(?:^|(?<=\s))x (\d{1,3}|question|tier)(?=\s|$)")
FACT_TYPES: Final[frozenset[ClaimType]] = frozenset({"must_mention_fact", "must_not_mention_fact"})


def print_claims(answer: AnswerDraft) -> None:
    """Print the claims of an answer by their numbers."""
    for number, claim in enumerate(claims_of(answer), start=1):
        text = _claim_text(claim, answer)
        print_prose(text, indent=f"{number:>3}  ")


def fact_lines(answer: AnswerDraft, claim_type: ClaimType) -> Iterator[str]:
    """Give the facts of one kind, each with the places that it cites."""
    for claim in claims_of(answer):
        if claim.claim_type == claim_type:
            ranges = _cited_ranges(answer, claim.claim_id)
            places = map(_place, ranges)
            yield " ".join([claim.claim, *places])


def show_claim(snapshot: Snapshot, answer: AnswerDraft, number: str) -> None:
    """Show the lines of a claim by its number; without a number, all lines of the answer.

    Raises:
        InputError: There is no claim of this number.
    """
    ranges = list(answer.expected_line_ranges)
    if number:
        ranges = _claim_ranges(snapshot, answer, find_claim(answer, number))
    for cited in ranges:
        # An answer that failed the gate may cite a file that is not there.
        if snapshot.has_text(cited.file):
            show_lines(snapshot, cited)


def show_change(snapshot: Snapshot, change: ChangedClaim) -> None:
    """Show the code that a claim rested on, and the code that stands in its place."""
    reason = make_visible(change.reason)
    heading = f"{change.claim_id}: {reason}"
    click.secho(heading, bold=True)
    if change.before is not None:
        place = make_visible(str(change.before))
        click.secho(f"before, at {place}", underline=True)
    for line in change.old_lines:
        click.echo(f"      - {make_visible(line)}")
    if change.now is not None and snapshot.has_text(change.now.file):
        click.echo("now")
        show_lines(snapshot, change.now)
    elif change.before is not None:
        click.echo("now nothing stands in its place")


def find_claim(answer: AnswerDraft, number: str) -> Claim:
    """Find a claim by its number on the screen, from 1.

    Raises:
        InputError: There is no claim of this number.
    """
    claims = list(claims_of(answer))
    count = len(claims)
    if not number.isdecimal() or not 1 <= int(number) <= count:
        raise InputError(f"{number or 'no number'}: name a claim by its number, 1 to {count}")
    return claims[int(number) - 1]


def read_note(answer: AnswerDraft, text: str) -> tuple[str | None, tuple[str, ...]]:
    """Read what stands behind a verdict: the note, None for none, and the claims that it marks.

    Raises:
        InputError: It marks a claim that is not there.
    """
    names = _DISPUTED_CLAIM.findall(text)
    claim_ids = [find_claim(answer, name).claim_id if name.isdecimal() else name for name in names]
    words = _DISPUTED_CLAIM.sub(" ", text).split()
    note = " ".join(words)
    return note or None, tuple(dict.fromkeys(claim_ids))


def _claim_text(claim: Claim, answer: AnswerDraft) -> str:
    name = CLAIM_NAMES[claim.claim_type]
    text = f"{name}: {claim.claim}"
    # Entities, files and ranges name their place themselves, and the narrative cites everything.
    if claim.claim_type in FACT_TYPES:
        for cited in _cited_ranges(answer, claim.claim_id):
            text = f"{text} {_place(cited)}"
    return text.rstrip()


def _place(cited: FileRange) -> str:
    file_name = cited.file.rpartition("/")[2]
    lines = f"{cited.start}"
    if cited.end != cited.start:
        lines = f"{lines}-{cited.end}"
    return f"[{file_name}:{lines}]"


def _claim_ranges(snapshot: Snapshot, answer: AnswerDraft, claim: Claim) -> list[FileRange]:
    """Give the lines that a claim cites, or where it cites none those of the entity it names."""
    ranges = list(_cited_ranges(answer, claim.claim_id))
    if ranges:
        return ranges
    return _entity_ranges(snapshot, claim)


def _cited_ranges(answer: AnswerDraft, claim_id: str) -> Iterator[FileRange]:
    kind, _, number = claim_id.rpartition("-")
    if kind == "range":
        yield answer.expected_line_ranges[int(number) - 1]
    elif claim_id == "narrative":
        yield from answer.expected_line_ranges
    else:
        for citation in answer.fact_citations:
            if citation.claim_id == claim_id:
                yield FileRange(file=citation.file, start=citation.start, end=citation.end)


def _entity_ranges(snapshot: Snapshot, claim: Claim) -> list[FileRange]:
    """Give the lines of an entity that a claim names; none where it names something else."""
    entity = snapshot.entity(claim.claim)
    if entity is None:
        return []
    path = claim.claim.partition("::")[0]
    return [FileRange(file=path, start=span.first, end=span.last) for span in entity.spans]


def show_lines(snapshot: Snapshot, cited: FileRange, bearing: Collection[int] = ()) -> None:
    """Show cited lines with a few around them, each with its number; of many, the first.

    Args:
        snapshot: The codebase.
        cited: The lines.
        bearing: The numbers of those among them that are marked; all of them where there are none.
    """
    lines = snapshot.source(cited.file).lines
    click.secho(make_visible(cited.file), underline=True)
    last_cited = shown_part(cited).end
    first_shown = max(cited.start - CONTEXT_LINES, 1)
    last_shown = min(last_cited + CONTEXT_LINES, len(lines))
    for number in range(first_shown, last_shown + 1):
        text = make_visible(lines[number - 1])
        is_marked = number in bearing if bearing else cited.start <= number <= cited.end
        mark = ">" if is_marked else " "
        click.echo(f"{number:>5} {mark} {text}")
    if last_cited < cited.end:
        click.secho(f"    … > cited up to line {cited.end}", dim=True)


def shown_part(cited: FileRange) -> FileRange:
    """Give the cited lines that are shown: all, or the first of many."""
    last = min(cited.end, cited.start + MAX_EXCERPT_LINES)
    return cited.model_copy(update={"end": last})


def print_prose(text: str, *, indent: str = "") -> None:
    """Print sentences as ``print_wrapped`` does, and the code that they quote line by line."""
    space = " " * len(indent)
    for passage, title, block in texts_and_blocks(text):
        if passage.strip():
            print_wrapped(" ".join(passage.split()), indent=indent)
            indent = space
        if block:
            click.echo("")
        if title:
            click.secho(f"{space}    {make_visible(title)}", bold=True)
        for line in block:
            click.secho(f"{space}    {make_visible(line)}", dim=True)
        if block:
            click.echo("")


def print_guidelines() -> None:
    """Print what the verdicts mean."""
    for sentence in VERDICT_GUIDELINES:
        print_wrapped(sentence, indent="")


def print_wrapped(text: str, *, indent: str, is_bold: bool = False, is_dim: bool = False) -> None:
    """Print prose no wider than it is read well; what follows the first line is indented too."""
    width = min(shutil.get_terminal_size().columns, MAX_WIDTH)
    space = " " * len(indent)
    wrapped = click.wrap_text(
        make_visible(text), width=width, initial_indent=indent, subsequent_indent=space
    )
    click.secho(wrapped, bold=is_bold, dim=is_dim)
