"""What the sample says: ceilings as whole numbers, what is missing, exact bounds, agreement,
canaries.
"""

import pytest

from goldwright.records import HumanVerdict
from goldwright.review.caught_by_reviewers import KindCount
from goldwright.review.ceilings import largest_allowed
from goldwright.review.provability import fewest_catches, records_for_proof
from goldwright.review.sample_statements import sample_statements
from goldwright.review.spot_check import SpotCheck
from units.review.batches import (
    EASY,
    HARD,
    PHASE_1,
    Made,
    People,
    a_plan,
    people,
    phase_1_cells,
    rejected,
    sixty,
)


def judged(**verdicts: HumanVerdict) -> SpotCheck:
    """Sum up a sample of 17 of 60 that is correct but for these records."""
    review, sampled = sixty()
    for query_id in sampled:
        review.judge_both([query_id], verdicts.get(query_id, "correct"))
    return review.check


def state(review: People) -> tuple[str, list[str]]:
    """Give the outcome and what is missing."""
    check = review.check
    return check.outcome, list(check.missing)


def outcome(review: People) -> str:
    """Give the outcome alone."""
    return review.check.outcome


def breaches(check: SpotCheck) -> list[tuple[str, int, int]]:
    return [(ceiling.name, ceiling.found, ceiling.most) for ceiling in check.breaches]


def test_seventeen_clean_of_sixty_hold() -> None:
    check = judged()
    assert (check.outcome, check.population, check.sampled, check.missing) == ("holds", 60, 17, ())
    assert [(ceiling.found, ceiling.most) for ceiling in check.ceilings] == [(0, 0), (0, 2), (0, 0)]


# The sample of sixty(): the last record of each cell; q6 is locate/easy, q10 locate/medium, q12
# explain/easy.
def test_one_wrong_on_an_easy_query_breaches_two_ceilings() -> None:
    check = judged(q6="wrong")
    assert check.outcome == "breached"
    assert breaches(check) == [("major or wrong, below 5%", 1, 0), ("wrong on an easy query", 1, 0)]


def test_one_wrong_on_another_query_breaches_one() -> None:
    assert breaches(judged(q10="wrong")) == [("major or wrong, below 5%", 1, 0)]


@pytest.mark.parametrize("query_id", ["q6", "q10"])
def test_one_major_of_seventeen_is_more_than_five_percent(query_id: str) -> None:
    verdicts: dict[str, HumanVerdict] = {query_id: "major_issue"}
    check = judged(**verdicts)
    assert (check.outcome, breaches(check)) == ("breached", [("major or wrong, below 5%", 1, 0)])


def test_three_minor_of_seventeen_breach_and_two_do_not() -> None:
    assert judged(q6="minor_issue", q10="minor_issue").outcome == "holds"
    three = judged(q6="minor_issue", q10="minor_issue", q12="minor_issue")
    assert (three.outcome, breaches(three)) == ("breached", [("minor, below 15%", 3, 2)])


@pytest.mark.parametrize(
    ("ceiling", "sampled", "most"),
    [
        (0.05, 1, 0),
        (0.05, 19, 0),
        (0.05, 20, 0),
        (0.05, 21, 1),
        (0.05, 40, 1),
        (0.05, 41, 2),
        (0.05, 60, 2),
        (0.15, 1, 0),
        (0.15, 6, 0),
        (0.15, 7, 1),
        (0.15, 9, 1),
        (0.15, 13, 1),
        (0.15, 14, 2),
        (0.15, 17, 2),
        (0.15, 20, 2),
        (0.15, 21, 3),
        (0.15, 40, 5),
        (0.15, 60, 8),
        (0.15, 100, 14),
        (0.05, 100, 4),
        (0.03, 40, 1),
        (0.03, 100, 2),
        (0.05, 0, 0),
        (0.15, 0, 0),
        (0.05, 10_000, 499),
        (0.15, 10_000, 1499),
    ],
)
def test_a_ceiling_is_kept_by_counts_whose_share_lies_below_it(
    ceiling: float, sampled: int, most: int
) -> None:
    assert largest_allowed(ceiling, sampled) == most


def test_a_record_dropped_without_a_verdict_counts_as_major() -> None:
    review, sampled = sixty()
    review.judge_both(sampled[1:])
    assert outcome(review) == "incomplete"
    review.stage_files.rejected.add(rejected(sampled[0], phase_1_cells()[sampled[0]]))
    check = review.check
    assert (check.counts["major_issue"], check.outcome) == (1, "breached")
    assert check.missing == ()


