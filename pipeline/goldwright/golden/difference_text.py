"""The differences between two datasets as text for a terminal and a pull request."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from textwrap import TextWrapper
from typing import Final

from goldwright.golden.differences import Differences, FieldChange, LoneRecord, RecordChange
from goldwright.golden.differences.item_texts import format_item
from goldwright.golden.differences.rewording import MOST_WORK
from goldwright.golden.markdown_code import code_span, diff_block
from goldwright.text import make_visible

# In columns; longer texts are wrapped, or shown as excerpts.
WIDTH: Final = 110
WORDS_AROUND: Final = 4
# A field with more changes than this is summed up in one line.
MOST_LINES: Final = 40
_WRAPPER: Final = TextWrapper(
    WIDTH,
    subsequent_indent="  ",
    break_long_words=False,
    break_on_hyphens=False,
    replace_whitespace=False,
)


def as_lines(differences: Differences) -> Iterator[str]:
    """Write the differences as Markdown that reads well in a terminal.

    What a dataset says appears in code alone, so that nothing in it acts on the page.
    """
    yield differences.summary
    yield from _metadata_section(differences.metadata)
    yield from _section("Added", _lone_blocks(differences.added, "+"))
    yield from _section("Removed", _lone_blocks(differences.removed, "-"))
    yield from _section("Changed", _change_blocks(differences.changed))
    yield from _section("Re-anchored", _change_blocks(differences.reanchored))
    yield from _section("New in provenance alone", _change_blocks(differences.restamped))


def _metadata_section(changes: Iterable[FieldChange]) -> Iterator[str]:
    lines: list[str] = []
    for change in changes:
        lines.extend(_change_lines(change))
    if lines:
        yield from ("", "## Beside the records")
        yield from diff_block(lines)


def _section(title: str, blocks: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Write a class of records, by query id; nothing where it is empty."""
    if not blocks:
        return
    count = len(blocks)
    yield from ("", f"## {title} ({count})")
    for query_id, lines in blocks.items():
        yield from ("", f"### {code_span(query_id)}")
        yield from diff_block(lines)


def _lone_blocks(records: Iterable[LoneRecord], sign: str) -> dict[str, list[str]]:
    return {record.label.query_id: list(_lone_lines(record, sign)) for record in records}


def _lone_lines(record: LoneRecord, sign: str) -> Iterator[str]:
    label = record.label
    cell = f"{label.task_type}/{label.difficulty}"
    reasons = record.why or ("the datasets do not say why",)
    yield from _signed("#", reasons)
    yield from _signed(sign, [f"{cell}: {label.query_text}"])
    yield from _signed(sign, map(format_item, label.expected_entities))
    for fact in label.must_mention_facts:
        yield from _signed(sign, [f"must mention: {fact}"])
    for fact in label.must_not_mention_facts:
        yield from _signed(sign, [f"must not mention: {fact}"])


def _change_blocks(changes: Iterable[RecordChange]) -> dict[str, list[str]]:
    return {change.query_id: list(_record_lines(change)) for change in changes}


def _record_lines(record: RecordChange) -> Iterator[str]:
    reasons = record.why or ("its provenance does not say why",)
    yield from _signed("#", reasons)
    for change in (*record.content, *record.provenance):
        yield from _change_lines(change)


def _change_lines(change: FieldChange) -> Iterator[str]:
    order = " in another order" if change.reordered else ""
    yield f"@@ {change.field} @@{order}"
    removed = len(change.removed)
    added = len(change.added)
    reworded = len(change.reworded)
    if removed + added + reworded > MOST_LINES:
        counts = f"{removed} removed, {added} added, {reworded} changed"
        yield f"# {counts}: too many to show, --json has them all"
        return
    for old_text, new_text in change.reworded:
        yield from _text_difference(old_text, new_text)
    yield from _signed("-", change.removed)
    yield from _signed("+", change.added)


def _text_difference(old_text: str, new_text: str) -> Iterator[str]:
    """Show two short texts in full; of long ones the words that differ, with some around."""
    old_shown, new_shown = _tell_apart(old_text, new_text)
    old_words = _words(old_shown)
    new_words = _words(new_shown)
    longest = max(len(old_shown), len(new_shown))
    if longest <= WIDTH or len(old_words) * len(new_words) > MOST_WORK:
        yield from _signed("-", [old_shown])
        yield from _signed("+", [new_shown])
        return
    matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
    for group in matcher.get_grouped_opcodes(WORDS_AROUND):
        _, old_start, _, new_start, _ = group[0]
        _, _, old_end, _, new_end = group[-1]
        old_excerpt = _excerpt(old_words, old_start, old_end)
        new_excerpt = _excerpt(new_words, new_start, new_end)
        yield from _signed("-", [old_excerpt])
        yield from _signed("+", [new_excerpt])


def _tell_apart(old_text: str, new_text: str) -> tuple[str, str]:
    """Make two texts visible; as Python literals where they would look the same."""
    if _appearance(old_text) == _appearance(new_text):
        return ascii(old_text), ascii(new_text)
    return make_visible(old_text), make_visible(new_text)


def _appearance(text: str) -> str:
    # NFKC makes ligatures, wide letters and no-break spaces the characters that they look like.
    normalized = unicodedata.normalize("NFKC", text)
    return " ".join(normalized.split())


def _words(text: str) -> list[str]:
    """Split a text into words, each with the blanks before it, so that joining gives it back."""
    return re.findall(r"\s*\S+|\s+$", text)


def _excerpt(words: Sequence[str], start: int, end: int) -> str:
    excerpt = "".join(words[start:end])
    text = excerpt.strip()
    if start:
        text = f"… {text}"
    if end < len(words):
        text = f"{text} …"
    return text


def _signed(sign: str, texts: Iterable[str]) -> Iterator[str]:
    """Write each text as lines of a diff, wrapped."""
    for text in texts:
        lines = _WRAPPER.wrap(make_visible(text))
        # An empty text is wrapped to no line at all.
        for line in lines or [""]:
            yield f"{sign} {line}"
