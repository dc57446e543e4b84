"""What a change of the code does to a dataset, before it is merged; nothing is written."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.codebase import open_codebase
from goldwright.app.datasets.rebase_source import open_old_snapshot, read_rebase_source
from goldwright.app.environment import Environment
from goldwright.engine.progress import Progress
from goldwright.golden.guard_report import GuardedRecord, GuardReport
from goldwright.golden.rebase import RenamedFiles, code_changes, rebase_labels


@dataclass(frozen=True, slots=True)
class GuardRequest:
    """What a user asks of a guard.

    Attributes:
        dataset: The dataset by version or path.
        repo: The codebase.
        rev: The commit that is to be merged; HEAD where there is none.
        allow_dirty: Whether to take the files of the work tree as they are.
    """

    dataset: str
    repo: Path
    rev: str | None = None
    allow_dirty: bool = False


def guard_dataset(
    request: GuardRequest, environment: Environment, progress: Progress
) -> GuardReport:
    """Find out which records would come along with a rebase, and what changed for the others.

    Raises:
        InputError: The dataset has no metadata, or its commit is not known any more.
        QualityGateError: The dataset is not what its metadata name.
    """
    source = read_rebase_source(request.dataset, environment.workspace.golden)
    progress.phase("opening both commits")
    old = open_old_snapshot(request.repo, source, environment)
    new = open_codebase(request, environment)
    progress.phase("comparing the code of every record")
    records = rebase_labels(source.labels, old, new)
    labels = {label.query_id: label for label in source.labels}
    renamed_files = RenamedFiles(old, new)
    returned: list[GuardedRecord] = []
    for record in records:
        if record.label is None:
            label = labels[record.query_id]
            changes = tuple(code_changes(label, old, new, renamed_files))
            returned.append(GuardedRecord(record, label.query_text, changes))
    return GuardReport(
        dataset=source.file.path,
        source=source.file.description,
        status=source.metadata.dataset_status,
        old_commit=old.commit,
        new_commit=new.commit,
        counts=Counter(record.kind for record in records),
        returned=tuple(returned),
    )
