"""Model and chunking for one source: rank, pool, judge, decide, freeze."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Final

from goldwright.app.cells.cells_judging import JudgingCost, PairJudging, estimate
from goldwright.app.cells.cells_ranking import rank_cells
from goldwright.app.cells.cells_request import CellsRequest, CellsSetup, set_up_cells
from goldwright.app.cells.cells_results import decide
from goldwright.app.environment import Environment
from goldwright.atomic_files import READABLE, locked_directory, replace_file
from goldwright.cells import eval_set
from goldwright.cells.cell_names import RetrievalCell
from goldwright.cells.decision import CellDecision
from goldwright.cells.excerpts import DocumentReader, query_terms
from goldwright.cells.labels import PairGrades
from goldwright.cells.pooling import (
    HIDDEN_PER_HUNDRED,
    MOST_PER_QUERY,
    SECOND_SHARE,
    choose_second,
    make_pairs,
)
from goldwright.cells.predictions import predict_by_rule, read_predictions
from goldwright.cells.records import (
    CellRanking,
    CellSettings,
    PairJudgement,
    PersonGrade,
    PooledPair,
    Prediction,
)
from goldwright.engine.progress import Progress
from goldwright.engine.shards import Shard
from goldwright.errors import InputError, QualityGateError
from goldwright.journal import StageFile, read_jsonl
from goldwright.retrieval.source_tokens import count_tokens
from goldwright.text import counted

# Documents of which a dry run reads a passage: enough for a mean.
_READ_FOR_ESTIMATE: Final = 200
_NAME_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")


@dataclass(frozen=True, slots=True)
class CellsPlan:
    """What a comparison would do, before anything is asked or written.

    Attributes:
        cells: The names of the cells, the baseline first.
        documents: How many documents the sample holds.
        queries: How many queries there are.
        pairs: The most pairs that are judged, what is hidden among them included.
        first: What the first judge comes to at most.
        second: What the second one comes to at most.
        notes: What a user should know.
    """

    cells: tuple[str, ...]
    documents: int
    queries: int
    pairs: int
    first: JudgingCost
    second: JudgingCost
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellsOutcome:
    """A frozen version, and what it says.

    Attributes:
        directory: Where it is.
        digest: The digest of its manifest, which names it.
        decision: What is to be deployed, and why.
        notes: What a user should know.
        is_new: Whether it was frozen just now; else nothing was written.
    """

    directory: Path
    digest: str
    decision: CellDecision
    notes: tuple[str, ...]
    is_new: bool


@dataclass(frozen=True, slots=True)
class RankedShare:
    """A draft in which a share of the cells is ranked.

    Attributes:
        directory: The evaluation set that it belongs to.
        ranked: How many cells have a ranking there.
        cells: How many there are in all.
    """

    directory: Path
    ranked: int
    cells: int

    def as_json(self) -> dict[str, object]:
        """Give it for programs."""
        return {"directory": str(self.directory), "ranked": self.ranked, "cells": self.cells}


def plan_cells_run(
    request: CellsRequest, environment: Environment, progress: Progress
) -> CellsPlan:
    """Say what a comparison would do and cost; nothing is written, and no model is loaded.

    Raises:
        InputError: Something of the request is not as it should be.
    """
    setup = set_up_cells(request, environment, progress)
    ranked_per_query = request.depth * len(setup.cells)
    per_query = min(ranked_per_query, MOST_PER_QUERY, len(setup.documents))
    pooled = per_query * len(setup.queries)
    pairs = pooled + 2 * (pooled * HIDDEN_PER_HUNDRED // 100)
    mean_tokens = _mean_tokens(setup)
    judged_twice = ceil(pooled / SECOND_SHARE)
    cell_names = tuple(cell.name for cell in setup.cells)
    first_cost = estimate(setup.judge, pairs, mean_tokens)
    second_cost = estimate(setup.second_judge, judged_twice, mean_tokens)
    return CellsPlan(
        cells=cell_names,
        documents=len(setup.documents),
        queries=len(setup.queries),
        pairs=pairs,
        first=first_cost,
        second=second_cost,
        notes=setup.notes,
    )


def compare_source_cells(
    request: CellsRequest, environment: Environment, progress: Progress
) -> CellsOutcome:
    """Compare the cells of one source, and freeze what came of it.

    What is frozen already is checked and reported, and nothing is written. A draft that was
    interrupted goes on where it was.

    Raises:
        InputError: Something of the request is not as it should be, or is not what the set rests
            on.
        QualityGateError: People have to decide what two judges dispute.
        DamagedStateError: A frozen file was changed.
        BudgetError: The next call could pass the ceiling.
        ProviderError: A judge is out of reach.
        RetrieverError: A model is out of reach.
    """
    _check_name(request.name)
    directory = environment.root / request.out / request.name
    with locked_directory(directory):
        latest = eval_set.latest_version(directory)
        if latest:
            version = eval_set.version_directory(directory, latest)
            if not request.new_version:
                return _report_frozen(request, environment, progress, version)
            # Not verified: the next version is the way out for one that was changed.
            request = _with_earlier_cells(request, version)
        setup = set_up_cells(request, environment, progress)
        draft_directory = eval_set.draft_directory(directory, latest + 1)
        draft = _EvalSetDraft(setup, draft_directory)
        decision = draft.complete(environment, progress)
        version = eval_set.version_directory(directory, latest + 1)
        digest = eval_set.freeze(draft.path, version)
    return CellsOutcome(version, digest, decision, setup.notes, is_new=True)


def rank_share(
    request: CellsRequest, environment: Environment, progress: Progress, shard: Shard
) -> RankedShare:
    """Rank by a share of the cells, and leave pools and judgements to the whole.

    Raises:
        InputError: Something of the request is not as it should be; or the set is frozen already.
        RetrieverError: A model is out of reach.
    """
    _check_name(request.name)
    directory = environment.root / request.out / request.name
    with locked_directory(directory):
        latest = eval_set.latest_version(directory)
        if latest and not request.new_version:
            raise InputError(f"{directory}: is frozen already; --new-version begins the next one")
        if latest:
            version = eval_set.version_directory(directory, latest)
            request = _with_earlier_cells(request, version)
        setup = set_up_cells(request, environment, progress)
        draft_directory = eval_set.draft_directory(directory, latest + 1)
        draft = _EvalSetDraft(setup, draft_directory)
        cells_of_shard = shard.share_of(setup.cells)
        ranked = draft.rank(cells_of_shard, environment, progress)
    return RankedShare(directory, ranked, len(setup.cells))


def _report_frozen(
    request: CellsRequest,
    environment: Environment,
    progress: Progress,
    version: Path,
) -> CellsOutcome:
    digest = eval_set.verify(version)
    setup = set_up_cells(request, environment, progress)
    stated = eval_set.read_document(version / eval_set.SETTINGS, CellSettings)
    eval_set.check_settings(stated, setup.settings, version)
    decision = eval_set.read_document(version / eval_set.DECISION, CellDecision)
    return CellsOutcome(version, digest, decision, setup.notes, is_new=False)


def _with_earlier_cells(request: CellsRequest, version: Path) -> CellsRequest:
    """Add the cells of the version before: all of them are measured again on the new labels."""
    stated = eval_set.read_document(version / eval_set.SETTINGS, CellSettings)
    models = dict.fromkeys((*request.models, *stated.models))
    chunkers = dict.fromkeys((*request.chunkers, *stated.chunkers))
    is_hybrid = request.hybrid or stated.hybrid
    baseline = request.baseline or stated.baseline
    return replace(
        request,
        models=tuple(models),
        chunkers=tuple(chunkers),
        hybrid=is_hybrid,
        baseline=baseline,
    )


class _EvalSetDraft:
    """A version that grows: each step is written before the next, and is not done twice."""

    def __init__(self, setup: CellsSetup, path: Path) -> None:
        self._setup = setup
        self.path = path

    def complete(self, environment: Environment, progress: Progress) -> CellDecision:
        """Do what is left to be done."""
        setup = self._setup
        self._begin()
        by_cell = self._rank(setup.cells, environment, progress)
        rankings = [by_cell[cell.name] for cell in setup.cells]
        # In the order of the cells, whichever shard ranked first: the same set has the same bytes.
        if list(by_cell.values()) != rankings:
            ranking_lines = eval_set.as_lines(rankings)
            replace_file(self.path / eval_set.RANKINGS, ranking_lines, mode=READABLE)
        pairs = make_pairs(
            setup.queries,
            rankings,
            setup.documents,
            depth=setup.request.depth,
            seed=setup.request.seed,
        )
        pair_lines = eval_set.as_lines(pairs)
        eval_set.write_once(self.path / eval_set.PAIRS, pair_lines)
        reader = DocumentReader(setup.documents)
        text_of = {query.query_id: query.text for query in setup.queries}
        judging = PairJudging(self.path, reader, text_of.__getitem__, environment, progress)
        judgements = self._judge(judging, pairs)
        people = self._ask_people(judging, pairs, judgements)
        predictions_file = self.path / eval_set.PREDICTIONS
        predictions = list(read_jsonl(predictions_file, Prediction))
        files, decision = decide(setup, rankings, pairs, judgements, people, predictions)
        for name, data in files.items():
            replace_file(self.path / name, data, mode=READABLE)
        return decision

    def rank(
        self, cells: Sequence[RetrievalCell], environment: Environment, progress: Progress
    ) -> int:
        """Rank by some cells; returns how many have a ranking then."""
        self._begin()
        return len(self._rank(cells, environment, progress))

    def _begin(self) -> None:
        """Write down what the set rests on, and what is predicted of it, before any result."""
        setup = self._setup
        self.path.mkdir(parents=True, exist_ok=True)
        settings = self.path / eval_set.SETTINGS
        if settings.exists():
            stated = eval_set.read_document(settings, CellSettings)
            eval_set.check_settings(stated, setup.settings, self.path)
        entries = [document.entry for document in setup.documents]
        prompt = setup.judge.prompt
        if setup.second_judge.prompt != prompt:
            prompt += "\n\n" + setup.second_judge.prompt
        files = {
            eval_set.QUERIES: eval_set.as_lines(setup.queries),
            eval_set.CORPUS: eval_set.as_lines(entries),
            eval_set.JUDGE: prompt.encode("utf-8"),
            eval_set.PREDICTIONS: eval_set.as_lines(self._predictions()),
            eval_set.SETTINGS: eval_set.as_document(setup.settings),
        }
        for name, data in files.items():
            eval_set.write_once(self.path / name, data)

    def _predictions(self) -> Sequence[Prediction]:
        setup = self._setup
        if setup.request.predictions is not None:
            return read_predictions(setup.request.predictions, setup.cells)
        return predict_by_rule(setup.cells, setup.documents)

    def _rank(
        self, cells: Sequence[RetrievalCell], environment: Environment, progress: Progress
    ) -> Mapping[str, CellRanking]:
        """Rank by every cell that has no ranking yet; one model and one index at a time.

        Returns:
            All rankings of the draft by the names of their cells.
        """
        path = self.path / eval_set.RANKINGS
        with closing(StageFile.open(path, CellRanking, writable=True)) as file:
            ranked = {record.cell for record in file.records}
            missing = [cell for cell in cells if cell.name not in ranked]
            for record in rank_cells(missing, self._setup, environment, progress):
                file.append(record)
            return {record.cell: record for record in file.records}

    def _judge(self, judging: PairJudging, pairs: Sequence[PooledPair]) -> PairGrades:
        setup = self._setup
        calls = self.path / eval_set.CALLS
        path = self.path / eval_set.JUDGEMENTS
        second_pairs = choose_second(pairs, seed=setup.request.seed)
        with closing(StageFile.open(path, PairJudgement, writable=True)) as file:
            judging.judge(setup.judge, pairs, file, calls)
            judging.judge(setup.second_judge, second_pairs, file, calls)
            return PairGrades.of(file.records)

    def _ask_people(
        self, judging: PairJudging, pairs: Sequence[PooledPair], judgements: PairGrades
    ) -> Sequence[PersonGrade]:
        """Give what people decided of what is disputed.

        Raises:
            QualityGateError: They have not decided all of it, and are not to be left out.
        """
        path = self.path / eval_set.PEOPLE
        disputed = [pairs[number] for number in judgements.disputed]
        if not path.exists():
            records = [_question(judging, pair) for pair in disputed]
            eval_set.write_once(path, eval_set.as_lines(records))
        people = list(read_jsonl(path, PersonGrade))
        if {person.number for person in people} != set(judgements.disputed):
            raise InputError(
                f"{path}: a line was added or removed; only grade and by are filled in"
            )
        undecided = sum(person.grade is None for person in people)
        if undecided and not self._setup.request.without_people:
            undecided_pairs = counted(undecided, "pair")
            raise QualityGateError(
                f"{path}: two judges disagree on {undecided_pairs}: "
                "fill in grade (0 to 3) and by, "
                "and give the same command again; or leave them without a label: --without-people"
            )
        return people


def _question(judging: PairJudging, pair: PooledPair) -> PersonGrade:
    shown_pair = judging.shown(pair)
    return PersonGrade(
        number=pair.number, query=shown_pair.query, path=pair.path, text=shown_pair.document
    )


def _mean_tokens(setup: CellsSetup) -> float:
    """Average the words and marks of a query with a passage, over some documents."""
    queries = setup.queries
    documents = setup.documents[:_READ_FOR_ESTIMATE]
    reader = DocumentReader(documents)
    total = 0
    for place, document in enumerate(documents):
        query = queries[place % len(queries)].text
        total += count_tokens(query)
        passage = reader.passage(query_terms(query), document.path)
        total += count_tokens(passage.text)
    return total / len(documents)


def _check_name(name: str) -> None:
    """Refuse a name that is no plain directory name.

    Raises:
        InputError: It is none.
    """
    if not name or name.startswith(".") or not _NAME_CHARACTERS.issuperset(name):
        raise InputError(f"{name!r}: wanted a name of small letters, digits, dots and dashes")
