"""The weight of a fusion is learned on the repositories that it is not judged on."""

from goldwright.evaluation.arms.learned_weights import GRID, learn_weights


def test_what_a_repository_says_of_itself_does_not_count() -> None:
    means = {
        "api": {0.0: 1.0, 1.0: 0.5},
        "web": {0.0: 0.2, 1.0: 0.5},
        "cli": {0.0: 0.3, 1.0: 0.4},
    }
    assert learn_weights(means) == {"api": 1.0, "web": 0.0, "cli": 0.0}


def test_among_equal_weights_the_one_nearest_to_one_is_taken() -> None:
    equal = dict.fromkeys((0.0, 0.75, 3.0), 0.5)
    assert learn_weights({"api": equal, "web": equal}) == {"api": 0.75, "web": 0.75}


def test_bm25_alone_is_tried_and_so_is_nearly_the_dense_list() -> None:
    assert GRID == (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
