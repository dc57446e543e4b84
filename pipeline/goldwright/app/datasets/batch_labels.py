"""The selected records of a run, as a dataset holds them."""

from collections.abc import Iterator
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.runs.dataset_records import clones_of_expected, selected_records
from goldwright.app.runs.run_files import OpenRun
from goldwright.app.runs.run_report import RunReport, report_on
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.engine.progress import Progress
from goldwright.golden.human_provenance import people_behind
from goldwright.golden.labels import make_label
from goldwright.manifest import RunManifest
from goldwright.records import GoldenLabel, Provenance, TaskType
from goldwright.retrieval.retrievers.bm25 import NAME as BASELINE_NAME
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.review.record_content import RecordContent
from goldwright.snapshot import Snapshot
from goldwright.stages.gate.cited_text import cited_digests, every_range
from goldwright.stages.pooled_labels import equal_entities
from goldwright.task_types import definition_of

BASELINE_DEPTH: Final = 10
"""How far up plain search has to find the target of a query that it can answer."""


def batch_labels(
    run: OpenRun, environment: Environment, progress: Progress
) -> tuple[GoldenLabel, ...]:
    """Give the records that a run has selected, as an export would write them."""
    snapshot = reopen_snapshot(run.manifest, environment, progress)
    progress.phase("measuring the lexical baseline")
    return tuple(make_labels(run, report_on(run), snapshot))


def make_labels(run: OpenRun, report: RunReport, snapshot: Snapshot) -> Iterator[GoldenLabel]:
    """Make the labels of all selected records, in the order of their ids."""
    # Taken once: the property makes another view of the events each time.
    review_state = run.review_state
    baseline = BM25Retriever.over(snapshot)
    records = list(selected_records(report.record_fates, review_state))
    clones = clones_of_expected(records, snapshot)
    for record in records:
        content = record.content
        alternatives = {}
        for entity_id in content.answer.entity_ids:
            if entity_id in clones:
                alternatives[entity_id] = clones[entity_id]
        _add_equals(alternatives, record.query_id, content, run)
        people = people_behind(record.query_id, content, record.settlement, review_state)
        # Agents are known from the files of the run, people from the log of reviews.
        agents = _provenance_of_agents(record.query_id, run)
        # Of the lines as people or agents read them last, in the codebase of the run.
        cited_text = cited_digests(every_range(content.answer), snapshot)
        yield make_label(
            content,
            agents.model_copy(update=people),
            baseline_answerable=_finds_target(baseline, content),
            baseline_retriever=BASELINE_NAME,
            alternatives=alternatives,
            cited_text=cited_text,
        )


def _add_equals(
    alternatives: dict[str, tuple[str, ...]], query_id: str, content: RecordContent, run: OpenRun
) -> None:
    """Let what answers as well count for the entity that the question turns on."""
    equals = equal_entities(run.stage_files.completeness.done.get(query_id))
    expected = content.answer.entity_ids
    intent = content.candidate.intent
    if not equals or intent is None or intent.subject not in expected:
        return
    other_kinds = alternatives.get(intent.subject, ())
    distinct_alternatives = dict.fromkeys((*other_kinds, *equals))
    alternatives[intent.subject] = tuple(distinct_alternatives)


def _finds_target(retriever: BM25Retriever, content: RecordContent) -> bool:
    """Return whether plain search puts a primary entity among its first results."""
    hits = retriever.search(content.candidate.query_text, limit=BASELINE_DEPTH)
    found_ids = {hit.entity_id for hit in hits}
    for entity in content.answer.expected_entities:
        if entity.role == "primary" and entity.entity_id in found_ids:
            return True
    return False


def _provenance_of_agents(query_id: str, run: OpenRun) -> Provenance:
    stage_files = run.stage_files
    candidate = stage_files.candidates.done[query_id]
    answer = stage_files.answers.done[query_id]
    # A person may keep a record that the gate stopped, so nobody attacked or judged it.
    report = stage_files.reports.done.get(query_id)
    adversary = report.authored_by if report else None
    verdict = stage_files.verdicts.done.get(query_id)
    judge = verdict.authored_by if verdict else None
    prompt_digests = _prompt_digests(candidate.task_type, run.manifest)
    return Provenance(
        query_author=candidate.authored_by,
        oracle=answer.authored_by,
        adversary=adversary,
        judge=judge,
        prompt_digests=prompt_digests,
    )


def _prompt_digests(task_type: TaskType, manifest: RunManifest) -> dict[str, str]:
    """Give the digests of the prompts that models played by; offline roles have none."""
    names: list[str] = []
    for role in manifest.models:
        # The Author alone has two prompts: what holds for all tasks, and the task type's own.
        if role == "author":
            names.extend(["author_preamble", definition_of(task_type).prompt])
        else:
            names.append(role)
    return {name: manifest.prompt_digests[name] for name in sorted(names)}
