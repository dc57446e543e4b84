"""What a foreign retriever may reply, and how other replies are refused."""

from dataclasses import dataclass

import pytest

from goldwright.errors import InputError
from goldwright.retrieval import Hit
from goldwright.retrieval.connections.replies import read_reply


@dataclass
class LibraryResult:
    """A result as somebody's own class."""

    path: str
    name: str
    score: float


@pytest.mark.parametrize(
    ("reply", "hits"),
    [
        ([], []),
        (["a.py::f", "b.py::g"], [("a.py::f", 2.0), ("b.py::g", 1.0)]),
        ({"results": ["a.py::f"]}, [("a.py::f", 1.0)]),
        ({"hits": [["a.py::f", 0.25], ("b.py::g", 3)]}, [("b.py::g", 3.0), ("a.py::f", 0.25)]),
        ({"documents": [{"id": "a.py::f", "score": -1}, {"entity_id": "b.py::g", "score": 2}]},
         [("b.py::g", 2.0), ("a.py::f", -1.0)]),
        ([{"file": "a.py", "symbol": "C.m"}, {"path": "b.py", "name": "g"}, {"file": "c.py"}],
         [("a.py::C.m", 3.0), ("b.py::g", 2.0), ("c.py", 1.0)]),
        ([Hit("a.py::f", 0.5), Hit("b.py::g", 0.75)], [("b.py::g", 0.75), ("a.py::f", 0.5)]),
        ([LibraryResult("a.py", "f", 1.5)], [("a.py::f", 1.5)]),
        ({"results": [], "anything": ["else"]}, []),
        (["a.py::f", "a.py::f", "b.py::g"], [("a.py::f", 3.0), ("b.py::g", 1.0)]),
    ],
)  # fmt: skip
def test_a_reply_is_read_by_one_small_rule(reply: object, hits: list[tuple[str, float]]) -> None:
    assert list(read_reply(reply, limit=10).hits) == hits


def test_results_beyond_the_limit_are_the_worst_ones() -> None:
    reply = [["low", 1.0], ["high", 3.0], ["middle", 2.0]]
    assert read_reply(reply, limit=2).hits == [("high", 3.0), ("middle", 2.0)]


def test_what_a_retriever_says_of_itself_is_kept() -> None:
    reply = read_reply(
        {"results": [], "sufficiency_score": 1, "source": "local", "answer": "It is there."},
        limit=1,
    )
    assert (reply.sufficiency_score, reply.source, reply.answer) == (1.0, "local", "It is there.")


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (None, "wanted results in a list"),
        ("a.py::f", "wanted results in a list"),
        ({"result": []}, "wanted results in a list"),
        ([{"score": 1.0}], "result 1: names no id"),
        ([""], "result 1: names no id"),
        (
            [["a.py::f", 1.0], ["b.py::g", "high"]],
            "result 2: wanted a finite number as score; found 'high'",
        ),
        ([["a.py::f", float("nan")]], "result 1: wanted a finite number as score; found nan"),
        ([["a.py::f", True]], "result 1: wanted a finite number as score; found True"),
        ([["a.py::f", 1.0], "b.py::g"], "1 of 2 results have a score; wanted all or none"),
        (
            {"results": [], "sufficiency_score": 1.5},
            "sufficiency_score: wanted a number from 0 to 1; found 1.5",
        ),
        ({"results": [], "source": 3}, "source: wanted a text; found 3"),
    ],
)
def test_a_malformed_reply_is_refused_with_its_place(reply: object, what: str) -> None:
    with pytest.raises(InputError) as caught:
        read_reply(reply, limit=10)
    assert str(caught.value).startswith(what)
