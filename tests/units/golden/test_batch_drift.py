"""Whether a batch is like the golden dataset."""

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from typing import Any

import pytest

from effort import share_of
from goldwright.golden.batch_drift import (
    BatchDrift,
    MeasureShift,
    compare_batch,
    drift_sentences,
    is_of_batch,
    shift_sentences,
)
from goldwright.records import GoldenLabel, Provenance

MEASURES = (
    "expected entities",
    "expected files",
    "expected lines",
    "facts to mention",
    "facts not to mention",
    "found by plain search",
    "words of the query",
    "words of the narrative",
    "words of a fact",
    "code words of the narrative",
)


def words(count: int) -> str:
    return " ".join(["word"] * count)


def label(number: int, cell: str = "explain/easy", **changes: Any) -> GoldenLabel:
    """Make a record of a cell, of which everything else is as plain as it can be."""
    task_type, _, difficulty = cell.partition("/")
    content: dict[str, Any] = {
        "query_id": f"q_{number:05d}",
        "task_type": task_type,
        "difficulty": difficulty,
        "query_text": words(12),
        "focus_area": None,
        "difficulty_rationale": None,
        "classifier_expectation": None,
        "identifier_in_query": False,
        "baseline_answerable": True,
        "expected_entities": [
            {"entity_id": "a.py::f", "role": "primary", "rationale": "It does it."}
        ],
        "expected_files": ["a.py"],
        "expected_line_ranges": [{"file": "a.py", "start": 1, "end": 4}],
        "must_mention_facts": [words(5), words(7)],
        "must_not_mention_facts": [words(5)],
        "fact_citations": [{"claim_id": "fact-1", "file": "a.py", "start": 1, "end": 2}],
        "canonical_narrative": f"{words(30)} `a` and `b`",
        "source_evidence": [{"file": "a.py", "start": 1, "end": 2, "read_at_step": 1}],
        "confidence": "high",
        "provenance": Provenance(
            query_author="a", oracle="b", adversary="c", judge="d"
        ).model_dump(),
        **changes,
    }
    return GoldenLabel.model_validate(content, strict=False)


def asking(lengths: Iterable[int], cell: str = "explain/easy") -> list[GoldenLabel]:
    """Make records of one cell whose queries have so many words."""
    return [label(number, cell, query_text=words(count)) for number, count in enumerate(lengths)]


def drawn(random: Random, count: int) -> list[GoldenLabel]:
    """Draw records that differ in every measure."""
    return [
        label(
            number,
            query_text=words(random.randint(6, 24)),
            baseline_answerable=random.random() < 0.5,
            expected_entities=[
                {"entity_id": f"a.py::f{one}", "role": "primary", "rationale": "It does."}
                for one in range(random.randint(1, 5))
            ],
            expected_files=[f"a{one}.py" for one in range(random.randint(1, 4))],
            expected_line_ranges=[{"file": "a.py", "start": 1, "end": random.randint(2, 60)}],
            must_mention_facts=[words(random.randint(4, 20)) for _ in range(random.randint(2, 6))],
            must_not_mention_facts=[words(5) for _ in range(random.randint(1, 4))],
            canonical_narrative=words(random.randint(40, 90)) + " `name`" * random.randint(0, 9),
        )
        for number in range(count)
    ]


def of_query(drift: BatchDrift) -> MeasureShift:
    return next(one for one in drift.shifts if one.measure == "words of the query")


def numbers(drift: BatchDrift) -> Sequence[tuple[object, ...]]:
    """What a comparison says, but for chance."""
    return [
        (one.measure, one.batch_mean, one.golden_mean, round(one.difference, 9), one.is_shifted)
        for one in drift.shifts
    ]


def test_every_declared_measure_is_there_once_and_in_its_order() -> None:
    batch = drawn(Random(1), 8)
    assert (
        tuple(one.measure for one in compare_batch(batch, batch, seed=1, draws=9).shifts)
        == MEASURES
    )


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_batch_is_like_itself(seed: int) -> None:
    batch = drawn(Random(seed), 12)
    drift = compare_batch(batch, batch, seed=seed, draws=999)
    assert {(one.p_value, one.is_shifted) for one in drift.shifts} == {(1.0, False)}
    assert [one.difference for one in drift.shifts] == pytest.approx([0.0] * 10, abs=1e-9)
    assert (drift.batch, drift.golden, drift.left_out, drift.shifted) == (12, 12, (), ())


