"""Which agents are turned away more often than the others in their role, and what counts for and
against one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import share_of
from goldwright.engine.ordered_log import OrderedLog
from goldwright.golden.agent_retirement import AgentRecord, judge_agents
from goldwright.golden.judged_records import JudgedRecord, JudgedRole, judged_records
from goldwright.records import AdversaryReport, ClaimVerdict, FileRange, claims_of
from units.review.batches import (
    EASY,
    HARD,
    STAMP,
    Made,
    MemoryShelf,
    People,
    a_plan,
    answer,
    numbered,
    rejected,
)

ROLE = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d"]),
    st.tuples(st.integers(0, 40), st.integers(0, 40)),
    max_size=4,
)


def records(
    agent: str,
    bad: int,
    good: int,
    *,
    run: str = "run",
    stratum: str = "cell",
    role: JudgedRole = "oracle",
) -> list[JudgedRecord]:
    """Make so many bad and good records of an agent."""
    return [
        JudgedRecord(role, agent, run, stratum, is_against)
        for is_against in [True] * bad + [False] * good
    ]


def beside(
    fates: Mapping[str, tuple[int, int]],
    *,
    run: str = "run",
    stratum: str = "cell",
    role: JudgedRole = "oracle",
) -> list[JudgedRecord]:
    """Make the records of agents of one run of whom (rejected, kept) is known."""
    return [
        one
        for agent, (bad, good) in fates.items()
        for one in records(agent, bad, good, run=run, stratum=stratum, role=role)
    ]


def apart(fates: Mapping[str, Sequence[tuple[int, int]]]) -> list[JudgedRecord]:
    """Make the records of agents each of whom played runs alone, of which (rejected, kept) is
    known.
    """
    return [
        one
        for agent, runs in fates.items()
        for number, (bad, good) in enumerate(runs)
        for one in records(agent, bad, good, run=f"{agent}{number}")
    ]


def judged(made: Iterable[JudgedRecord], role: JudgedRole = "oracle") -> dict[str, AgentRecord]:
    """Judge the agents of one role."""
    return {one.agent: one for one in judge_agents(made)[role]}


def retired(made: Iterable[JudgedRecord]) -> list[str]:
    """Name the agents of all roles that are to retire."""
    return [one.agent for ones in judge_agents(made).values() for one in ones if one.is_to_retire]


@given(ROLE)
def test_every_agent_gets_one_record_whose_sides_make_up_the_whole_role(
    fates: dict[str, tuple[int, int]],
) -> None:
    found = judged(beside(fates))
    assert list(found) == sorted(agent for agent, counts in fates.items() if any(counts))
    bad, total = sum(bad for bad, _ in fates.values()), sum(map(sum, fates.values()))
    for agent, one in found.items():
        assert (one.rejected, one.total) == (fates[agent][0], sum(fates[agent]))
        assert (one.rejected + one.others_rejected, one.total + one.others_total) == (bad, total)


@given(ROLE)
def test_nobody_retires_whose_rate_is_no_higher_than_that_of_the_others(
    fates: dict[str, tuple[int, int]],
) -> None:
    for one in judged(beside(fates)).values():
        if one.is_to_retire:
            assert min(one.total, one.others_total) >= 20
            assert Fraction(one.rejected, one.total) > Fraction(
                one.others_rejected, one.others_total
            )


@given(ROLE, st.randoms(use_true_random=False))
def test_the_order_of_the_records_makes_no_difference(
    fates: dict[str, tuple[int, int]], random: Random
) -> None:
    made = beside(fates)
    assert judge_agents(random.sample(made, len(made))) == judge_agents(made)


def test_of_two_agents_of_one_cell_the_p_values_are_fisher_s_times_two() -> None:
    # 5 of 20 against 0 of 20: C(20,5) C(20,0) / C(40,5) = 15504 / 658008. The other way any outcome
    # is as far.
    found = judged(beside({"worse": (5, 15), "better": (0, 20)}))
    assert found["worse"].p_value == pytest.approx(2 * 15504 / 658008)
    assert found["better"].p_value == 1.0
    assert found["worse"].is_to_retire
    assert found["worse"].side_by_side
    assert not found["better"].is_to_retire


def test_four_of_twenty_against_none_is_no_proof_once_two_were_asked() -> None:
    # C(20,4) / C(40,4) = 4845 / 91390 = .053, and twice that after Holm.
    one = judged(beside({"worse": (4, 16), "better": (0, 20)}))["worse"]
    assert one.p_value == pytest.approx(2 * 4845 / 91390)
    assert not one.is_to_retire


def test_all_agents_of_all_roles_are_adjusted_for_together() -> None:
    # .02356 alone, .0471 for two agents, .0942 for the four of two roles.
    pair = {"worse": (5, 15), "better": (0, 20)}
    made = [*beside(pair), *beside({"fine": (2, 18), "good": (2, 18)}, role="adversary")]
    assert judged(made)["worse"].p_value == pytest.approx(4 * 15504 / 658008)
    assert retired(made) == []
    assert retired(beside(pair)) == ["worse"]


def test_of_three_agents_only_the_bad_one_retires() -> None:
    # 15 of 30 against 6 of 60; the p-values of the good ones are 1 but for little.
    found = judged(beside({"good": (3, 27), "bad": (15, 15), "fine": (3, 27)}))
    assert [agent for agent, one in found.items() if one.is_to_retire] == ["bad"]
    assert found["bad"].p_value == pytest.approx(3 * 5.062e-05, rel=0.01)
    assert (found["bad"].others_rejected, found["bad"].others_total) == (6, 60)


def test_who_works_on_the_hard_cells_is_not_blamed_for_them() -> None:
    # 46 of 100 against 14 of 100, and in every cell the same rate.
    hard = beside({"brave": (45, 45), "careful": (5, 5)}, stratum="explain/hard")
    easy = beside({"brave": (1, 9), "careful": (9, 81)}, stratum="locate/easy")
    found = judged([*hard, *easy])
    assert (found["brave"].rejected, found["brave"].others_rejected) == (46, 14)
    assert found["brave"].p_value is not None
    assert found["brave"].p_value > 0.4


def test_cells_in_which_one_agent_alone_has_records_say_nothing() -> None:
    both = beside({"worse": (5, 15), "better": (0, 20)})
    alone = [
        *both,
        *records("worse", 500, 0, stratum="other"),
        *records("better", 0, 500, stratum="third"),
    ]
    assert judged(alone)["worse"].p_value == judged(both)["worse"].p_value
    few = [*records("worse", 50, 0, stratum="other"), *records("better", 0, 50, stratum="third")]
    assert judged(few)["worse"].p_value is None


@pytest.mark.parametrize(
    ("fates", "judged_agents"),
    [
        ({"few": (19, 0), "many": (0, 100)}, []),
        ({"enough": (20, 0), "many": (0, 100)}, ["enough", "many"]),
        ({"few": (19, 0), "one": (0, 50), "two": (0, 50)}, ["one", "two"]),
        ({"many": (50, 50), "few": (0, 10), "fewer": (0, 10)}, ["many"]),
    ],
)
def test_with_fewer_than_twenty_records_on_either_side_there_is_no_p_value(
    fates: dict[str, tuple[int, int]], judged_agents: list[str]
) -> None:
    found = judged(beside(fates))
    assert [agent for agent, one in found.items() if one.p_value is not None] == sorted(
        judged_agents
    )


def test_agents_with_too_few_records_cost_the_others_nothing() -> None:
    alone = judged(beside({"worse": (5, 15), "better": (0, 20)}))["worse"].p_value
    beside_new = judged(beside({"worse": (5, 15), "better": (0, 18), "new": (0, 2)}))[
        "worse"
    ].p_value
    assert alone == pytest.approx(0.04712, abs=1e-5)
    assert beside_new == pytest.approx(0.02356, abs=1e-5)


def test_an_agent_that_has_the_role_to_itself_is_not_compared() -> None:
    one = judged(records("alone", 90, 10))["alone"]
    assert (one.p_value, one.is_to_retire, one.others_total) == (None, False, 0)


def test_without_records_there_are_no_agents() -> None:
    assert judge_agents([]) == {"oracle": (), "adversary": ()}


@pytest.mark.parametrize("runs", [1, 2])
def test_one_run_against_another_retires_nobody_for_what_differs_may_be_the_code(runs: int) -> None:
    found = judged(apart({"worse": [(80, 10)] * runs, "better": [(0, 90)] * 5}))
    assert (found["worse"].p_value, found["worse"].is_to_retire) == (None, False)
    assert (found["worse"].runs, found["worse"].shared_runs, found["worse"].side_by_side) == (
        runs,
        0,
        False,
    )


def test_runs_that_all_lie_above_those_of_the_others_retire_an_agent() -> None:
    # By runs 1 / C(8, 4) = 1 / 70, for two agents 1 / 35; by records far less.
    found = judged(apart({"worse": [(40, 20)] * 4, "better": [(15, 45)] * 4}))
    assert found["worse"].p_value == pytest.approx(1 / 35)
    assert (found["worse"].runs_above, found["better"].runs_above) == (4, 0)
    assert found["worse"].is_to_retire


def test_three_runs_against_three_are_too_few_however_far_apart() -> None:
    worse = judged(apart({"worse": [(60, 0)] * 3, "better": [(0, 60)] * 3}))["worse"]
    assert worse.p_value == pytest.approx(2 / 20)
    assert not worse.is_to_retire


def test_one_terrible_run_among_good_ones_retires_nobody() -> None:
    found = judged(apart({"mixed": [(60, 0), (3, 57), (3, 57), (3, 57)], "other": [(5, 55)] * 4}))
    assert found["mixed"].runs_above == 1
    assert not found["mixed"].is_to_retire


def test_two_runs_above_the_others_rate_retire_nobody_whatever_the_p_value() -> None:
    # The third run, 6 of 60, outranks twenty of the others' and lies below their rate, 100 of 600.
    worse = [(40, 20), (40, 20), (6, 54)]
    found = judged(apart({"worse": worse, "other": [(0, 20)] * 20 + [(100, 100)]}))["worse"]
    assert found.p_value == pytest.approx(2 * 2 / 2024)
    assert (found.runs_above, found.is_to_retire) == (2, False)


def test_whole_runs_above_the_others_by_chance_are_no_proof_by_records() -> None:
    # 7 of 20 against 6 of 20 in each of four runs: all runs above, and 28 of 80 against 24 of 80 is
    # nothing.
    found = judged(apart({"above": [(7, 13)] * 4, "below": [(6, 14)] * 4}))
    assert found["above"].runs_above == 4
    assert found["above"].p_value is not None
    assert found["above"].p_value > 0.3


def test_where_agents_met_in_a_run_their_other_runs_do_not_matter() -> None:
    met = beside({"worse": (5, 15), "better": (0, 20)}, run="both")
    found = judged([*met, *apart({"worse": [(0, 90)] * 3, "better": [(90, 0)] * 3})])
    assert (found["worse"].side_by_side, found["worse"].shared_runs, found["worse"].runs) == (
        True,
        1,
        4,
    )
    assert found["worse"].p_value == pytest.approx(2 * 15504 / 658008)


@pytest.mark.parametrize(("agents", "runs"), [(3, 1), (2, 4), (3, 6)])
def test_among_equals_whose_runs_differ_somebody_retires_at_most_once_in_twenty(
    agents: int, runs: int
) -> None:
    random, alarms = Random(5), 0
    trials = share_of(300, suite=40)
    for _ in range(trials):
        rates = {
            f"a{one}": [min(0.9, max(0.02, random.gauss(0.3, 0.08))) for _ in range(runs)]
            for one in range(agents)
        }
        bad = {
            agent: [sum(random.random() < rate for _ in range(60)) for rate in each]
            for agent, each in rates.items()
        }
        alarms += bool(
            retired(apart({agent: [(n, 60 - n) for n in each] for agent, each in bad.items()}))
        )
    # Two standard errors of room.
    assert alarms <= 0.05 * trials + 2 * sqrt(0.0475 * trials)


def test_among_equals_side_by_side_somebody_retires_at_most_once_in_twenty() -> None:
    random, alarms = Random(5), 0
    for _ in range(400):
        bad = {agent: sum(random.random() < 0.2 for _ in range(40)) for agent in "abc"}
        alarms += bool(retired(beside({agent: (n, 40 - n) for agent, n in bad.items()})))
    assert alarms <= 28


def report(query_id: str, *, objects: bool) -> AdversaryReport:
    """Support every claim of the answer, or all but the first fact."""
    where = FileRange(file="shop/basket.py", start=1, end=2)
    verdicts = tuple(
        ClaimVerdict(
            **dict(claim),
            verdict="unsupported" if objects and claim.claim_id == "fact-1" else "supported",
            citation=where,
        )
        for claim in claims_of(answer(query_id, EASY))
    )
    return AdversaryReport.model_validate(
        {
            "query_id": query_id,
            "claim_verdicts": verdicts,
            "overall_verdict": "supported",
            "blocking_issues": (),
            "missed_entities": (),
            "findings": "It adds.",
            **STAMP,
            "authored_by": "agent:adversary",
        }
    )


def batch(*, queued: str = "", objecting: str = "", failed: str = "", out: str = "") -> People:
    """Make a batch of q1 .. q4, all of whose answers that the gate let pass have a report."""
    cells = numbered({EASY: 2, HARD: 2})
    made = Made(cells, queued=frozenset(queued.split()), failed=frozenset(failed.split()))
    reports = [
        report(one, objects=one in objecting.split()) for one in cells if one not in failed.split()
    ]
    stage_files = replace(
        made.stage_files(),
        reports=OrderedLog(MemoryShelf(reports)),
        rejected=OrderedLog(MemoryShelf([rejected(one, cells[one]) for one in out.split()])),
    )
    return People(a_plan({EASY: 2, HARD: 2}), stage_files)


def counted(found: People, role: JudgedRole) -> list[tuple[str, bool]]:
    """What counts for (False) and against (True) the agents of a role, with the stratum, in the
    order of the ids.
    """
    return [
        (one.stratum, one.is_against)
        for one in judged_records("run", found.review_state, found.standings)
        if one.role == role
    ]


def test_against_an_oracle_counts_what_was_stopped_and_what_people_took_out() -> None:
    found = batch(queued="q1 q2", objecting="q1 q2", failed="q3")
    assert counted(found, "oracle") == [
        ("locate/easy", True),
        ("locate/easy", True),
        ("explain/hard", True),
        ("explain/hard", False),
    ]
    found.decide("q1", "keep")
    found.decide("q2", "drop")
    assert [is_against for _, is_against in counted(found, "oracle")] == [False, True, True, False]


def test_nothing_counts_for_an_adversary_before_people_have_spoken() -> None:
    assert counted(batch(queued="q1 q2", objecting="q1"), "adversary") == []


def test_an_adversary_is_not_blamed_for_what_it_rightly_stopped() -> None:
    found = batch(queued="q1 q2 q3", objecting="q1 q2 q3")
    found.decide("q1", "drop")
    found.decide("q2", "retry", "read it again")
    found.decide("q3", "keep")
    assert counted(found, "adversary") == [
        ("locate/easy, stopped", False),
        ("locate/easy, stopped", False),
        ("explain/hard, stopped", True),
    ]


def test_what_people_kept_only_with_a_change_was_rightly_stopped() -> None:
    found = batch(queued="q1", objecting="q1")
    found.reword("q1", "Another text.")
    found.decide("q1", "keep")
    assert counted(found, "adversary") == [("locate/easy, stopped", False)]


def test_a_record_that_was_sent_back_and_tried_again_was_rightly_stopped() -> None:
    assert counted(batch(queued="q1", objecting="q1", out="q1"), "adversary") == [
        ("locate/easy, stopped", False)
    ]


def test_what_others_stopped_says_nothing_of_an_adversary() -> None:
    found = batch(queued="q1 q2", failed="q3")
    found.decide("q1", "drop")
    found.decide("q2", "keep")
    assert counted(found, "adversary") == []


def test_what_an_adversary_let_pass_counts_by_what_both_reviewers_settled_on() -> None:
    found = batch()
    found.draw("q1", "q2", "q3", "q4")
    found.judge_both(["q1"], "wrong")
    found.judge_both(["q2"], "minor_issue")
    found.judge("q3", "major_issue")
    assert counted(found, "adversary") == [
        ("locate/easy, let pass", True),
        ("locate/easy, let pass", False),
    ]
    found.judge("q3", "major_issue", "second")
    assert counted(found, "adversary")[2:] == [("explain/hard, let pass", True)]
    assert [is_against for _, is_against in counted(found, "oracle")] == [True, False, True, False]


def test_a_verdict_on_a_falsified_answer_is_no_word_on_the_adversary() -> None:
    found = batch()
    found.draw("q1", canaries=["q4"])
    found.judge_both(["q4"], "wrong")
    assert counted(found, "adversary") == []
