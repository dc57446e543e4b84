"""What a change of the code does to a dataset, before it is merged; nothing is written."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.codebase import open_codebase
from goldwright.app.datasets.rebase_source import open_old_snapshot, read_rebase_source
from goldwright.app.environment import Environment
from goldwright.engine.progress import Progress
from goldwright.golden.guard_decisions import DIRECTORY_NAME, valid_decisions
from goldwright.golden.guard_report import GuardReport
from goldwright.golden.guarded_records import guarded_records
from goldwright.golden.rebase import rebase_labels


@dataclass(frozen=True, slots=True)
class GuardRequest:
    """What a user asks of a guard.

    Attributes:
        dataset: The dataset by version or path.
        repo: The codebase.
        rev: The commit that is to be merged; HEAD where there is none.
        allow_dirty: Whether to take the files of the work tree as they are.
        decisions: The directory of what was decided; ``guard`` in ``golden/`` where there is none.
    """

    dataset: str
    repo: Path
    rev: str | None = None
    allow_dirty: bool = False
    decisions: Path | None = None


def guard_dataset(
    request: GuardRequest, environment: Environment, progress: Progress
) -> GuardReport:
    """Find out which records would come along with a rebase, and what changed for the others.

    Raises:
        InputError: The dataset has no metadata, its commit is not known any more, or a file is no
            decision.
        QualityGateError: The dataset is not what its metadata name.
    """
    source = read_rebase_source(request.dataset, environment.workspace.golden)
    progress.phase("opening both commits")
    old = open_old_snapshot(request.repo, source, environment)
    new = open_codebase(request, environment)
    progress.phase("comparing the code of every record")
    records = rebase_labels(source.labels, old, new)
    returned = tuple(guarded_records(source.labels, records, old, new))
    file, metadata = source.file, source.metadata
    sha256 = metadata.dataset_sha256
    counts = Counter(record.kind for record in records)
    directory = request.decisions or environment.workspace.golden / DIRECTORY_NAME
    decisions = valid_decisions(directory, sha256, returned)
    return GuardReport(
        dataset=file.path,
        source=file.description,
        dataset_sha256=sha256,
        status=metadata.dataset_status,
        old_commit=old.commit,
        new_commit=new.commit,
        counts=counts,
        returned=returned,
        decisions=decisions,
    )
