"""Remarks beside the numbers of an evaluation: what makes them less, or other, than they look."""

from typing import cast

import pytest

from goldwright.errors import InputError
from goldwright.evaluation.id_resolution import IdResolution
from goldwright.evaluation.reply_notes import ReplyNotes, check_known, remarks, unjudged_remark
from goldwright.evaluation.retriever_scoring import ScoredReply
from goldwright.golden.id_spelling import KnownSpelling
from goldwright.retrieval.connections.port import RetrieverReply
from goldwright.text import name_some
from units.evaluation.evaluations import scored


class KnownIds:
    """A codebase that knows every id in it, and none beside."""

    def __init__(self, *ids: str) -> None:
        self._ids = ids

    def is_known(self, result_id: str) -> bool:
        return result_id in self._ids

    def nearest_spelling(self, result_id: str) -> KnownSpelling | None:
        """Nobody knows."""


def notes_on(
    *replies: tuple[str, ...],
    known: tuple[str, ...] = ("a.py", "a.py::f", "a.py::g"),
    rising: int = 0,
    scores: int = 0,
) -> ReplyNotes:
    """Note some replies, of which the first so many have rising scores or sufficiency scores."""
    notes = ReplyNotes(cast("IdResolution", KnownIds(*known)))
    for number, ids in enumerate(replies):
        reply = RetrieverReply([(name, 1.0) for name in ids], rises=number < rising)
        sufficiency_score = 0.5 if number < scores else None
        score = scored(f"q{number}", {"MRR": 0.5}, sufficiency_score=sufficiency_score)
        notes.note(ScoredReply(score, ids, reply))
    return notes


def remarks_on_values(depth: int = 100, **values: float) -> str:
    """Remark on one query, whose measures are written with ``_at_`` for the at sign."""
    by_measure = {name.replace("_at_", "@"): value for name, value in values.items()}
    notes = notes_on(("a.py::f",))
    return " ".join(remarks([scored("q0", by_measure)], notes, depth=depth))


def remarks_on_notes(notes: ReplyNotes, *found: int) -> str:
    queries = [scored(f"q{place}", {"MRR": 0.5}, found=count) for place, count in enumerate(found)]
    return " ".join(remarks(queries or [scored("q0", {"MRR": 0.5})], notes, depth=10))


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a"], "a"),
        (["a", "b", "c"], "a, b, c"),
        (["a", "b", "c", "d"], "a, b, c and 1 more"),
        (list("abcdefgh"), "a, b, c and 5 more"),
    ],
)
def test_three_names_are_spelled_out_and_the_others_counted(names: list[str], text: str) -> None:
    assert name_some(names) == text


def test_an_evaluation_without_oddities_has_no_remarks() -> None:
    notes = notes_on(("a.py::f", "a.py"), ("a.py::g",))
    queries = [scored("q0", {"MRR": 0.5, "R@10": 0.5, "Judged@10": 1.0})]
    assert list(remarks(queries, notes, depth=10)) == []


def test_saturated_measures_are_named() -> None:
    text = remarks_on_values(MRR=0.98, R_at_10=0.5)
    assert text.startswith("Saturated (at 0.98 or above, so nothing better could show): MRR.")


@pytest.mark.parametrize(("depth", "is_cut"), [(9, True), (10, False), (11, False)])
def test_a_cutoff_beyond_the_results_that_were_asked_for_is_remarked(
    depth: int, is_cut: bool
) -> None:
    text = remarks_on_values(depth, MRR=0.5, R_at_10=0.5)
    sentence = f"Only {depth} results were asked for, so this is cut at {depth}: R@10."
    assert (sentence in text) == is_cut
    assert bool(text) == is_cut


def test_results_that_nobody_judged_are_remarked_where_that_was_measured() -> None:
    assert "Of the first ten results 25% are judged by nobody" in remarks_on_values(
        MRR=0.5, Judged_at_10=0.75
    )
    assert remarks_on_values(MRR=0.5, Judged_at_10=1.0) == ""
    assert remarks_on_values(MRR=0.5) == ""


