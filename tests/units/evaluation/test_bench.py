"""Several systems on the same queries: groups, pairs, wins, and what the pages say of them."""

import pytest

from goldwright.app.scoring.bench import name_retrievers
from goldwright.errors import InputError, RetrieverError
from goldwright.evaluation.bench import Bench, BenchedSystem, Timing
from goldwright.evaluation.bench_text import bench_lines, bench_markdown
from goldwright.evaluation.system_comparison import (
    SystemComparison,
    SystemPair,
    compare_systems,
)
from goldwright.pages.bench_page import bench_page
from goldwright.stats.paired_comparison import compare_pairs
from units.evaluation.evaluations import report, report_of_values, scored

HOSTILE = "</script><img src=x>|`\u202e{{ 7*7 }}"


def bench_of(systems: dict[str, list[float]], **failures: RetrieverError) -> Bench:
    """A bench of systems with a value a query."""
    reports = {name: report_of_values(*values) for name, values in systems.items()}
    timing = Timing({"q0": 0.25, "q1": 2.0}, asked=2)
    benched = {name: BenchedSystem(single, timing, None) for name, single in reports.items()}
    comparison = compare_systems(reports, "MRR", seed=0)
    return Bench(benched, failures, comparison, ())


class TestComparison:
    """Who is told apart from whom."""

    def test_a_system_that_loses_everywhere_stands_alone(self) -> None:
        good, other, bad = [1.0, 0.5] * 10, [0.5, 1.0] * 10, [0.1] * 20
        result = bench_of({"bad": bad, "good": good, "other": other}).comparison
        assert result is not None
        assert list(result.means) == ["good", "other", "bad"]
        assert result.groups == (("good", "other"), ("bad",))
        assert [result.letters(name) for name in ("good", "other", "bad")] == ["a", "a", "b"]
        assert (result.wins("good", "bad"), result.wins("bad", "good")) == (20, 0)
        assert (result.wins("good", "other"), result.wins("other", "good")) == (10, 10)
        assert {(pair.better, pair.worse): pair.is_shown for pair in result.pairs} == {
            ("good", "other"): False,
            ("good", "bad"): True,
            ("other", "bad"): True,
        }

    def test_no_pair_is_shown_by_a_p_value_that_only_holds_alone(self) -> None:
        """Six queries lost of thirty, p = 0.031 alone, and ten pairs of systems that waver."""
        wavering = {
            f"s{system}": [float((query * system) % 7 > 2) for query in range(30)]
            for system in range(2, 6)
        }
        first = [1.0] * 6 + [0.0] * 24
        result = bench_of({"first": first, "second": [0.0] * 30, **wavering}).comparison
        assert result is not None
        (pair,) = [
            pair for pair in result.pairs if {pair.better, pair.worse} == {"first", "second"}
        ]
        assert pair.difference.p_value == pytest.approx(2 / 64)
        assert pair.adjusted_p > 0.05

    def test_systems_on_other_queries_are_refused(self) -> None:
        reports = {"a": report_of_values(1.0, 0.5), "b": report_of_values(1.0)}
        with pytest.raises(InputError, match="q1: was asked in one of the two"):
            compare_systems(reports, "MRR", seed=0)
        with pytest.raises(InputError, match="1 system;"):
            compare_systems({"a": report_of_values(1.0)}, "MRR", seed=0)

    @pytest.mark.parametrize(("adjusted_p", "is_shown"), [(0.0499, True), (0.05, False)])
    def test_a_difference_is_shown_below_five_percent(
        self, adjusted_p: float, is_shown: bool
    ) -> None:
        pair = SystemPair("a", "b", compare_pairs([0.5] * 6, seed=0), adjusted_p)
        assert pair.is_shown is is_shown

    def test_from_2_to_26_systems_are_compared(self) -> None:
        reports = {f"s{number}": report_of_values(1.0) for number in range(27)}
        with pytest.raises(InputError, match="27 systems; wanted 2 to 26 to compare"):
            compare_systems(reports, "MRR", seed=0)
        del reports["s26"]
        result = compare_systems(reports, "MRR", seed=0)
        assert len(result.pairs) == 26 * 25 / 2
        assert result.best == tuple(reports)

    def test_values_are_paired_by_query_and_equal_means_keep_their_order(self) -> None:
        first = report([scored("q1", {"MRR": 0.0}), scored("q2", {"MRR": 1.0})])
        second = report([scored("q2", {"MRR": 1.0}), scored("q1", {"MRR": 0.0})])
        result = compare_systems({"b": second, "a": first}, "MRR", seed=0)
        assert list(result.means) == ["b", "a"]
        assert (result.wins("a", "b"), result.wins("b", "a")) == (0, 0)
        (pair,) = result.pairs
        assert (pair.difference.ties, pair.adjusted_p) == (2, 1.0)
        with pytest.raises(KeyError, match="a and c were not compared"):
            result.wins("a", "c")

    def test_a_p_value_over_all_pairs_is_no_less_than_that_of_the_pair_alone(self) -> None:
        systems = {"a": [1.0] * 8, "b": [0.5] * 8, "c": [0.5] * 7 + [0.25]}
        result = bench_of(systems).comparison
        assert result is not None
        assert all(pair.adjusted_p >= pair.difference.p_value for pair in result.pairs)

    def test_beyond_the_alphabet_letters_of_groups_go_on_in_capitals(self) -> None:
        groups = tuple((f"s{number}",) for number in range(28))
        result = SystemComparison("MRR", {}, (), (*groups, ("s0",)))
        letters = [result.letters(f"s{number}") for number in (0, 25, 26, 27)]
        assert letters == ["aC", "z", "A", "B"]


