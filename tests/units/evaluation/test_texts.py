"""What tables of an evaluation say, word for word: arms, suites, benches, comments."""

import re
from dataclasses import replace

import pytest

from goldwright.errors import RetrieverError
from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable
from goldwright.evaluation.arms.arm_text import arm_lines, arm_rows
from goldwright.evaluation.bench import Bench, BenchedSystem, Timing
from goldwright.evaluation.bench_text import bench_lines, bench_markdown
from goldwright.evaluation.gates import check_gates, choose_gates
from goldwright.evaluation.markdown import evaluation_markdown
from goldwright.evaluation.strata import summarize_strata
from goldwright.evaluation.suite_report import suite_lines, summarize_suite
from goldwright.evaluation.system_comparison import compare_systems
from units.evaluation.evaluations import report, report_of_values, scored


def arm_table(**values: list[float]) -> ArmTable:
    """A table of arms with a value a query."""
    reports = {name: report_of_values(*column) for name, column in values.items()}
    benched = {
        name: BenchedSystem(single, Timing({"q0": 0.25}, asked=1), None)
        for name, single in reports.items()
    }
    comparison = compare_systems(reports, "MRR", seed=0)
    return ArmTable("e5", False, 12, 1.5, Bench(benched, {}, comparison, ("one note",)))


def test_a_table_of_arms_says_what_it_shows_and_what_it_could_have_shown() -> None:
    table = arm_table(bm25=[1.0, 0.5] * 9, dense=[0.0] * 18)
    assert list(arm_lines(ArmComparison("symbol", (table,), ("bm25",)))) == [
        "18 queries at cccccccccccc, level symbol",
        "golden_v1.0.json",
        "",
        "with docstrings, e5: 12 documents, index in 1.5 s",
        "        n    MRR       95 %  group  a query",
        "bm25   18  0.750  0.62-0.88      a   250 ms",
        "dense  18  0.000  0.00-0.19      b   250 ms",
        "Best by MRR: bm25, shown against every other.",
        (
            "Systems with a letter in common are not shown to differ "
            "(by MRR alone; sign flips, max-T over the only pair, 5 %)."
        ),
        "What could have been shown (80 % power): differences of MRR from 0.180 to 0.180, by pair.",
        "better   than     by            95 %       p  over all  won/tied/lost",
        "bm25    dense  0.750  +0.622..+0.878  0.0002    0.0002         18/0/0  shown",
        "",
        "checked: bm25 came to the same on every query with every model",
        "note: one note",
    ]


def test_pairs_of_which_p_and_interval_disagree_are_told() -> None:
    table = arm_table(bm25=[0.2] * 5 + [0.0] * 3, dense=[0.0] * 8)
    lines = list(arm_lines(ArmComparison("symbol", (table,), ("bm25",))))
    assert sum("disagree here" in line for line in lines) == 1


def test_the_seconds_of_an_arm_are_the_median_of_its_queries() -> None:
    # Of twenty queries the tenth is the median, and no neighbour of it takes as long.
    seconds = {f"q{place}": 0.01 * (place + 1) for place in range(20)}
    system = BenchedSystem(report_of_values(*[0.5] * 20), Timing(seconds, asked=20), None)
    table = ArmTable("e5", False, 12, 1.5, Bench({"bm25": system}, {}, None, ()))
    assert [row[-1] for row in arm_rows(table)] == ["a query", "100 ms"]


def test_one_query_could_have_shown_nothing_and_says_so() -> None:
    lines = list(arm_lines(ArmComparison("symbol", (arm_table(bm25=[1.0], dense=[1.0]),))))
    assert "No difference of MRR could have been shown by these queries." in lines
    saturated = "SATURATED: MRR has no room left for bm25, dense; it cannot show a better arm."
    assert saturated in lines