def test_what_two_versions_of_plain_search_found_is_not_compared() -> None:
    """More records found by a better search are no shift of the batch."""
    batch = [label(number, baseline_retriever="bm25-2") for number in range(20)]
    golden = [label(number, baseline_answerable=False) for number in range(20)]
    drift = compare_batch(batch, golden, seed=1)
    assert drift.not_compared == ("found by plain search",)
    assert "found by plain search" not in [shift.measure for shift in drift.shifts]
    assert next(drift_sentences(drift)).startswith("found by plain search: not compared")


def test_each_measure_is_counted_as_its_name_says() -> None:
    one = label(
        1,
        query_text="Where is it, then?",
        baseline_answerable=False,
        expected_files=["a.py", "b.py"],
        expected_line_ranges=[
            {"file": "a.py", "start": 3, "end": 7},
            {"file": "b.py", "start": 9, "end": 9},
        ],
        must_mention_facts=["It runs.", "It never looks back at all."],
        must_not_mention_facts=[],
        canonical_narrative="`run` calls `stop` twice.",
    )
    means = {
        found.measure: found.batch_mean for found in compare_batch([one], [one], seed=1).shifts
    }
    assert means == dict(zip(MEASURES, (1, 2, 6, 2, 0, 0, 4, 4, 4, 2), strict=True))


def test_records_without_a_fact_have_facts_of_no_words() -> None:
    found = compare_batch([label(1, must_mention_facts=[])], [label(1)], seed=1)
    assert {one.measure: one.difference for one in found.shifts}["words of a fact"] == -6.0


@pytest.mark.parametrize(
    ("longer", "difference", "word"), [(True, 9.0, "more"), (False, -9.0, "less")]
)
def test_a_shifted_measure_is_found_alone_and_in_its_direction(
    longer: bool, difference: float, word: str
) -> None:
    short, long = asking([10, 11, 12, 13] * 4), asking([19, 20, 21, 22] * 4)
    drift = compare_batch(long, short, seed=3) if longer else compare_batch(short, long, seed=3)
    assert [one.measure for one in drift.shifted] == ["words of the query"]
    assert of_query(drift).difference == difference
    (sentence,) = shift_sentences(drift)
    batch, golden = ("20.50", "11.50") if longer else ("11.50", "20.50")
    assert sentence == (
        f"words of the query: {batch} in the batch, {golden} in the golden dataset, "
        f"9.00 {word} within cells (p = 0.0010 after Holm)"
    )
    assert list(drift_sentences(drift)) == [sentence]


def test_a_difference_of_the_mix_of_cells_is_none_within_them() -> None:
    easy, hard = asking([10, 12] * 6), asking([30, 32] * 6, "explain/hard")
    drift = compare_batch([*easy, *hard[:4]], [*easy[:4], *hard], seed=1)
    assert of_query(drift).difference == 0.0
    assert drift.shifted == ()


def test_where_nothing_is_shown_one_sentence_says_so() -> None:
    drift = compare_batch(asking([10, 20, 30]), asking([12, 20, 29]), seed=1)
    assert list(shift_sentences(drift)) == []
    assert list(drift_sentences(drift)) == [
        "no measure of 10 differs significantly; see what each could have shown",
    ]


@pytest.mark.parametrize(("further", "is_shifted"), [(2, False), (3, True)])
def test_what_is_significant_but_less_than_a_quarter_of_a_standard_deviation_is_no_shift(
    further: int, is_shifted: bool
) -> None:
    # Queries of 20 and of 40 words have a standard deviation of 10; within their cells all are
    # alike.
    golden = [*asking([20] * 10), *asking([40] * 10, "explain/hard")]
    batch = [*asking([20 + further] * 10), *asking([40 + further] * 10, "explain/hard")]
    found = of_query(compare_batch(batch, golden, seed=1))
    assert (found.difference, found.is_shifted) == (further, is_shifted)
    assert found.p_value == pytest.approx(0.001)


def test_a_great_difference_that_chance_explains_is_no_shift() -> None:
    found = of_query(compare_batch(asking([10, 90]), asking([9, 11, 10]), seed=1))
    assert found.difference == 40.0
    assert not found.is_shifted


def test_cells_of_one_side_are_named_and_change_nothing_else() -> None:
    batch, golden = asking([21, 23, 25] * 5), asking([20, 22, 24] * 5)
    foreign = [*batch, *asking([900] * 5, "debug/hard")]
    wide = [*golden, *asking([2, 900] * 5, "review/easy")]
    drift = compare_batch(foreign, wide, seed=1)
    assert drift.left_out == ("debug/hard", "review/easy")
    assert numbers(drift) == numbers(compare_batch(batch, golden, seed=1))


def test_a_cell_that_is_left_out_hides_no_shift_of_the_others() -> None:
    batch, golden = asking([30] * 12), asking([20, 21] * 6)
    assert of_query(compare_batch(batch, golden, seed=1)).is_shifted
    with_more = [*golden, *asking([2, 900] * 6, "review/easy")]
    assert of_query(compare_batch(batch, with_more, seed=1)).is_shifted


