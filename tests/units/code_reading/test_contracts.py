"""What a class leaves to its subclasses, and what it only refuses."""

import pytest

from goldwright.code_reading.contracts import abstract_reason, only_raises_not_implemented
from units.code_reading.sources import read_function


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise NotImplementedError", "not implemented"),
        ("raise NotImplementedError()", "not implemented"),
        ('"""Fire it."""\n    raise NotImplementedError("subclasses must define it")', None),
        ('raise NotImplementedError("abstract")', "not implemented"),
        ('"""This one is optional."""\n    raise NotImplementedError("should be provided")', ""),
        # It refuses, and asks nobody for anything.
        ('raise NotImplementedError("not supported by this backend")', ""),
        ('raise NotImplementedError("no longer implemented, will be removed")', ""),
        ('raise NotImplementedError(f"{self} has no lid")', ""),
        ("raise KeyError", ""),
        ("return None", ""),
        ("log()\n    raise NotImplementedError", ""),
    ],
)
def test_only_an_error_that_asks_for_a_definition_is_a_contract(
    body: str, reason: str | None
) -> None:
    _, function = read_function(f"def work(self):\n    {body}\n")
    assert abstract_reason(function) == ("not implemented" if reason is None else reason)


def test_a_method_that_refuses_is_no_method_to_keep_either() -> None:
    _, refusing = read_function('def work():\n    raise NotImplementedError("not supported")\n')
    _, working = read_function("def work():\n    return 1\n")
    assert only_raises_not_implemented(refusing)
    assert not only_raises_not_implemented(working)
