"""Whether the attributes of an object are all that its ``__init__`` gives it."""

import pytest

from goldwright.offline_agents.statements.keeps_attributes import KeepsAttributes
from units.code_reading.sources import read_module


@pytest.mark.parametrize(
    ("call", "is_told"),
    [
        ("self.tell()", True),
        ("other.code.page = None", True),
        # What an attribute holds is changed, or one whose name is not written.
        ("self.ctx.loop = None", False),
        ("self.codes[0].page = None", False),
        ("self.codes['a'] = None", False),
        ("setattr(self, key, None)", False),
        ("self.reset()", False),
        # Nobody read what it does.
        ("self.inherited()", False),
    ],
)
def test_attributes_that_a_called_method_sets_leave_no_whole_list(
    call: str, *, is_told: bool
) -> None:
    module = read_module(
        "class Bucket:\n"
        f"    def __init__(self, key):\n        self.key = key\n        {call}\n"
        "    def reset(self):\n        self.code = None\n"
        "    def tell(self):\n        print(self.key)\n"
    )
    function = module.function("Bucket.__init__")
    assert function is not None
    assert bool([*KeepsAttributes.find(module, "Bucket.__init__", function)]) is is_told