class TestNames:
    """What a retriever is called in a table."""

    def test_a_name_may_stand_before_the_specification(self) -> None:
        named = name_retrievers(["bm25", "old=py:a:find", "http://h/?k=v", "cmd:x --a=b"])
        assert dict(named) == {
            "bm25-3": "bm25",
            "old": "py:a:find",
            "http://h/": "http://h/?k=v",
            "cmd:x --a=b": "cmd:x --a=b",
        }

    def test_two_of_one_name_are_no_table(self) -> None:
        with pytest.raises(InputError, match="names two retrievers"):
            name_retrievers(["bm25", "bm25"])
        with pytest.raises(InputError, match="a bench compares 2 to 26"):
            name_retrievers(["bm25"])


class TestTexts:
    """The same result as text, Markdown and a page."""

    def test_the_first_finding_says_who_is_best_as_far_as_it_is_shown(self) -> None:
        alike = bench_of({"a": [1.0, 0.0], "b": [0.0, 1.0]})
        assert "These queries tell none of the 2 systems apart by MRR." in bench_lines(alike)
        alone = bench_of({"a": [1.0] * 20, "b": [0.0] * 20})
        assert "Best by MRR: a, shown against every other." in bench_lines(alone)
        three = bench_of({"a": [1.0, 0.5] * 9, "b": [0.5, 1.0] * 9, "c": [0.0] * 18})
        assert "Best by MRR: a, which cannot be told from b." in bench_lines(three)

    def test_one_system_and_one_query_are_told_as_one(self) -> None:
        reports = {"a": report_of_values(1.0)}
        timing = Timing({"q0": 0.25}, asked=1)
        benched = {name: BenchedSystem(single, timing, None) for name, single in reports.items()}
        assert Bench(benched, {}, None, ()).size == "1 system on 1 query"

    def test_latencies_are_nearest_ranks(self) -> None:
        timing = Timing({f"q{place}": place / 100 for place in range(1, 101)})
        assert [timing.percentile(share) for share in (0.5, 0.95, 0.99)] == [0.5, 0.95, 0.99]
        assert Timing().percentile(0.5) is None

    def test_hostile_names_act_nowhere(self) -> None:
        result = bench_of({HOSTILE: [1.0, 0.0], "b": [0.0, 1.0]}, c=RetrieverError(HOSTILE))
        page = bench_page(result).decode()
        assert "<img" not in page
        assert "\u202e" not in page
        markdown = bench_markdown(result)
        assert "<img" not in markdown.replace("\\<img", "")
        # A bar in a name adds no column to a table.
        for table in markdown.split("\n\n"):
            rows = [line.replace("\\|", "") for line in table.splitlines() if line[:1] == "|"]
            assert len({row.count("|") for row in rows}) <= 1, rows
        assert not any("\u202e" in line for line in bench_lines(result))

    def test_a_system_that_failed_is_named_with_its_reason(self) -> None:
        result = bench_of({"a": [1.0], "b": [0.0]}, broken=RetrieverError("no reply"))
        assert "FAILED  broken: no reply" in bench_lines(result)
        assert "no reply" in bench_page(result).decode()
        assert "**Failed:** broken: no reply" in bench_markdown(result)