def test_a_suite_has_a_row_for_each_codebase_and_its_averages() -> None:
    reports = {"api": report_of_values(1.0, 0.5), "web": report_of_values(0.0, 0.5)}
    suite = summarize_suite("two", reports, {"old": "no such commit"})
    assert list(suite_lines(suite)) == [
        "codebase  queries    MRR",
        "api             2  0.750",
        "web             2  0.250",
        "",
        "measure  macro         these        others  micro",
        "MRR      0.500  0.000..1.000  0.000..1.000  0.500",
        "95 % intervals: of these codebases (their queries are a sample), and of others such as",
        "these (the 2 codebases are the sample); none (-) where all values are alike.",
        "old: left out: no such commit",
    ]
    written = suite.as_json()
    assert (written["suite"], written["failures"]) == ("two", {"old": "no such commit"})
    averages = written["averages"]
    assert isinstance(averages, dict)
    assert averages["MRR"]["macro"] == averages["MRR"]["micro"] == pytest.approx(0.5)
    assert set(averages["MRR"]) == {"macro", "these_codebases", "other_codebases", "micro"}


@pytest.fixture
def bench() -> Bench:
    """Two systems, of which one said what it cost."""
    reports = {"a": report_of_values(1.0, 1.0), "b": report_of_values(0.0, 0.5)}
    timing = Timing({"q0": 0.25, "q1": 2.0}, asked=2)
    systems = {
        "a": BenchedSystem(reports["a"], timing, 0.5),
        "b": BenchedSystem(reports["b"], timing, None),
    }
    return Bench(systems, {}, compare_systems(reports, "MRR", seed=0), ("slow",))


def test_a_bench_has_a_column_of_costs_where_any_system_said_what_it_cost(bench: Bench) -> None:
    lines = list(bench_lines(bench))
    assert lines[:7] == [
        "2 systems on 2 queries at cccccccccccc",
        "golden_v1.0.json",
        "",
        "     MRR       95 %  group     p50    p95    p99  asked     cost",
        "a  1.000  0.16-1.00      a  250 ms  2.0 s  2.0 s      2  $0.5000",
        "b  0.250  0.00-1.00      a  250 ms  2.0 s  2.0 s      2        -",
        "",
    ]
    assert lines[9].startswith("By another measure they may be")
    assert lines[10] == lines[13] == ""
    assert lines[11].startswith("better  than")
    assert lines[14:] == [
        "queries on which the row is better than the column",
        "     1  2",
        "1 a  -  2",
        "2 b  0  -",
        "note: slow",
    ]


def test_the_markdown_of_a_bench_holds_table_findings_and_notes(bench: Bench) -> None:
    lines = bench_markdown(bench).splitlines()
    assert lines[0] == "### 2 systems on 2 queries at cccccccccccc"
    assert "| a | 1.000 | 0.16-1.00 | a | 250 ms | 2.0 s | 2.0 s | 2 | $0.5000 |" in lines
    assert "These queries tell none of the 2 systems apart by MRR." in lines
    assert "| 1 a | - | 2 |" in lines
    opened = [line for line in lines if line.startswith("<details>")]
    assert len(opened) == lines.count("</details>") == 1
    assert lines[-1] == "> slow"


def test_a_notebook_shows_what_the_markdown_finds(bench: Bench) -> None:
    finding = "These queries tell none of the 2 systems apart by MRR."
    html = bench._repr_html_()
    assert finding in html
    assert all(name in html for name in ("p50", "p95"))
    alone = Bench({"a": bench.systems["a"]}, {}, None, ())
    assert "apart by" not in alone._repr_html_()


