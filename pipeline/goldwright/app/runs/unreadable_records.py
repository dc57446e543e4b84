"""Records about files that cannot be read: there are none.

A file may turn out to be unreadable when a record about it is finished. The record is rejected
then, whatever became of it, and its cell takes one from the reserve.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from goldwright.app.runs.run_files import OpenRun
from goldwright.records import QueryCandidate, RejectedRecord
from goldwright.snapshot.entities import split_entity_id

REASON: Final = "unreadable_file"


def reject_unreadable(run: OpenRun, created_at: str) -> None:
    """Reject every record about a file of which nothing is read, in the order of the candidates.

    Args:
        run: The run, not sealed.
        created_at: The time, as records write it.
    """
    for candidate, path in unreadable_records(run).values():
        message = f"{path}: {run.manifest.unparsed[path]}"
        record = RejectedRecord(
            query_id=candidate.query_id,
            task_type=candidate.task_type,
            difficulty=candidate.difficulty,
            stage="reading",
            reason=REASON,
            message=message,
            query_text=candidate.query_text,
            target_entity_ids=candidate.target_entity_ids,
            created_at=created_at,
        )
        run.stage_files.rejected.add(record)


def unreadable_records(run: OpenRun) -> Mapping[str, tuple[QueryCandidate, str]]:
    """Find the records that are not rejected and whose files cannot all be read, by their ids.

    Each comes with the first such file.
    """
    unreadable: dict[str, tuple[QueryCandidate, str]] = {}
    for query_id, candidate in run.stage_files.candidates.done.items():
        if query_id in run.stage_files.rejected.done:
            continue
        for path in _files_of(candidate, run):
            if path in run.manifest.unparsed:
                unreadable[query_id] = (candidate, path)
                break
    return unreadable


def _files_of(candidate: QueryCandidate, run: OpenRun) -> Iterator[str]:
    for target in candidate.target_entity_ids:
        yield split_entity_id(target)[0]
    answer = run.stage_files.answers.done.get(candidate.query_id)
    if answer is not None:
        yield from answer.expected_files