def test_dropping_a_judged_record_does_not_stand_in_for_the_verdicts_on_another() -> None:
    review, sampled = sixty()
    review.judge_both(sampled[:16])
    review.stage_files.rejected.add(rejected(sampled[0], phase_1_cells()[sampled[0]]))
    check = review.check
    assert check.missing == (
        "1 of 16 verdicts of a first reviewer on the sample",
        "1 of 16 verdicts of a second, independent reviewer on the sample",
    )
    assert check.outcome == "incomplete"


def test_dropping_a_judged_record_does_not_make_up_for_a_second_reviewer() -> None:
    review, sampled = sixty()
    review.judge_both(sampled[:16])
    review.judge(sampled[16], "correct", "first")
    review.stage_files.rejected.add(rejected(sampled[0], phase_1_cells()[sampled[0]]))
    assert review.check.missing == (
        "1 of 16 verdicts of a second, independent reviewer on the sample",
    )
    assert outcome(review) == "incomplete"


def test_a_breach_shows_before_everything_is_judged_once_nobody_can_overturn_it() -> None:
    review, sampled = sixty()
    review.judge(sampled[0], "wrong", "second")
    assert outcome(review) == "at_risk"
    review.judge(sampled[0], "wrong", "first")
    assert outcome(review) == "breached"


def test_what_one_reviewer_found_puts_a_batch_at_risk() -> None:
    review, sampled = sixty()
    review.judge(sampled[0], "wrong", "second")
    check = review.check
    assert check.outcome == "at_risk"
    assert check.bounds is None
    assert check.missing == (
        "17 of 17 verdicts of a first reviewer on the sample",
        "16 of 17 verdicts of a second, independent reviewer on the sample",
    )


def test_a_dispute_settled_for_the_record_is_no_breach_and_against_it_is_one() -> None:
    for last, wanted in (("correct", "holds"), ("major_issue", "breached")):
        review, sampled = sixty()
        review.judge_both(sampled[1:])
        review.judge(sampled[0], "correct", "first")
        review.judge(sampled[0], "wrong", "second")
        assert outcome(review) == "incomplete"
        assert list(review.check.disputed) == [sampled[0]]
        review.judge(sampled[0], "correct" if last == "correct" else "major_issue", "adjudication")
        assert (outcome(review), list(review.check.disputed)) == (wanted, [])


def test_without_a_sample_nothing_holds() -> None:
    review = People(PHASE_1, Made(phase_1_cells()).stage_files())
    check = review.check
    assert (check.outcome, check.bounds, check.agreement) == ("no_sample", None, None)
    (missing,) = check.missing
    assert "no sample was drawn yet" in missing
    assert list(sample_statements(check)) == []


def test_an_empty_sample_blesses_nothing() -> None:
    agent_records = Made({"q1": EASY, "q2": EASY}, queued=frozenset({"q1", "q2"}))
    review = people({EASY: 2}, agent_records)
    review.draw()
    for query_id in agent_records.cells:
        review.decide(query_id, "keep")
    assert set(review.fates.values()) == {"pending"}
    assert outcome(review) != "holds"
    assert review.check.missing


def test_everything_that_is_missing_is_told_at_once() -> None:
    agent_records = Made({f"q{number}": EASY for number in range(1, 7)}, low=frozenset({"q6"}))
    review = people({EASY: 6}, agent_records)
    review.draw("q1", "q2", "q3")
    review.judge("q1", "correct", "first")
    review.judge("q1", "minor_issue", "second")
    review.judge("q2", "correct", "first")
    check = review.check
    assert check.missing == (
        "1 of 3 verdicts of a first reviewer on the sample",
        "2 of 3 verdicts of a second, independent reviewer on the sample",
        "1 record on which the reviewers differ (q1)",
        "1 record outside the sample to be looked at (q6)",
    )
    assert check.outcome == "incomplete"


def test_a_record_the_oracle_was_not_sure_of_is_looked_at_besides_the_sample() -> None:
    review = people(
        {EASY: 4}, Made({f"q{number}": EASY for number in range(1, 5)}, low=frozenset({"q3", "q1"}))
    )
    review.draw("q1", "q2")
    review.judge_both(["q1", "q2"])
    assert state(review) == ("incomplete", ["1 record outside the sample to be looked at (q3)"])
    review.judge("q3", "minor_issue")
    assert state(review) == ("holds", [])


