"""From the records of a run to the bytes of a dataset.

Every function here is pure, so the same run gives the same file, byte for byte.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from goldwright.records import AnswerDraft, FileRange, GoldenLabel, Provenance
from goldwright.review.record_content import RecordContent


def make_label(
    content: RecordContent,
    provenance: Provenance,
    *,
    baseline_answerable: bool,
    baseline_retriever: str,
    alternatives: Mapping[str, tuple[str, ...]],
    cited_text: Mapping[str, str],
) -> GoldenLabel:
    """Make the dataset record of one query.

    Args:
        content: The query and its answer as agents and people left them.
        provenance: Who wrote, answered and reviewed the record.
        baseline_answerable: Whether plain lexical search finds a primary entity.
        baseline_retriever: The name and version of that search.
        alternatives: Entities that are the same code as an expected one, by the id of that one.
        cited_text: The digest of the text of each cited range.
    """
    candidate = content.candidate
    answer = content.answer
    answer_fields = {name: getattr(answer, name) for name in AnswerDraft.model_fields}
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
        baseline_retriever=baseline_retriever,
        alternatives=dict(alternatives),
        provenance=provenance,
        strata=candidate.strata,
        cited_text=dict(cited_text),
        **answer_fields,
    )


def dataset_bytes(labels: Iterable[GoldenLabel]) -> bytes:
    """Write a dataset: a JSON list in the order of query ids, readable in a pull request."""
    # In ASCII, so that it is the same text in whatever encoding a reader assumes.
    in_order = sorted(labels, key=attrgetter("query_id"))
    rows = [label.model_dump(mode="json") for label in in_order]
    text = json.dumps(rows, indent=2, ensure_ascii=True, allow_nan=False)
    return f"{text}\n".encode("ascii")


def cited_ranges(label: GoldenLabel) -> tuple[FileRange, ...]:
    """Every range of lines in a record: expected ranges, citations of facts, then evidence."""
    return (*label.expected_line_ranges, *label.fact_citations, *label.source_evidence)


def cited_files(labels: Sequence[GoldenLabel]) -> tuple[str, ...]:
    """Every file that a record expects, cites or was read for, in alphabetical order."""
    paths: set[str] = set()
    for label in labels:
        paths.update(label.expected_files)
        for cited in cited_ranges(label):
            paths.add(cited.file)
    return tuple(sorted(paths))
