"""What single cells and sentences of tables say, and which columns there are."""

import re
from dataclasses import replace

import pytest

from goldwright.errors import RetrieverError
from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable
from goldwright.evaluation.arms.repository_tables import RepositoryComparison, aggregate
from goldwright.evaluation.arms.repository_text import (
    average_cells,
    average_rows,
    promotion_rows,
    repository_lines,
)
from goldwright.evaluation.bench import Bench, BenchedSystem, Timing
from goldwright.evaluation.bench_text import bench_lines, bench_markdown
from goldwright.evaluation.notebook_tables import (
    means_table,
    score_rows,
    strata_table,
    worst_table,
)
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.report_comparison import compare_in_full
from goldwright.evaluation.strata import summarize_strata
from goldwright.evaluation.system_comparison import compare_systems
from goldwright.evaluation.system_text import (
    cost_text,
    findings,
    pair_rows,
    seconds_text,
    system_name,
    win_matrix,
)
from goldwright.notebooks.html import folded, paragraph, table
from goldwright.stats.macro_mean import macro_mean
from units.evaluation.evaluations import report, report_of_values, scored

BEST = [1.0] * 9
MIDDLE = [1.0, 0.5, 1.0] * 3
WORST = [0.0] * 9


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "-"), (0.0, "0 ms"), (0.25, "250 ms"), (0.9994, "999 ms"), (1.0, "1.0 s")],
)
def test_a_latency_is_told_in_its_unit(seconds: float | None, text: str) -> None:
    assert seconds_text(seconds) == text


def test_a_cost_has_four_places_and_may_be_unknown() -> None:
    assert (cost_text(0.5), cost_text(0.0), cost_text(None)) == ("$0.5000", "$0.0000", "-")


def test_a_long_name_is_cut_and_a_hidden_character_shown() -> None:
    assert system_name("x" * 32) == "x" * 32
    assert system_name("x" * 33) == "x" * 31 + "…"
    assert system_name("a\u202e") == "a\\u{202e}"


def test_who_is_best_is_said_as_far_as_it_is_shown() -> None:
    shown = compare_systems(
        {"a": report_of_values(*BEST), "b": report_of_values(*WORST)}, "MRR", seed=0
    )
    assert next(findings(shown)) == "Best by MRR: a, shown against every other."
    three = compare_systems(
        {
            "a": report_of_values(*BEST),
            "b": report_of_values(*MIDDLE),
            "c": report_of_values(*WORST),
        },
        "MRR",
        seed=0,
    )
    first, second = findings(three)
    assert first == "Best by MRR: a, which cannot be told from b."
    assert "max-T over all 3 pairs" in second
    equal = compare_systems(
        {"a": report_of_values(*BEST), "b": report_of_values(*BEST)}, "MRR", seed=0
    )
    assert next(findings(equal)) == "These queries tell none of the 2 systems apart by MRR."


def test_wins_are_counted_row_against_column() -> None:
    two = compare_systems(
        {"a": report_of_values(*BEST), "b": report_of_values(*MIDDLE)}, "MRR", seed=0
    )
    assert win_matrix(two) == [["", "1", "2"], ["1 a", "-", "3"], ["2 b", "0", "-"]]
    header, row = pair_rows(two)
    assert header == ["better", "than", "by", "95 %", "p", "over all", "won/tied/lost", ""]
    assert (row[:3], row[-2:]) == (["a", "b", "0.167"], ["3/6/0", ""])


def test_a_pair_of_one_query_has_no_interval() -> None:
    pair = compare_systems({"a": report_of_values(1.0), "b": report_of_values(0.0)}, "MRR", seed=0)
    assert pair_rows(pair)[1][3] == "-"


def bench_of_four_measures() -> Bench:
    """Two systems, scored by five measures."""
    names = ("MRR", "nDCG@10", "Recall@10", "Success@1", "MAP")
    systems = {}
    reports = {}
    for system, value in (("a", 1.0), ("b", 0.5)):
        queries = [scored(f"q{number}", dict.fromkeys(names, value)) for number in range(3)]
        reports[system] = report(queries)
        systems[system] = BenchedSystem(reports[system], Timing({"q0": 0.25}, asked=1), None)
    return Bench(systems, {}, compare_systems(reports, "MRR", seed=0), ())


