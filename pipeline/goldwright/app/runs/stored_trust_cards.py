"""Trust cards that lie beside runs, read without what computes them."""

from collections.abc import Iterable

from pydantic import ValidationError

from goldwright.app.runs.dataset_records import SelectedRecord, selected_records
from goldwright.app.runs.run_files import OpenRun
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
    """Read the trust card beside a run, whatever became of its records since.

    Returns:
        None where there is none, or it is not what was written: it can be computed again.
    """
    card = _parse_card(directory)
    return card if card is not None and card.is_as_written else None


def has_forged_card(directory: RunDirectory) -> bool:
    """Whether a trust card lies beside a run that is not what was written.

    One without a digest is of an older goldwright, and computed again where it is wanted.
    """
    if not directory.trust_card_path.exists():
        return False
    card = _parse_card(directory)
    if card is None:
        return True
    return card.digest != "" and not card.is_as_written


def _parse_card(directory: RunDirectory) -> TrustCardRecord | None:
    try:
        data = read_regular(directory.trust_card_path)
        return TrustCardRecord.model_validate_json(data)
    except (OSError, ValidationError):
        return None


def content_digest(records: Iterable[SelectedRecord]) -> str:
    """Name the content of records and the way in which they are measured."""
    contents = {record.query_id: record.content.digest for record in records}
    return digest({"card_version": CARD_VERSION, "records": contents})
