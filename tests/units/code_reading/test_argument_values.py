"""What a call is given: what its arguments rule out never happens when it is run."""

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.code_reading.argument_values import rules_out
from goldwright.code_reading.conditions import statements_of
from goldwright.path_conditions import Condition
from units.code_reading.functions import FLAGS, functions, run_on_every_choice
from units.code_reading.sources import read_function

_OUT = re.compile(r"out\((\d+)\)")


def _call(text: str) -> ast.Call:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return call


@given(
    functions(is_runnable=True),
    st.dictionaries(st.sampled_from(FLAGS), st.sampled_from(["False", "True", "{flag}"])),
    st.data(),
)
def test_what_a_call_rules_out_is_never_reached_by_it(
    code: str, arguments: dict[str, str], data: st.DataObject
) -> None:
    defaults = ", ".join(f"{flag}=False" for flag in FLAGS)
    code = code.replace(f"def work({', '.join(FLAGS)})", f"def work({defaults})")
    module, function = read_function(code)
    given_names = [flag for flag, argument in arguments.items() if argument == "{flag}"]
    tested = data.draw(st.sets(st.sampled_from(given_names))) if given_names else set()
    before = tuple(Condition("if", f"{flag} is not None") for flag in sorted(tested))
    call = _call(f"work({', '.join(f'{f}={a.format(flag=f)}' for f, a in arguments.items())})")
    values = {flag: arguments.get(flag, "False") == "True" for flag in FLAGS}
    runs = [
        run.reached
        for run in run_on_every_choice(code, steps_fail=True)
        if all(run.flags[flag] == values[flag] for flag in FLAGS if flag not in given_names)
    ]
    for found in statements_of(function, module.text):
        is_plain = isinstance(found.node, ast.Return | ast.Raise | ast.Expr)
        number = _OUT.search(ast.unparse(found.node)) if is_plain else None
        if number and found.path is not None and rules_out(call, function, found.path, before):
            assert not any(int(number[1]) in reached for reached in runs), number[1]


@pytest.mark.parametrize(
    ("parameters", "test", "call", "is_ruled_out"),
    [
        ("text, strict=0", "strict", "work(a)", True),
        ("text, strict=0", "text or strict", "work(a)", False),
        ("text, strict=0", "text and strict", "work(a)", True),
        ("text, strict=0", "strict", "work(a, 1)", False),
        ("text, strict=0", "strict", "work(a, strict=b)", False),
        ("text, strict=0", "strict", "work(a, **options)", False),
        ("text, strict=0", "strict", "work(*values)", False),
        ("text, strict=True", "not strict", "work(a)", True),
        ("text, limit=None", "limit is not None", "work(a)", True),
        ("text, limit=None", "limit is None", "work(a)", False),
        ("text, limit=None", "limit is None or len(text) > limit", "work(a)", False),
        ('text, mode="r"', 'mode == "w"', "work(a)", True),
        ('text, mode="r"', 'mode != "r"', "work(a)", True),
        ("text, mode=READ", 'mode == "w"', "work(a)", False),
        ("self, strict=0", "strict", "a.work()", True),
        ("self, strict=0", "strict", "a.work(1)", False),
        ("*, strict=False", "strict", "work()", True),
        ("text, limit=1", "limit > 2", "work(a)", False),
        ("text, strict", "strict", "work(a, False)", True),
        ("text, strict", "not strict", "work(a, strict=True)", True),
        ("text, strict", "strict", "work(a, strict=True)", False),
        ("text, strict", "strict is None", "work(a, tested)", True),
        ("text, strict", "strict is None", "work(a, strict=tested)", True),
        ("text, strict", "strict is None", "work(a, untested)", False),
        ("text, strict", "strict is None", "work(a, changed)", False),
        ("text, strict", "strict", "work(a, tested)", False),
        ("text, strict", "not strict", "work(a, tested)", False),
        ("text, strict", "strict == 1", "work(a, tested)", False),
        ("text, strict", "strict != None", "work(a, tested)", False),
        ("text, strict", "strict is text", "work(a, tested)", False),
        ("self, strict", "strict", "Base.work(a, False)", False),
        ("a=None, b=None, c=None", "any([a, b])", "work(c=1)", True),
        ("a=None, b=None, c=None", "any([a, c])", "work(c=1)", False),
        ("a=None, b=None, c=None", "any([a, *others])", "work(c=1)", False),
        ("a=None, b=None", "all((a, b))", "work(b=unknown)", True),
        ("a=None, b=None", "not all((a, b))", "work(b=unknown)", False),
        ("mode", 'mode in ("r", "w")', 'work("x")', True),
        ("mode", 'mode not in ["r", "w"]', 'work("r")', True),
        ("mode", 'mode in ("r", "w")', 'work("r")', False),
        ("mode", "mode in (READ, 'w')", 'work("x")', False),
        ("mode", 'mode in ("r", "w")', "work(tested)", False),
    ],
)
def test_an_argument_decides_a_test(
    parameters: str, test: str, call: str, is_ruled_out: bool
) -> None:
    code = f"def work({parameters}):\n    if {test}:\n        raise ValueError(text)\n"
    module, function = read_function(code)
    *_, raised = statements_of(function, module.text)
    assert raised.path is not None
    before = (
        Condition("if", "tested is not None and unrelated"),
        Condition("if", "changed is not None", is_past=True),
    )
    assert rules_out(_call(call), function, raised.path, before) is is_ruled_out


def test_a_parameter_that_is_given_a_value_is_not_its_default() -> None:
    code = "def work(a, b=0):\n    b = b or a\n    if b:\n        raise ValueError(a)\n"
    module, function = read_function(code)
    *_, raised = statements_of(function, module.text)
    assert raised.path is not None
    assert not rules_out(_call("work(1)"), function, raised.path)
