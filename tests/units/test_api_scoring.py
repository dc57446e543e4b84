"""The library scores anybody's list: datasets to look into, benches, comparisons, frames."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import goldwright

QUERIES = """id,query,expected,category
q1,<b>alpha</b> beta,a.py::alpha,red
q2,gamma delta,b.py::gamma,red
q3,epsilon,a.py::epsilon,blue
"""
ANSWERS = {"<b>alpha</b> beta": "a.py::alpha", "gamma delta": "b.py::gamma"}


def always_right_but_once(query: str) -> list[str]:
    return ["c.py::other", ANSWERS.get(query, "c.py::another")]


async def at_once(query: str, limit: int) -> list[str]:
    return [ANSWERS.get(query, "c.py::another")][:limit]


def broken(_query: str) -> list[str]:
    raise RuntimeError("no index <i>here</i>")


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "queries.csv"
    path.write_text(QUERIES, encoding="utf-8")
    return path


@pytest.fixture
def bench(queries: Path) -> goldwright.Bench:
    return goldwright.bench(queries, {"late": always_right_but_once, "now": at_once})


class TestDataset:
    """A dataset is a collection of queries."""

    def test_it_is_counted_looped_over_and_searched_by_id(self, queries: Path) -> None:
        dataset = goldwright.open_dataset(queries)
        assert len(dataset) == 3
        assert [query.query_id for query in dataset] == ["q1", "q2", "q3"]
        assert dataset["q2"].expected_ids == ("b.py::gamma",)
        assert "q3" in dataset
        assert "q4" not in dataset
        assert dataset["q1"] in dataset
        assert dataset.strata == {"category": {"red": 2, "blue": 1}}

    def test_an_unknown_id_is_an_error_that_names_the_nearest(self, queries: Path) -> None:
        with pytest.raises(goldwright.InputError, match=r"q22: no query of queries.csv; .*q2"):
            _ = goldwright.open_dataset(queries)["q22"]

    def test_an_id_of_two_queries_names_neither(self, queries: Path) -> None:
        path = queries.with_suffix(".jsonl")
        path.write_text('{"id": "q2", "query": "a", "expected": "a.py"}\n' * 2, encoding="utf-8")
        with pytest.raises(goldwright.InputError, match="q2: is the id of 2 queries"):
            _ = goldwright.open_dataset(path)["q2"]

    def test_it_becomes_a_frame(self, queries: Path) -> None:
        frame = goldwright.open_dataset(queries).to_frame()
        assert frame["category"].tolist() == ["red", "red", "blue"]
        assert frame["expected_ids"].tolist()[0] == ["a.py::alpha"]
        assert frame["grades"].tolist() == [[1], [1], [1]]


class TestBench:
    """Several retrievers at once, callables among them."""

    def test_a_mapping_names_the_systems(self, bench: goldwright.Bench) -> None:
        assert bench.names == ("now", "late")
        assert bench.systems["now"].report.mean("MRR") == pytest.approx(2 / 3)
        assert bench.systems["late"].report.mean("MRR") == pytest.approx(1 / 3)

    def test_a_list_names_them_after_themselves(self, queries: Path) -> None:
        result = goldwright.bench(queries, [always_right_but_once, at_once])
        assert [name.rpartition(":")[2] for name in result.systems] == [
            "always_right_but_once",
            "at_once",
        ]

    def test_one_that_fails_costs_itself_alone(self, queries: Path) -> None:
        result = goldwright.bench(
            queries, {"late": always_right_but_once, "now": at_once, "broken": broken}
        )
        assert set(result.systems) == {"late", "now"}
        assert isinstance(result.failures["broken"], goldwright.RetrieverError)
        assert "&lt;i&gt;here" in result._repr_html_()

    def test_a_run_that_was_made_elsewhere_has_no_latency(self, queries: Path) -> None:
        run = queries.with_name("elsewhere.trec")
        run.write_text("".join(f"q{n} Q0 b.py::gamma 1 0.5 elsewhere\n" for n in (1, 2, 3)))
        result = goldwright.bench(queries, {"elsewhere": f"trec:{run}", "now": at_once})
        timing = result.systems["elsewhere"].timing
        assert (timing.asked, timing.percentile(0.5)) == (0, None)
        assert result.systems["now"].timing.asked == 3

    @pytest.mark.parametrize(
        ("retrievers", "message"),
        [
            ("bm25", "bm25: one retriever; wanted a list or a mapping"),
            ([at_once], "1 retriever; a bench compares 2 to 26"),
            ([at_once, at_once], "names two retrievers"),
            ({"": at_once, "b": at_once}, "has no name"),
        ],
    )
    def test_what_is_no_list_of_retrievers_is_refused(
        self, queries: Path, retrievers: Any, message: str
    ) -> None:
        with pytest.raises(goldwright.InputError, match=message):
            goldwright.bench(queries, retrievers)

    def test_an_opened_dataset_is_as_good_as_its_path(
        self, queries: Path, bench: goldwright.Bench
    ) -> None:
        opened = goldwright.open_dataset(queries)
        again = goldwright.bench(opened, {"late": always_right_but_once, "now": at_once})
        assert again.comparison == bench.comparison

    def test_a_file_that_is_called_like_a_version_is_still_that_file(
        self, queries: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(queries.parent)
        line = '{"id": "q1", "query": "gamma delta", "expected": "b.py::gamma"}\n'
        Path("2.0").write_text(line, encoding="utf-8")
        dataset = goldwright.open_dataset("./2.0")
        assert goldwright.evaluate(dataset, at_once).report.mean("MRR") == 1.0

    def test_it_becomes_a_frame_of_systems_and_queries(self, bench: goldwright.Bench) -> None:
        frame = bench.to_frame()
        assert frame[["system", "query_id"]].to_numpy().tolist() == [
            [system, query] for system in ("now", "late") for query in ("q1", "q2", "q3")
        ]
        assert frame["MRR"].tolist() == [1.0, 1.0, 0.0, 0.5, 0.5, 0.0]
        assert frame["category"].tolist()[:3] == ["red", "red", "blue"]
        assert (frame["seconds"] >= 0).all()


class TestComparison:
    """Two evaluations, whatever holds them."""

    def test_every_way_to_hold_an_evaluation_gives_the_same_rows(
        self, queries: Path, bench: goldwright.Bench, tmp_path: Path
    ) -> None:
        before = goldwright.evaluate(queries, always_right_but_once)
        after = goldwright.evaluate(queries, at_once)
        saved = tmp_path / "before.json"
        saved.write_text(before.report.model_dump_json(), encoding="utf-8")
        rows = goldwright.compare(before, after).measures
        assert goldwright.compare(before.report, after.report).measures == rows
        assert goldwright.compare(saved, after).measures == rows
        assert goldwright.compare(str(saved), bench.systems["now"]).measures == rows
        assert before.compare(after).measures == rows
        assert before.report.compare(after.report).measures == rows
        assert rows[0].difference.mean == pytest.approx(1 / 3)

    def test_it_becomes_a_frame_of_measures(self, bench: goldwright.Bench) -> None:
        comparison = goldwright.compare(bench.systems["late"], bench.systems["now"])
        frame = comparison.to_frame().set_index("measure")
        assert frame.loc["MRR", "difference"] == pytest.approx(1 / 3)
        assert frame.loc["MRR", ["wins", "ties", "losses"]].tolist() == [2, 1, 0]
        assert comparison.finding == "No difference is shown, which is no proof that there is none."

    def test_what_is_shown_is_said_with_its_direction(self, tmp_path: Path) -> None:
        path = tmp_path / "many.csv"
        lines = ["id,query,expected", *(f"q{n},word {n},a.py::f{n}" for n in range(12))]
        path.write_text("\n".join(lines), encoding="utf-8")
        right = goldwright.evaluate(path, lambda query: [f"a.py::f{query.split()[1]}"])
        late = goldwright.evaluate(path, lambda query: ["a.py::x", f"a.py::f{query.split()[1]}"])
        assert right.compare(late).finding.startswith("Shown to be worse by MRR,")
        assert late.compare(right).finding.startswith("Shown to be better by MRR,")


@pytest.mark.parametrize(
    "show",
    [
        lambda path, _bench: goldwright.open_dataset(path),
        lambda path, _bench: goldwright.evaluate(path, at_once, gates=["MRR >= 0.9"]),
        lambda path, _bench: goldwright.evaluate(path, at_once).report,
        lambda _path, bench: bench,
        lambda _path, bench: bench.systems["now"].report.compare(bench.systems["late"].report),
    ],
    ids=["dataset", "evaluation", "report", "bench", "comparison"],
)
def test_everything_shows_itself_small_and_escaped(
    queries: Path, bench: goldwright.Bench, show: Callable[[Path, goldwright.Bench], Any]
) -> None:
    shown = show(queries, bench)
    assert len(repr(shown)) < 300
    page = shown._repr_html_()
    assert page.startswith('<div class="goldwright">')
    assert len(page) < 12_000
    assert "<b>alpha" not in page
    # Nothing is loaded from elsewhere, and nothing runs.
    assert not any(word in page for word in ("<script", "src=", "href=", "url(", "http"))


@pytest.mark.parametrize(
    "wrong", [{"concurrency": 0}, {"limit": 0}, {"depth": -1}, {"timeout": float("nan")}]
)
def test_numbers_that_nothing_can_be_asked_with_are_refused(
    queries: Path, wrong: dict[str, Any]
) -> None:
    (name,) = wrong
    with pytest.raises(goldwright.InputError, match=f"^{name}: "):
        goldwright.evaluate(queries, at_once, **wrong)


def test_a_frame_of_an_evaluation_has_a_row_for_each_query(queries: Path) -> None:
    frame = goldwright.evaluate(queries, at_once, measures=["MRR"]).to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["MRR"].tolist() == [1.0, 1.0, 0.0]
    assert frame["first_rank"].isna().tolist() == [False, False, True]
    assert frame["retrieved"].tolist()[0] == ["a.py::alpha"]


def test_few_queries_can_be_asked_first(queries: Path) -> None:
    report = goldwright.evaluate(queries, at_once, limit=2).report
    assert len(report.queries) == 2
    assert any("2 of 3" in note for note in report.notes)
