"""Which agents are turned away more often than the others in their role."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.golden.retirement import AgentRecord, judge_agents

ROLE = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d"]), st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4
)


def judged(fates: Mapping[str, tuple[int, int]]) -> dict[str, AgentRecord]:
    """Judge agents of whom (rejected, kept) is known."""
    counters = {agent: Counter({True: bad, False: good}) for agent, (bad, good) in fates.items()}
    return {one.agent: one for one in judge_agents(counters)}


@given(ROLE)
def test_every_agent_gets_one_record_whose_sides_make_up_the_whole_role(fates: dict[str, tuple[int, int]]) -> None:
    found = judged(fates)
    assert list(found) == sorted(fates)
    rejected, total = sum(bad for bad, _ in fates.values()), sum(map(sum, fates.values()))
    for agent, one in found.items():
        assert (one.rejected, one.total) == (fates[agent][0], sum(fates[agent]))
        assert (one.rejected + one.others_rejected, one.total + one.others_total) == (rejected, total)


@given(ROLE)
def test_nobody_retires_whose_rate_is_no_higher_than_that_of_the_others(fates: dict[str, tuple[int, int]]) -> None:
    for one in judged(fates).values():
        if one.is_to_retire:
            assert min(one.total, one.others_total) >= 20
            assert Fraction(one.rejected, one.total) > Fraction(one.others_rejected, one.others_total)


@given(ROLE, st.randoms(use_true_random=False))
def test_the_order_of_the_agents_makes_no_difference(fates: dict[str, tuple[int, int]], random: Random) -> None:
    names = list(fates)
    random.shuffle(names)
    assert judged({name: fates[name] for name in names}) == judged(fates)


def test_of_two_agents_the_p_values_are_fisher_s_times_two() -> None:
    # 5 of 20 against 0 of 20: C(20,5) C(20,0) / C(40,5) = 15504 / 658008. The other way any outcome is as far.
    found = judged({"worse": (5, 15), "better": (0, 20)})
    assert found["worse"].p_value == pytest.approx(2 * 15504 / 658008)
    assert found["better"].p_value == 1.0
    assert found["worse"].is_to_retire
    assert not found["better"].is_to_retire


def test_four_of_twenty_against_none_is_no_proof_once_two_were_asked() -> None:
    # C(20,4) / C(40,4) = 4845 / 91390 = .053, and twice that after Holm.
    one = judged({"worse": (4, 16), "better": (0, 20)})["worse"]
    assert one.p_value == pytest.approx(2 * 4845 / 91390)
    assert not one.is_to_retire


def test_of_three_agents_only_the_bad_one_retires() -> None:
    # 15 of 30 against 6 of 60; the p-values of the good ones are 1 but for little.
    found = judged({"good": (3, 27), "bad": (15, 15), "fine": (3, 27)})
    assert [agent for agent, one in found.items() if one.is_to_retire] == ["bad"]
    assert found["bad"].p_value == pytest.approx(3 * 5.062e-05, rel=0.01)
    assert (found["bad"].others_rejected, found["bad"].others_total) == (6, 60)


def test_holm_lets_a_second_bad_one_go_after_the_first_and_never_reorders() -> None:
    found = judged({"worst": (40, 10), "bad": (30, 20), "good": (5, 95), "fine": (5, 95)})
    assert [agent for agent, one in sorted(found.items()) if one.is_to_retire] == ["bad", "worst"]
    p_values = {agent: one.p_value or 0.0 for agent, one in found.items()}
    assert p_values["worst"] < p_values["bad"] < p_values["fine"] == p_values["good"] == 1.0


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
    assert [agent for agent, one in judged(fates).items() if one.p_value is not None] == judged_agents


def test_agents_with_too_few_records_cost_the_others_nothing() -> None:
    alone = judged({"worse": (5, 15), "better": (0, 20)})["worse"].p_value
    beside = judged({"worse": (5, 15), "better": (0, 18), "new": (0, 2)})["worse"].p_value
    assert alone == pytest.approx(0.04712, abs=1e-5)
    assert beside == pytest.approx(0.02356, abs=1e-5)


@pytest.mark.parametrize("fates", [{"alone": (90, 10)}, {"alone": (90, 10), "idle": (0, 0)}])
def test_an_agent_that_has_the_role_to_itself_is_not_compared(fates: dict[str, tuple[int, int]]) -> None:
    one = judged(fates)["alone"]
    assert (one.p_value, one.is_to_retire, one.others_total) == (None, False, 0)


def test_a_role_without_agents_has_no_records() -> None:
    assert judge_agents({}) == ()


def test_among_equals_somebody_is_told_to_retire_at_most_once_in_twenty() -> None:
    random, alarms = Random(5), 0
    for _ in range(400):
        bad = {agent: sum(random.random() < 0.2 for _ in range(40)) for agent in "abc"}
        alarms += any(one.is_to_retire for one in judged({agent: (n, 40 - n) for agent, n in bad.items()}).values())
    assert alarms <= 28
