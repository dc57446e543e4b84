"""Whether an answer says what it must, and nothing that is false."""

import pytest

from goldwright.evaluation.answer_matching import judge_answer
from goldwright.records import GoldenLabel
from units.golden.test_differences import HOLD

FACTS = (
    "`Client.send` raises `TooManyRedirects` after 30 redirects.",
    "When `verify` is falsy, the certificate is not checked.",
)
FALSE = ("The limit is hardcoded in `Adapter.send` (it is not, the session holds it).",)
RIGHT = "After 30 redirects Client.send raises TooManyRedirects. The certificate isn't checked when `verify` is falsy."


def label(**changes: object) -> GoldenLabel:
    """A label with two facts and a falsehood."""
    return HOLD.model_copy(
        update={"must_mention_facts": FACTS, "must_not_mention_facts": FALSE, **changes}
    )


def lacking(answer: str) -> list[int]:
    """Which facts an answer lacks."""
    found = judge_answer(label(), answer)
    assert found is not None
    return [FACTS.index(one) for one in found.lacking]


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
        (
            "Client.send is long.\n\nIt sends.\n\nOthers raise TooManyRedirects after 30 redirects.",
            [0, 1],
        ),
    ],
)
def test_a_fact_is_said_by_its_code_its_numbers_most_of_its_words_and_its_polarity(
    answer: str, missing: list[int]
) -> None:
    assert lacking(answer) == missing


@pytest.mark.parametrize(
    ("answer", "false"),
    [
        ("The limit is hardcoded in Adapter.send.", True),
        ("The limit is not hardcoded in Adapter.send.", False),
        ("The limit is held by the session.", False),
        ("The limit is in Adapter.send.", False),
    ],
)
def test_a_falsehood_is_said_by_all_of_its_words(answer: str, false: bool) -> None:
    found = judge_answer(label(), f"{RIGHT} {answer}")
    assert found is not None
    assert (bool(found.false), found.is_correct) == (false, not false)


def test_an_answer_to_a_label_without_facts_is_not_judged() -> None:
    assert judge_answer(label(must_mention_facts=()), RIGHT) is None
