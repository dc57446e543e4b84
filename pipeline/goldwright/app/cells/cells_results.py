"""From judgements to the files of a version: labels, measures, decision, page."""

from collections import Counter
from collections.abc import Mapping, Sequence

from goldwright.app.cells.cells_request import CellsSetup
from goldwright.cells import eval_set
from goldwright.cells.decision import (
    LARGEST_LOSS,
    SMALLEST_GAIN,
    CellDecision,
    CellResult,
    choose,
    compare_cells,
    explain,
    queries_needed,
)
from goldwright.cells.labels import JudgeQuality, PairGrades, make_labels, measure_judge
from goldwright.cells.measures import grades_by_query, measure_cells, scorable_queries
from goldwright.cells.predictions import observe
from goldwright.cells.records import CellRanking, PersonGrade, PooledPair, Prediction
from goldwright.cells.weaknesses import weaknesses
from goldwright.errors import InputError
from goldwright.pages.cells_page import cells_page


def decide(
    setup: CellsSetup,
    rankings: Sequence[CellRanking],
    pairs: Sequence[PooledPair],
    judgements: PairGrades,
    people: Sequence[PersonGrade],
    predictions: Sequence[Prediction],
) -> tuple[Mapping[str, bytes], CellDecision]:
    """Make the files that follow from the judgements, and the decision.

    Raises:
        InputError: No document is relevant to any query.
    """
    labels = make_labels(setup.queries, pairs, judgements, people)
    grades = grades_by_query(labels)
    query_ids = scorable_queries(setup.queries, grades)
    if not query_ids:
        raise InputError("no document is relevant to any query, by any judge")
    request = setup.request
    measured = measure_cells(
        rankings, query_ids, grades, depth=request.depth, expected=setup.expected
    )
    seed = request.seed
    origin_of = {query.query_id: query.origin for query in setup.queries}
    results = compare_cells(measured, origin_of, seed=seed)
    names = (setup.judge.name, setup.second_judge.name)
    quality = measure_judge(names, pairs, judgements, people, seed=seed)
    decision = _decision(setup, results, quality, query_ids)
    observed = observe(predictions, results)
    page = cells_page(request.name, setup.settings, decision, observed)
    files = {
        eval_set.LABELS: eval_set.as_lines(labels),
        eval_set.OBSERVED: eval_set.as_lines(observed),
        eval_set.WEAKNESSES: _weaknesses_text(decision),
        eval_set.DECISION: eval_set.as_document(decision),
        eval_set.PAGE: page,
    }
    return files, decision


def _decision(
    setup: CellsSetup,
    results: Sequence[CellResult],
    quality: JudgeQuality,
    query_ids: Sequence[str],
) -> CellDecision:
    chosen = choose(results)
    cell = next(cell for cell in setup.cells if cell.name == chosen.cell)
    count = len(query_ids)
    needed = queries_needed(results, count)
    measured = frozenset(query_ids)
    measured_queries = [query for query in setup.queries if query.query_id in measured]
    by_origin = Counter(query.origin for query in measured_queries)
    origins = sorted(by_origin)
    is_replaced = chosen.cell != setup.baseline
    has_enough_queries = needed is not None and needed <= count
    excluded = [query.query_id for query in setup.queries if query.query_id not in measured]
    return CellDecision(
        deployed=chosen.cell,
        model=cell.model,
        chunker=cell.chunker,
        baseline=setup.baseline,
        is_replaced=is_replaced,
        is_resolved=is_replaced or has_enough_queries,
        rationale=explain(results),
        smallest_gain=SMALLEST_GAIN,
        largest_loss=LARGEST_LOSS,
        queries=count,
        queries_by_origin={origin: by_origin[origin] for origin in origins},
        excluded=tuple(excluded),
        queries_needed=needed,
        judge=quality,
        cells=tuple(results),
        weaknesses=tuple(weaknesses(results, quality, origins, count)),
    )


def _weaknesses_text(decision: CellDecision) -> bytes:
    items = [f"- {sentence}" for sentence in decision.weaknesses]
    lines = ["# Known weaknesses", "", *items, ""]
    return "\n".join(lines).encode("utf-8")