def test_batches_without_a_common_cell_are_not_compared() -> None:
    with pytest.raises(ValueError, match="in common"):
        compare_batch(asking([10]), asking([10], "debug/easy"), seed=1)
    with pytest.raises(ValueError, match="in common"):
        compare_batch([], asking([10]), seed=1)


def test_the_seed_settles_everything_and_the_order_of_the_records_nothing() -> None:
    random = Random(4)
    batch, golden = drawn(random, 9), drawn(random, 12)
    found = compare_batch(batch, golden, seed=8, draws=999)
    shuffled = compare_batch(random.sample(batch, 9), random.sample(golden, 12), seed=8, draws=999)
    assert [(one.measure, one.p_value) for one in shuffled.shifts] == [
        (one.measure, one.p_value) for one in found.shifts
    ]


def test_of_batches_that_are_drawn_alike_hardly_one_in_twenty_alarms() -> None:
    # Ten tests that nobody corrects would alarm in five of these twelve.
    random = Random(20)
    # With 999 draws the least p-value is .001, where Holm's first step wants .005.
    drifts = [
        compare_batch(drawn(random, 6), drawn(random, 9), seed=seed, draws=999)
        for seed in range(12)
    ]
    assert sum(bool(drift.shifted) for drift in drifts) <= 1


def normal(
    random: Random, count: int, mean: float, cell: str = "explain/easy"
) -> list[GoldenLabel]:
    """Draw records whose queries have about ``mean`` words, with a standard deviation of 6."""
    return asking((max(1, round(random.gauss(mean, 6))) for _ in range(count)), cell)


def test_what_could_be_shown_is_what_the_first_step_of_holm_wants() -> None:
    # Words that are 6 from their mean: 6.0609 x (1 / 20 + 1 / 30) ** .5 = 1.7496; Student's t with
    # 48 degrees of freedom is 2.9426 for 1 - .05 / 10 / 2. The approximation of its power: 2.9273 +
    # .8416 x 1.0441 = 3.8060.
    could_show = of_query(
        compare_batch(asking([24, 36] * 10), asking([24, 36] * 15), seed=1)
    ).smallest_detectable
    assert could_show == pytest.approx(1.7496 * 3.8060 * 197 / 196, abs=0.005)


def test_what_could_be_shown_is_never_less_than_the_least_shift_that_counts() -> None:
    # 1000 queries of 24 or 36 words differ by 6 from their mean: a quarter of that, and .8427
    # standard errors of .2684.
    found = of_query(compare_batch(asking([24, 36] * 500), asking([24, 36] * 500), seed=1, draws=9))
    assert found.smallest_detectable == pytest.approx(1.5 + 0.8427 * 0.2684, abs=0.005)


@pytest.mark.parametrize("count", [10, 20])
def test_a_measure_that_is_the_same_for_all_could_show_nothing(count: int) -> None:
    drift = compare_batch(asking([5, 7] * count), asking([5, 7] * count), seed=1, draws=99)
    assert [one.measure for one in drift.shifts if one.smallest_detectable is not None] == [
        "words of the query"
    ]


def test_records_too_few_for_any_proof_could_show_nothing() -> None:
    # Five against five can be dealt in 252 ways: no p-value falls below .005 but that of the very
    # furthest two.
    drift = compare_batch(asking(range(5, 10)), asking(range(5, 10)), seed=1, draws=99)
    assert {one.smallest_detectable for one in drift.shifts} == {None}


def test_what_could_be_shown_is_told_by_the_whole_procedure_four_times_in_five() -> None:
    random = Random(9)
    # Of 20 against 30 queries with a standard deviation of 6: 6.0069 x .2887 x 3.8060, the words
    # being whole.
    could_show = 6.0069 * 0.2887 * 3.8060
    trials = share_of(300, suite=50)
    told = [
        of_query(
            compare_batch(
                normal(random, 20, 40 + could_show), normal(random, 30, 40), seed=seed, draws=999
            )
        ).is_shifted
        for seed in range(trials)
    ]
    # Two standard errors of room on either side.
    assert abs(sum(told) / trials - 0.8) <= 2 * sqrt(0.16 / trials) + 0.03


def test_a_dataset_that_holds_every_query_of_a_batch_was_made_of_it() -> None:
    batch = asking([5, 6, 7])
    assert is_of_batch(asking([7, 6, 5, 9]), batch)
    assert not is_of_batch(asking([5, 6]), batch)
    assert not is_of_batch(batch, [])
