"""Reading codebases and datasets, and checking one against the other."""

from collections.abc import Mapping
from pathlib import Path

from goldwright.api.arguments import (
    StrPath,
    at_least_one,
    check_choice,
    dataset_selector,
    environment_in,
    field_mapping,
    optional_path,
)
from goldwright.app.datasets.adopt import Adoption, AdoptRequest, adopt_dataset
from goldwright.app.datasets.mining import DEFAULT_OUT, MineRequest, Mining, mine_dataset
from goldwright.app.datasets.verify import Verification, VerifyRequest, verify_dataset
from goldwright.engine.progress import Progress, SilentProgress
from goldwright.golden.datasets import LoadedDataset
from goldwright.interchange import opening as dataset_opening
from goldwright.mining import MiningSettings
from goldwright.mining.settings import LEAK_RULES, LEVELS, LeakRule
from goldwright.records import MiningLevel, TaskType
from goldwright.snapshot import Snapshot, opening


def open_snapshot(
    repo: StrPath, *, rev: str | None = None, allow_dirty: bool = False, workspace: StrPath = "."
) -> Snapshot:
    """Pin a codebase to one state and index its entities.

    Nothing of the codebase is run. The index is cached, so a second call is fast.

    Args:
        repo: A git repository, pinned to a commit, or a plain directory, pinned by its content.
        rev: The commit of a git repository: a hash, a branch or a tag; HEAD by default.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory that you work in; nothing is looked up there.

    Returns:
        The files, entities and call graph of the codebase at that commit.

    Raises:
        InputError: The codebase cannot be read, has no such revision, or has uncommitted changes.

    Examples:
        >>> goldwright.open_snapshot("shop").entity("shop/orders.py::place_order").kind
        'function'
    """
    cache = environment_in(workspace).cache
    return opening.open_snapshot(Path(repo), rev=rev, cache=cache, allow_dirty=allow_dirty)


def open_dataset(
    dataset: StrPath | None = None,
    *,
    fields: Mapping[str, str] | None = None,
    workspace: StrPath = ".",
) -> LoadedDataset:
    """Read a dataset in any format, and check one of Goldwright against its metadata.

    Args:
        dataset: The path of a file or folder in any format that the page on datasets lists, or a
            version such as ``1.0``; the newest blessed version by default.
        fields: Which field of a list or table holds what, as in ``{"query": "question", "expected":
            "gold"}``; known spellings by default.
        workspace: The directory that holds ``golden/``.

    Returns:
        The queries with what each expects: ``len(dataset)``, a loop, ``dataset["q1"]`` by id,
        ``dataset.strata`` and ``dataset.to_frame()``; of a dataset of Goldwright the records as
        ``labels``, and the metadata, where there are any.

    Raises:
        InputError: There is no such file or version, it is of no known format, a record is wrong,
            or there is none; the text names the place.
        QualityGateError: The file is not the one that its metadata describe.

    Examples:
        >>> dataset = goldwright.open_dataset("queries.csv")
        >>> len(dataset), dataset["q1"].expected_ids
        (3, ('shop/orders.py::place_order',))
    """
    name = None
    if dataset is not None:
        name = str(dataset)
    environment = environment_in(workspace)
    mapping = field_mapping(fields, None)
    return dataset_opening.open_dataset(name, environment.workspace.golden, mapping)


def load_dataset(dataset: StrPath | None = None, *, workspace: StrPath = ".") -> LoadedDataset:
    """Read a dataset: the earlier name of ``open_dataset``, which is kept.

    Args:
        dataset: A path in any format, or a version; the newest blessed version by default.
        workspace: The directory that holds ``golden/``.

    Raises:
        InputError: There is no such file or version, or it cannot be read.
        QualityGateError: The file is not the one that its metadata describe.

    Examples:
        >>> len(goldwright.load_dataset("queries.csv"))
        3
    """
    return open_dataset(dataset, workspace=workspace)


