"""What was expected of each cell, written before there were results, and what came."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from goldwright.cells.cell_names import RetrievalCell
from goldwright.cells.corpus import SampledDocument
from goldwright.cells.decision import SMALLEST_GAIN, CellResult
from goldwright.cells.records import ObservedPrediction, Prediction
from goldwright.errors import InputError
from goldwright.journal.json_lines import read_jsonl

# The chunkers that follow the structure of each kind of document.
_STRUCTURAL: Final[Mapping[str, tuple[str, ...]]] = {
    "markdown": ("markdown-",),
    "html": ("html-",),
    "code": ("entity", "code-"),
    "text": ("turns",),
}


def read_predictions(path: Path, cells: Sequence[RetrievalCell]) -> Sequence[Prediction]:
    """Read what somebody predicts, a line for each cell that they have an opinion of.

    Raises:
        InputError: A line is no prediction, names no cell, or one that has a line already.
    """
    names = {known_cell.name for known_cell in cells}
    predictions: dict[str, Prediction] = {}
    for prediction in read_jsonl(path, Prediction):
        cell = prediction.cell
        if cell not in names:
            wanted_names = sorted(names)
            raise InputError(f"{path}: {cell}: no cell; wanted one of {wanted_names}")
        if cell in predictions:
            raise InputError(f"{path}: {cell}: is predicted twice")
        predictions[cell] = prediction
    return list(predictions.values())


def predict_by_rule(
    cells: Sequence[RetrievalCell], documents: Sequence[SampledDocument]
) -> Sequence[Prediction]:
    """Predict, where nobody does, that chunks along the structure of most documents do better."""
    kinds = Counter(document.kind for document in documents)
    kind = max(kinds, key=lambda name: (kinds[name], name))
    predictions = []
    for cell in cells[1:]:
        is_structural = cell.chunker.startswith(_STRUCTURAL[kind])
        reason = "and it cuts along their structure" if is_structural else "nothing else known"
        prediction = Prediction(
            cell=cell.name,
            predicted="better" if is_structural else "same",
            why=f"by rule: most documents are {kind}, {reason}",
        )
        predictions.append(prediction)
    return predictions


def observe(
    predictions: Sequence[Prediction], results: Sequence[CellResult]
) -> Sequence[ObservedPrediction]:
    """Put beside each prediction what came; the predictions stay as they are."""
    result_of = {result.cell: result for result in results}
    observed = []
    for prediction in predictions:
        result = result_of[prediction.cell]
        difference = result.ndcg.mean if result.ndcg else 0.0
        is_shown = result.adjusted_p is not None and result.adjusted_p < 0.05
        observation = ObservedPrediction(
            **prediction.model_dump(),
            observed=_word(difference),
            difference=difference,
            is_shown=is_shown,
        )
        observed.append(observation)
    return observed


def _word(difference: float) -> Literal["better", "same", "worse"]:
    if difference >= SMALLEST_GAIN:
        return "better"
    return "worse" if difference <= -SMALLEST_GAIN else "same"
