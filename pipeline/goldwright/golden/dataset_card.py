"""The card of a dataset, for people: what it is, how it was made, what was measured, its limits.

Everything in it stands in the metadata, too; it has the sections of dataset cards.

Source: M. Mitchell et al., "Model Cards for Model Reporting", FAT* 2019; T. Gebru et al.,
"Datasheets for Datasets", CACM 64 (2021).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from goldwright.golden.batch_summaries import BatchSummary, VersionBound
from goldwright.golden.label_recall import label_recall_line
from goldwright.golden.metadata import DatasetMetadata, DatasetStatus
from goldwright.records import DIFFICULTIES
from goldwright.text import as_markdown_text, counted
from goldwright.trust_card.presentation import card_summary_lines, markdown_table


def dataset_card(metadata: DatasetMetadata) -> str:
    """Write the card of a dataset in Markdown; the same metadata give the same card."""
    sections = [_heading, _composition, _making, _people, _trust, _completeness, _limits]
    lines: list[str] = []
    for section_of in sections:
        section_lines = list(section_of(metadata))
        if section_lines:
            lines += [*section_lines, ""]
    return "\n".join(lines)


# The plan of records that came from elsewhere.
_ADOPTED: Final = "adopt"


_DRAFT: Final = "A draft: no person has confirmed it, so do not call it blessed."
_OF_STATUSES: Final[Mapping[DatasetStatus, str]] = {
    "agent_curated_pending_human_review": _DRAFT,
    "adopted_pending_human_review": _DRAFT,
    "human_blessed_below_floors": (
        "People confirmed a sample of it, before a rebase left it with fewer records than a "
        "blessing takes."
    ),
    "scripted_review": (
        "A script played the people who review it (`scripted_review`): it is for trying things "
        "out, so do not call it blessed."
    ),
}


def _heading(metadata: DatasetMetadata) -> Iterator[str]:
    is_adopted = _is_adopted(metadata)
    status = _OF_STATUSES.get(metadata.dataset_status) or _people_behind(metadata)
    questions = counted(metadata.query_count, "question")
    yield f"# Golden dataset {metadata.version}"
    yield ""
    if is_adopted:
        yield (
            f"{questions} about a codebase at commit "
            f"`{metadata.repo_commit}`, adopted from a dataset of others: with the entities, "
            f"files, lines, facts and answers that it had. {status}"
        )
        yield ""
        yield f"Dataset: `{metadata.dataset_sha256}`"
        return
    yield (
        f"{questions} about a codebase at commit `{metadata.repo_commit}`, "
        "each with the entities, files and lines that answer it, the facts that an answer has to "
        f"mention and must not, and a canonical answer. {status}"
    )
    yield ""
    yield f"Dataset: `{metadata.dataset_sha256}`"


def _is_adopted(metadata: DatasetMetadata) -> bool:
    """Whether all records came from elsewhere; what came back from a rebase was there before."""
    plans = {batch.plan for batch in metadata.batches if not batch.is_returned}
    return (plans or {metadata.plan}) == {_ADOPTED}


def _people_behind(metadata: DatasetMetadata) -> str:
    batches_with_sample = [batch for batch in metadata.batches if batch.spot_check is not None]
    batches_without_sample = [batch for batch in metadata.batches if batch.spot_check is None]
    sampled = _count(batches_with_sample)
    decided = _count(batches_without_sample)
    if not sampled and _is_adopted(metadata):
        return "One person decided each."
    if not sampled or not decided:
        return "People confirmed a sample of it."
    return (
        f"People confirmed a sample of the batches of {sampled} of them; "
        f"of the other {decided} one person decided each."
    )


def _count(batches: Iterable[BatchSummary]) -> int:
    return sum(len(batch.query_ids) for batch in batches)


def _composition(metadata: DatasetMetadata) -> Iterator[str]:
    yield "## Composition"
    yield ""
    if len(metadata.batches) > 1:
        yield "Records of all batches in each cell, of how many that their plans ask for."
    else:
        yield "Records in each cell of the plan, of how many that it asks for."
    yield ""
    difficulties = " | ".join(DIFFICULTIES)
    yield f"| task type | {difficulties} |"
    yield "|---|" + "--:|" * len(DIFFICULTIES)
    rows: dict[str, dict[str, str]] = {}
    for cell in metadata.cells:
        row = rows.setdefault(cell.task_type, {})
        target = f" of {cell.target}" if cell.target else ""
        row[cell.difficulty] = f"{cell.count}{target}"
    for task_type, row in rows.items():
        row_cells = [row.get(difficulty, "–") for difficulty in DIFFICULTIES]
        cells = " | ".join(row_cells)
        yield f"| {task_type} | {cells} |"


def _making(metadata: DatasetMetadata) -> Iterator[str]:
    yield "## How it was made"
    yield ""
    newest_note = _newest_in_brackets(metadata)
    yield (
        f"By Goldwright {metadata.pipeline_version}, plan `{metadata.plan}`, "
        f"seed {metadata.seed}, run `{metadata.run}`{newest_note}."
    )
    yield ""
    # Nobody but its authors and people had a part in an adopted dataset.
    if metadata.plan != _ADOPTED:
        yield from _players(metadata)
    base = metadata.base
    if base is not None:
        records = counted(base.query_count, "record")
        yield ""
        yield f"The batch was added to version {base.version} ({records})."
    rebase = metadata.rebased
    if rebase is not None:
        carried = rebase.unchanged + rebase.moved
        lost = len(rebase.edited) + len(rebase.gone)
        total = carried + lost
        yield ""
        yield (
            f"The records were carried over from version {rebase.version}: "
            f"{carried} of its {total}."
        )
    if len(metadata.batches) > 1:
        yield ""
        yield from _batch_table(metadata)


def _newest_in_brackets(metadata: DatasetMetadata) -> str:
    """Say of how many records only that is told which tells of the newest of several batches."""
    if len(metadata.batches) < 2:
        return ""
    count = len(metadata.batches[-1].query_ids)
    return f" (the newest batch, {count} of the {metadata.query_count} records)"


def _batch_table(metadata: DatasetMetadata) -> Iterator[str]:
    yield "| came in with | records now | plan | run | reviewed by | drawn as a sample |"
    yield "|---|--:|---|---|---|---|"
    for batch in metadata.batches:
        check = batch.spot_check
        drawn = "none"
        if check is not None:
            drawn = f"{check.sampled} of {check.population}"
        people = as_markdown_text(", ".join(batch.human_reviewers) or "nobody")
        cells = (
            batch.version,
            str(len(batch.query_ids)),
            f"`{batch.plan}`",
            f"`{batch.run}`",
            people,
            drawn,
        )
        row = " | ".join(cells)
        yield f"| {row} |"


def _players(metadata: DatasetMetadata) -> Iterator[str]:
    yield "| role | played by |"
    yield "|---|---|"
    for role, agent in metadata.roles.items():
        player = as_markdown_text(metadata.models.get(role, agent))
        yield f"| {role} | `{player}` |"


def _people(metadata: DatasetMetadata) -> Iterator[str]:
    check = metadata.spot_check
    bound = metadata.bound
    # Where all records are of one batch as it came in, its sample says the same and more.
    has_bound = bound is not None and not _is_as_it_came_in(metadata)
    if check is None and not has_bound:
        return
    yield "## What people found"
    yield ""
    if bound is not None and has_bound:
        yield _bound_sentence(bound, metadata.batches)
        yield ""
    if check is None:
        return
    yield from _when_said(metadata)
    for claim in check.claims:
        yield f"- {as_markdown_text(claim)}"


def _bound_sentence(bound: VersionBound, batches: Iterable[BatchSummary]) -> str:
    claim = (
        f"With confidence {bound.confidence:.4g}, at most {bound.upper_bound} of the "
        f"{bound.records} records of this version are major or wrong"
    )
    if all(batch.spot_check is not None for batch in batches):
        return f"{claim}."
    return f"{claim}; all of a batch without a sample are counted as such."


def _is_as_it_came_in(metadata: DatasetMetadata) -> bool:
    return metadata.base is None and metadata.rebased is None


def _when_said(metadata: DatasetMetadata) -> Iterator[str]:
    """Say which records counts of a run are about, where they are not those of the version."""
    if not metadata.batches or _is_as_it_came_in(metadata):
        return
    batch = metadata.batches[-1]
    count = len(batch.query_ids)
    yield (
        f"Said of the batch of version {batch.version} as it came in; {count} of its records are "
        f"among the {metadata.query_count} of this version."
    )
    yield ""


def _trust(metadata: DatasetMetadata) -> Iterator[str]:
    if not metadata.trust_card:
        return
    yield "## Trust card"
    yield ""
    yield (
        "What code can measure of the records without a person, by ways that share nothing with "
        "the agents that made them. `ok`: the value is good enough; `short`: its whole interval is "
        "not; `undecided`: the value is not, its interval may be; `too few`: fewer than five "
        "observations. How each figure is computed: `goldwright verify "
        "DATASET --repo CODEBASE --card --json`."
    )
    yield ""
    for line in card_summary_lines(metadata.trust_card):
        yield f"- {line}"
    yield ""
    yield from markdown_table(metadata.trust_card)


def _completeness(metadata: DatasetMetadata) -> Iterator[str]:
    recall = metadata.label_recall
    if recall is None:
        return
    yield "## Completeness of the labels"
    yield ""
    yield from _when_said(metadata)
    yield f"- {label_recall_line(recall)}"
    added_entities = counted(recall.added, "entity")
    records_for_people = counted(recall.sent_to_people, "record")
    unjudged_entities = counted(recall.unjudged, "entity")
    yield (
        f"- {added_entities} found to answer as well as an expected one, and "
        f"counted as alternatives; {records_for_people} of the run sent to "
        f"people, because something was missing; {unjudged_entities} of the pool "
        "not judged."
    )
    yield f"- {recall.method}"


def _limits(metadata: DatasetMetadata) -> Iterator[str]:
    yield "## Known limits"
    yield ""
    yield "- The source code that it cites stays under its owner's license."
    for limit in metadata.known_limits:
        yield f"- {as_markdown_text(limit)}"
