"""Outcomes as JUnit XML, the format that build servers show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from goldwright.evaluation.gates import GateResult
from goldwright.evaluation.report import EvaluationReport
from goldwright.text import make_visible

# How our own files begin; a report replaces no other file.
HEAD: Final = b"<?xml version='1.0' encoding='utf-8'?>\n<testsuites name=\"goldwright\""


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """A test case.

    Attributes:
        part: The part of the suite that it belongs to, as in ``goldwright.gate``.
        name: Its name.
        failure: Why it failed, in one or more lines; None where it passed.
    """

    part: str
    name: str
    failure: str | None = None


def render_suite(
    suite: str, cases: Sequence[JUnitCase], properties: Sequence[tuple[str, str]] = ()
) -> bytes:
    """Render cases as JUnit XML; characters that XML cannot hold are made visible.

    Args:
        suite: The name of the suite.
        cases: The cases, in the order of the file.
        properties: Names and values that hold for the whole suite.
    """
    # A retriever that fails ends the evaluation, so no case of a report ended in an error.
    failures = sum(case.failure is not None for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": "0"}
    root = ET.Element("testsuites", {"name": "goldwright", **counts})
    name = make_visible(suite)
    element = ET.SubElement(root, "testsuite", {"name": name, **counts})
    _add_properties(element, properties)
    for case in cases:
        _add_case(element, case)
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def render_evaluation(report: EvaluationReport, gates: Sequence[GateResult]) -> bytes:
    """Render an evaluation: a case for every gate, then one for every query.

    A query fails by a gate that every single query must pass.
    """
    cases = list(_gate_cases(gates))
    cases.extend(_query_cases(report, gates))
    properties = list(_properties(report))
    return render_suite(report.retriever, cases, properties)


def gate_failure(result: GateResult) -> str | None:
    """Explain why a gate fails; None where it passes."""
    if result.passed:
        return None
    rule = result.gate.rule
    if result.mean is None:
        return f"wanted {rule}; the dataset has no such query"
    if not result.gate.each:
        return f"wanted {rule}; reached {result.reached}"
    passing = result.of - len(result.below)
    reached = f"{passing} of {result.of} do"
    below = ", ".join(result.below)
    return f"wanted {rule}; {reached}\nbelow: {below}"


def _add_properties(element: ET.Element, properties: Sequence[tuple[str, str]]) -> None:
    if not properties:
        return
    holder = ET.SubElement(element, "properties")
    for name, value in properties:
        attributes = {"name": name, "value": make_visible(value)}
        ET.SubElement(holder, "property", attributes)


def _add_case(element: ET.Element, case: JUnitCase) -> None:
    # Build servers want a time; a query was asked with all others, so it has none of its own.
    name = make_visible(case.name)
    attributes = {"classname": case.part, "name": name, "time": "0"}
    case_element = ET.SubElement(element, "testcase", attributes)
    if case.failure is None:
        return
    # Line by line, for make_visible would write the line breaks as codes.
    raw_lines = case.failure.split("\n")
    lines = list(map(make_visible, raw_lines))
    failure_attributes = {"message": lines[0], "type": case.part}
    failure = ET.SubElement(case_element, "failure", failure_attributes)
    failure.text = "\n".join(lines)


def _gate_cases(gates: Sequence[GateResult]) -> Iterator[JUnitCase]:
    for result in gates:
        failure = gate_failure(result)
        yield JUnitCase("goldwright.gate", result.gate.name, failure)


def _query_cases(report: EvaluationReport, gates: Sequence[GateResult]) -> Iterator[JUnitCase]:
    failures = {}
    for result in gates:
        failure = f"below {result.gate.rule}"
        # Below may also name strata; those are no queries, so nobody looks them up.
        failures.update(dict.fromkeys(result.below, failure))
    for query in report.queries:
        query_id = query.query_id
        yield JUnitCase("goldwright.query", query_id, failures.get(query_id))


def _properties(report: EvaluationReport) -> Iterator[tuple[str, str]]:
    yield "dataset", report.dataset
    yield "dataset_sha256", report.dataset_sha256
    yield "commit", report.commit
    yield "retriever", report.retriever
    if report.blank_docstrings:
        yield "docstrings", "blanked"
    if report.product_code:
        yield "results", "product code alone"
    for name in report.measures:
        mean = report.mean(name)
        yield name, f"{mean:.6f}"
