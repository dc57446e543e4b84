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


@pytest.mark.parametrize(
    ("word", "opposite"),
    [
        ("truthy", "falsy"),
        ("before", "after"),
        ("first", "last"),
        ("more", "less"),
        ("most", "least"),
        ("above", "below"),
        ("same", "different"),
        ("accept", "reject"),
        ("include", "exclude"),
        ("enable", "disable"),
        ("start", "end"),
        ("open", "close"),
        ("raise", "return"),
        ("equal", "differ"),
        ("hold", "lack"),
        ("empty", "full"),
        ("only", "also"),
        ("some", "all"),
    ],
)
def test_a_fact_is_not_stated_where_its_opposite_stands_in_place_of_a_word(
    word: str, opposite: str
) -> None:
    """Of seven words one may be missing, unless its opposite is said instead."""
    for stated, denied in ((word, opposite), (opposite, word)):
        fact = f"The plain limit of {stated} stored user names matters."
        facts = label(must_mention_facts=(fact,), must_not_mention_facts=())
        answers = {
            fact: True,
            fact.replace(stated, "purple"): True,
            fact.replace(stated, denied): False,
        }
        for answer, is_correct in answers.items():
            judgement = judge_answer(facts, answer)
            assert judgement is not None
            assert judgement.is_correct is is_correct


def states(fact: str, answer: str) -> bool:
    judgement = judge_answer(label(must_mention_facts=(fact,), must_not_mention_facts=()), answer)
    assert judgement is not None
    return judgement.is_correct


def test_an_answer_is_read_up_to_fifty_thousand_characters() -> None:
    """A runaway answer costs no more time than that."""
    fact = "It halts now"
    assert states(fact, " " * (50_000 - len(fact)) + fact)
    assert not states(fact, " " * (50_001 - len(fact)) + fact)


def test_an_answer_of_the_code_alone_states_a_fact_of_code_alone() -> None:
    assert states("It is `send_all`.", "It is `send_all`.")


@pytest.mark.parametrize(
    ("fact", "answer", "is_stated"),
    [
        # Four letters are stem enough, three are not.
        ("It stops.", "It will stop.", True),
        ("It adds.", "It will add.", False),
        ("It is halting.", "It halts.", True),
        # Three of four words are enough, two of three are not.
        ("One red green plain word.", "One red green word.", True),
        ("Red green blue.", "Red green.", False),
        ("One two three four five six seven.", "One two three four five.", False),
    ],
)
def test_endings_do_not_matter_and_one_word_of_four_may_be_missing(
    fact: str, answer: str, is_stated: bool
) -> None:
    assert states(fact, answer) is is_stated


@pytest.mark.parametrize(
    ("answer", "is_stated"),
    [
        ("`open_all` runs before `close_all`.", True),
        ("`close_all` runs before `open_all`.", False),
        ("`close_all` and `open_all` run.", False),
    ],
)
def test_where_a_fact_names_an_order_its_names_must_come_in_that_order(
    answer: str, is_stated: bool
) -> None:
    assert states("`open_all` runs before `close_all`.", answer) is is_stated


def test_without_a_word_of_order_names_may_come_in_any_order() -> None:
    assert states("It uses `open_all` and `close_all`.", "It uses `close_all` and `open_all`.")


def test_a_name_with_a_digit_in_it_is_a_name() -> None:
    fact = "`b64_encode` runs before `a_send`."
    assert states(fact, fact)
    assert not states(fact, "`a_send` runs before `b64_encode`.")
    short = "`b6` runs before `a5`."
    assert not states(short, "`a5` runs before `b6`.")


def test_numbers_may_come_in_any_order_even_where_an_order_is_named() -> None:
    assert states(
        "First `wait_for` takes 30 and 10 seconds.", "First 10 and 30 seconds `wait_for` takes."
    )


@pytest.mark.parametrize(
    ("fact", "answer", "is_stated"),
    [
        ("The lock is never held.", "The lock is not held.", True),
        ("The lock is held.", "The lock is not never held.", True),
        ("The lock is held.", "The lock isn't held.", False),
        ("The lock is not held.", "The lock is held.", False),
        # Over two sentences negations do not cancel out.
        (
            "`lock_all` holds shelf 12.",
            "It never stops at `lock_all`. Not shelf 12 it holds.",
            False,
        ),
    ],
)
def test_a_fact_is_denied_by_an_odd_number_of_negations(
    fact: str, answer: str, is_stated: bool
) -> None:
    assert states(fact, answer) is is_stated


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("It calls `self.send()`.", "It calls `send`."),
        ("It calls `Send`.", "It calls `send()`."),
        ("It sets `a = 1`.", "It sets `a=1`."),
        ("It calls sendAll now.", "It calls `sendall` now."),
    ],
)
def test_spellings_of_the_same_code_are_one(fact: str, answer: str) -> None:
    assert states(fact, answer)