def test_a_comment_leads_with_the_gates_and_every_measure_of_all_queries() -> None:
    queries = [
        scored("q1", {"MRR": 1.0, "R@10": 1.0}),
        scored("q2", {"MRR": 0.5, "R@10": 0.0}, task_type="debug"),
    ]
    evaluation = report(queries, notes=("one @note",))
    strata = tuple(summarize_strata(queries))
    gates = check_gates(evaluation, choose_gates((), ("MRR >= 0.8",), profile=False))
    assert evaluation_markdown(evaluation, strata, gates).splitlines() == [
        "### bm25 on 2 queries: 1 of 1 gates fail",
        "",
        "golden\\_v1.0.json",
        "",
        "| gate | reached |  |",
        "| --- | ---: | ---: |",
        "| MRR \\>= 0.8 | 0.750 | FAILS |",
        "",
        "|  | mean | 95 % | queries |",
        "| --- | ---: | ---: | ---: |",
        "| MRR | 0.750 | 0.000-1.000 | 2 |",
        "| R@10 | 0.500 | 0.025-0.975 | 2 |",
        "",
        "<details><summary>The worst queries</summary>",
        "",
        "| query | MRR | first place |",
        "| --- | ---: | ---: |",
        "| q2: What of q2? | 0.50 | 1 |",
        "| q1: What of q1? | 1.00 | 1 |",
        "",
        "</details>",
        "",
        # What would notify a person is broken by a character of no width.
        "> one @\u2060note",
    ]


def test_a_single_query_has_no_interval_and_one_arm_no_group() -> None:
    two = arm_table(bm25=[0.5], dense=[0.5])
    header, bm25, _ = arm_rows(two)
    assert header == ["", "n", "MRR", "95 %", "group", "a query"]
    assert bm25 == ["bm25", "1", "0.500", "-", "a", "250 ms"]
    alone = replace(two, bench=Bench({"bm25": two.bench.systems["bm25"]}, {}, None, ()))
    assert arm_rows(alone)[1] == ["bm25", "1", "0.500", "-", "-", "250 ms"]
    lines = list(bench_lines(alone.bench))
    assert lines[4].split() == ["bm25", "0.500", "-", "-", *["250", "ms"] * 3, "1"]
    assert not any(line.startswith("Best by") for line in lines)


@pytest.mark.parametrize(
    ("rules", "heading"),
    [
        ((), "### bm25 on 1 query"),
        (("MRR >= 0.5",), "### bm25 on 1 query: the gate passes"),
        (("MRR >= 0.5", "MRR > 0"), "### bm25 on 1 query: all 2 gates pass"),
        (("MRR >= 0.5", "MRR > 0.5"), "### bm25 on 1 query: 1 of 2 gates fail"),
    ],
)
def test_a_comment_says_first_how_many_gates_pass(rules: tuple[str, ...], heading: str) -> None:
    evaluation = report_of_values(0.5)
    gates = check_gates(evaluation, choose_gates((), rules, profile=False))
    lines = evaluation_markdown(evaluation, tuple(summarize_strata(evaluation.queries)), gates)
    assert lines.splitlines()[0] == heading
    assert ("| gate | reached |" in lines) == bool(rules)


def test_a_comment_on_one_query_has_no_interval_and_no_place_of_what_was_not_found() -> None:
    missed = report([scored("q1", {"MRR": 0.5}, expected={"a.py::f": None})])
    gates = check_gates(missed, choose_gates((), ("debug: MRR >= 0",), profile=False))
    text = evaluation_markdown(missed, tuple(summarize_strata(missed.queries)), gates)
    assert "| MRR | 0.500 | - | 1 |" in text
    assert "| q1: What of q1? | 0.50 | none |" in text
    assert "| debug: MRR \\>= 0 | no query | FAILS |" in text


def test_the_worst_ten_queries_of_a_comment_come_first() -> None:
    evaluation = report_of_values(*[place / 20 for place in range(11)][::-1])
    text = evaluation_markdown(evaluation, tuple(summarize_strata(evaluation.queries)), ())
    ids = re.findall(r"^\| (q\d+):", text, re.MULTILINE)
    assert ids == [f"q{place}" for place in range(10, 0, -1)]


def test_an_arm_that_failed_and_what_is_hidden_in_names_are_shown() -> None:
    table = arm_table(bm25=[1.0, 0.5], hybrid=[1.0, 0.5])
    failing = replace(table.bench, failures={"dense": RetrieverError("no\u202e model")})
    lines = list(arm_lines(ArmComparison("file", (replace(table, bench=failing),))))
    assert "LACKS  dense: no\\u{202e} model" in lines
    assert lines[0] == "2 queries at cccccccccccc, level file"
