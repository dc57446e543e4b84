"""Whether an answer states what it must, and nothing that is false."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.evaluation.answers.answer_matching import LiteralJudgement, judge_answer
from goldwright.records import GoldenLabel
from units.evaluation.hand_made_answers import RECORDS, HandMade
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
    ("answer", "is_stated"),
    [
        ("`fire` is called by `bake` alone.", True),
        ("`fire` is called by `bake` and `glaze` alone.", False),
        ("`fire` is called by `bake` and `Kiln.bake` alone.", False),
        ("`fire` is called by `bake`.", False),
        ("Only `bake` calls `fire`.", True),
    ],
)
def test_a_list_without_others_is_stated_by_one_that_is_no_longer(
    answer: str, is_stated: bool
) -> None:
    fact = "`fire` is called by `bake`, and by no other code."
    judgement = judge_answer(label(must_mention_facts=(fact,)), answer)
    assert judgement is not None
    assert (judgement.missing_facts == ()) == is_stated


@pytest.mark.parametrize(
    ("answer", "is_stated"),
    [
        ("`fire` waits if `heat > 3`. Under the same condition it raises `Hot`.", True),
        ("`fire` waits if `heat > 3`. Under the same conditions it logs and raises `Hot`.", True),
        ("`fire` waits unless `heat > 3`. Under the same condition it raises `Hot`.", False),
        ("`fire` waits if `wind > 3`. Under the same condition it raises `Hot`.", False),
    ],
)
def test_the_same_condition_is_that_of_the_sentence_before(answer: str, is_stated: bool) -> None:
    judgement = judge_answer(
        label(must_mention_facts=("`fire` raises `Hot` if `heat > 3`.",)), answer
    )
    assert judgement is not None
    assert (judgement.missing_facts == ()) == is_stated


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


def verdict_on(record: HandMade, answer: str) -> LiteralJudgement:
    """What the matcher says of an answer to a record written by hand."""
    changes = {
        "must_mention_facts": record.facts,
        "must_not_mention_facts": record.falsehoods,
    }
    judgement = judge_answer(label(**changes), answer)
    assert judgement is not None
    return judgement


@pytest.mark.parametrize(
    ("name", "answer"),
    [(name, answer) for name, record in RECORDS.items() for answer in record.right],
)
def test_an_answer_in_a_colleagues_words_is_right(name: str, answer: str) -> None:
    judgement = verdict_on(RECORDS[name], answer)
    assert judgement == LiteralJudgement((), ())


@pytest.mark.parametrize(
    ("name", "reason"),
    [(name, reason) for name, record in RECORDS.items() for reason in record.wrong],
)
def test_an_answer_that_lacks_or_turns_round_a_fact_is_wrong(name: str, reason: str) -> None:
    record = RECORDS[name]
    assert not verdict_on(record, record.wrong[reason]).is_correct


def test_an_answer_to_another_question_is_wrong() -> None:
    for name, record in RECORDS.items():
        for other_name, other in RECORDS.items():
            if other_name != name:
                assert not verdict_on(record, " ".join(other.facts)).is_correct
                assert not verdict_on(record, other.right[0]).is_correct


def states(answer: str, fact: str) -> bool:
    """Whether an answer states a fact."""
    judgement = judge_answer(label(must_mention_facts=(fact,), must_not_mention_facts=()), answer)
    assert judgement is not None
    return judgement.is_correct


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("`A.f` raises `E` when `x` is falsy.", "`A.f` throws `E` if `x` is not truthy."),
        ("`A.f` raises `E` when `x` is falsy.", "When x is falsy, `E` is raised by `A.f`."),
        ("`A.f` raises `E` when `x` is falsy.", "`A.f` reads `x`. If `x` is falsy it raises `E`."),
        ("`A.f` returns `None` unless `x`.", "`A.f` gives back None if not `x`."),
        ("`A.f` returns `g` if `a` and `not b`.", "Unless `b`, `A.f` returns `g` if `a`."),
        (
            "`f` returns `g` unless `a is None or b`.",
            "`f` returns `g` if `a` is not `None`, unless `b`.",
        ),
        ("`A.f` calls `self.b.g`.", "`g()` is called by `f`."),
        ("`A.f` calls `get_error_hint`.", "`A.f` turns to the helper “get error hint”."),
        ("`f` calls `g` before `h`.", "`f` first calls `g`. Then it calls `h`."),
        ("`f` calls `g` before `h`.", "After `g`, `f` calls `h`; both are called once."),
        ("`f` calls `g`.", "It is true that `f` calls `g`."),
        ("`f` calls `g`.", "It is not the case that `f` does not call `g`."),
        ("`f` waits 5 seconds.", "`f` waits for five seconds."),
        # A number is the same with its digits in groups.
        ("`f` waits for `1_000` seconds.", "`f` waits for 1000 seconds."),
        ("`f` returns `g(1000)`.", "`f` returns `g(1_000)`."),
        # Few words in front of a comma only lead up to something where they have no verb.
        ("The session retries.", "The session retries, the log is flushed."),
        ("`f` is defined in `src/a/b.py`.", "Look at `f` in b.py."),
        ("`f` is called by `a` and `b`, and by no other code.", "Only `a` and `b` call `f`."),
        ("`f` raises `E` with “No such command …”.", "`f` raises `E`: “No such command 'x'”."),
    ],
)
def test_the_same_in_other_words_states_a_fact(fact: str, answer: str) -> None:
    assert states(answer, fact)


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("`A.f` raises `E` when `x` is falsy.", "`A.f` raises `E` when `x` is truthy."),
        ("`A.f` raises `E` when `x` is falsy.", "`A.f` raises `E`."),
        ("`A.f` raises `E` when `x` is falsy.", "`A.f` never raises `E` when `x` is falsy."),
        ("`A.f` raises `E` when `x` is falsy.", "`A.f` returns `E` when `x` is falsy."),
        ("`A.f` raises `E` when `x` is falsy.", "`B.f` raises `E` when `x` is falsy."),
        (
            "`A.f` raises `E` when `x` is falsy.",
            "When `x` is falsy `A.f` ends. It raises `E` if `y`.",
        ),
        ("`A.f` raises `E`.", "It is not true that `A.f` raises `E`."),
        ("`f` calls `g`.", "It is true that `g` calls `f`."),
        ("`A.f` raises `E`.", "`A.f` raises `E`. No, `A.f` does not raise `E`."),
        ("`f` calls `g`.", "`g` calls `f`."),
        ("`f` calls `close`.", "`f` is closed when it is called."),
        ("`f` calls `g` before `h`.", "`f` calls `h` before `g`."),
        ("`f` calls `g` before `h`.", "`f` calls `g` and `h`."),
        ("`f` returns `None`.", "`f` returns nothing that is not `x`."),
        ("`f` returns `None`.", "`f` returns `x if x else None`."),
        ("`f` waits 5 seconds.", "`f` waits 6 seconds."),
        ("`f` is called by `a`, and by no other code.", "Only `a` and `b` call `f`."),
        ("`f` is called by `a`, and by no other code.", "`f` is called by `a`."),
        ("`f` returns `x` if `n` is empty.", "`f` returns `x` if `n` is full."),
        ("`f` returns `x` if `n`.", "`f` returns `x` if `n == 1`."),
    ],
)
def test_another_condition_sign_order_or_name_does_not_state_a_fact(fact: str, answer: str) -> None:
    assert not states(answer, fact)


def test_none_is_a_value_and_no_negation() -> None:
    assert states("`f` returns None.", "`f` returns `None`.")
    assert not states("`f` does not return None.", "`f` returns `None`.")
    assert not states("`f` returns `x`.", "`f` returns `None`.")


@pytest.mark.parametrize(
    ("word", "opposite"),
    [("raised", "returned"), ("included", "excluded"), ("opens", "closing"), ("first", "last")],
)
def test_opposites_are_known_in_every_form(word: str, opposite: str) -> None:
    assert not states(
        f"The old entry of the long list is {opposite}.",
        f"The old entry of the long list is {word}.",
    )


@pytest.mark.parametrize("opening", ["Then", "Afterwards", "Subsequently,", "Next,"])
def test_a_sentence_that_goes_on_is_read_with_the_one_before(opening: str) -> None:
    assert states(f"`f` calls `g`. {opening} it calls `h`.", "`f` calls `g` and `h`.")
    assert not states("`f` calls `g`. Elsewhere it calls `h`.", "`f` calls `g` and `h`.")


def test_a_fact_that_says_nothing_is_not_stated() -> None:
    assert not states("`f` calls `g`.", "…")


def test_an_answer_is_read_up_to_its_fifty_thousandth_character() -> None:
    answer = "`f` waits 1000"
    assert states(answer.rjust(50_000), "`f` waits 1000.")
    assert not states(answer.rjust(50_001), "`f` waits 1000.")


def test_who_says_less_than_a_falsehood_does_not_say_it() -> None:
    falsehood = label(
        must_mention_facts=("`f` returns `x`.",), must_not_mention_facts=("`f` returns `y`.",)
    )
    judgement = judge_answer(falsehood, "`f` returns `x`. If `n` is set, `f` returns `y`.")
    assert judgement is not None
    assert judgement.stated_falsehoods == ()
    judgement = judge_answer(falsehood, "`f` returns `x`. In the end `f` returns `y`.")
    assert judgement is not None
    assert judgement.stated_falsehoods == ("`f` returns `y`.",)


@pytest.mark.parametrize(
    "answer",
    [
        "`a" * 20_000,
        "a(" * 20_000,
        "“" * 40_000,
        "if not " * 8_000,
        "when `" + "not " * 240 + "x` is set, `f` returns `x`. ",
        "when `" + "a." * 240 + "b` holds it ends. " * 100,
        "a/" * 20_000,
        "call " * 10_000,
    ],
)
def test_a_runaway_answer_is_judged_all_the_same(answer: str) -> None:
    assert missing_facts(answer) == [0, 1]


PIECES = st.one_of(st.sampled_from(" ".join(FACTS).split()), st.text(max_size=20))


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_any_text_can_be_judged_and_states_no_fact_whose_code_it_lacks(answer: str) -> None:
    missing = missing_facts(answer)
    assert missing == sorted({0, 1}.intersection(missing))
    signs = "".join(filter(str.isalnum, answer)).casefold()
    for fact, code in enumerate(("toomanyredirects", "verify")):
        assert code in signs or fact in missing
