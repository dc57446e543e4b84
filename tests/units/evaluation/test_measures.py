"""What is credited: each expected entity once, whichever of its copies was found."""

import pytest

from goldwright.errors import InputError, RetrieverError
from goldwright.evaluation.measures import (
    DEFAULT_MEASURES,
    Measure,
    find_measures,
    judge_ranking,
    saturated_measures,
)
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.retriever_scoring import score_all
from goldwright.evaluation.strata import mean_of, summarize_strata
from goldwright.golden.queries import query_of
from goldwright.metrics import MetricUndefinedError
from goldwright.records import ExpectedEntity, GoldenLabel
from goldwright.retrieval.connections.builtin import BuiltinConnection
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.port import Hit
from units.golden.test_differences import HOLD

A, B, COPY = "shop/a.py::f", "shop/b.py::C.g", "shop/copy.py::f"


def label(query_id: str = "q1", **changes: object) -> GoldenLabel:
    """A label that expects two entities, of which the first stands a second time elsewhere."""
    entities = tuple(
        ExpectedEntity(entity_id=entity_id, role="primary", rationale="It does it.")
        for entity_id in (A, B)
    )
    fields = {
        "query_id": query_id,
        "expected_entities": entities,
        "expected_files": ("shop/a.py", "shop/b.py"),
    }
    return HOLD.model_copy(update={**fields, "alternatives": {A: (COPY,)}, **changes})


def value(name: str, *ranked: str) -> float:
    """A measure of a ranking by the label."""
    return Measure.find(name).compute(judge_ranking(query_of(label()), ranked))


def test_a_copy_counts_for_what_it_is_a_copy_of() -> None:
    assert value("MRR", "x.py::x", COPY) == 0.5
    assert value("R@10", COPY, B) == 1.0


def test_an_entity_and_its_copy_are_credited_once_and_take_one_rank() -> None:
    assert value("R@10", A, COPY) == 0.5
    assert value("P@5", A, COPY) == 0.2
    assert value("nDCG@10", A, COPY, B) == value("nDCG@10", A, B) == 1.0


def test_an_expected_entity_has_the_rank_at_which_it_or_its_copy_was_found() -> None:
    assert judge_ranking(query_of(label()), ["x.py::x", COPY, A]).entity_ranks == {A: 2, B: None}


def test_a_file_counts_at_its_first_rank() -> None:
    ranked = ("shop/a.py::other", "x.py::x", "x.py::y", "shop/a.py::f", "shop/b.py::h")
    assert value("file.MRR", *ranked) == 1.0
    assert value("file.R@2", *ranked) == 0.5
    assert value("file.R@3", *ranked) == 1.0
    assert value("FileCoverage@4", *ranked) == 0.5
    assert value("FileCoverage@5", *ranked) == 1.0


def test_a_retriever_of_files_is_measured_at_their_level() -> None:
    assert value("file.P@1", "shop/b.py") == 1.0
    assert value("P@1", "shop/b.py") == 0.0
    assert value("file.R@10", "shop/copy.py::f") == 0.5


def test_the_share_of_judged_results_counts_copies_as_judged() -> None:
    assert value("Judged@10", A, "x.py::x", COPY, "x.py::y") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "name", ["FileCoverage", "FileCoverage@0", "file.", "file.file.MRR", "entity.MRR", ""]
)
def test_a_name_of_no_measure_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="no such metric"):
        find_measures([*DEFAULT_MEASURES, name])


def test_a_label_without_entities_has_no_measure() -> None:
    with pytest.raises(MetricUndefinedError):
        judge_ranking(query_of(label(expected_entities=(), expected_files=())), [A])


class FixedRetriever:
    """A retriever that finds the same for everything."""

    def search(self, query: str, *, limit: int) -> list[Hit]:
        """Give two hits."""
        return [Hit(B, 1.0), Hit(A, 1.0)][:limit] if query else []


def scores() -> list[QueryScore]:
    """Three queries of two cells."""
    easy = {"task_type": "locate", "difficulty": "easy"}
    labels = [
        label("q1", **easy),
        label("q2", **easy),
        label("q3", task_type="general", difficulty="hard"),
    ]
    connection = BuiltinConnection(FixedRetriever())
    measures = find_measures(["MRR", "R@10", "Judged@10"])
    replies = score_all(list(map(query_of, labels)), connection, measures, depth=10)
    return [reply.score for reply in replies]


