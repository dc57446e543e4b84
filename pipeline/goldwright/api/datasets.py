"""Reading codebases and datasets, and checking one against the other."""

from collections.abc import Mapping
from pathlib import Path

from goldwright import interchange
from goldwright.api.arguments import (
    StrPath,
    dataset_selector,
    environment_in,
    field_mapping,
    optional_path,
)
from goldwright.app.adopt import Adoption, AdoptRequest, adopt_dataset
from goldwright.app.verify import Verification, VerifyRequest, verify_dataset
from goldwright.engine.progress import Progress, SilentProgress
from goldwright.golden.datasets import LoadedDataset
from goldwright.records import TaskType
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

    Example:
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

    Example:
        >>> dataset = goldwright.open_dataset("queries.csv")
        >>> len(dataset), dataset["q1"].expected_ids
        (3, ('shop/orders.py::place_order',))
    """
    name = None
    if dataset is not None:
        name = str(dataset)
    environment = environment_in(workspace)
    mapping = field_mapping(fields, None)
    return interchange.open_dataset(name, environment.workspace.golden, mapping)


def load_dataset(dataset: StrPath | None = None, *, workspace: StrPath = ".") -> LoadedDataset:
    """Read a dataset: the earlier name of ``open_dataset``, which is kept.

    Args:
        dataset: A path in any format, or a version; the newest blessed version by default.
        workspace: The directory that holds ``golden/``.

    Raises:
        InputError: There is no such file or version, or it cannot be read.
        QualityGateError: The file is not the one that its metadata describe.

    Example:
        >>> len(goldwright.load_dataset("queries.csv"))
        3
    """
    return open_dataset(dataset, workspace=workspace)


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
        trust card as ``card``, if it is asked for; ``is_sound`` tells whether anything is wrong.

    Raises:
        InputError: The dataset, its metadata, the run or the codebase cannot be read, or a trust
            card is asked for of a dataset in another format.
        QualityGateError: The file is not the one that its metadata describe.

    Example:
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
    version: str = "1.0",
    out: StrPath | None = None,
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
        version: The version to write.
        out: The directory to write to; ``golden/`` of the workspace by default.
        task_type: The task type of queries that state none of ours.
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

    Example:
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
    )
    return adopt_dataset(request, environment_in(workspace), progress or SilentProgress())
