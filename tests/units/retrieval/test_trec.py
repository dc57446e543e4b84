"""TREC files and the order of hits: read as trec_eval reads them, with what is wrong named by its
line.
"""

from pathlib import Path
from random import Random

import pytest
import pytrec_eval
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldwright.app.scoring.score_trec import score_files
from goldwright.errors import InputError
from goldwright.metrics import find_metric, find_relevant
from goldwright.retrieval.hit_order import Ties, best_hits, hit_ranks, sort_hits
from goldwright.retrieval.trec import (
    ScatteredRunError,
    read_grouped,
    read_qrels,
    read_run,
    run_lines,
)

NAMES = {
    "MRR": "recip_rank",
    "nDCG@10": "ndcg_cut_10",
    "nDCG@5": "ndcg_cut_5",
    "R@10": "recall_10",
    "R@100": "recall_100",
    "P@1": "P_1",
    "P@5": "P_5",
    "Success@5": "success_5",
    "Hit@10": "success_10",
}
HITS = st.lists(
    st.tuples(st.sampled_from([f"d{number}" for number in range(40)]), st.floats(-1e9, 1e9)),
    max_size=40,
)


@pytest.mark.parametrize("seed", range(20))
def test_every_metric_agrees_with_trec_eval_on_graded_runs_with_ties(seed: int) -> None:
    """To nine decimal places, whatever ties: trec_eval compares in single precision and takes the
    larger id first.
    """
    random = Random(seed)
    documents = [f"src/a{number}.py::f" for number in range(60)]
    qrels = {
        f"q{query}": {
            document: random.choice([0, 0, 1, 1, 2, 3])
            for document in random.sample(documents, random.randint(1, 20))
        }
        for query in range(40)
    }
    steps = random.choice([3, 20, 10**9])
    run = {
        query: {
            document: random.randrange(steps) / steps
            for document in random.sample(documents, random.randint(1, 60))
        }
        for query in qrels
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values()))
    expected = evaluator.evaluate(run)
    compared = 0
    for query, grades in qrels.items():
        relevant = {document: float(grade) for document, grade in grades.items() if grade > 0}
        if relevant:
            ranked = find_relevant(sort_hits(list(run[query].items()), ties="trec"), relevant)
            for name, trec_name in NAMES.items():
                value = find_metric(name)(ranked)
                assert value == pytest.approx(expected[query][trec_name], abs=1e-9), (query, name)
                compared += 1
    assert compared > 250


@given(HITS, st.randoms(use_true_random=False), st.sampled_from(["id", "trec"]))
def test_the_order_does_not_depend_on_the_order_of_arrival(
    hits: list[tuple[str, float]], random: Random, ties: Ties
) -> None:
    hits = list(dict(hits).items())
    shuffled = random.sample(hits, len(hits))
    assert sort_hits(hits, ties=ties) == sort_hits(shuffled, ties=ties)
    assert sorted(sort_hits(hits)) == sorted(name for name, _ in hits)


def test_scores_that_differ_by_jitter_are_ties_and_ids_tell() -> None:
    """What a batch size may change in a cosine moves nothing, and fusion scores of late ranks are
    still told apart.
    """
    assert sort_hits([("b", 0.9), ("a", 0.9 - 1e-8), ("c", 0.8)]) == ["a", "b", "c"]
    fused = [(f"d{place:04d}", 1 / (60 + place)) for place in range(1000, 0, -1)]
    assert sort_hits(fused) == [f"d{place:04d}" for place in range(1, 1001)]
    assert sort_hits([("b", 0.0), ("a", 0.0)]) == ["a", "b"]
    assert sort_hits([("low", -2.0), ("high", -1.0)]) == ["high", "low"]


def test_a_run_is_read_query_by_query(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q2 Q0 a 1 2.5 x\nq2 Q0 b 2 -1e3 x\n\nq1\tQ0\tc::d 1 0 x\n")
    assert read_run(path) == {"q2": [("a", 2.5), ("b", -1000.0)], "q1": [("c::d", 0.0)]}


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=30),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_run_of_any_shape_is_read_whole(
    tmp_path: Path, lengths: list[int], usual: bool, end: str
) -> None:
    """Whatever falls together in a block, whether the second column is what it should be, and with
    empty lines.
    """
    path = tmp_path / "run.txt"
    run = [
        (f"q{place}", [(f"d{number}-{'x' * 400}", float(-number)) for number in range(length)])
        for place, length in enumerate(lengths)
    ]
    lines = (
        f"{query} {'Q0' if usual else '0'} {name} 1 {score} x{end}"
        for query, hits in run
        for name, score in hits
    )
    path.write_bytes("".join(lines).encode())
    assert list(read_run(path).items()) == run


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=9))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_scores_are_read_to_the_last_bit(tmp_path: Path, scores: list[float]) -> None:
    path = tmp_path / "run.txt"
    lines = (f"q1 Q0 d{place} 1 {score!r} x\n" for place, score in enumerate(scores))
    path.write_text("".join(lines))
    assert [score for _, score in read_run(path)["q1"]] == scores


@pytest.mark.parametrize("text", ["+1", "1.", ".5", "007", "1e2", "123456789012345678901234567890"])
def test_any_way_of_writing_a_number_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.txt"
    path.write_text(f"q1 Q0 a 1 {text} x\n")
    assert read_run(path) == {"q1": [("a", float(text))]}


def test_what_was_written_comes_back_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    run = [("q1", ["b", "a", "c"]), ("q2", ["z"]), ("q3", [])]
    path.write_text("".join(run_lines(run, name="mine")))
    assert [(query, sort_hits(hits)) for query, hits in read_run(path).items()] == run[:2]


