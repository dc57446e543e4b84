"""The trust cards of datasets and runs: computing them, and keeping that of a run beside it."""

from collections.abc import Iterable, Sequence

from goldwright.app.runs.dataset_records import (
    SelectedRecord,
    clones_of_expected,
    selected_records,
)
from goldwright.app.runs.run_files import OpenRun
from goldwright.app.runs.stored_trust_cards import content_digest, read_run_card
from goldwright.atomic_files import READABLE, replace_file
from goldwright.records import GoldenLabel, TrustCardRecord
from goldwright.snapshot import Snapshot
from goldwright.stages.fates import RecordFate
from goldwright.trust_card.card import TrustCard, trust_card
from goldwright.trust_card.figure_records import figure_records
from goldwright.trust_card.material import AnsweredQuery


def card_of_labels(labels: Iterable[GoldenLabel], snapshot: Snapshot) -> TrustCard:
    """Compute the trust card of a dataset."""
    queries = [
        AnsweredQuery(
            query_id=label.query_id,
            task_type=label.task_type,
            difficulty=label.difficulty,
            query=label.query_text,
            answer=label,
            alternatives=label.alternatives,
        )
        for label in labels
    ]
    return trust_card(queries, snapshot)


def renew_run_card(
    run: OpenRun, record_fates: Iterable[RecordFate], snapshot: Snapshot
) -> TrustCardRecord | None:
    """Give the trust card of the records that a run has selected, and keep it beside them.

    A card of the same records is not computed again. Without any record there is none.

    Raises:
        InputError: The disk is full, or the directory cannot be written.
    """
    records = list(selected_records(record_fates, run.review_state))
    if not records:
        return None
    content = content_digest(records)
    stored = read_run_card(run.directory)
    if stored is not None and stored.content == content:
        return stored
    card = _card_of_records(records, snapshot)
    record = TrustCardRecord(content=content, records=card.records, figures=figure_records(card))
    record = record.sealed()
    card_json = record.model_dump_json(indent=2, ensure_ascii=True)
    data = f"{card_json}\n".encode("ascii")
    replace_file(run.directory.trust_card_path, data, mode=READABLE)
    return record


def _card_of_records(records: Sequence[SelectedRecord], snapshot: Snapshot) -> TrustCard:
    clones = clones_of_expected(records, snapshot)
    queries = []
    for record in records:
        candidate = record.content.candidate
        entity_ids = record.content.answer.entity_ids
        alternatives = {name: clones[name] for name in entity_ids if name in clones}
        query = AnsweredQuery(
            query_id=record.query_id,
            task_type=candidate.task_type,
            difficulty=candidate.difficulty,
            query=candidate.query_text,
            answer=record.content.answer,
            alternatives=alternatives,
        )
        queries.append(query)
    return trust_card(queries, snapshot)
