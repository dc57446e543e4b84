"""Calls that are surely made: whatever tests come to, running the statement makes them."""

import ast
import itertools

from hypothesis import given
from hypothesis import strategies as st

from goldwright.code_reading.certain_calls import certain_calls

_NAMES = ("a", "b", "c")


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(" and ".join).map("({})".format),
        pairs.map(" or ".join).map("({})".format),
        pairs.map(", ".join).map("[{}]".format),
        pairs.map(lambda pair: f"({pair[0]} if {pair[1]} else None)"),
        pairs.map(lambda pair: f"[{pair[0]} for _ in ({pair[1]},)]"),
        parts.map("(lambda: {})".format),
        st.tuples(parts, parts, parts).map("(v({0[0]}) < v({0[1]}) < v({0[2]}))".format),
        st.tuples(st.sampled_from(_NAMES), parts).map(lambda call: f"{call[0]}({call[1]})"),
    )


_expressions = st.recursive(st.sampled_from([f"{name}()" for name in _NAMES]), _joined)
_statements = st.one_of(
    _expressions,
    _expressions.map("x = {}".format),
    _expressions.map("if {}: pass".format),
    _expressions.map("for _ in [{}]: pass".format),
)


class _Result(int):
    """What can be tested and compared with anything."""

    def __lt__(self, other: object) -> bool:
        return bool(self)

    def __gt__(self, other: object) -> bool:
        return bool(self)


@given(_statements)
def test_a_certain_call_is_made_whatever_the_calls_give(code: str) -> None:
    (statement,) = ast.parse(code).body
    certain = {call.func.id for call in certain_calls(statement) if isinstance(call.func, ast.Name)}
    for given_results in itertools.product((0, 1), repeat=len(_NAMES)):
        made: set[str] = set()

        def call(name: str, result: int, made: set[str] = made) -> _Result:
            made.add(name)
            return _Result(result)

        functions = {
            name: (lambda *_, name=name, result=result: call(name, result))
            for name, result in zip(_NAMES, given_results, strict=True)
        }
        exec(code, {**functions, "v": lambda value: _Result(bool(value))})  # noqa: S102  # drawn
        assert certain & set(_NAMES) <= made


def test_what_stands_before_the_first_test_is_certain() -> None:
    (statement,) = ast.parse("if a(b()) or c(): pass").body
    called = [ast.unparse(call) for call in certain_calls(statement)]
    assert called == ["a(b())", "b()"]