def test_a_look_at_text_that_changed_since_was_no_look() -> None:
    review = people({EASY: 2}, Made({"q1": EASY, "q2": EASY}, low=frozenset({"q2"})))
    review.draw("q1")
    review.judge_both(["q1"])
    review.judge("q2", "correct")
    assert outcome(review) == "holds"
    review.reword("q2", "Another text.")
    assert outcome(review) == "incomplete"


def test_a_reserve_that_comes_in_after_the_sample_was_drawn_is_looked_at() -> None:
    review = people({EASY: 2}, Made({"q1": EASY, "q2": EASY, "q3": EASY}), plan=a_plan({EASY: 2}))
    review.draw("q1")
    review.judge_both(["q1"])
    assert outcome(review) == "holds"
    review.stage_files.rejected.add(rejected("q2", EASY))
    assert review.fates["q3"] == "pending"
    assert state(review) == ("incomplete", ["1 record outside the sample to be looked at (q3)"])
    review.judge("q3", "correct")
    assert outcome(review) == "holds"


def test_a_record_that_a_person_kept_after_the_sample_was_drawn_was_looked_at_then() -> None:
    review = people({EASY: 2}, Made({"q1": EASY, "q2": EASY}, queued=frozenset({"q2"})))
    review.draw("q1")
    review.judge_both(["q1"])
    review.decide("q2", "keep")
    assert review.fates["q2"] == "pending"
    # All of the batch was looked at, which hides no canary.
    assert outcome(review) == "unproven"


def test_the_bounds_of_seventeen_clean_of_sixty_are_those_of_the_tables() -> None:
    bounds = judged().bounds
    assert bounds is not None
    assert (bounds.confidence, bounds.simple, bounds.stratified) == (0.95, 8, 13)
    assert (bounds.corrected, bounds.five_percent_takes) == (None, 38)


def test_a_second_look_pays_with_half_the_risk() -> None:
    review, sampled = sixty()
    review.events.clear()
    review.draw(*sampled, number=2)
    review.judge_both(sampled)
    check, bounds = review.check, review.check.bounds
    assert bounds is not None
    assert (check.round, bounds.confidence) == (2, 0.975)
    assert (bounds.simple, bounds.stratified) > (8, 13)
    assert bounds.five_percent_takes is not None
    assert bounds.five_percent_takes > 38
    assert "This is look number 2 at the batch, so its risk of error is 0.025." in list(
        sample_statements(check)
    )


def test_kappa_of_two_reviewers_is_cohens() -> None:
    review, sampled = sixty()
    review.judge_both(sampled[:15])
    for query_id in sampled[15:]:
        review.judge(query_id, "correct", "first")
        review.judge(query_id, "minor_issue", "second")
    agreement = review.check.agreement
    assert agreement is not None
    assert (agreement.pairs, agreement.agreeing, agreement.kappa) == (17, 15, 0.0)
    review.judge(sampled[15], "minor_issue", "first")
    agreement = review.check.agreement
    assert agreement is not None
    assert agreement.agreeing == 16
    # p_o = 16/17; p_e = (16 * 15 + 1 * 2) / 289, so kappa = (272 - 242) / (289 - 242).
    assert agreement.kappa == pytest.approx(30 / 47)


def test_kappa_is_said_to_be_undefined_where_both_use_one_category() -> None:
    agreement = judged().agreement
    assert agreement is not None
    assert agreement.kappa is None
    assert agreement.remark is not None


def with_canaries(*caught: HumanVerdict) -> SpotCheck:
    """Sum up a clean sample among which q1, q2 .. stand falsified, with these verdicts on them."""
    review, sampled = sixty()
    planted = [query_id for query_id in phase_1_cells() if query_id not in sampled][: len(caught)]
    review.events.clear()
    review.draw(*sampled, canaries=planted)
    review.judge_both(sampled)
    for query_id, verdict in zip(planted, caught, strict=True):
        review.judge_both([query_id], verdict)
    return review.check


def test_canaries_raise_the_bound_and_never_lower_it() -> None:
    plain = judged().bounds
    assert plain is not None
    assert plain.stratified is not None
    verdicts: list[HumanVerdict] = ["wrong"] * 4
    passed: list[HumanVerdict] = ["correct"] * 4
    corrected_bounds: list[int] = []
    for missed in range(5):
        bounds = with_canaries(*verdicts[missed:], *passed[:missed]).bounds
        assert bounds is not None
        assert (bounds.simple, bounds.stratified) == (plain.simple, plain.stratified)
        assert bounds.corrected is not None
        corrected_bounds.append(bounds.corrected)
    assert corrected_bounds[0] >= plain.stratified >= plain.simple
    assert corrected_bounds == sorted(corrected_bounds)
    assert corrected_bounds[-1] == 60


