"""Weights of hypotheses, moved by outcomes."""

import numpy as np
import pytest

from goldwright.relevance.adaptive_design import AdaptiveDesign, DesignSettings, StopReason
from goldwright.relevance.beliefs import Beliefs
from goldwright.relevance.hypotheses import build_hypotheses
from goldwright.relevance.planted_worlds import PlantedWorld
from goldwright.relevance.trial_choice import choose_design


def _moved_by(world: PlantedWorld, trials: int) -> Beliefs:
    generator = np.random.default_rng(1)
    beliefs = Beliefs(build_hypotheses(world.documents))
    for _ in range(trials):
        included = generator.random(world.documents) < 0.5
        succeeded = bool(generator.random() < world.success_rate(included))
        beliefs.update(np.append(included, False), succeeded=succeeded)
    return beliefs


def test_hypotheses_without_weight_are_let_go_and_the_others_keep_theirs() -> None:
    beliefs = _moved_by(PlantedWorld(10, (2,), "one", 0.05, 0.95), trials=60)
    assert len(beliefs.weights) < len(build_hypotheses(10).kinds) / 2
    assert beliefs.weights.sum() == pytest.approx(1)
    assert beliefs.document_weights()[2] > 0.99
    # Every document is still answered for, those of no hypothesis by a weight of 0.
    assert beliefs.document_weights().shape == (10,)
    with_it, without_it = beliefs.predict(np.zeros(11, dtype=bool))
    assert np.isfinite([with_it, without_it]).all()


def test_nothing_is_in_doubt_about_one_document() -> None:
    documents = np.zeros(6, dtype=bool)
    documents[4] = True
    assert Beliefs(build_hypotheses(6)).doubt_how(documents) == 0


def test_two_documents_are_in_doubt_until_one_was_left_out() -> None:
    pair = np.array([True, True, False, False, False, False])
    beliefs = Beliefs(build_hypotheses(6))
    # Before any trial: "both" and "add up" against "either", of equal weights.
    assert beliefs.doubt_how(pair) == pytest.approx(1 / 3)
    moved = _moved_by(PlantedWorld(6, (0, 1), "either of two", 0.05, 0.95), trials=60)
    assert moved.doubt_how(pair) < 0.01


def test_more_documents_than_any_hypothesis_has_are_in_no_doubt() -> None:
    assert Beliefs(build_hypotheses(6)).doubt_how(np.ones(6, dtype=bool)) == 0


def test_a_shown_pair_is_told_apart_by_one_of_them_alone() -> None:
    # Both have been in or out together: what one alone does is all that is not known.
    beliefs = Beliefs(build_hypotheses(4))
    generator = np.random.default_rng(0)
    for _ in range(60):
        is_in = bool(generator.random() < 0.5)
        included = np.array([is_in, is_in, False, False, False])
        beliefs.update(included, succeeded=is_in)
    confirmed = np.array([True, True, False, False])
    design = choose_design(beliefs, confirmed, generator)
    assert design.inclusion[:2].sum() == 1


def _trials_until_nothing(missed_by_nothing: float) -> int:
    settings = DesignSettings(missed_by_nothing=missed_by_nothing)
    design = AdaptiveDesign(8, settings, seed=0)
    generator = np.random.default_rng(0)
    while design.stop_reason() is None:
        design.record(design.propose(), succeeded=bool(generator.random() < 0.5))
    assert design.stop_reason() is StopReason.NOTHING
    return design.trials


def test_a_pool_without_anything_is_said_to_be_one_sooner_where_more_may_be_missed() -> None:
    assert _trials_until_nothing(0.3) < _trials_until_nothing(0.02)
