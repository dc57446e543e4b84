"""Mining a dataset from the history of a repository."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from goldwright import __version__
from goldwright.app.environment import Environment
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.mining.mined_file import MinedFile, MiningPass, add_cases, open_mined
from goldwright.mining.miner import Mined, mine_history
from goldwright.mining.settings import MiningSettings
from goldwright.snapshot import open_snapshot
from goldwright.snapshot.git.repository import inspect_repository
from goldwright.text import counted, name_some

DEFAULT_OUT: Final = Path("mined.jsonl")


@dataclass(frozen=True, slots=True)
class MineRequest:
    """What a user asks of a mining.

    Attributes:
        repo: The repository; with a work tree, bare, or an added work tree.
        rev: The commit up to which it is mined, and to which cases are pinned; HEAD where there is
            none.
        out: The file; what it holds already stays, and only newer commits are looked at.
        settings: How cases are mined.
    """

    repo: Path
    rev: str | None = None
    out: Path = DEFAULT_OUT
    settings: MiningSettings = field(default_factory=MiningSettings)


@dataclass(frozen=True, slots=True)
class Mining:
    """The outcome of a mining.

    Attributes:
        path: The file of all cases.
        tip: The last commit that was looked at.
        added: What this pass looked at, added and filtered.
        totals: The same of all passes over the file.
        notes: What a user should know, a sentence each.
    """

    path: Path
    tip: str
    added: MiningPass
    totals: MiningPass
    notes: tuple[str, ...]


def mine_dataset(request: MineRequest, environment: Environment, progress: Progress) -> Mining:
    """Mine cases, and add those of new commits to a file.

    Raises:
        InputError: The repository, the revision or the file is not what it should be.
        BusyError: Another process added to the file meanwhile.
    """
    if inspect_repository(request.repo).kind == "directory":
        raise InputError(f"{request.repo}: has no history; mine needs a git repository")
    out = environment.root / request.out
    file = open_mined(out, request.settings, program=__version__)
    progress.phase("reading the codebase")
    rev = request.rev or "HEAD"
    snapshot = open_snapshot(
        request.repo, rev=rev, cache=environment.cache, chance=environment.chance
    )
    since = file.account.tip
    mined = mine_history(
        snapshot.mirror,
        snapshot.commit,
        request.settings,
        snapshot=snapshot,
        since=since,
        earlier=file.cases,
        report=progress.phase,
    )
    added = MiningPass(
        since=since or "",
        tip=snapshot.commit,
        looked_at=mined.looked_at,
        cases=len(mined.cases),
        filtered=dict(mined.filtered),
    )
    if mined.looked_at or since is None:
        file = add_cases(file, mined.cases, added, program=__version__)
    notes_of_mining = _notes(mined, file, request.settings)
    notes = (*snapshot.notes, *notes_of_mining)
    return Mining(out, snapshot.commit, added, file.account.totals, notes)


def _notes(mined: Mined, file: MinedFile, settings: MiningSettings) -> Iterator[str]:
    if mined.unreadable:
        unreadable_files = counted(len(mined.unreadable), "file")
        yield f"{unreadable_files} could not be read at some commit, first {mined.unreadable[0]}"
    if mined.taken_back:
        reverted_cases = counted(len(mined.taken_back), "earlier case")
        names = name_some(mined.taken_back)
        yield f"{reverted_cases}, reverted since, stay in the file: {names}"
    pinned = {case.pinned_commit for case in file.cases}
    if not settings.at_parent and len(pinned) > 1:
        yield (
            f"the cases are pinned to {len(pinned)} commits; older ones may name what is gone: "
            "score with --allow-drift, or mine into a new file"
        )
    if file.cases and not settings.at_parent:
        yield (
            "the code that answers a case is in the codebase that is searched: "
            "--at-parent searches what was there before"
        )
