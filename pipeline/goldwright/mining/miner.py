"""Mining a history: each commit becomes a case, or counts for the filter that took it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from goldwright.golden.foreign.near_duplicates import nearly_repeated
from goldwright.mining.commit_changes import ChangedFile, ChangeReader
from goldwright.mining.commit_filters import change_kind, message_filter
from goldwright.mining.filters import FILTERS, Filter
from goldwright.mining.generic_words import is_vague
from goldwright.mining.history import History, read_history
from goldwright.mining.lineage import Event, Lineage
from goldwright.mining.message_leaks import leak_filter
from goldwright.mining.message_query import (
    clean_subject,
    content_words,
    first_paragraph,
    query_of,
    subject_of,
)
from goldwright.mining.moves import files_with_moves, find_moves
from goldwright.mining.path_filters import path_filter, possible_targets
from goldwright.mining.settings import MiningSettings
from goldwright.mining.targets import (
    PinnedTargets,
    Targets,
    changed_names,
    files_at_parent,
    symbols_at_parent,
)
from goldwright.records import Difficulty, MinedCase, MinedStrata
from goldwright.snapshot import Snapshot
from goldwright.snapshot.git.history_walk import FileChange, PatchOfCommit, WalkedCommit


@dataclass(frozen=True, slots=True)
class Mined:
    """What came of a history.

    Attributes:
        cases: The cases, in the order of the history, parents before children.
        looked_at: How many commits were looked at: as many as there are cases and filtered ones.
        filtered: How many commits each filter took.
        unreadable: Files that could not be read, each once, with a commit and the reason.
        taken_back: Earlier cases whose commit was reverted since.
    """

    cases: tuple[MinedCase, ...]
    looked_at: int
    filtered: Mapping[Filter, int]
    unreadable: tuple[str, ...] = ()
    taken_back: tuple[str, ...] = ()


@dataclass(slots=True)
class _CaseDraft:
    """A commit that may become a case.

    Attributes:
        position: Its position in the history.
        query: The query.
        changed: The changed files that may be targets.
    """

    position: int
    query: str
    changed: Sequence[ChangedFile] = ()


@dataclass(slots=True)
class _Tally:
    """What is counted on the way."""

    filtered: Counter[Filter] = field(default_factory=Counter)
    unreadable: dict[str, str] = field(default_factory=dict)


def mine_history(
    mirror: Path,
    tip: str,
    settings: MiningSettings,
    *,
    snapshot: Snapshot | None,
    since: str | None = None,
    earlier: Sequence[MinedCase] = (),
    workers: int | None = None,
    report: Callable[[str], None],
) -> Mined:
    """Mine the commits that led to one.

    Args:
        mirror: The mirror that holds them.
        tip: The last commit.
        settings: How cases are mined.
        snapshot: The codebase at the last commit; not looked at where cases are pinned to parents.
        since: Where an earlier mining ended; only what came after it is looked at.
        earlier: The cases that it found.
        workers: How many processes may parse; the number changes nothing but the time.
        report: Receives what is being done.

    Raises:
        InputError: ``since`` did not lead to the last commit.
        DamagedStateError: The mirror does not hold the history.
    """
    report("reading the history")
    history = read_history(mirror, tip, since=since)
    tally = _Tally()
    drafts = _drafts(history, settings, tally)
    report(f"reading the changes of {len(drafts)} of {len(history.commits)} commits")
    reader = ChangeReader(mirror, tip, workers=workers)
    lineage = _read_changes(history, drafts, settings, reader)
    finder = None
    if snapshot is not None and not settings.at_parent:
        finder = PinnedTargets(lineage, snapshot)
    cases: list[MinedCase] = []
    for draft in drafts.values():
        outcome = _finish(draft, history, settings, finder, tip, tally)
        if isinstance(outcome, MinedCase):
            cases.append(outcome)
        else:
            tally.filtered[outcome] += 1
    distinct = _without_repeats(cases, [case.query for case in earlier])
    tally.filtered["duplicate"] = len(cases) - len(distinct)
    looked_at = sum(1 for _ in history.positions())
    taken_back = [case.id for case in earlier if case.commit in history.reverted]
    filtered = {name: tally.filtered[name] for name in FILTERS}
    return Mined(
        cases=tuple(distinct),
        looked_at=looked_at,
        filtered=filtered,
        unreadable=tuple(tally.unreadable.values()),
        taken_back=tuple(taken_back),
    )


def _drafts(history: History, settings: MiningSettings, tally: _Tally) -> dict[str, _CaseDraft]:
    """Select the commits that no message and no path rules out."""
    drafts: dict[str, _CaseDraft] = {}
    for position in history.positions():
        commit = history.commits[position]
        query = clean_subject(subject_of(commit.message))
        reason = message_filter(commit)
        # In the order of the filters, each commit counts for one.
        if reason is None and commit.commit in history.reverted:
            reason = "reverted"
        if reason is None and len(content_words(query)) < settings.min_words:
            reason = "few_words"
        if settings.with_body:
            query = query_of(query, first_paragraph(commit.message))
        if reason is None and is_vague(query):
            reason = "vague"
        if reason is None:
            reason = path_filter(commit.changes, settings)
        if reason is None:
            drafts[commit.commit] = _CaseDraft(position, query)
        else:
            tally.filtered[reason] += 1
    return drafts


def _read_changes(
    history: History,
    drafts: Mapping[str, _CaseDraft],
    settings: MiningSettings,
    reader: ChangeReader,
) -> Lineage:
    """Read what the drafts changed, and all renames and moves."""
    # Files alone move by renames, which the list of commits tells; at a parent nothing has moved.
    follows_moves = settings.level == "symbol" and not settings.at_parent
    lineage = _lineage_of_files(history)
    positions: dict[str, int] = {}
    for position, commit in enumerate(history.commits):
        may_move = follows_moves and len(commit.changes) > 1 and position not in history.skipped
        if commit.commit in drafts or may_move:
            positions[commit.commit] = position

    def choose(commit: WalkedCommit, patch: PatchOfCommit) -> Sequence[FileChange]:
        files = [*files_with_moves(commit, patch)] if follows_moves else []
        if commit.commit in drafts:
            files += possible_targets(commit.changes, settings)
        return tuple(dict.fromkeys(files))

    commits = {identifier: history.commits[position] for identifier, position in positions.items()}
    for identifier, changed in reader.read(commits, choose):
        for event in find_moves(positions[identifier], changed):
            lineage.add(event)
        if identifier in drafts:
            targets = frozenset(possible_targets(commits[identifier].changes, settings))
            drafts[identifier].changed = [item for item in changed if item.file in targets]
    return lineage


def _lineage_of_files(history: History) -> Lineage:
    lineage = Lineage(history.parents)
    for position, commit in enumerate(history.commits):
        for change in commit.changes:
            if change.status == "R":
                lineage.add(Event(position, change.old_path, change.new_path))
    return lineage


def _finish(
    draft: _CaseDraft,
    history: History,
    settings: MiningSettings,
    finder: PinnedTargets | None,
    tip: str,
    tally: _Tally,
) -> MinedCase | Filter:
    """Make a draft a case, or give the filter that takes it."""
    commit = history.commits[draft.position]
    _note_unreadable(draft, commit, tally)
    changed = [item for item in draft.changed if item.code.changes_code]
    names = changed_names(changed)
    reason = _code_filter(draft, changed, names, settings)
    if reason is not None:
        return reason
    by_symbol = settings.level == "symbol"
    targets = _targets(changed, draft.position, by_symbol=by_symbol, finder=finder)
    if targets.are_gone(settings.level, at_parent=finder is None):
        return "gone"
    files = sorted({*targets.files, *(item.file.new_path for item in changed)})
    leak = leak_filter(draft.query, files, (*names, *targets.symbols), settings.leaks)
    if leak is not None:
        return leak
    return _case(draft, commit, targets, settings, tip)


def _note_unreadable(draft: _CaseDraft, commit: WalkedCommit, tally: _Tally) -> None:
    for item in draft.changed:
        if item.code.reason:
            path = item.file.new_path
            place = f"{path} at {commit.commit[:12]}"
            tally.unreadable.setdefault(path, f"{place}: {item.code.reason}")


def _code_filter(
    draft: _CaseDraft,
    changed: Sequence[ChangedFile],
    names: Sequence[str],
    settings: MiningSettings,
) -> Filter | None:
    """Give the filter that takes a commit by what it changed in the code."""
    by_symbol = settings.level == "symbol"
    if by_symbol and any(item.code.reason for item in draft.changed):
        return "unreadable"
    if not changed:
        is_prose = any(item.code.changes_prose for item in draft.changed)
        return "prose" if is_prose else "formatting"
    if by_symbol and not names:
        return "no_symbol"
    if by_symbol and len(names) > settings.max_symbols:
        return "sweeping"
    return None


def _targets(
    changed: Sequence[ChangedFile], position: int, *, by_symbol: bool, finder: PinnedTargets | None
) -> Targets:
    if finder is None:
        return symbols_at_parent(changed) if by_symbol else files_at_parent(changed)
    if by_symbol:
        return finder.symbols(changed, position)
    return finder.files(changed, position)


def _case(
    draft: _CaseDraft, commit: WalkedCommit, targets: Targets, settings: MiningSettings, tip: str
) -> MinedCase:
    (parent,) = commit.parents
    subject = subject_of(commit.message)
    extent: Literal["one file", "several files"] = "several files"
    if len(targets.files) == 1:
        extent = "one file"
    strata = MinedStrata(change=change_kind(subject), extent=extent)
    target_count = len(targets.symbols or targets.files)
    return MinedCase(
        id=commit.commit[:12],
        query=draft.query,
        relevant_files=targets.files,
        relevant_symbols=targets.symbols,
        difficulty=_difficulty(target_count),
        strata=strata,
        level=settings.level,
        commit=commit.commit,
        parent=parent,
        date=commit.date,
        pinned_commit=parent if settings.at_parent else tip,
        at_parent=settings.at_parent,
        lost_targets=targets.lost,
        subject=subject,
    )


def _difficulty(count: int) -> Difficulty:
    """Give the difficulty by the number of targets, as the tiers of general questions do."""
    if count == 1:
        return "easy"
    return "medium" if count <= 3 else "hard"


def _without_repeats(cases: Sequence[MinedCase], earlier: Sequence[str]) -> list[MinedCase]:
    """Leave cases out whose query nearly repeats that of an earlier case."""
    repeats = nearly_repeated([*earlier, *(case.query for case in cases)])
    return [case for number, case in enumerate(cases, len(earlier)) if number not in repeats]