def mine(
    repo: StrPath,
    *,
    rev: str | None = None,
    out: StrPath = DEFAULT_OUT,
    level: MiningLevel = "file",
    at_parent: bool = False,
    with_body: bool = False,
    with_tests: bool = False,
    leaks: LeakRule = "rule",
    max_files: int = 5,
    max_symbols: int = 10,
    min_words: int = 3,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> Mining:
    """Mine queries, and what they are to find, from the history of a repository.

    Each commit becomes a case, or counts for the filter that took it. What changed is not all that
    is relevant: such cases are drafts.

    Args:
        repo: A git repository.
        rev: The commit up to which it is mined, and to which cases are pinned; HEAD by default.
        out: The file of the cases, in the workspace; newer commits are added to what it holds.
        level: Whether the targets are files, or functions, methods and classes (``symbol``).
        at_parent: Pin each case to the parent of its commit, where the answer is not there yet.
        with_body: Add the first paragraph of the message to the query.
        with_tests: Take tests for targets, too.
        leaks: Which subjects are left out because they name their target: by identifiers and files
            (``rule``), by its words, too (``strict``), or none (``keep``).
        max_files: Leave commits out that change more files; at least 1.
        max_symbols: Leave commits out that change more functions, methods and classes; at least 1.
        min_words: Leave subjects out with fewer words of their own; at least 1.
        workspace: The directory that holds the file.
        progress: Is called as the mining goes on.

    Returns:
        The file as ``path``, what this call ``added`` and the ``totals`` of the file (``cases``,
        ``looked_at``, and ``filtered`` by filter), and ``notes``.

    Raises:
        InputError: The repository has no history or no such revision, an argument is out of range,
            or the file is not of mining, was changed, or was mined with other settings.
        BusyError: Another process added to the file meanwhile.
    """
    check_choice(level, LEVELS, "level")
    check_choice(leaks, LEAK_RULES, "leaks")
    settings = MiningSettings(
        level=level,
        max_files=at_least_one(max_files, "max_files"),
        max_symbols=at_least_one(max_symbols, "max_symbols"),
        min_words=at_least_one(min_words, "min_words"),
        leaks=leaks,
        with_body=with_body,
        with_tests=with_tests,
        at_parent=at_parent,
    )
    request = MineRequest(Path(repo), rev, Path(out), settings)
    return mine_dataset(request, environment_in(workspace), progress or SilentProgress())


def verify(
    dataset: StrPath | LoadedDataset,
    repo: StrPath,
    *,
    rev: str | None = None,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    card: bool = False,
    workspace: StrPath = ".",
) -> Verification:
    """Check a dataset, of Goldwright or of others, or the records of a run, against a codebase.

    Args:
        dataset: A path, a version such as ``1.0``, ``latest``, the name or path of a run, or an
            opened dataset.
        repo: The codebase.
        rev: Its commit; HEAD by default.
        allow_drift: Leave files that changed since out of the findings.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        card: Compute the trust card: figures about the records that need no person.
        workspace: The directory that holds ``golden/`` and ``runs/``.

    Returns:
        The records that fail the gate, the files that changed, the defects of an audit, and the
        trust card as ``card``, if it is asked for; ``is_sound`` says whether nothing is wrong.

    Raises:
        InputError: The dataset, its metadata, the run or the codebase cannot be read, or a trust
            card is asked for of a dataset in another format.
        QualityGateError: The file is not the one that its metadata describe.

    Examples:
        >>> goldwright.verify("queries.csv", "shop").records
        3
    """
    request = VerifyRequest(
        dataset=dataset_selector(dataset),
        repo=Path(repo),
        rev=rev,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
        card=card,
    )
    return verify_dataset(request, environment_in(workspace))


def adopt(
    dataset: StrPath | LoadedDataset,
    repo: StrPath,
    *,
    rev: str | None = None,
    version: str | None = None,
    out: StrPath | None = None,
    replace: bool = False,
    task_type: TaskType = "general",
    fields: Mapping[str, str] | None = None,
    allow_dirty: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> Adoption:
    """Make a dataset of any other format one of ours, for people to confirm.

    Ids are resolved, files, lines and hashes filled in, and every check is made that can be. What
    passes is written as a draft; all records wait in a run of their own for people.

    Args:
        dataset: The path of a file or folder, or an opened dataset, whose file is read again.
        repo: The codebase that it is about.
        rev: Its commit; HEAD by default.
        version: The version to write; the first one that is free by default.
        out: The directory to write to; ``golden/`` of the workspace by default.
        replace: Let the draft replace one of this version that was adopted earlier.
        task_type: The task type of queries that state none that Goldwright knows.
        fields: Which field of a list or table holds what, as in ``{"query": "question", "expected":
            "gold"}``; known spellings by default.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory in which ``golden/`` and ``runs/`` are made.
        progress: Is called as the adoption goes on.

    Returns:
        The records that pass (``adopted``) and the others with their problems (``stopped``); the
        file of the draft is ``dataset``, or None where no record passes. ``run`` names the run that
        people review.

    Raises:
        InputError: The dataset or the codebase cannot be read, the dataset is ours already or not
            about this codebase, or the version is taken.

    Examples:
        >>> adoption = goldwright.adopt("queries.csv", "shop")
        >>> len(adoption.adopted), adoption.dataset.name
        (3, 'golden_v1.0.draft.json')
    """
    request = AdoptRequest(
        dataset=dataset_selector(dataset),
        repo=Path(repo),
        rev=rev,
        version=version,
        out=optional_path(out),
        task_type=task_type,
        allow_dirty=allow_dirty,
        fields=field_mapping(fields, dataset),
        replace=replace,
    )
    return adopt_dataset(request, environment_in(workspace), progress or SilentProgress())
