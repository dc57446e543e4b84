"""From the records of a run to the bytes of a dataset: a pure function, so the same run gives the
same file.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from goldwright.records import AnswerDraft, GoldenLabel, Provenance
from goldwright.review.record_content import RecordContent


def make_label(
    content: RecordContent,
    provenance: Provenance,
    *,
    baseline_answerable: bool,
    alternatives: Mapping[str, tuple[str, ...]],
) -> GoldenLabel:
    """Join what was settled on for one query with where it came from into the record of a dataset.
    """
    candidate, answer = content.candidate, content.answer
    return GoldenLabel(
        query_id=candidate.query_id,
        task_type=candidate.task_type,
        difficulty=candidate.difficulty,
        query_text=candidate.query_text,
        focus_area=candidate.focus_area,
        difficulty_rationale=candidate.difficulty_rationale,
        classifier_expectation=candidate.classifier_expectation,
        identifier_in_query=candidate.identifier_in_query,
        baseline_answerable=baseline_answerable,
        alternatives=dict(alternatives),
        provenance=provenance,
        **{name: getattr(answer, name) for name in AnswerDraft.model_fields},
    )


def dataset_bytes(labels: Iterable[GoldenLabel]) -> bytes:
    """Write a dataset: a JSON list in the order of query ids, readable in a pull request."""
    rows = [one.model_dump(mode="json") for one in sorted(labels, key=lambda one: one.query_id)]
    return (json.dumps(rows, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


def cited_files(labels: Sequence[GoldenLabel]) -> tuple[str, ...]:
    """Every file that a record expects, cites or was read for."""
    found: set[str] = set()
    for one in labels:
        found.update(one.expected_files)
        found.update(cited.file for cited in (*one.expected_line_ranges, *one.fact_citations, *one.source_evidence))
    return tuple(sorted(found))
