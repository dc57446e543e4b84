"""Trust cards that lie beside runs, read without what computes them."""

from collections.abc import Iterable

from pydantic import ValidationError

from goldwright.app.runs.run_files import OpenRun
from goldwright.app.runs.selected_records import SelectedRecord, selected_records
from goldwright.canonical import digest
from goldwright.records import TrustCardRecord
from goldwright.regular_files import read_regular
from goldwright.stages.fates import RecordFate
from goldwright.trust_card.version import CARD_VERSION
from goldwright.workspace import RunDirectory


def stored_run_card(run: OpenRun, record_fates: Iterable[RecordFate]) -> TrustCardRecord | None:
    """Read the trust card beside a run; None where there is none, or one of other records."""
    stored = read_run_card(run.directory)
    if stored is None:
        return None
    records = list(selected_records(record_fates, run.review_state))
    return stored if stored.content == content_digest(records) else None


def read_run_card(directory: RunDirectory) -> TrustCardRecord | None:
    """Read the trust card beside a run, whatever became of its records since."""
    try:
        data = read_regular(directory.trust_card_path)
        return TrustCardRecord.model_validate_json(data)
    except (OSError, ValidationError):
        # It can be computed again at any time, so a missing or damaged one is no fault.
        return None


def content_digest(records: Iterable[SelectedRecord]) -> str:
    """Name the content of records and the way in which they are measured."""
    contents = {record.query_id: record.content.digest for record in records}
    return digest({"card_version": CARD_VERSION, "records": contents})