def test_tables_of_a_bench_have_the_first_four_measures() -> None:
    bench = bench_of_four_measures()
    header = "MRR 95 % group nDCG@10 Recall@10 Success@1 p50 p95 p99 asked"
    assert list(bench_lines(bench))[3].split() == header.split()
    html = bench._repr_html_()
    assert "Success@1" in html
    assert "MAP" not in html
    lines = bench_markdown(bench).splitlines()
    assert any(line.startswith("| better | than |") for line in lines)
    assert "Queries on which the row is better than the column:" in lines
    (row,) = (line for line in lines if line.startswith("| a | 1.000"))
    assert row.count("1.000") == 4


def test_a_comparison_says_by_which_measures_it_is_better_and_worse() -> None:
    before = report(
        [scored(f"q{number}", {"MRR": 0.0, "MAP": 1.0, "RR": 0.5}) for number in range(12)]
    )
    after = report(
        [scored(f"q{number}", {"MRR": 1.0, "MAP": 0.0, "RR": 0.5}) for number in range(12)],
        retriever="grep",
    )
    assert compare_in_full(before, after).finding == "Shown to be better by MRR and worse by MAP."
    assert compare_in_full(after, before).finding == "Shown to be better by MAP and worse by MRR."
    assert compare_in_full(before, before).finding == (
        "No difference is shown, which is no proof that there is none."
    )


def test_rows_of_a_comparison_have_the_same_columns_as_its_page() -> None:
    before, after = report_of_values(0.0, 0.5), report_of_values(1.0, 0.5)
    frame = compare_in_full(before, after).to_frame("pandas")
    (row,) = frame.to_dict("records")
    assert {name: row[name] for name in ("measure", "before", "after", "difference")} == {
        "measure": "MRR",
        "before": 0.25,
        "after": 0.75,
        "difference": 0.5,
    }
    assert (row["wins"], row["ties"], row["losses"], row["is_shown"]) == (1, 1, 0, False)


def test_who_fails_is_told_in_a_notebook_too() -> None:
    bench = bench_of_four_measures()
    failed = replace(bench, failures={"grep": RetrieverError("no grep")})
    assert "FAILED grep: no grep" in failed._repr_html_()
    assert "FAILED" not in bench._repr_html_()


def test_averages_have_two_intervals_and_those_of_one_query_have_none() -> None:
    cells = average_cells(macro_mean({"api": [1.0, 0.0], "web": [0.5, 0.5, 0.5]}))
    assert (cells[0], cells[3]) == ("0.500", "0.500")
    assert cells[1].count("..") == cells[2].count("..") == 1
    assert average_cells(macro_mean({"api": [1.0]})) == ("1.000", "-", "-", "1.000")


def arm_table(**values: list[float]) -> ArmTable:
    """A table of arms with a value a query."""
    reports = {name: report_of_values(*column) for name, column in values.items()}
    benched = {
        name: BenchedSystem(single, Timing({"q0": 0.25}, asked=1), None)
        for name, single in reports.items()
    }
    comparison = compare_systems(reports, "MRR", seed=0)
    return ArmTable("e5", False, 12, 1.5, Bench(benched, {}, comparison, ()))


def test_arms_over_repositories_have_a_row_each_and_candidates_a_verdict() -> None:
    tables = {
        "api": arm_table(bm25=WORST, dense=BEST),
        "web": arm_table(bm25=WORST, dense=MIDDLE),
    }
    both = aggregate(tables, "bm25", seed=0)
    header, bm25, dense = average_rows(both)
    assert header == ["MRR", "api", "web", "macro", "these", "others", "micro", "leave one out"]
    assert bm25[:4] == ["bm25", "0.000", "0.000", "0.000"]
    assert (dense[:4], dense[-1]) == (["dense", "1.000", "0.833", "0.917"], "0.833-1.000")
    candidates = promotion_rows(both)
    assert candidates[0] == [
        *("candidate", "macro", "these", "others", "p", "over all", "could show", "verdict")
    ]
    assert candidates[1][0] == "dense"
    assert candidates[1][1] == "+0.917"
    assert candidates[1][-1] == "granted"
    alone = aggregate({"api": tables["api"]}, "bm25", seed=0)
    assert average_rows(alone)[1][-1] == "-"


