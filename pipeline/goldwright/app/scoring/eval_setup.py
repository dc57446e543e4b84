"""A dataset and the codebase it is about, opened for an evaluation and checked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup, find_judge
from goldwright.app.scoring.code_drift import CodeDrift, follow_code
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.index_per_commit import open_series
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.evaluation.gates import Gate, refuse_unknown_strata, split_profile
from goldwright.evaluation.measures import applicable_measures
from goldwright.evaluation.reply_notes import CHOSEN_BY_WORDS
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.expected_ids import (
    ExpectedIdResolver,
    UnresolvedId,
    resolve_without_codebase,
)
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange.opening import check_scorable, open_dataset
from goldwright.relevance.asked_sentences import leave_sentences_out
from goldwright.retrieval.connections.spec import (
    RetrieverSpec,
    refuse_own_index,
    searches_codebase,
)
from goldwright.snapshot import Snapshot, SnapshotSeries, open_snapshot
from goldwright.snapshot.languages.language_catalog import LANGUAGE_TITLES
from goldwright.text import name_some

# An error spells out at most this many ids, and counts the others.
_MOST_EXPLAINED = 3


@dataclass(frozen=True, slots=True)
class EvalSetup:
    """What an evaluation rests on.

    Attributes:
        dataset: The dataset.
        queries: Its queries, with their ids resolved in the codebase.
        snapshot: The codebase; None where ids are taken as they are.
        measures: The names of the measures to compute.
        gates: The gates to check.
        drifted: The cited files that are not what the dataset was made from, where that was
            allowed.
        left_out: The ids of the queries that are not asked, since the code that they cite has
            changed, where that was allowed.
        notes: What the dataset lacks, and what does not resolve in the codebase, a sentence each.
        judge: The model that judges answers; None where they are matched literally.
        series: The commits of the codebase, where each query is pinned to one of its own.
    """

    dataset: LoadedDataset
    queries: tuple[DatasetQuery, ...]
    snapshot: Snapshot | None
    measures: tuple[str, ...]
    gates: tuple[Gate, ...] = ()
    drifted: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    judge: AnswerJudgeSetup | None = None
    series: SnapshotSeries | None = None


def set_up_evaluation(
    request: EvalRequest, environment: Environment, progress: Progress
) -> EvalSetup:
    """Open a dataset and its codebase, and find the model that judges.

    Raises:
        InputError: One of them is wrong, or they do not belong together, or the retriever cannot
            be asked in this way.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
    """
    if request.blank_docstrings:
        refuse_own_index(request.retriever)
    judge = None
    # A missing key shows before the codebase is read.
    if request.judge:
        judge = find_judge(request.config, request.budget_usd, environment)
    dataset = open_dataset(request.dataset, environment.workspace.golden, request.fields)
    check_scorable(dataset)
    # A gate on a stratum that no query has would otherwise fail after the last query.
    gates, set_aside = applicable_gates(request.gates, dataset)
    refuse_unknown_strata(gates, [query.strata for query in dataset.queries])
    series = open_series(request, dataset, environment, progress)
    snapshot = None
    if series is None:
        snapshot = _open_codebase(request, environment, progress)
    notes = list(dataset.notes)
    if series is not None:
        notes.append("Each query was searched for in the tree of a commit of its own.")
    drift = CodeDrift(dataset.queries)
    if snapshot is None:
        queries = resolve_without_codebase(dataset.queries)
    else:
        drift = follow_code(dataset, snapshot, request, environment)
        notes.extend(drift.notes)
        dataset = replace(dataset, queries=drift.queries)
        queries = _resolve(dataset, snapshot, request, notes)
    if request.limit is not None and request.limit < len(queries):
        share = f"{request.limit} of {len(queries)} queries"
        notes.append(f"Only {share} were asked (--limit).")
        queries = _spread(queries, request.limit)
    measures = _choose_measures(request, gates, queries)
    notes.extend(_absences(dataset, queries, set_aside))
    notes.extend(_doubts_of_tiers(dataset))
    notes.extend(_choice_by_words(dataset))
    return EvalSetup(
        dataset=dataset,
        queries=queries,
        snapshot=snapshot,
        measures=measures,
        gates=gates,
        drifted=drift.drifted,
        left_out=drift.left_out,
        notes=tuple(notes),
        judge=judge,
        series=series,
    )


def notes_on_retriever(retriever: RetrieverSpec, setup: EvalSetup) -> Iterator[str]:
    """Say what a reader of the numbers of one retriever should know, a sentence each.

    Raises:
        InputError: It can find nothing at all, so that every measure would be an empty 0.
    """
    if setup.snapshot is not None:
        yield from _unsearchable(retriever, setup.queries, setup.snapshot)


def _spread(queries: Sequence[DatasetQuery], count: int) -> tuple[DatasetQuery, ...]:
    """Take some queries at even distances, which cover the strata that lie side by side."""
    total = len(queries)
    places = [number * total // count for number in range(count)]
    return tuple(queries[place] for place in places)


def applicable_gates(
    gates: Sequence[Gate], dataset: LoadedDataset
) -> tuple[tuple[Gate, ...], tuple[Gate, ...]]:
    """Set the gates of the profile aside that a dataset can never show."""
    queries = resolve_without_codebase(dataset.queries)
    if not dataset.is_own:
        return split_profile(gates, queries)
    if dataset.metadata is None:
        return tuple(gates), ()
    # Our own datasets are held to all that their plan asked for: what they do not show, they fail.
    planned: set[str] = set()
    for cell in dataset.metadata.cells:
        if cell.target:
            name = f"{cell.task_type}/{cell.difficulty}"
            planned.update((cell.task_type, cell.difficulty, name))
    return split_profile(gates, queries, planned)


def _open_codebase(
    request: EvalRequest, environment: Environment, progress: Progress
) -> Snapshot | None:
    if request.repo is None:
        if request.rev is not None or request.allow_dirty:
            raise InputError("--rev and --allow-dirty go with --repo")
        return None
    progress.phase("reading the codebase")
    snapshot = open_snapshot(
        request.repo, rev=request.rev, cache=environment.cache, allow_dirty=request.allow_dirty
    )
    leave_sentences_out(snapshot, request.left_out)
    return snapshot


def _resolve(
    dataset: LoadedDataset, snapshot: Snapshot, request: EvalRequest, notes: list[str]
) -> tuple[DatasetQuery, ...]:
    """Resolve what the dataset expects, so that a retriever can find it."""
    root = request.repo or Path()
    resolved = ExpectedIdResolver(snapshot, root).resolve_all(dataset.queries)
    unresolved = resolved.unresolved
    if not unresolved:
        return resolved.queries
    commit = snapshot.commit[:12]
    if dataset.is_own:
        first = unresolved[0]
        raise InputError(
            f"{dataset.path}: {first.query_id} expects {first.expected_id}, "
            f"which is no entity of {commit}; "
            "is it the codebase that the dataset was made from?"
        )
    expected = sum(len(query.expected_ids) for query in dataset.queries)
    unresolved_count = len(unresolved)
    share = f"{unresolved_count} of {expected} expected ids name nothing at {commit}"
    explained = _explain(unresolved)
    if unresolved_count >= expected:
        raise InputError(
            f"{dataset.path}: {share}: {explained}; is it another codebase, or another way of "
            "writing ids? Without --repo ids are taken as they are"
        )
    if not request.allow_drift:
        raise InputError(
            f"{dataset.path}: {share}: {explained}; correct them, "
            "or pass --allow-drift to count them as not found"
        )
    notes.append(
        f"{share} and count as not found among entities; a file of theirs that is there counts in "
        f"measures of files: {explained}."
    )
    return resolved.queries


def _unsearchable(
    retriever: RetrieverSpec, queries: Sequence[DatasetQuery], snapshot: Snapshot
) -> Iterator[str]:
    """Say how much of what is expected a built-in retriever cannot find, for it knows no such code.

    Raises:
        InputError: It can find nothing at all, so that every measure would be an empty 0.
    """
    if not searches_codebase(retriever):
        return
    paths = [path for query in queries for path in query.expected_files]
    without_entities = [path for path in paths if not snapshot.entities_in(path)]
    if not without_entities:
        return
    count, expected_count = len(without_entities), len(paths)
    share = f"{count} of {expected_count} expected files"
    names = name_some(without_entities)
    problem = f"{share} hold no entity of {LANGUAGE_TITLES} ({names})"
    if count == expected_count:
        raise InputError(
            f"{retriever}: searches entities, and {problem}; ask a retriever of your own"
        )
    yield f"{retriever} searches entities, and {problem}: it cannot find these."


def _explain(unresolved: Sequence[UnresolvedId]) -> str:
    explained_items = unresolved[:_MOST_EXPLAINED]
    parts = [f"{item.query_id}: {item.message}" for item in explained_items]
    further = len(unresolved) - len(parts)
    if further > 0:
        parts.append(f"{further} more")
    return "; ".join(parts)


def _choose_measures(
    request: EvalRequest, gates: Sequence[Gate], queries: Sequence[DatasetQuery]
) -> tuple[str, ...]:
    """Choose the measures: those that are asked for, or of the usual ones those that apply."""
    measures_of_gates = [gate.measure for gate in gates]
    required = (*request.measures, *measures_of_gates)
    applicable = applicable_measures(required, queries)
    for name in required:
        if name not in applicable:
            raise InputError(
                f"{name}: is about files, and the dataset does not say which files it expects"
            )
    usual = applicable_measures(request.usual_measures, queries)
    return tuple(dict.fromkeys((*usual, *required)))


def _absences(
    dataset: LoadedDataset, queries: Sequence[DatasetQuery], set_aside: Sequence[Gate]
) -> Iterator[str]:
    """Say what the dataset does not hold, so that nobody takes its absence for a zero."""
    if not dataset.is_own:
        absent = list(_absent_parts(queries))
        if absent:
            absent_parts = _joined(absent)
            yield f"The dataset ({dataset.format}) holds {absent_parts}."
    if set_aside:
        names = ", ".join(gate.name for gate in set_aside)
        yield f"Gates of the profile that this dataset cannot show, so not checked: {names}."


def _doubts_of_tiers(dataset: LoadedDataset) -> Iterator[str]:
    """Say where means by difficulty would be taken for more than they are."""
    card = dataset.metadata.trust_card if dataset.metadata is not None else {}
    figure = card.get("tiers_ordered")
    # Whether it misses what is wanted for certain, or only so far.
    if figure is not None and figure.value is not None and figure.value < 1:
        ordered = round(figure.value * figure.n)
        yield (
            f"Of {figure.n} task types, {ordered} have their tiers in order for a word search: "
            "elsewhere a harder tier is not always harder to find."
        )


def _choice_by_words(dataset: LoadedDataset) -> Iterator[str]:
    """Say where questions were chosen by how a search by words finds them."""
    metadata = dataset.metadata
    if metadata is None or metadata.plan == "adopt" or "author" in metadata.models:
        return
    yield (
        f"{CHOSEN_BY_WORDS} of all tiers by a word search (BM25): easy ones that "
        "it answers first, medium ones near the top, hard ones late. Means of BM25, and to a "
        "degree of whatever looks for words, by tier and over all, say how they were chosen, and "
        "so does any difference to such a search."
    )


def _absent_parts(queries: Sequence[DatasetQuery]) -> Iterator[str]:
    if not any(query.expected_line_ranges for query in queries):
        yield "no line ranges, so nothing is measured of lines"
    if not any(query.must_mention_facts for query in queries):
        yield "no facts, so no answer can be called correct"
    if not any(query.strata for query in queries):
        yield "no strata, so there are no means by stratum"
    if not any(query.is_graded for query in queries):
        yield "no grades, so all that is expected weighs alike"
    if not all(query.expected_files for query in queries):
        yield "no files, so there are no measures of files"


def _joined(parts: Sequence[str]) -> str:
    return "; ".join(parts)
