"""`retrieval_dataset.yaml`: which documents were shown to matter, for each task."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import yaml

from goldwright.app.relevance.relevance import RelevanceResult
from goldwright.atomic_files import replace_report
from goldwright.relevance.control_findings import ArmRate
from goldwright.relevance.findings import DocumentEffect, TaskFinding
from goldwright.relevance.relevance_verdict import Relevance

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
        InputError: The file cannot be written, or was not written by Goldwright.
    """
    pairs = [_pair(finding) for finding in result.findings]
    left_out = [{"id": task.task_id, "reason": task.reason} for task in result.disqualified]
    document = {
        "solver": result.solver,
        "sandbox": result.sandbox,
        "design": _design(result),
        "pairs": pairs,
        "left_out": left_out,
    }
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
    data = _HEAD + text.encode()
    replace_report(directory / DATASET_FILE, data, head=_HEAD)


def _design(result: RelevanceResult) -> Mapping[str, object]:
    if result.fixed is None:
        return {"name": "adaptive"}
    fields: dict[str, object] = {
        "name": "fixed",
        "trials": result.fixed.trials,
        "threshold": result.fixed.threshold,
    }
    errors = result.rule_errors
    if errors is not None:
        fields["errors_on_made_up_pools"] = {
            "documents": errors.documents,
            "false_share": round(errors.false_share, _DIGITS),
            "found_share": round(errors.found_share, _DIGITS),
            "called_where_nothing_matters": round(errors.called_of_nothing, _DIGITS),
        }
    return fields


def _pair(finding: TaskFinding) -> Mapping[str, object]:
    sufficient_sets = [list(ids) for ids in finding.sufficient_sets]
    metadata = {
        "trials": finding.trials,
        "base_success_rate": finding.base_success_rate,
        "base_success_interval": _pair_of(finding.base_interval),
        "success_rate": round(finding.success_rate, _DIGITS),
        "success_bounds": _pair_of(finding.success_bounds),
        "not_validated": finding.not_validated,
        "stopped": finding.stop_reason,
    }
    task: dict[str, object] = {"id": finding.task_id, "query": finding.query}
    if finding.asked_of is not None:
        task["asked_of"] = finding.asked_of
    controls = [_arm(arm) for arm in finding.arms]
    return {
        **task,
        "candidates": list(_candidates(finding)),
        "sufficient_sets": sufficient_sets,
        "combination": finding.combination,
        "metadata": metadata,
        "controls": controls,
    }


def _candidates(finding: TaskFinding) -> Iterator[Mapping[str, object]]:
    for effect in finding.documents:
        relevance = _ANSWERS[effect.relevance]
        average_effect = round(effect.average_effect, _DIGITS)
        yield {
            "fqn": effect.document_id,
            "text": effect.text,
            "empirical_relevance": relevance,
            "delta_p": average_effect,
            **_evidence(effect),
        }


def _evidence(effect: DocumentEffect) -> Mapping[str, object]:
    return {
        "observed_delta_p": _rounded(effect.observed_effect),
        "interval": _pair_of(effect.interval),
        "effect_bounds": _pair_of(effect.effect_bounds),
        "relevance_had_missing_passed": _ANSWERS[effect.relevance_had_passed],
        "banzhaf_value": round(effect.average_effect, _DIGITS),
        **_control_effects(effect),
        "log_e_value": round(effect.log_e_value, _DIGITS),
        "origin": effect.origin,
        "trials_in": effect.trials_in,
        "trials_out": effect.trials_out,
    }


def _control_effects(effect: DocumentEffect) -> Mapping[str, object]:
    if effect.controls is None:
        return {}
    rounded: dict[str, float | None] = {}
    for name, value in effect.controls.model_dump().items():
        rounded[name] = _rounded(value)
    return rounded


def _arm(arm: ArmRate) -> Mapping[str, object]:
    fields: dict[str, object] = {"shown": list(arm.included)}
    if arm.alteration:
        fields[arm.alteration] = arm.altered
    return {
        **fields,
        "trials": arm.trials,
        "passed": arm.passed,
        "not_validated": arm.not_validated,
        "interval": _pair_of(arm.interval),
    }


def _pair_of(interval: tuple[float, float] | None) -> list[float] | None:
    if interval is None:
        return None
    return [round(bound, _DIGITS) for bound in interval]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