def test_an_id_with_spaces_is_written_as_one_column_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    run = [("q 1", ["my shop/a.py::f", "100%/b.py", "%20.py"])]
    path.write_text("".join(run_lines(run, name="mine")))
    assert [len(line.split()) for line in path.read_text().splitlines()] == [6, 6, 6]
    assert [(query, sort_hits(hits)) for query, hits in read_run(path).items()] == run


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "q1 Q0 a 1 2 x\nq1 Q0 b\n",
            "line 2: wanted 'query Q0 document rank score name'; found 'q1 Q0 b'",
        ),
        (
            "q1 0 a 1\n",
            (
                "line 1: wanted 'query Q0 document rank score name'; found 'q1 0 a 1'; "
                "this is a line of judgements (qrels), which come before the run"
            ),
        ),
        ("q1 Q0 a 1 high x\n", "line 1: wanted 'query Q0 document rank score name'"),
        ("q1 Q0 a 1 1,2 x\n", "line 1: wanted 'query Q0 document rank score name'"),
        ("q1 Q0 a 1 1e400 x\n", "line 1: a score of 'q1' is not a finite number"),
        ("q1 Q0 a 1 nan x\n", "line 1: a score of 'q1' is not a finite number"),
        ("q1 Q0 a 1 inf x\nq2 Q0 a 1 1 x\n", "line 1: a score of 'q1' is not a finite number"),
        ("q1 Q0 a 1 1 x\nq1 Q0 a 2 0 x\n", "line 2 or before: 'q1' names a document twice"),
        (
            "q1 Q0 a 1 1 x\nq2 Q0 a 1 1 x\nq1 Q0 a 2 0 x\n",
            "line 3 or before: 'q1' names a document twice",
        ),
        ("q1 Q0 a 1 1\nq2 Q0 a 1 1 x y\n", "line 1: wanted 'query Q0 document rank score name'"),
        ("q1 Q0 a 1 1 x\n" * 20_000, "line 20000 or before: 'q1' names a document twice"),
        ("q1 Q0 a 1 1 x\n" + "q2 Q0 a 1 1 x\n" * 19_998 + "q3 Q0 a 1 1\n", "line 20000: wanted"),
    ],
)
def test_a_run_that_is_none_is_named_by_its_line(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert f"{path}, {what}" in str(caught.value)


@pytest.mark.parametrize("blank", ["", "\n"])
def test_the_lines_of_a_run_may_have_any_order(tmp_path: Path, blank: str) -> None:
    """As trec_eval takes them; who reads query by query is told where the order breaks."""
    path = tmp_path / "run.txt"
    path.write_text(f"q1 Q0 a 1 1 x\n{blank}q2 Q0 a 1 1 x\nq1 Q0 b 2 3 x\nq2 Q0 c 2 2 x\n")
    assert read_run(path) == {"q1": [("a", 1.0), ("b", 3.0)], "q2": [("a", 1.0), ("c", 2.0)]}
    line = 3 + len(blank)
    with pytest.raises(ScatteredRunError, match=f"line {line}: the lines of 'q1' do not stand"):
        list(read_grouped(path))
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 a 1\nq2 0 c 1\n")
    assert list(score_files(qrels, path, ["MRR"]).columns["MRR"]) == [0.5, 1.0]


def test_judgements_keep_their_grades(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 a 2\nq1 0 b 0\n\nq2 0 a -1\n")
    assert read_qrels(path) == {"q1": {"a": 2, "b": 0}, "q2": {"a": -1}}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("q1 0 a\n", "line 1: wanted 'query 0 document relevance'"),
        (
            "q1 Q0 a 1 9.5 x\n",
            (
                "line 1: wanted 'query 0 document relevance'; found 'q1 Q0 a 1 9.5 x'; "
                "this is a line of a run, which comes after the judgements (qrels)"
            ),
        ),
        ("q1 0 a 1\nq1 0 b 0.5\n", "line 2: wanted"),
        ("q1 0 a 1\nq1 0 a 2\n", "line 2: 'a' is judged twice for 'q1'"),
    ],
)
def test_judgements_that_are_none_are_named_by_their_line(
    tmp_path: Path, text: str, what: str
) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert f"{path}, {what}" in str(caught.value)


def test_files_that_cannot_be_read_are_input_errors(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(b"\xff\xfe q\n")
    for read, path, what in (
        (read_qrels, tmp_path / "none", "cannot be read"),
        (read_run, tmp_path, "cannot be read"),
        (read_run, tmp_path / "run.txt", "is not UTF-8 text"),
    ):
        with pytest.raises(InputError, match=what):
            read(path)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefghij"), st.sampled_from([0.0, 0.5, 0.5000001, 1.0, 7.25])),
        max_size=10,
    ),
    st.sampled_from(["id", "trec"]),
)
def test_places_are_those_of_the_whole_order(hits: list[tuple[str, float]], ties: Ties) -> None:
    """The rank of a single id follows the same rule as the order of all."""
    scores = dict(hits)
    order = sort_hits(list(scores.items()), ties=ties)
    ranks = hit_ranks(scores, "ajcx", ties=ties)
    assert ranks == {name: order.index(name) + 1 for name in "ajc" if name in scores}


@given(
    st.permutations(
        [("a", 1.0), ("b", 0.5), ("c", 0.5), ("d", 0.5 + 1e-9), ("e", 0.5), ("f", 0.1)]
    ),
    st.integers(1, 6),
    st.sampled_from(["id", "trec"]),
)
def test_what_is_cut_off_owes_nothing_to_the_order_of_arrival(
    hits: list[tuple[str, float]], limit: int, ties: Ties
) -> None:
    assert (
        sort_hits(best_hits(hits, limit), ties=ties)[:limit]
        == sort_hits(sorted(hits), ties=ties)[:limit]
    )
