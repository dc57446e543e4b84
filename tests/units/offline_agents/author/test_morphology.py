"""Forms of English words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.offline_agents.author.inflection import (
    gerund,
    indefinite,
    plural,
    third_person,
    verb_of_gerund,
    verb_of_third_person,
)
from goldwright.offline_agents.author.lexicon import VERBS


@given(st.sampled_from(sorted(VERBS)))
def test_every_verb_is_found_again_from_its_third_person_and_its_gerund(verb: str) -> None:
    """The forms and the way back agree over the whole lexicon."""
    assert verb_of_third_person(third_person(verb)) == verb
    assert verb_of_gerund(gerund(verb)) is not None


@pytest.mark.parametrize(
    ("verb", "third", "ing"),
    [
        ("strip", "strips", "stripping"),
        ("carry out", "carries out", "carrying out"),
        ("write", "writes", "writing"),
        ("tie", "ties", "tying"),
        ("catch", "catches", "catching"),
        ("look up", "looks up", "looking up"),
    ],
)
def test_verbs_change_as_english_wants(verb: str, third: str, ing: str) -> None:
    """Doubling, silent e, sibilants and phrasal verbs."""
    assert (third_person(verb), gerund(verb)) == (third, ing)


@pytest.mark.parametrize(
    ("noun", "named"),
    [
        ("URL map", "a URL map"),
        ("HTML page", "an HTML page"),
        ("error handler", "an error handler"),
        ("unique key", "a unique key"),
        ("headers", "headers"),
        ("metadata", "metadata"),
    ],
)
def test_articles_follow_the_sound(noun: str, named: str) -> None:
    """Acronyms are spelled, plurals and stuff take none."""
    assert indefinite(noun) == named


def test_plurals_change_the_last_word_alone() -> None:
    """A noun phrase keeps its front."""
    assert plural("template library") == "template libraries"
    assert plural("search index") == "search indexes"
