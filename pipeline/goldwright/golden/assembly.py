"""From the records of a run to the bytes of a dataset: a pure function, so the same run gives the same file."""

import json
from collections.abc import Iterable, Mapping, Sequence

from goldwright.records import AnswerDraft, GoldenLabel, NarrativeVerdict, OracleAnswer, Provenance, QueryCandidate
from goldwright.records.review import AdversaryReport


def label(
    candidate: QueryCandidate,
    answer: OracleAnswer,
    report: AdversaryReport,
    verdict: NarrativeVerdict,
    *,
    baseline_answerable: bool,
    prompt_digests: Mapping[str, str],
) -> GoldenLabel:
    """Join the records about one query into the record of a dataset."""
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
        provenance=Provenance(
            query_author=candidate.authored_by,
            oracle=answer.authored_by,
            adversary=report.authored_by,
            judge=verdict.authored_by,
            prompt_digests=dict(prompt_digests),
        ),
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