@pytest.mark.parametrize("canary_count", [0, 1, 2, 4, 8])
def test_what_no_review_proves_is_known_before_anybody_reviews(canary_count: int) -> None:
    review, sampled = sixty()
    planted = [query_id for query_id in phase_1_cells() if query_id not in sampled][:canary_count]
    review.events.clear()
    review.draw(*sampled, canaries=planted)
    is_known_provable = fewest_catches(review.review_state) is not None

    # Nobody could do better.
    review.judge_both(sampled)
    review.judge_both(planted, "wrong")

    assert is_known_provable is (review.check.outcome == "holds")
    # Of one or two, who catches all may still be somebody who misses most.
    assert is_known_provable is (canary_count not in {1, 2})


@pytest.mark.parametrize("canary_count", [3, 4, 8])
def test_how_many_canaries_must_be_caught_is_known_before(canary_count: int) -> None:
    review, sampled = sixty()
    planted = [query_id for query_id in phase_1_cells() if query_id not in sampled][:canary_count]
    review.events.clear()
    review.draw(*sampled, canaries=planted)
    fewest = fewest_catches(review.review_state)
    assert fewest is not None
    caught: list[HumanVerdict] = ["wrong"] * canary_count
    missed: list[HumanVerdict] = ["correct"] * canary_count
    too_few = with_canaries(*caught[: fewest - 1], *missed[fewest - 1 :])
    enough = with_canaries(*caught[:fewest], *missed[fewest:])
    assert (too_few.outcome, enough.outcome) == ("unproven", "holds")


@pytest.mark.parametrize(("total", "is_enough"), [(6, False), (12, False), (60, True)])
def test_a_batch_that_no_review_can_prove_is_known_before_any_draw(
    total: int, is_enough: bool
) -> None:
    cells = list(phase_1_cells().items())[:total]
    needed = records_for_proof(PHASE_1, cells)
    assert (needed == 0) is is_enough
    if not is_enough:
        assert needed is not None
        assert total < needed <= 60


def test_canaries_are_asked_about_and_never_counted() -> None:
    review, sampled = sixty()
    review.events.clear()
    review.draw(*sampled, canaries=["q1"])
    review.judge_both(sampled)
    assert review.check.missing == (
        "1 of 18 verdicts of a first reviewer on the sample",
        "1 of 18 verdicts of a second, independent reviewer on the sample",
    )
    review.judge("q1", "wrong", "first")
    review.judge("q1", "correct", "second")
    check = review.check
    # One of two let it pass: that keeps no ceiling from holding, and proves too little.
    assert (check.outcome, check.sampled, sum(check.counts.values())) == ("unproven", 17, 17)
    assert check.agreement is not None
    assert check.agreement.pairs == 17
    assert check.failure_modes == ()
    assert check.canaries is not None
    assert (check.canaries.planted, check.canaries.noticed, check.canaries.kept_out) == (1, 1, 1)


def test_a_minor_issue_notices_a_canary_and_does_not_keep_it_out() -> None:
    caught = with_canaries("minor_issue", "major_issue", "correct").canaries
    assert caught is not None
    assert (caught.planted, caught.noticed, caught.kept_out) == (3, 2, 1)
    assert caught.by_kind == {"false_fact": KindCount(kept_out=1, judged=3)}


def test_a_bound_names_every_record_of_a_cell_that_nobody_was_sampled_from() -> None:
    plan = a_plan({EASY: 3, HARD: 2}, sample_share=0.2, sample_every_cell=False)
    review = people({EASY: 3, HARD: 2}, plan=plan)
    review.draw("q1")
    review.judge_both(["q1"])
    bounds = review.check.bounds
    assert bounds is not None
    assert (bounds.stratified, bounds.simple) == (None, 4)


def test_what_is_told_to_the_next_round_names_the_cell_and_what_is_at_fault() -> None:
    review, sampled = sixty()
    given = review.judge(sampled[0], "wrong")
    review.events[-1] = given.model_copy(
        update={"note": "it is another caller", "disputed": ("fact-1", "entity-2")}
    )
    (finding,) = review.check.failure_modes
    assert finding.startswith(
        "locate/easy, wrong: it is another caller; the must-mention fact 'The amount is one when"
    )
    assert finding.endswith("' is at fault; the entity is at fault")
    assert review.check.findings == {sampled[0]: (finding,)}