def test_every_query_is_scored_in_the_order_that_ids_give_to_ties() -> None:
    assert [score.retrieved for score in scores()] == [(A, B)] * 3
    assert scores()[0].expected == {A: 1, B: 2}
    assert scores()[0].values == {"MRR": 1.0, "R@10": 1.0, "Judged@10": 1.0}


def test_a_stratum_says_how_many_queries_it_is_made_of() -> None:
    strata = list(summarize_strata(scores()))
    assert [(stratum.dimension, stratum.name, stratum.n) for stratum in strata] == [
        ("all", "all", 3),
        ("task_type", "locate", 2),
        ("task_type", "general", 1),
        ("difficulty", "easy", 2),
        ("difficulty", "hard", 1),
        ("cell", "locate/easy", 2),
        ("cell", "general/hard", 1),
    ]
    assert list(summarize_strata([])) == []


def test_equal_values_have_no_bootstrap_interval() -> None:
    overall = next(summarize_strata(scores()))
    assert overall.means["MRR"].bootstrap is None


def test_a_measure_is_saturated_when_hardly_anything_is_left_to_gain() -> None:
    assert saturated_measures({"MRR": 0.98, "R@10": 0.97, "Judged@10": 1.0}) == ("MRR",)


def test_a_mean_of_hits_and_misses_has_the_interval_of_a_rate() -> None:
    """Held against the mid-P ends found by scipy for 4 of 7, and the exact one for 14 of 14."""
    mean = mean_of([1.0] * 4 + [0.0] * 3)
    assert round(mean.value, 3) == 0.571
    assert mean.interval == pytest.approx((0.2160, 0.8773), abs=1e-4)
    assert mean_of([1.0] * 14).interval == pytest.approx((0.7684, 1.0), abs=1e-4)


def test_a_mean_of_other_values_has_students_interval() -> None:
    """Worked by hand: mean 0.5, standard error 0.5 / sqrt(3) / 2, t(3) = 3.182, cut at 0 and 1."""
    assert mean_of([0.25, 0.5, 0.75, 0.5]).interval == pytest.approx((0.1752, 0.8248), abs=1e-4)
    assert mean_of([0.1, 0.9]).interval == (0.0, 1.0)
    assert mean_of([0.0, 0.1]).interval == pytest.approx((0.0, 0.6853), abs=1e-4)
    assert mean_of([0.2] * 9 + [0.0]).interval == pytest.approx((0.1193, 0.2252), abs=1e-4)
    assert mean_of([0.5, 0.5]).interval is None
    assert mean_of([0.5]).interval is None


def test_a_question_carries_what_a_retriever_needs() -> None:
    questions: list[RetrieverQuery] = []

    class Spy(BuiltinConnection):
        def ask(self, question: RetrieverQuery) -> RetrieverReply:
            questions.append(question)
            return super().ask(question)

    list(
        score_all([query_of(label("q7"))], Spy(FixedRetriever()), find_measures(["MRR"]), depth=42)
    )
    assert questions == [RetrieverQuery("q7", HOLD.query_text, 42)]


@pytest.mark.parametrize("kind", [RetrieverError, InputError])
def test_an_error_of_a_retriever_names_the_query_and_ends_the_evaluation(
    kind: type[InputError | RetrieverError],
) -> None:
    class Broken(BuiltinConnection):
        def ask(self, question: RetrieverQuery) -> RetrieverReply:
            if question.query_id == "q2":
                raise kind("no such index")
            return super().ask(question)

    queries = [query_of(label("q1")), query_of(label("q2")), query_of(label("q3"))]
    measures = find_measures(["MRR"])
    replies = iter(score_all(queries, Broken(FixedRetriever()), measures, depth=5))
    assert next(replies).score.query_id == "q1"
    with pytest.raises(kind, match=r"^query q2: no such index$"):
        list(replies)


def test_every_measure_that_is_taken_by_default_can_be_computed() -> None:
    perfect = {name: value(name, A, B) for name in DEFAULT_MEASURES}
    # Two of the first five results are all there is to find.
    assert perfect == {**dict.fromkeys(DEFAULT_MEASURES, 1.0), "P@5": 0.4}


def test_a_report_lists_ten_results_and_counts_those_up_to_the_depth() -> None:
    class LongRetriever:
        def search(self, query: str, *, limit: int) -> list[Hit]:
            return [Hit(f"{query[:0]}shop/x.py::f{n:02}", 1.0) for n in range(limit + 3)]

    replies = score_all(
        [query_of(label())], BuiltinConnection(LongRetriever()), find_measures(["MRR"]), depth=12
    )
    (reply,) = replies
    assert len(reply.score.retrieved) == 10
    assert reply.score.found == len(reply.ranked) == 12
