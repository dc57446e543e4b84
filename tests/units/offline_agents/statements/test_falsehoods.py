"""What is offered as false is tempting: it comes from the code, and from the same thing."""

from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.changes_inside import ChangesInside
from goldwright.offline_agents.statements.logs import Logs
from goldwright.path_conditions import Condition

RARE = (Condition("if", "pot.is_rare"),)
COMMON = (Condition("unless", "pot.is_rare"),)


def test_the_value_of_another_name_tempts_nobody() -> None:
    price = Assigned("sell", "price", "base * 2", RARE)
    owner = Assigned("sell", "owner", "pot.owner", ())
    assert [false.sentence() for false in price.falsehoods([owner])] == [
        "`sell` sets `price` to `base * 2` unless `pot.is_rare`."
    ]


def test_the_value_of_the_other_branch_comes_first() -> None:
    price = Assigned("sell", "price", "base * 2", RARE)
    other = Assigned("sell", "price", "base", COMMON)
    first = next(price.falsehoods([price, other]))
    assert first.sentence() == "`sell` sets `price` to `base` if `pot.is_rare`."


def test_a_message_gets_only_a_level_that_is_used_near_by() -> None:
    sold = Logs("sell", "sold", "info", ())
    assert list(sold.falsehoods([sold])) == []
    (false,) = sold.falsehoods([Logs("sell", "broken", "error", RARE)])
    assert false.sentence() == "`sell` logs “sold” as `error`."


def test_no_lock_is_made_up() -> None:
    (false,) = ChangesInside("sell", "PRICES", "").falsehoods(())
    assert false.sentence() == "`sell` changes `PRICES` inside a `with`."