def test_an_arm_that_one_repository_lacks_is_left_out_and_one_arm_has_no_rival() -> None:
    tables = {
        "api": arm_table(bm25=WORST, dense=BEST),
        "web": arm_table(hybrid=BEST, bm25=MIDDLE),
    }
    shared = aggregate(tables, "bm25", seed=0)
    assert list(shared.averages) == ["bm25"]
    assert shared.by_repository == {
        "api": {"bm25": 0.0},
        "web": {"bm25": pytest.approx(5 / 6)},
    }
    assert shared.promotions == ()


def test_several_repositories_are_told_with_the_weights_that_were_learned() -> None:
    api = ArmComparison("symbol", (arm_table(bm25=WORST, dense=BEST),), ("bm25",))
    web = ArmComparison("symbol", (arm_table(bm25=WORST, dense=MIDDLE),))
    tables = {name: arms.tables[0] for name, arms in (("api", api), ("web", web))}
    both = aggregate(tables, "bm25", seed=0)
    repositories = {"api": api, "web": web}
    weights = ({"api": 0.25, "web": 0.5},)
    lines = list(repository_lines(RepositoryComparison("bm25", repositories, (both,), weights)))
    assert [line for line in lines if line.startswith(("==", "checked", "learned"))] == [
        "== api: 9 queries, level symbol",
        "checked: bm25 came to the same on every query with every model",
        "== web: 9 queries, level symbol",
        f"== all 2 repositories: {both.title}",
        "learned: the dense weight that the others chose: api 0.25, web 0.5",
    ]
    # A blank line stands before each table, and behind each repository and the averages.
    titles = [place for place, line in enumerate(lines) if line.startswith("with docstrings, e5:")]
    assert [lines[place - 1] for place in titles] == ["", ""]
    headings = [place for place, line in enumerate(lines) if line.startswith("==")]
    assert [lines[place - 1] for place in headings[1:]] == ["", ""]
    assert lines[lines.index("instead of bm25:") - 1] == ""
    assert any(line.startswith("granted: dense: the macro average rises by") for line in lines)
    assert lines[-1] == ""
    plain = list(repository_lines(RepositoryComparison("bm25", repositories, (both,))))
    assert plain == [*lines[:-2], ""]


def test_without_a_default_averages_are_told_and_nobody_is_promoted() -> None:
    api = ArmComparison("symbol", (arm_table(bm25=WORST, dense=BEST),))
    alone = aggregate({"api": api.tables[0]}, "hybrid", seed=0)
    assert alone.promotions == ()
    lines = list(repository_lines(RepositoryComparison("hybrid", {"api": api}, (alone,))))
    assert "instead of" not in "\n".join(lines)
    assert lines[-2:] == ["as these (the repositories are the sample).", ""]


def test_rows_of_a_frame_have_the_same_columns_whatever_was_measured() -> None:
    (row,) = score_rows([scored("q1", {"MRR": 0.5})])
    assert {name: row[name] for name in ("query_id", "MRR", "first_rank", "found")} == {
        "query_id": "q1",
        "MRR": 0.5,
        "first_rank": 1,
        "found": 1,
    }
    assert (row["expected_ids"], row["ranks"]) == (["a.py::f"], [1])
    assert (row["retrieved"], row["source"]) == (["a.py::f"], scored("q1", {}).source)


def test_a_stratum_with_the_name_of_a_column_takes_another_name() -> None:
    columns = (
        *("query_id", "query_text", "MRR", "first_rank", "found", "expected_ids", "ranks"),
        *("retrieved", "sufficiency_score", "source", "answer_correct"),
    )
    strata = dict.fromkeys(columns, "mine")
    (row,) = score_rows([scored("q1", {"MRR": 0.5}, strata=strata)])
    assert [row[column] for column in columns] == [
        row_of_columns[column]
        for row_of_columns in score_rows([scored("q1", {"MRR": 0.5})])
        for column in columns
    ]


