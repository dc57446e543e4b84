"""A look at every file of a codebase, for what makes questions worth asking."""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Lead
from goldwright.offline_agents.survey.file_survey import (
    FileSurvey,
    decode_survey,
    encoded_failure,
    encoded_survey,
)
from goldwright.snapshot import Snapshot
from goldwright.snapshot.indexing.file_indexing import worker_count
from goldwright.snapshot.indexing.parse_pool import ParsePool
from goldwright.snapshot.product_code import product_code_among

WORKER: Final = "goldwright.offline_agents.survey.survey_worker"


@dataclass(frozen=True)
class CodebaseSurvey:
    """What was found.

    Attributes:
        leads: All leads by the kind of inquiry, in the order of files and lines; a lead whose
            words stand in another one too is left out, for nobody could tell which was meant.
        files: How many files were looked at.
    """

    leads: Mapping[str, tuple[Lead, ...]]
    files: int


def survey_codebase(snapshot: Snapshot, *, workers: int | None = None) -> CodebaseSurvey:
    """Look at every file of the product's own code.

    Args:
        snapshot: The codebase.
        workers: How many processes may look (at least 1); as many as there are cores when there
            is none. The number changes nothing but the time.
    """
    paths = product_code_among(snapshot, snapshot.files_in("python"))
    # What the parser of the index did not survive is not tried again.
    readable = [path for path in paths if path not in snapshot.unparsed]
    leads: dict[str, list[Lead]] = {inquiry.kind: [] for inquiry in INQUIRIES}
    for path, survey in zip(readable, _surveys(snapshot, readable, workers), strict=True):
        if survey.reason:
            snapshot.set_aside(path, survey.reason)
        for lead in survey.leads:
            leads[lead.kind].append(lead)
    return CodebaseSurvey(
        {kind: _unmistakable(kind_leads) for kind, kind_leads in leads.items()}, len(paths)
    )


def _surveys(snapshot: Snapshot, paths: Sequence[str], workers: int | None) -> Iterator[FileSurvey]:
    """Yield the surveys of files, in the order of the files."""
    sizes = [snapshot.files[path].size for path in paths]
    count = worker_count(sizes, workers)
    if not count:
        for path in paths:
            yield decode_survey(encoded_survey(path, snapshot.data(path)))
        return
    requests = _Requests(snapshot, paths)
    pool = ParsePool(requests, workers=count, arguments=(), module=WORKER, failed=encoded_failure)
    for answer in pool.parse().values():
        yield decode_survey(answer)


class _Requests(Mapping[str, bytes]):
    """What workers are sent for each file, read when it is sent."""

    def __init__(self, snapshot: Snapshot, paths: Sequence[str]) -> None:
        self._snapshot = snapshot
        self._paths = paths
        # Each worker is led by a thread of its own, and a snapshot is read by one at a time.
        self._lock = threading.Lock()

    def __getitem__(self, path: str) -> bytes:
        with self._lock:
            data = self._snapshot.data(path)
            return msgspec.msgpack.encode((path, data))

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _unmistakable(leads: list[Lead]) -> tuple[Lead, ...]:
    counts = Counter(lead.words for lead in leads if lead.words)
    return tuple(lead for lead in leads if counts[lead.words] <= 1)
