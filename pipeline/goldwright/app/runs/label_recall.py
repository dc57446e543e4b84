"""The recall of the labels of a run, estimated from the pools of its records."""

from collections.abc import Iterable
from typing import Final, get_args

from goldwright.app.runs.run_files import OpenRun
from goldwright.golden.label_recall import LabelRecall
from goldwright.records import CompletenessReport, PoolSystem
from goldwright.stages.fates import RecordFate
from goldwright.stages.pooled_labels import INDEPENDENT, missing_labels
from goldwright.stats.label_recall import label_recall

METHOD: Final = (
    "Capture and recapture: of the relevant entities that plain lexical search (BM25, 20 results), "
    "a search for quotations and names and, where it took part, search by meaning (dense, 20 "
    "results) bring for the queries, the share that is labelled, with Wilson's interval. Relevant "
    "is what is labelled, and what the reader named here finds to belong to the answer or to "
    "answer as well: a rule for the reason of the question, or a model that has read it. It "
    "assumes that the labels are right, that the searches do not depend on them, and that they "
    "bring every relevant entity as likely as any other; what is hard to find for labels and "
    "searches alike is not counted, so the share is rather too high than too low."
)


def run_label_recall(run: OpenRun, record_fates: Iterable[RecordFate]) -> LabelRecall | None:
    """Estimate the recall of the labels of a run's selected records.

    Returns:
        None where no selected record was pooled.
    """
    reports = run.stage_files.completeness.done
    selected_ids = [
        record.query_id for record in record_fates if record.fate in {"pending", "blessed"}
    ]
    selected = [reports[query_id] for query_id in selected_ids if query_id in reports]
    if not selected:
        return None
    judged = [report for report in selected if report.is_judged]
    recaptured = sum(len(report.recaptured) for report in judged)
    overlooked = sum(_overlooked(report) for report in judged)
    estimate = label_recall(recaptured, recaptured + overlooked)
    added = sum(_count(report, "equal") for report in selected)
    unjudged = sum(_count(report, "open") for report in selected)
    sent_to_people = [report for report in reports.values() if missing_labels(report)]
    return LabelRecall(
        systems=_systems(selected),
        readers=_readers(selected),
        recaptured=estimate.recaptured,
        brought=estimate.brought,
        interval=estimate.interval,
        records=len(judged),
        not_judged=len(selected) - len(judged),
        added=added,
        sent_to_people=len(sent_to_people),
        unjudged=unjudged,
        method=METHOD,
    )


def _systems(reports: Iterable[CompletenessReport]) -> tuple[PoolSystem, ...]:
    """Name the searches that filled the pool of any record, in the order of their type."""
    systems = set[PoolSystem]()
    for report in reports:
        systems.update(report.systems)
    names: tuple[PoolSystem, ...] = get_args(PoolSystem)
    return tuple(name for name in names if name in systems)


def _readers(reports: Iterable[CompletenessReport]) -> tuple[str, ...]:
    return tuple(sorted({report.authored_by for report in reports}))


def _overlooked(report: CompletenessReport) -> int:
    """Count what belongs to the answer, is not labelled, and was brought independently of it."""
    entities = [entity for entity in report.pooled if entity.verdict in {"belongs", "equal"}]
    return sum(not INDEPENDENT.isdisjoint(entity.sources) for entity in entities)


def _count(report: CompletenessReport, verdict: str) -> int:
    return sum(entity.verdict == verdict for entity in report.pooled)
