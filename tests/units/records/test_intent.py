"""The list of reasons: one place that says what each kind means."""

from typing import get_args

from goldwright.records import INTENT_MEANINGS, IntentKind


def test_every_kind_of_reason_has_a_meaning_in_the_order_of_the_kinds() -> None:
    assert tuple(INTENT_MEANINGS) == get_args(IntentKind)


def test_meanings_tell_the_kinds_apart() -> None:
    """Two kinds with one meaning could not be chosen between."""
    questions = [meaning.asks for meaning in INTENT_MEANINGS.values()]
    assert len(set(questions)) == len(questions)
    assert all(meaning.asks and meaning.lines for meaning in INTENT_MEANINGS.values())
