"""`retrieval_dataset.yaml`: which documents were shown to matter, for each task."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import yaml

from goldwright.app.relevance import RelevanceResult
from goldwright.atomic_files import replace_report
from goldwright.relevance.adaptive_design import Relevance
from goldwright.relevance.findings import DocumentEffect, TaskFinding

DATASET_FILE: Final = "retrieval_dataset.yaml"
_HEAD: Final = b"# Relevance shown by trials; made by goldwright relevance.\n"

_ANSWERS: Final = {
    Relevance.RELEVANT: "YES",
    Relevance.IRRELEVANT: "NO",
    Relevance.UNDECIDED: "UNDECIDED",
}
# Effects are known to about two digits; four leave room to compute with.
_DIGITS: Final = 4


def write_relevance_dataset(result: RelevanceResult, directory: Path) -> None:
    """Write the dataset into a directory, in the place of an earlier one.

    Raises:
        InputError: The file cannot be written, or is none of ours.
    """
    pairs = [_pair(finding) for finding in result.findings]
    document = {"solver": result.solver, "sandbox": result.sandbox, "pairs": pairs}
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
    replace_report(directory / DATASET_FILE, _HEAD + text.encode(), head=_HEAD)


def _pair(finding: TaskFinding) -> Mapping[str, object]:
    return {
        "id": finding.task_id,
        "query": finding.query,
        "candidates": list(_candidates(finding)),
        "sufficient_sets": [list(ids) for ids in finding.sufficient_sets],
        "combination": finding.combination,
        "metadata": {
            "trials": finding.trials,
            "base_success_rate": finding.base_success_rate,
            "base_success_interval": _pair_of(finding.base_interval),
            "success_rate": round(finding.success_rate, _DIGITS),
            "not_validated": finding.not_validated,
            "stopped": finding.stop_reason,
        },
    }


def _candidates(finding: TaskFinding) -> Iterator[Mapping[str, object]]:
    for effect in finding.documents:
        yield {
            "fqn": effect.document_id,
            "text": effect.text,
            "empirical_relevance": _ANSWERS[effect.relevance],
            "delta_p": round(effect.average_effect, _DIGITS),
            **_evidence(effect),
        }


def _evidence(effect: DocumentEffect) -> Mapping[str, object]:
    observed = effect.observed_effect
    return {
        "observed_delta_p": None if observed is None else round(observed, _DIGITS),
        "interval": _pair_of(effect.interval),
        "log_e_value": round(effect.log_e_value, _DIGITS),
        "origin": effect.origin,
        "trials_in": effect.trials_in,
        "trials_out": effect.trials_out,
    }


def _pair_of(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else [round(bound, _DIGITS) for bound in interval]