def cells_of(html: str) -> list[list[str]]:
    """The texts of a table, row by row."""
    return [re.findall(r"<t[dh]>(.*?)</t[dh]>", row) for row in html.split("</tr>")[:-1]]


def test_the_worst_queries_are_told_with_their_first_place() -> None:
    queries = [
        scored("q1", {"MRR": 0.5, "MAP": 0.0}, expected={"a.py::f": 2}),
        scored("q2", {"MRR": 0.0, "MAP": 1.0}, expected={"a.py::f": None}),
    ]
    header = ["id", "query", "MRR", "first place"]
    worst, better = ["q2", "What of q2?", "0.00", "none"], ["q1", "What of q1?", "0.50", "2"]
    assert worst_table(queries).startswith('<table class="words">')
    assert cells_of(worst_table(queries)) == [header, worst, better]
    assert cells_of(worst_table(queries[:1])) == [header, better]


def test_means_are_told_with_their_intervals_and_numbers() -> None:
    queries = [scored("q1", {"MRR": 1.0, "MAP": 0.5}), scored("q2", {"MRR": 0.0, "MAP": 0.5})]
    header, mrr, same = cells_of(means_table(queries))
    assert header == ["", "mean", "", "95 %", "n"]
    assert (mrr[:2], mrr[3:]) == (["MRR", "0.500"], ["0.025–0.975", "2"])
    assert (same[:2], same[3:]) == (["MAP", "0.500"], ["–", "2"])


def test_each_stratum_has_its_number_of_queries_and_its_means() -> None:
    queries = [
        scored("q1", {"MRR": 0.5}, strata={"query_language": "go"}),
        scored("q2", {"MRR": 0.25}, strata={"query_language": "c"}),
    ]
    assert cells_of(strata_table(list(summarize_strata(queries)))) == [
        ["", "n", "MRR"],
        ["query language: c", "1", "0.25 (–)"],
        ["query language: go", "1", "0.50 (–)"],
    ]


def test_a_notebook_shows_a_report_with_its_dataset_means_worst_queries_and_notes() -> None:
    evaluation = report([scored("q1", {"MRR": 0.5}), scored("q2", {"MRR": 1.0})], notes=("slow",))
    html = evaluation._repr_html_()
    assert "<strong>bm25 on 2 queries</strong>" in html
    assert paragraph("golden_v1.0.json", is_soft=True) in html
    assert means_table(evaluation.queries) in html
    assert folded("The worst queries", worst_table(evaluation.queries)) in html
    assert html.endswith(f"{paragraph('slow', is_soft=True)}</div>")
    assert repr(evaluation) == "<EvaluationReport: bm25 on 2 queries>"


def test_a_notebook_shows_a_comparison_measure_by_measure() -> None:
    before = report([scored(f"q{n}", {"MRR": 0.0, "MAP": n / 20}) for n in range(12)])
    after = report([scored(f"q{n}", {"MRR": 1.0, "MAP": 0.25}) for n in range(12)])
    full = compare_in_full(before, replace_retriever(after, "grep"))
    html = full._repr_html_()
    assert "<strong>grep against bm25</strong>" in html
    header, mrr, average = cells_of(html)
    assert header == [
        *("", "before", "after", "differs", "95 %", "p", "over all", "won/tied/lost", "")
    ]
    assert mrr[:4] == ["MRR", "0.000", "1.000", "+1.000"]
    assert mrr[-2:] == ["12/0/0", "shown"]
    assert average[:4] == ["MAP", "0.275", "0.250", "-0.025"]
    assert average[-2:] == ["5/1/6", ""]
    low, high = re.findall(r"[+-]\d\.\d{3}", average[4])
    assert float(low) < -0.025 < float(high)
    assert paragraph("Shown to be better by MRR.") in html
    tests = "12 queries; p by sign flips, alone and over all 2 measures (max-T)"
    assert paragraph(tests, is_soft=True) in html
    assert repr(full) == "<ReportComparison: grep against bm25: Shown to be better by MRR.>"


