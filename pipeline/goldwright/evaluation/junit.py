"""Outcomes as JUnit XML, the form that build servers show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from goldwright.evaluation.gates import GateResult
from goldwright.evaluation.report import EvaluationReport
from goldwright.text import make_visible

HEAD: Final = b"<?xml version='1.0' encoding='utf-8'?>\n<testsuites name=\"goldwright\""


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """A test case: the suite's part that it belongs to, its name, and why it failed (None: it did
    not).
    """

    part: str
    name: str
    failure: str | None = None


def junit(
    suite: str, cases: Sequence[JUnitCase], properties: Sequence[tuple[str, str]] = ()
) -> bytes:
    """Write cases as JUnit XML, with properties of the whole suite; what XML cannot hold is made
    visible.
    """
    failed = str(sum(one.failure is not None for one in cases))
    counts = {"tests": str(len(cases)), "failures": failed, "errors": "0"}
    root = ET.Element("testsuites", {"name": "goldwright", **counts})
    element = ET.SubElement(root, "testsuite", {"name": make_visible(suite), **counts})
    if properties:
        holder = ET.SubElement(element, "properties")
        for name, value in properties:
            ET.SubElement(holder, "property", {"name": name, "value": make_visible(value)})
    for one in cases:
        case = ET.SubElement(
            element,
            "testcase",
            {"classname": one.part, "name": make_visible(one.name), "time": "0"},
        )
        if one.failure is not None:
            first = make_visible(one.failure.partition("\n")[0])
            failure = ET.SubElement(case, "failure", {"message": first, "type": one.part})
            failure.text = "\n".join(map(make_visible, one.failure.split("\n")))
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def of_evaluation(report: EvaluationReport, gates: Sequence[GateResult]) -> bytes:
    """Write an evaluation: a case for every gate, and one for every query, which gates alone can
    fail.
    """
    failed = {query: one.gate.rule for one in gates if one.gate.each for query in one.below}
    cases = [JUnitCase("goldwright.gate", one.gate.name, gate_failure(one)) for one in gates]
    cases += [
        JUnitCase(
            "goldwright.query",
            one.query_id,
            f"below {failed[one.query_id]}" if one.query_id in failed else None,
        )
        for one in report.queries
    ]
    return junit(
        report.retriever,
        cases,
        [*_facts(report), *((name, f"{report.mean(name):.6f}") for name in report.measures)],
    )


def gate_failure(one: GateResult) -> str | None:
    """Say why a gate says no."""
    if one.passed:
        return None
    if one.mean is None:
        return f"wanted {one.gate.rule}; the dataset has no such query"
    below = f"\nbelow: {', '.join(one.below)}" if one.below else ""
    reached = (
        f"{one.of - len(one.below)} of {one.of} do"
        if one.gate.each
        else f"reached {one.mean.value:.3f}"
    )
    return f"wanted {one.gate.rule}; {reached}{below}"


def _facts(report: EvaluationReport) -> Iterator[tuple[str, str]]:
    yield "dataset", report.dataset
    yield "dataset_sha256", report.dataset_sha256
    yield "commit", report.commit
    yield "retriever", report.retriever
