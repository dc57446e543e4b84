"""The recall of the labels of a run, estimated from the pools of its records."""

from collections.abc import Iterable
from typing import Final

from goldwright.app.run_files import OpenRun
from goldwright.golden.metadata import LabelRecall
from goldwright.records import CompletenessReport
from goldwright.stages.completeness import missing_labels
from goldwright.stages.fates import RecordFate
from goldwright.stages.label_pool import INDEPENDENT
from goldwright.stats.label_recall import label_recall

METHOD: Final = (
    "Capture and recapture: of the relevant entities that plain lexical search (BM25, 20 results) "
    "and a search for quotations and names bring for the queries, the share that is labelled, with "
    "Wilson's interval. Relevant is what is labelled, and what a rule for the reason of the "
    "question finds to belong to the answer or to answer as well. It assumes that the labels are "
    "right, that the searches do not depend on them, and that they bring every relevant entity "
    "as likely as any other; what is hard to find for labels and searches alike is not counted, so "
    "the share is rather too high than too low."
)


def run_label_recall(run: OpenRun, record_fates: Iterable[RecordFate]) -> LabelRecall | None:
    """Estimate the recall of the labels of a run's selected records.

    Returns:
        None where no selected record was pooled.
    """
    reports = run.stage_files.completeness.done
    selected = [
        reports[record.query_id]
        for record in record_fates
        if record.fate in {"pending", "blessed"} and record.query_id in reports
    ]
    if not selected:
        return None
    judged = [report for report in selected if report.has_rule]
    recaptured = sum(len(report.recaptured) for report in judged)
    overlooked = sum(_overlooked(report) for report in judged)
    estimate = label_recall(recaptured, recaptured + overlooked)
    return LabelRecall(
        recaptured=estimate.recaptured,
        brought=estimate.brought,
        interval=estimate.interval,
        records=len(judged),
        without_rule=len(selected) - len(judged),
        added=sum(_count(report, "equal") for report in selected),
        sent_to_people=sum(bool(missing_labels(report)) for report in reports.values()),
        unjudged=sum(_count(report, "open") for report in selected),
        method=METHOD,
    )


def _overlooked(report: CompletenessReport) -> int:
    """Count what belongs to the answer, is not labelled, and was brought independently of it."""
    entities = [entity for entity in report.pooled if entity.verdict in {"belongs", "equal"}]
    return sum(not INDEPENDENT.isdisjoint(entity.sources) for entity in entities)


def _count(report: CompletenessReport, verdict: str) -> int:
    return sum(entity.verdict == verdict for entity in report.pooled)
