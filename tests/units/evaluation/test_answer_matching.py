"""Whether an answer states what it must, and nothing that is false."""

import pytest

from goldwright.evaluation.answer_matching import judge_answer
from goldwright.records import GoldenLabel
from units.golden.test_differences import HOLD

FACTS = (
    "`Client.send` raises `TooManyRedirects` after 30 redirects.",
    "When `verify` is falsy, the certificate is not checked.",
)
FALSEHOODS = ("The limit is hardcoded in `Adapter.send` (it is not, the session holds it).",)
RIGHT = (
    "After 30 redirects Client.send raises TooManyRedirects. "
    "The certificate isn't checked when `verify` is falsy."
)

TOO_FAR_APART = (
    "Client.send is long.\n\nIt sends.\n\nOthers raise TooManyRedirects after 30 redirects."
)


def label(**changes: object) -> GoldenLabel:
    """A label with two facts and a falsehood."""
    facts = {"must_mention_facts": FACTS, "must_not_mention_facts": FALSEHOODS}
    return HOLD.model_copy(update={**facts, **changes})


def missing_facts(answer: str) -> list[int]:
    """Which facts an answer does not state, by their place."""
    judgement = judge_answer(label(), answer)
    assert judgement is not None
    return [FACTS.index(fact) for fact in judgement.missing_facts]


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        (RIGHT, []),
        (" ".join(FACTS), []),
        ("", [0, 1]),
        ("I do not know.", [0, 1]),
        ("Client.send raises TooManyRedirects after 20 redirects.", [0, 1]),
        ("Client.send raises an error after 30 redirects.", [0, 1]),
        ("Client.send never raises TooManyRedirects after 30 redirects.", [0, 1]),
        ("When `verify` is truthy, the certificate is not checked.", [0, 1]),
        ("When `verify` is falsy, the certificate is checked.", [0, 1]),
        ("When `verify` is falsy, the certificate isn't checked.", [0]),
        ("Client.send counts. It raises TooManyRedirects after 30 redirects.", [1]),
        (TOO_FAR_APART, [0, 1]),
    ],
)
def test_a_fact_is_stated_by_its_code_its_numbers_most_of_its_words_and_its_polarity(
    answer: str, missing: list[int]
) -> None:
    assert missing_facts(answer) == missing


@pytest.mark.parametrize(
    ("sentence", "is_false"),
    [
        ("The limit is hardcoded in Adapter.send.", True),
        ("The limit is not hardcoded in Adapter.send.", False),
        ("The limit is held by the session.", False),
        ("The limit is in Adapter.send.", False),
    ],
)
def test_a_falsehood_is_stated_by_all_of_its_words(sentence: str, is_false: bool) -> None:
    judgement = judge_answer(label(), f"{RIGHT} {sentence}")
    assert judgement is not None
    assert bool(judgement.stated_falsehoods) == is_false
    assert judgement.is_correct == (not is_false)


def test_back_ticks_around_nothing_are_no_name_that_could_stand_in_order() -> None:
    empty = label(must_mention_facts=("First ` ` is called, then `close`.",))
    judgement = judge_answer(empty, "First ` ` is called, then `close`.")
    assert judgement is not None
    assert judgement.is_correct


def test_an_answer_to_a_label_without_facts_is_not_judged() -> None:
    assert judge_answer(label(must_mention_facts=()), RIGHT) is None
