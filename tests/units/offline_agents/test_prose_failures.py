"""What was tried is said in the condition, and read back as what was tried and what was caught."""

import pytest

from goldwright.offline_agents.prose.prose_failures import is_short, say_failures
from goldwright.offline_agents.prose.prose_reading import read_narrative
from goldwright.offline_agents.prose.prose_writing import write_prose
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.statements.tries import Tries
from goldwright.path_conditions import Condition

CAUGHT = Condition("except", "KeyError")
NOT_CAUGHT = Condition("no_error", "KeyError")
CLOSED = Condition("if", "self.is_closed")
GUEST = Condition("unless", "guest.is_member()")
EACH = Condition("for", "guests", "guest")
ONE_STEP = Tries("pay", "KeyError", ("till.take(coin)",))
TWO_STEPS = Tries("pay", "KeyError", ("coin = purse.pop()", "till.take(coin)"))


def said(statement: Statement, *attempts: Tries) -> str:
    text, told = say_failures(" ".join(write_prose([statement])), attempts)
    assert list(told) == [attempt for attempt in attempts if attempt.steps[0] in text]
    return text


@pytest.mark.parametrize(
    ("path", "ending"),
    [
        ((CAUGHT,), "when `till.take(coin)` fails with `KeyError`."),
        (
            (CAUGHT, CLOSED),
            "when `till.take(coin)` fails with `KeyError` and `self.is_closed` is truthy.",
        ),
        (
            (CLOSED, CAUGHT),
            "when `self.is_closed` is truthy, and `till.take(coin)` fails with `KeyError`.",
        ),
        (
            (EACH, CAUGHT),
            "for each `guest` in `guests`, when `till.take(coin)` fails with `KeyError`.",
        ),
        (
            (GUEST, CAUGHT),
            "unless `guest.is_member()`, when `till.take(coin)` fails with `KeyError`.",
        ),
        ((NOT_CAUGHT,), "if `till.take(coin)` does not fail with `KeyError`."),
        (
            (CLOSED, NOT_CAUGHT),
            "when `self.is_closed` is truthy, if `till.take(coin)` does not fail with `KeyError`.",
        ),
    ],
)
def test_a_failure_is_said_where_it_is_a_condition(
    path: tuple[Condition, ...], ending: str
) -> None:
    returned = Returned("pay", "None", path)
    text = said(returned, ONE_STEP)
    assert text == f"`pay` returns `None` {ending}"
    assert [statement for _, statement in read_narrative(text)] == [ONE_STEP, returned]


@pytest.mark.parametrize("condition", [CAUGHT, NOT_CAUGHT])
@pytest.mark.parametrize("attempt", [ONE_STEP, TWO_STEPS])
def test_several_steps_are_read_back(condition: Condition, attempt: Tries) -> None:
    raised = Raises("pay", "ShopError", "no change", (condition,))
    text = said(raised, attempt)
    assert [statement for _, statement in read_narrative(text)] == [attempt, raised]


def test_the_failure_of_another_function_or_error_is_not_said() -> None:
    logged = Logs("pay", "no change", "warning", (CAUGHT,))
    other_error = Tries("pay", "OSError", ("till.open()",))
    other_function = Tries("rent", "KeyError", ("till.open()",))
    text = said(logged, other_error, other_function)
    assert text == "`pay` logs “no change” as `warning` after catching `KeyError`."


def test_it_stands_for_the_function_of_the_sentence_before() -> None:
    text = "`pay` calls `till.open()`. It returns `None` after catching `KeyError`."
    told, _ = say_failures(text, [ONE_STEP])
    assert told.endswith("It returns `None` when `till.take(coin)` fails with `KeyError`.")
    statements = [statement for _, statement in read_narrative(told)]
    assert statements[1:] == [ONE_STEP, Returned("pay", "None", (CAUGHT,))]


def test_long_steps_are_not_read_in_passing() -> None:
    assert is_short(ONE_STEP)
    assert not is_short(Tries("pay", "KeyError", ("till." + "take" * 30 + "()",)))
