"""Outcomes as JUnit XML: what a build server shows of gates and queries."""

from xml.etree import ElementTree as ET

import pytest

from goldwright.evaluation.gates import Gate, GateResult, check_gates
from goldwright.evaluation.junit import (
    HEAD,
    JUnitCase,
    gate_failure,
    render_evaluation,
    render_suite,
)
from goldwright.evaluation.report import EvaluationReport
from units.evaluation.evaluations import report, report_of_values, scored


def outcome(rule: str, evaluation: EvaluationReport) -> GateResult:
    (result,) = check_gates(evaluation, [Gate.read(rule)])
    return result


def parse(data: bytes) -> tuple[ET.Element, ET.Element]:
    """Give the root and the one suite in it."""
    root = ET.fromstring(data)  # noqa: S314  # our own file
    (suite,) = root
    return root, suite


EVALUATION = report(
    [
        scored("q1", {"MRR": 1.0, "P@1": 1.0}),
        scored("q2", {"MRR": 0.5, "P@1": 0.0}),
        scored("q3", {"MRR": 0.0, "P@1": 0.0}, difficulty="hard"),
    ]
)


@pytest.mark.parametrize(
    ("rule", "failure"),
    [
        ("MRR >= 0.5", None),
        ("MRR >= 0.6", "wanted MRR >= 0.6; reached 0.500"),
        ("debug: MRR >= 0", "wanted debug: MRR >= 0; the dataset has no such query"),
        ("each query: P@1 >= 1", "wanted each query: P@1 >= 1; 1 of 3 do\nbelow: q2, q3"),
        ("each difficulty: MRR > 0", "wanted each difficulty: MRR > 0; 1 of 2 do\nbelow: hard"),
    ],
)
def test_a_failed_gate_says_what_was_wanted_and_what_was_reached(
    rule: str, failure: str | None
) -> None:
    assert gate_failure(outcome(rule, EVALUATION)) == failure


def test_an_evaluation_has_a_case_for_every_gate_and_then_for_every_query() -> None:
    results = check_gates(
        EVALUATION, [Gate.read("MRR >= 0.5", name="mrr"), Gate.read("each easy: P@1 >= 1")]
    )
    root, suite = parse(render_evaluation(EVALUATION, results))
    assert (root.tag, suite.tag, suite.get("name")) == ("testsuites", "testsuite", "bm25")
    cases = suite.findall("testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("goldwright.gate", "mrr"),
        ("goldwright.gate", "each easy: P@1 >= 1"),
        ("goldwright.query", "q1"),
        ("goldwright.query", "q2"),
        ("goldwright.query", "q3"),
    ]
    failures = {case.get("name"): case.find("failure") for case in cases}
    # A hard query that misses its first place is none of the gate's easy ones.
    assert [name for name, failure in failures.items() if failure is not None] == [
        "each easy: P@1 >= 1",
        "q2",
    ]
    query_failure = failures["q2"]
    assert query_failure is not None
    assert query_failure.attrib == {
        "message": "below each easy: P@1 >= 1",
        "type": "goldwright.query",
    }


def test_root_and_suite_count_cases_and_failures() -> None:
    cases = [JUnitCase("p", "good"), JUnitCase("p", "bad", "why"), JUnitCase("p", "worse", "why")]
    for element in parse(render_suite("suite", cases)):
        counts = (element.get("tests"), element.get("failures"), element.get("errors"))
        assert counts == ("3", "2", "0")


def test_the_properties_name_the_dataset_the_codebase_and_every_mean() -> None:
    _, suite = parse(render_evaluation(EVALUATION, ()))
    properties = {row.get("name"): row.get("value") for row in suite.iter("property")}
    assert properties == {
        "dataset": "golden_v1.0.json",
        "dataset_sha256": "sha256:1",
        "commit": "c" * 40,
        "retriever": "bm25",
        "MRR": "0.500000",
        "P@1": "0.333333",
    }


def test_a_suite_without_properties_has_no_list_of_them() -> None:
    _, suite = parse(render_suite("suite", [JUnitCase("p", "good")]))
    assert [child.tag for child in suite] == ["testcase"]
    assert suite[0].get("time") == "0"


def test_the_first_line_of_a_failure_is_its_message_and_all_lines_are_its_text() -> None:
    _, suite = parse(render_suite("suite", [JUnitCase("part", "bad", "first\nsecond")]))
    (failure,) = suite.iter("failure")
    assert failure.attrib == {"message": "first", "type": "part"}
    assert failure.text == "first\nsecond"


def test_characters_that_xml_cannot_hold_are_made_visible_everywhere() -> None:
    hidden, shown = "a\x00b", "a\\u{0}b"
    data = render_suite(hidden, [JUnitCase("p", hidden, hidden)], [("retriever", hidden)])
    _, suite = parse(data)
    assert suite.get("name") == shown
    (case,) = suite.findall("testcase")
    assert case.get("name") == shown
    (failure,) = case
    assert (failure.get("message"), failure.text) == (shown, shown)
    (row,) = suite.iter("property")
    assert row.get("value") == shown


def test_our_own_files_are_recognised_by_how_they_begin() -> None:
    data = render_evaluation(report_of_values(1.0), ())
    assert data.startswith(HEAD)
    assert data.endswith(b"</testsuites>\n")
