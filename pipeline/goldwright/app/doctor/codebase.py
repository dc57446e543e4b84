"""Everything that a run would find out about a codebase, before there is a run."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from goldwright.app.doctor.findings import HealthFinding, attention, fine, problem, problem_of
from goldwright.app.environment import Environment
from goldwright.errors import GoldwrightError
from goldwright.snapshot import Snapshot, UncommittedWorkError, open_snapshot
from goldwright.snapshot.entities import FileKind
from goldwright.snapshot.git.repository import inspect_repository
from goldwright.snapshot.languages.language_catalog import LANGUAGES
from goldwright.text import counted, name_all

# A user who has to mend more of them will find the others in the same way.
_MOST_SHOWN: Final = 10
_LONGEST_POINTER: Final = 1024
_POINTER_START: Final = b"version https://git-lfs.github.com/spec/"
_KIND_TEXTS: Final[Mapping[FileKind, str]] = {
    "binary": "binary by name",
    "large": "over 2 MiB",
    "symlink": "symbolic links",
    "unsafe_name": "with names that are not safe to open",
}


def examine_codebase(
    repo: Path, rev: str | None, environment: Environment
) -> Iterator[HealthFinding]:
    """Open a codebase as a run would, and tell what it is made of."""
    try:
        yield _kind(repo)
        snapshot = open_snapshot(repo, rev=rev, cache=environment.cache, chance=environment.chance)
    except UncommittedWorkError as error:
        # Worth knowing, and in the way of a run that is not told what to take.
        yield problem_of("work tree", error)
        yield from examine_codebase(repo, "HEAD", environment)
        return
    except GoldwrightError as error:
        yield problem_of("codebase", error)
        return
    try:
        yield from _contents(snapshot)
    except GoldwrightError as error:
        yield problem_of("codebase", error)
    finally:
        snapshot.close()


def _kind(repo: Path) -> HealthFinding:
    source = inspect_repository(repo)
    if source.kind == "directory":
        return fine("codebase", f"{source.root}: a plain directory, pinned by its content")
    kind = "a git repository"
    if source.kind == "bare":
        kind = "a bare git repository"
    elif source.is_added_work_tree:
        kind = "a work tree that was added to a git repository"
    text = f"{source.root}: {kind} ({source.object_format})"
    if source.is_sparse:
        return attention("codebase", f"{text}, checked out in part; the whole commit is read")
    return fine("codebase", text)


def _contents(snapshot: Snapshot) -> Iterator[HealthFinding]:
    short_commit = snapshot.commit[:12]
    short_tree = snapshot.tree[:12]
    yield fine("commit", f"{short_commit}, tree {short_tree}")
    for note in snapshot.notes:
        yield attention("history", note)
    yield _source_files(snapshot)
    yield from _unparsed(snapshot.unparsed)
    yield from _not_read(snapshot)
    yield from _pointers(snapshot)


def _source_files(snapshot: Snapshot) -> HealthFinding:
    counts = []
    for language in LANGUAGES:
        count = len(snapshot.files_in(language.name))
        counts.append(f"{count:,} {language.title}")
    by_language = ", ".join(counts)
    entities = sum(1 for _ in snapshot.entities())
    counted_files = counted(len(snapshot.files), "file")
    counted_entities = counted(entities, "entity")
    text = f"{counted_files}: {by_language}; {counted_entities}"
    if not snapshot.source_files:
        titles = name_all([language.title for language in LANGUAGES], joint="or")
        return problem("files", text, f"give a codebase with {titles} files")
    return fine("files", text)


def _unparsed(unparsed: Mapping[str, str]) -> Iterator[HealthFinding]:
    if not unparsed:
        yield fine("unparsed", "none")
        return
    counted_files = counted(len(unparsed), "file")
    yield attention("unparsed", f"{counted_files} left aside; no question is about code there")
    for path in sorted(unparsed)[:_MOST_SHOWN]:
        fault = unparsed[path]
        yield attention("unparsed", f"{path}: {fault}")


def _not_read(snapshot: Snapshot) -> Iterator[HealthFinding]:
    counts = Counter(entry.kind for entry in snapshot.files.values())
    texts = []
    for kind, text in _KIND_TEXTS.items():
        count = counts[kind]
        if count:
            texts.append(f"{count:,} {text}")
    if texts:
        yield fine("not read", ", ".join(texts))
    submodule_count = counts["submodule"]
    if submodule_count:
        yield attention(
            "submodules",
            f"{submodule_count:,}, which are no part of this codebase",
            "give a submodule's own directory to have it read",
        )


def _pointers(snapshot: Snapshot) -> Iterator[HealthFinding]:
    pointers = [path for path in snapshot.source_files if _is_pointer(snapshot, path)]
    if pointers:
        counted_pointers = counted(len(pointers), "pointer")
        text = f"{counted_pointers} in place of source files, first {pointers[0]}"
        remedy = "commit code itself; only the pointers are in the repository"
        yield attention("Git LFS", text, remedy)


def _is_pointer(snapshot: Snapshot, path: str) -> bool:
    if snapshot.files[path].size > _LONGEST_POINTER or not snapshot.has_text(path):
        return False
    return snapshot.data(path).startswith(_POINTER_START)
