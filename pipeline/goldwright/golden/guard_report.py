"""What a change of the code does to a dataset, as text for a terminal and a pull request."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from goldwright.golden.guard_decisions import VERDICTS, GuardDecision, decision_link
from goldwright.golden.guarded_records import GuardedRecord
from goldwright.golden.markdown_code import code_span, diff_block
from goldwright.golden.metadata import VERSION_STATUSES, DatasetStatus
from goldwright.golden.rebase import CodeChange, RebasedKind
from goldwright.text import counted, make_visible

# GitHub takes 65,536 characters for a comment; what is left is for the lines around the records.
MOST_CHARACTERS: Final = 60_000
# More of one passage is no help in a comment; the code itself is a link away.
MOST_LINES: Final = 60


@dataclass(frozen=True, slots=True)
class GuardReport:
    """What a change of the code does to a dataset.

    Attributes:
        dataset: The file of the dataset.
        source: Which dataset it is, and why this one was taken.
        dataset_sha256: The digest of its file.
        status: Whether people have blessed it.
        old_commit: The commit at which it stands.
        new_commit: The commit that it was held against.
        counts: How many of its records are of each kind.
        returned: The records that people have to decide on.
        decisions: What was decided on the pull request, by record.
    """

    dataset: Path
    source: str
    dataset_sha256: str
    status: DatasetStatus
    old_commit: str
    new_commit: str
    counts: Counter[RebasedKind]
    returned: tuple[GuardedRecord, ...]
    decisions: Mapping[str, GuardDecision] = field(default_factory=dict)

    @property
    def undecided(self) -> int:
        """How many records need people still."""
        return len(self.returned) - len(self.decisions)

    @property
    def needs_people(self) -> bool:
        """Whether there is anything to decide."""
        return self.undecided > 0

    @property
    def summary(self) -> str:
        """One sentence: how many records come along, and how many need people."""
        count = self.counts.total()
        counted_records = counted(count, "record")
        records = f"{counted_records} of {self.dataset.name}"
        commit = self.new_commit[:12]
        if not self.returned:
            hold = f"{records} holds"
            if count != 1:
                hold = f"all {records} hold"
            return f"{hold} at {commit}"
        if not self.needs_people:
            decided_count = len(self.returned)
            return f"{decided_count} of {records} are decided on at {commit}"
        verb = "needs" if self.undecided == 1 else "need"
        return f"{self.undecided} of {records} {verb} people at {commit}"


def guard_lines(report: GuardReport) -> Iterator[str]:
    """Write a report for a terminal."""
    yield f"from {report.source}"
    counts = [f"{count} {kind}" for kind, count in sorted(report.counts.items())]
    old_commit = report.old_commit[:12]
    new_commit = report.new_commit[:12]
    shown_counts = ", ".join(counts)
    yield f"{old_commit} to {new_commit}: {shown_counts}"
    for guarded in report.returned:
        record = guarded.record
        yield ""
        yield make_visible(f"{record.query_id} {record.kind}: {guarded.query_text}")
        decision = report.decisions.get(record.query_id)
        decided = () if decision is None else (decision.sentence,)
        for sentence in (*decided, *record.reasons, *record.hints):
            yield make_visible(f"  {sentence}")
        for change in guarded.changes:
            yield f"  {_place(change)}"
            shown_lines = map(make_visible, _shortened(change))
            # An empty line of code is an empty line.
            yield from (f"    {line}".rstrip() for line in shown_lines)
    if report.returned:
        yield ""
    yield report.summary


def guard_markdown(report: GuardReport, links: str | None = None, decide: str | None = None) -> str:
    """Write a report as a comment for a pull request.

    What code and dataset say appears as code alone, so that nothing in it acts on the page.

    Args:
        report: The report.
        links: How the addresses of files at the newer commit begin; None for no links.
        decide: Where new files are made on the branch, for links that decide; None for none.
    """
    # The name of a file may hold anything, too.
    name = code_span(report.dataset.name)
    summary = report.summary.replace(report.dataset.name, name)
    lines = [f"### {summary}", ""]
    unchanged = report.counts["unchanged"]
    moved = report.counts["moved"]
    carried = unchanged + moved
    come = "comes along by itself" if carried == 1 else "come along by themselves"
    lines.append(f"{carried} {come}: {unchanged} unchanged, {moved} moved.")
    length = sum(map(len, lines))
    unshown: list[str] = []
    for guarded in report.returned:
        decision = _decision(guarded, report, decide)
        block = "\n".join(_record_block(guarded, links, decision))
        if length + len(block) > MOST_CHARACTERS:
            unshown.append(guarded.record.query_id)
            continue
        length += len(block)
        lines.append(block)
    if unshown:
        unshown_ids = ", ".join(map(code_span, unshown))
        lines += ["", f"Not shown for their length: {unshown_ids}."]
    if report.returned:
        lines += ["", *_what_to_do(report, decides=decide is not None)]
    return "\n".join(lines) + "\n"


def _decision(guarded: GuardedRecord, report: GuardReport, address: str | None) -> str:
    """Write what was decided, or a link for each decision: to a file that is filled in."""
    decision = report.decisions.get(guarded.record.query_id)
    if decision is not None:
        return code_span(decision.sentence)
    if address is None:
        return ""
    links = []
    for verdict in VERDICTS:
        decision = GuardDecision(
            query_id=guarded.record.query_id,
            decision=verdict,
            dataset=report.dataset_sha256,
            change=guarded.digest,
        )
        link = decision_link(address, report.dataset.parent.name, decision)
        title = verdict.capitalize()
        links.append(f"[{title}]({link})")
    return " · ".join(links)


def _record_block(guarded: GuardedRecord, links: str | None, decision: str) -> Iterator[str]:
    record = guarded.record
    yield ""
    # In a summary Markdown is no longer read, so the question stands below it.
    plain_id = _plain(record.query_id)
    yield f"<details><summary>{record.kind}: {plain_id}</summary>"
    yield ""
    yield f"**{code_span(guarded.query_text)}**"
    yield ""
    for sentence in (*record.reasons, *record.hints):
        yield f"- {code_span(sentence)}"
    for change in guarded.changes:
        yield ""
        yield _linked(change, links)
        if change.diff:
            yield from diff_block(map(make_visible, _shortened(change)))
    if decision:
        yield ""
        yield decision
    yield ""
    yield "</details>"


def _what_to_do(report: GuardReport, *, decides: bool) -> Iterator[str]:
    argument = report.dataset.name
    if report.dataset.parent.name == "golden":
        argument = f"golden/{argument}"
    # A draft has no blessing to keep.
    blessing = " with their blessing" if report.status in VERSION_STATUSES else ""
    dropped = " leaves out what is dropped here," if decides or report.decisions else ""
    command = code_span(f"goldwright rebase {argument} --repo .")
    yield (
        f"After the merge {command} carries the others "
        f"over{blessing},{dropped} and opens a review of the rest, where each "
        "is kept, fixed or dropped beside its old and its new code."
    )


def _plain(text: str) -> str:
    visible = make_visible(text)
    return visible.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _place(change: CodeChange) -> str:
    if change.new_path is None or change.new_lines is None:
        return make_visible(f"{change.path} is gone")
    first, last = change.new_lines
    name = change.new_path
    if name != change.path:
        name = f"{change.path}, now {name}"
    return make_visible(f"{name}:{first}-{last}")


def _linked(change: CodeChange, links: str | None) -> str:
    place = code_span(_place(change))
    if links is None or change.new_path is None or change.new_lines is None:
        return place
    first, last = change.new_lines
    # A path is written as in an address: with its blanks and brackets in per cent.
    uri = PurePosixPath("/", change.new_path).as_uri()
    address = uri.removeprefix("file:///")
    return f"[{place}]({links}{address}#L{first}-L{last})"


def _shortened(change: CodeChange) -> Iterator[str]:
    yield from change.diff[:MOST_LINES]
    more = len(change.diff) - MOST_LINES
    if more > 0:
        yield f" … {counted(more, 'more line')}"
