"""The differences between two datasets as text for a terminal and a pull request."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from textwrap import TextWrapper
from typing import Final

from goldwright.golden.differences import (
    MOST_WORK,
    Differences,
    FieldChange,
    LoneRecord,
    RecordChange,
    told,
)
from goldwright.text import make_visible

WIDTH: Final = 110
WORDS_AROUND: Final = 4
MOST_LINES: Final = 40
_WRAPPER: Final = TextWrapper(
    WIDTH,
    subsequent_indent="  ",
    break_long_words=False,
    break_on_hyphens=False,
    replace_whitespace=False,
)


def as_lines(differences: Differences) -> Iterator[str]:
    """Write the differences as Markdown that reads well in a terminal; what a dataset says stands
    in code alone.
    """
    yield differences.summary
    metadata = [line for change in differences.metadata for line in _change_lines(change)]
    yield from _section("Beside the records", {"": metadata} if metadata else {})
    yield from _section(
        "Added", {one.label.query_id: _lone_lines(one, "+") for one in differences.added}
    )
    yield from _section(
        "Removed", {one.label.query_id: _lone_lines(one, "-") for one in differences.removed}
    )
    changed = {"Changed": differences.changed, "Re-anchored": differences.reanchored}
    for title, records in (changed | {"New in provenance alone": differences.restamped}).items():
        yield from _section(title, {one.query_id: _record_lines(one) for one in records})


def _section(title: str, blocks: Mapping[str, Iterable[str]]) -> Iterator[str]:
    count = "" if "" in blocks else f" ({len(blocks)})"
    yield from ("", f"## {title}{count}") if blocks else ()
    for query_id, lines in blocks.items():
        longest = max(map(len, re.findall("`+", query_id)), default=0)
        ticks, edge = "`" * (longest + 1), " " if longest else ""
        yield from (
            ("", f"### {ticks}{edge}{make_visible(query_id)}{edge}{ticks}") if query_id else ()
        )
        yield from ("", "```diff", *lines, "```")


def _lone_lines(one: LoneRecord, sign: str) -> Iterator[str]:
    label, why = one.label, one.why or ("the datasets do not say why",)
    yield from _signed("#", *why)
    yield from _signed(sign, f"{label.task_type}/{label.difficulty}: {label.query_text}")
    yield from _signed(sign, *map(told, label.expected_entities))
    yield from _signed(sign, *(f"must mention: {fact}" for fact in label.must_mention_facts))
    yield from _signed(
        sign, *(f"must not mention: {fact}" for fact in label.must_not_mention_facts)
    )


def _record_lines(one: RecordChange) -> Iterator[str]:
    yield from _signed("#", *(one.why or ("its provenance does not say why",)))
    for change in (*one.content, *one.provenance):
        yield from _change_lines(change)


def _change_lines(change: FieldChange) -> Iterator[str]:
    yield f"@@ {change.field} @@{' in another order' if change.reordered else ''}"
    counts = len(change.removed), len(change.added), len(change.reworded)
    if sum(counts) > MOST_LINES:
        yield "# {} removed, {} added, {} changed: too many to show, --json has them all".format(
            *counts
        )
        return
    for before, after in change.reworded:
        yield from _hunks(before, after)
    yield from _signed("-", *change.removed)
    yield from _signed("+", *change.added)


def _hunks(before: str, after: str) -> Iterator[str]:
    """Show two short texts whole; of long ones the words that differ, with some around."""
    look = [" ".join(unicodedata.normalize("NFKC", one).split()) for one in (before, after)]
    shown = [make_visible(one) if look[0] != look[1] else ascii(one) for one in (before, after)]
    first, second = (re.findall(r"\s*\S+|\s+$", one) for one in shown)
    if max(map(len, shown)) <= WIDTH or len(first) * len(second) > MOST_WORK:
        yield from (*_signed("-", shown[0]), *_signed("+", shown[1]))
        return
    for group in SequenceMatcher(None, first, second, autojunk=False).get_grouped_opcodes(
        WORDS_AROUND
    ):
        (_, i, _, j, _), (_, _, k, _, m) = group[0], group[-1]
        for sign, words, start, end in (("-", first, i, k), ("+", second, j, m)):
            dots = "… " if start else "", " …" if end < len(words) else ""
            yield from _signed(sign, dots[0] + "".join(words[start:end]).strip() + dots[1])


def _signed(sign: str, *texts: str) -> Iterator[str]:
    for text in texts:
        yield from (f"{sign} {line}" for line in _WRAPPER.wrap(make_visible(text)) or [""])
