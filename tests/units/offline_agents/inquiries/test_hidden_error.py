"""Which error hides behind a message: asked only where it is the only one."""

from pathlib import Path

import pytest

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.hidden_error import HiddenError
from goldwright.snapshot import open_snapshot

CODE = '''def weigh(coin):
    """Weigh a coin."""
    if coin.weight < 0:
        raise ValueError("a coin is lighter than nothing")
    return coin.weight


def pay(coin):
    """Pay with a coin."""
    try:
        weight = weigh(coin)
{check}    except {caught} as error:
        raise RuntimeError("the payment was turned down at the counter") from error
    return weight
'''
CHECK = '        if weight > 9:\n            raise ValueError("too heavy")\n'


@pytest.mark.parametrize(
    ("caught", "check", "is_asked"),
    [
        ("ValueError", "", True),
        ("ValueError", CHECK, False),
        ("Exception", "", False),
        ("(ValueError, Exception)", "", False),
    ],
)
def test_a_clause_that_takes_errors_of_its_own_try_or_any_error_hides_several(
    tmp_path: Path, caught: str, check: str, *, is_asked: bool
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "till.py").write_text(CODE.format(caught=caught, check=check))
    context = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = context.module("till.py")
    assert isinstance(module, Module)
    inquiry = HiddenError()
    asked = [
        question for lead in inquiry.leads(module) for question in inquiry.questions(lead, context)
    ]
    assert bool(asked) is is_asked


DEEPER = '''def weigh(coin):
    """Weigh a coin."""
    if coin.weight < 0:
        raise ValueError("a coin is lighter than nothing")
    return polish(coin).weight


def polish(coin):
    """Polish a coin."""
    if coin.is_fake:
        raise {raised}("a coin is no coin at all")
    return coin


def pay(coin):
    """Pay with a coin."""
    try:
        weight = weigh(coin)
    except ValueError as error:
        raise RuntimeError("the payment was turned down at the counter") from error
    return weight
'''


@pytest.mark.parametrize(("raised", "is_asked"), [("KeyError", True), ("ValueError", False)])
def test_an_error_from_one_call_further_hides_there_as_well(
    tmp_path: Path, raised: str, *, is_asked: bool
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "till.py").write_text(DEEPER.format(raised=raised))
    context = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = context.module("till.py")
    assert isinstance(module, Module)
    inquiry = HiddenError()
    asked = [
        question for lead in inquiry.leads(module) for question in inquiry.questions(lead, context)
    ]
    assert bool(asked) is is_asked