def replace_retriever(evaluation: EvaluationReport, retriever: str) -> EvaluationReport:
    """The same evaluation of another retriever."""
    return evaluation.model_copy(update={"retriever": retriever})


def test_a_difference_that_is_the_same_on_one_query_alone_has_no_interval() -> None:
    full = compare_in_full(report_of_values(0.5), report_of_values(1.0))
    assert cells_of(full._repr_html_())[1][4] == "–"
    (row,) = full.to_frame("pandas").to_dict("records")
    assert (row["low"], row["high"]) == (None, None)


def test_a_frame_of_a_bench_has_a_row_for_each_system_and_query_the_best_first() -> None:
    reports = {"a": report_of_values(0.0, 0.5), "b": report_of_values(1.0, 0.5)}
    timing = Timing({"q1": 0.25}, asked=1)
    systems = {name: BenchedSystem(single, timing, None) for name, single in reports.items()}
    bench = Bench(systems, {}, compare_systems(reports, "MRR", seed=0), ())
    rows = bench.to_frame("pandas").to_dict("records")
    assert [(row["system"], row["query_id"], row["MRR"]) for row in rows] == [
        *(("b", "q0", 1.0), ("b", "q1", 0.5), ("a", "q0", 0.0), ("a", "q1", 0.5)),
    ]
    assert [row["seconds"] for row in rows if row["query_id"] == "q1"] == [0.25, 0.25]
    assert repr(bench) == "<Bench: MRR of b 0.750, a 0.250>"


def test_a_bench_in_a_notebook_has_a_row_a_system_and_its_pairs_folded_away() -> None:
    bench = bench_of_four_measures()
    html = bench._repr_html_()
    assert paragraph("golden_v1.0.json", is_soft=True) in html
    comparison = bench.comparison
    assert comparison is not None
    assert folded("Every pair", table(pair_rows(comparison))) in html
    assert folded("Who wins on how many", table(win_matrix(comparison))) in html
    header, first, second, *_ = cells_of(html)
    assert header == [
        *("", "MRR", "", "95 %", "group", "nDCG@10", "Recall@10", "Success@1", "p50", "p95")
    ]
    assert first[:2] == ["a", "1.000"]
    assert first[4:] == [*("a", "1.000", "1.000", "1.000"), *["250 ms"] * 2]
    assert (second[:2], second[3]) == (["b", "0.500"], "–")
    assert repr(bench) == "<Bench: MRR of a 1.000, b 0.500>"
    lead, *others = findings(comparison)
    assert paragraph(lead) in html
    assert all(paragraph(text, is_soft=True) in html for text in others)
    alone = Bench({"a": bench.systems["a"]}, {}, None, ("slow",))
    assert cells_of(alone._repr_html_())[1][4] == "–"
    assert paragraph("slow", is_soft=True) in alone._repr_html_()


def test_a_system_that_says_what_it_costs_has_a_column_for_it_in_a_notebook() -> None:
    bench = bench_of_four_measures()
    systems = {**bench.systems, "a": replace(bench.systems["a"], cost_usd=0.5)}
    header, first, second, *_ = cells_of(replace(bench, systems=systems)._repr_html_())
    assert (header[-1], first[-1], second[-1]) == ("cost", "$0.5000", "-")


def test_the_worst_queries_come_first_and_ten_are_shown() -> None:
    queries = [scored(f"q{number:02}", {"MRR": number / 20}) for number in range(20)]
    html = worst_table(queries[::-1])
    assert html.index("q00") < html.index("q01") < html.index("q09")
    assert "q10" not in html


def test_a_table_of_means_has_every_measure_and_one_of_strata_the_first_four() -> None:
    names = ("MRR", "nDCG@10", "Recall@10", "Success@1", "MAP")
    queries = [scored(f"q{number}", dict.fromkeys(names, 0.5)) for number in range(3)]
    means = means_table(queries)
    assert all(name in means for name in names)
    assert means.count("0.500") >= len(names)
    strata = strata_table(list(summarize_strata(queries)))
    assert all(name in strata for name in names[:4])
    assert "MAP" not in strata
    assert "task type: locate" in strata