def test_ids_that_the_codebase_does_not_know_are_counted_once_each() -> None:
    notes = notes_on(("a.py::f", "x"), ("x", "w"))
    assert notes.foreign == ["w", "x"]
    text = remarks_on_notes(notes)
    assert text == "2 of 3 results are no entity and no file of the codebase (w, x)."


def test_a_retriever_of_files_is_told_which_measures_to_read() -> None:
    assert "All results are files" in remarks_on_notes(notes_on(("a.py",), ("x::y",)))
    assert "All results are files" not in remarks_on_notes(notes_on(("a.py", "a.py::f")))


def test_where_nothing_came_back_nothing_is_said_of_files() -> None:
    text = remarks_on_notes(notes_on((), ()), 0, 0)
    assert text == "2 of 2 queries came back without any result."


def test_only_queries_without_results_are_counted_as_empty() -> None:
    text = remarks_on_notes(notes_on(("a.py::f",), (), ("a.py::g",)), 1, 0, 2)
    assert text == "1 of 3 queries came back without any result."


@pytest.mark.parametrize(("rising", "is_remarked"), [(0, False), (2, False), (3, True), (4, True)])
def test_scores_that_rise_in_most_replies_are_remarked(rising: int, is_remarked: bool) -> None:
    """In half of them it may be chance."""
    notes = notes_on(*[("a.py::f",)] * 4, rising=rising)
    assert notes.rising == rising
    sentence = f"In {rising} of 4 replies the scores rise down the list"
    assert (sentence in remarks_on_notes(notes)) == is_remarked


@pytest.mark.parametrize(("scores", "is_remarked"), [(0, False), (1, True), (2, True), (3, False)])
def test_sufficiency_scores_of_some_replies_alone_are_remarked(
    scores: int, is_remarked: bool
) -> None:
    notes = notes_on(*[("a.py::f",)] * 3, scores=scores)
    assert notes.scored == scores
    sentence = f"{scores} of 3 replies carry a sufficiency_score"
    assert (sentence in remarks_on_notes(notes)) == is_remarked


@pytest.mark.parametrize(
    ("count", "problem"),
    [(1, "no result is"), (2, "none of 2 results is"), (10, "none of 10 results is")],
)
def test_ids_of_which_none_is_known_end_the_evaluation(count: int, problem: str) -> None:
    notes = notes_on(tuple(f"x{number}" for number in range(count)))
    with pytest.raises(InputError, match=problem):
        check_known(notes, "a.py::f")


class OneRespelled(KnownIds):
    """A codebase that would know one id in another spelling."""

    def __init__(self, foreign_id: str) -> None:
        super().__init__()
        self._foreign_id = foreign_id

    def nearest_spelling(self, result_id: str) -> KnownSpelling | None:
        return KnownSpelling("a.py::f", "write it so") if result_id == self._foreign_id else None


@pytest.mark.parametrize(("number", "is_advised"), [(0, True), (19, True), (20, False)])
def test_of_twenty_unknown_ids_one_is_told_with_how_to_write_it(
    number: int, is_advised: bool
) -> None:
    ids = [f"x{place:02}" for place in range(30)]
    notes = ReplyNotes(cast("IdResolution", OneRespelled(ids[number])))
    reply = RetrieverReply([(name, 1.0) for name in ids])
    notes.note(ScoredReply(scored("q0", {"MRR": 0.5}), tuple(ids), reply))
    advice = f"{ids[number]!r} would be known otherwise: write it so"
    assert notes.spelling_advice() == (advice if is_advised else None)
    assert (advice in (notes.unknown_remark() or "")) is is_advised
    with pytest.raises(InputError, match="write it so" if is_advised else "they look like 'x00'"):
        check_known(notes, "a.py::f")


def test_one_known_id_of_many_is_enough_to_go_on() -> None:
    check_known(notes_on(("a.py", *[f"x{number}" for number in range(20)])), "a.py::f")


def test_shares_of_several_systems_are_one_remark_and_equal_ones_one_number() -> None:
    assert "results 10% to 45% are judged" in unjudged_remark([0.2, 0.45, 0.1])
    assert unjudged_remark([0.25, 0.25]) == unjudged_remark([0.25])
