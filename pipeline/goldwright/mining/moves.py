"""Definitions that one commit took out of one file and put into another."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from goldwright.mining.commit_changes import ChangedFile
from goldwright.mining.lineage import Event
from goldwright.snapshot.entities import entity_id
from goldwright.snapshot.git.history_walk import FileChange, PatchOfCommit, WalkedCommit


class _Arrival(NamedTuple):
    """A definition that a file got."""

    path: str
    name: str


def files_with_moves(commit: WalkedCommit, patch: PatchOfCommit) -> Sequence[FileChange]:
    """Select the files of a commit that may have given a definition to another, or got it.

    Only names in changed lines are compared, which spares reading most files.
    """
    removed: dict[str, set[int]] = defaultdict(set)
    added: dict[str, set[int]] = defaultdict(set)
    for number, change in enumerate(commit.changes):
        lines = patch.get((change.old_oid, change.new_oid))
        if lines is not None:
            for name in lines.removed_names:
                removed[name].add(number)
            for name in lines.added_names:
                added[name].add(number)
    numbers: set[int] = set()
    for name in removed.keys() & added.keys():
        if len(removed[name] | added[name]) > 1:
            numbers |= removed[name] | added[name]
    return [commit.changes[number] for number in sorted(numbers)]


def find_moves(position: int, files: Iterable[ChangedFile]) -> Iterator[Event]:
    """Yield the moves of a commit.

    A definition moved where exactly one of the same simple name and the same own code appeared in
    another file. Of several, the one of the same qualified name is meant.
    """
    removed: list[tuple[str, str, str]] = []
    added: dict[tuple[str, str], list[_Arrival]] = defaultdict(list)
    for changed in files:
        for definition in changed.code.definitions:
            simple_name = definition.name.rpartition(".")[2]
            if not definition.after:
                removed.append((changed.file.old_path, definition.name, definition.before))
            elif not definition.before:
                arrivals = added[simple_name, definition.after]
                arrivals.append(_Arrival(changed.file.new_path, definition.name))
    for path, name, digest in removed:
        simple_name = name.rpartition(".")[2]
        arrivals = [arrival for arrival in added[simple_name, digest] if arrival.path != path]
        namesakes = [arrival for arrival in arrivals if arrival.name == name]
        chosen = namesakes or arrivals
        if len(chosen) == 1:
            yield Event(position, entity_id(path, name), entity_id(*chosen[0]))
