"""Fusions: what holds of all of them, and what a list that knows nothing may do to them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.retrieval.fusions.agreement import THRESHOLD, agreement, trust
from goldwright.retrieval.fusions.catalog import FUSIONS, find_fusion
from goldwright.retrieval.fusions.port import Fusion, Numbers, ScoreList

EVERY_FUSION = pytest.mark.parametrize("fuse", FUSIONS.values(), ids=FUSIONS.keys())
DOCUMENTS = 2_000

scores = st.lists(st.integers(-50, 50), min_size=2, max_size=30).map(
    lambda values: np.array(values, np.float64)
)


def order(fused: Numbers) -> list[int]:
    return list(np.argsort(-fused, kind="stable"))


def lexical_list(random: np.random.Generator) -> ScoreList:
    """A list such as BM25 gives: a few hundred hits with a heavy tail, the others at 0."""
    values = np.where(random.random(DOCUMENTS) < 0.2, random.pareto(2.0, DOCUMENTS), 0.0)
    return ScoreList.of_positive(values)


@EVERY_FUSION
class TestContract:
    """What any fusion keeps to."""

    @given(first=scores, second=scores)
    def test_a_list_without_weight_changes_nothing(
        self, fuse: Fusion, first: Numbers, second: Numbers
    ) -> None:
        size = min(len(first), len(second))
        lists = (ScoreList.of_all(first[:size]), ScoreList.of_all(second[:size]))
        assert np.array_equal(fuse(lists, (1.0, 0.0)), fuse(lists[:1], (1.0,)))

    @given(values=scores)
    def test_one_list_keeps_its_order(self, fuse: Fusion, values: Numbers) -> None:
        fused = fuse((ScoreList.of_all(values),), (1.0,))
        for better, worse in pairwise(order(values)):
            assert fused[better] >= fused[worse]

    @given(values=scores, scale=st.sampled_from([0.25, 2.0, 8.0]))
    def test_scaling_the_scores_of_a_list_changes_nothing(
        self, fuse: Fusion, values: Numbers, scale: float
    ) -> None:
        other = ScoreList.of_all(np.arange(len(values), dtype=np.float64))
        fused = fuse((ScoreList.of_all(values), other), (1.0, 0.5))
        scaled = fuse((ScoreList.of_all(values * scale), other), (1.0, 0.5))
        assert np.allclose(fused, scaled)

    @given(values=scores)
    def test_lists_without_any_difference_say_nothing(self, fuse: Fusion, values: Numbers) -> None:
        level = ScoreList(np.ones(len(values)), np.zeros(len(values), np.bool_))
        fused = fuse((ScoreList.of_all(values), level), (1.0, 1.0))
        assert np.allclose(fused, fuse((ScoreList.of_all(values),), (1.0,)))


class TestTrust:
    """A second list counts by how far it agrees with the first one beyond chance."""

    def test_agreement_of_independent_lists_is_standard_normal(self) -> None:
        random = np.random.default_rng(1)
        values = []
        for _ in range(400):
            second = ScoreList.of_all(random.pareto(1.5, DOCUMENTS))
            value = agreement(lexical_list(random), second)
            assert value is not None
            values.append(value)
        # Four standard errors of mean and deviation over 400 draws.
        assert abs(np.mean(values)) < 0.2
        assert abs(np.std(values) - 1) < 0.15

    def test_a_random_list_is_not_trusted(self) -> None:
        random = np.random.default_rng(2)
        trusted = 0
        for _ in range(400):
            second = ScoreList.of_all(random.standard_normal(DOCUMENTS))
            trusted += trust(lexical_list(random), second) > 0
        # One of 740 is expected beyond three deviations; six of 400 come by chance once in 10^4.
        assert trusted < 6

    def test_a_list_that_turns_the_first_around_is_not_trusted(self) -> None:
        first = lexical_list(np.random.default_rng(3))
        assert trust(first, ScoreList.of_all(-first.scores)) == 0

    def test_the_scores_of_the_first_list_at_other_documents_are_not_trusted(self) -> None:
        """No shape of scores can feign agreement."""
        random = np.random.default_rng(4)
        first = lexical_list(random)
        shuffled = ScoreList.of_all(random.permutation(first.scores))
        assert trust(first, shuffled) == 0

    def test_a_list_that_agrees_counts_nearly_whole(self) -> None:
        random = np.random.default_rng(5)
        first = lexical_list(random)
        second = ScoreList.of_all(first.scores + random.standard_normal(DOCUMENTS))
        value = agreement(first, second)
        assert value is not None
        assert value > 2 * THRESHOLD
        assert trust(first, second) > 0.75

    @pytest.mark.parametrize("hits", [0, 4])
    def test_where_the_first_search_finds_nothing_the_second_is_all_there_is(
        self, hits: int
    ) -> None:
        values = np.zeros(DOCUMENTS)
        values[:hits] = 1.0
        second = ScoreList.of_all(np.arange(DOCUMENTS, dtype=np.float64))
        assert trust(ScoreList.of_positive(values), second) == 1


def test_an_unknown_fusion_is_named_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match="sum: no fusion; wanted one of zscore, rrf, weighted"):
        find_fusion("sum")
