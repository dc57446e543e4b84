"""Whether a value can be false without being None, as far as its file shows."""

import ast
from collections.abc import Iterator
from typing import Final

from goldwright.code_reading.modules import Function, Module

# Types that have a false value: an empty one, or zero. `Any` and `object` may be anything.
_TYPES_WITH_FALSE_VALUES: Final = frozenset(
    "str bytes bytearray int float complex bool list dict set frozenset tuple deque defaultdict "
    "OrderedDict Counter List Dict Set FrozenSet Tuple Deque DefaultDict Sequence MutableSequence "
    "Mapping MutableMapping Collection Container Iterable Sized AbstractSet MutableSet KeysView "
    "ValuesView ItemsView AnyStr Any object Decimal timedelta LiteralString Text range".split()
)
_CALLS_WITH_FALSE_RESULTS: Final = frozenset(
    "str bytes int float bool list dict set frozenset tuple deque len sum abs min max round sorted "
    "any all isinstance issubclass hasattr callable split rsplit splitlines strip lstrip rstrip "
    "removeprefix removesuffix lower upper replace join format startswith endswith find rfind "
    "count keys values items getenv findall finditer partition decode encode read readline "
    "readlines".split()
)
# What gives its last argument where nothing is there.
_LOOKUPS: Final = frozenset({"get", "pop", "getattr", "setdefault"})
_METHODS_OF_PLAIN_VALUES: Final = frozenset(
    name
    for kind in (str, list, dict, set)
    for name in dir(kind)
    # A client or a file may have these too.
    if not name.startswith("_") and name not in {"get", "update", "clear", "pop", "add", "remove"}
)
_METHODS_OF_TRUTH: Final = frozenset({"__bool__", "__len__"})
# A value is followed through names that are set to one another; three is more than code has.
_FARTHEST: Final = 3


def may_be_false_beside_none(module: Module, function: Function, name: str) -> bool:
    """Return whether a test of truth and a test for None may part for a name.

    Of a value of which nothing shows that it can be empty or zero, it is not claimed: where an
    object is there or is None, one test says what the other says.

    Args:
        module: The file.
        function: A function in it.
        name: A name in the function, or an attribute as in ``self.size``.
    """
    return _may_be(module, function, name, _FARTHEST)


def _may_be(module: Module, function: Function, name: str, steps: int) -> bool:
    if not steps:
        return False
    if name.startswith("self."):
        return _of_attribute(module, function, name, steps)
    argument = _argument(function, name)
    if argument is not None and argument.annotation is not None:
        return _of_annotation(module, argument.annotation)
    if argument is not None:
        return _has_false_default(function, name) or _is_used_as_plain_value(function, name)
    return any(
        _of_setting(module, function, setting, steps) for setting in _settings(function, name)
    )


def _of_attribute(module: Module, function: Function, name: str, steps: int) -> bool:
    classes = [node for node in module.definitions.values() if isinstance(node, ast.ClassDef)]
    owner = next((node for node in classes if function in node.body), None)
    if owner is None:
        return False
    declared = _settings(owner, name.removeprefix("self."), deep=False)
    if any(_of_setting(module, function, setting, steps) for setting in declared):
        return True
    methods = [node for node in owner.body if isinstance(node, Function)]
    return any(
        _of_setting(module, method, setting, steps)
        for method in methods
        for setting in _settings(method, name)
    )


def _argument(function: Function, name: str) -> ast.arg | None:
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return next((argument for argument in every if argument.arg == name), None)


def _has_false_default(function: Function, name: str) -> bool:
    arguments = function.args
    positional = (*arguments.posonlyargs, *arguments.args)
    # The last defaults belong to the last arguments.
    of_positional = zip(reversed(positional), reversed(arguments.defaults), strict=False)
    of_keyword = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    pairs = [*of_positional, *of_keyword]
    defaults = [default for argument, default in pairs if argument.arg == name]
    return any(default is not None and _is_false_value(default) for default in defaults)


def _is_false_value(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return constant is not None and not constant
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
    return False


def _is_used_as_plain_value(function: Function, name: str) -> bool:
    """Check whether a parameter is used as a text, a number or a collection is."""
    return any(_uses_as_plain_value(node, name) for node in ast.walk(function))


def _uses_as_plain_value(node: ast.AST, name: str) -> bool:
    match node:
        case ast.For(iter=used) | ast.comprehension(iter=used) | ast.Subscript(value=used):
            return _is(used, name)
        case ast.Attribute(value=ast.Name() as used, attr=attribute):
            return _is(used, name) and attribute in _METHODS_OF_PLAIN_VALUES
        case ast.Call(func=ast.Name(id="len" | "sorted" | "list" | "set" | "sum"), args=[used]):
            return _is(used, name)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[used]):
            return _is(used, name)
        case ast.Compare(left=left, ops=[operator], comparators=[ast.Constant(value=int())]):
            return _is(left, name) and not isinstance(operator, ast.Is | ast.IsNot)
    return False


def _settings(
    scope: Function | ast.ClassDef, name: str, *, deep: bool = True
) -> Iterator[ast.Assign | ast.AnnAssign]:
    for node in ast.walk(scope) if deep else scope.body:
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        if any(_is(target, name) for target in targets):
            yield node


def _is(target: ast.expr, name: str) -> bool:
    if isinstance(target, ast.Attribute):
        return isinstance(target.value, ast.Name) and f"{target.value.id}.{target.attr}" == name
    return isinstance(target, ast.Name) and target.id == name


def _of_setting(
    module: Module, function: Function, setting: ast.Assign | ast.AnnAssign, steps: int
) -> bool:
    if isinstance(setting, ast.AnnAssign):
        return _of_annotation(module, setting.annotation)
    return _of_value(module, function, setting.value, steps)


def _of_value(module: Module, function: Function, value: ast.expr, steps: int) -> bool:
    match value:
        case ast.Constant():
            return value.value is not None
        case ast.Name():
            return _may_be(module, function, value.id, steps - 1)
        case ast.IfExp():
            results = (value.body, value.orelse)
            return any(_of_value(module, function, result, steps) for result in results)
        case ast.BoolOp():
            return any(_of_value(module, function, operand, steps) for operand in value.values)
        case ast.Call():
            return _of_call(module, function, value, steps)
    return isinstance(
        value,
        ast.List | ast.Tuple | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
        | ast.JoinedStr | ast.Compare,
    )  # fmt: skip


def _of_call(module: Module, function: Function, call: ast.Call, steps: int) -> bool:
    name = _called_name(call)
    if name in _LOOKUPS and len(call.args) > 1:
        return _of_value(module, function, call.args[-1], steps)
    # A variable of the environment may be set to an empty text.
    is_variable = name == "get" and ast.unparse(call.func).endswith("environ.get")
    return is_variable or name in _CALLS_WITH_FALSE_RESULTS


def _called_name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _of_annotation(module: Module, annotation: ast.expr) -> bool:
    match annotation:
        case ast.BinOp(op=ast.BitOr()):
            return any(_of_annotation(module, side) for side in (annotation.left, annotation.right))
        case ast.Constant(value=str(text)):
            return _of_text(module, text)
        case ast.Subscript():
            return _of_subscript(module, annotation)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _TYPES_WITH_FALSE_VALUES or _has_truth(module, name)
    return False


def _of_text(module: Module, text: str) -> bool:
    try:
        return _of_annotation(module, ast.parse(text, mode="eval").body)
    except SyntaxError:
        return False


def _of_subscript(module: Module, annotation: ast.Subscript) -> bool:
    inside = annotation.slice
    members = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    match annotation.value:
        case ast.Name(id="Optional" | "Union") | ast.Attribute(attr="Optional" | "Union"):
            return any(_of_annotation(module, member) for member in members)
        case ast.Name(id="Annotated" | "Final" | "ClassVar"):
            return _of_annotation(module, members[0])
        case ast.Name(id="Literal") | ast.Attribute(attr="Literal"):
            return any(_is_false(member) for member in members)
    return _of_annotation(module, annotation.value)


def _is_false(member: ast.expr) -> bool:
    return isinstance(member, ast.Constant) and member.value is not None and not member.value


def _has_truth(module: Module, name: str) -> bool:
    return not _METHODS_OF_TRUTH.isdisjoint(module.members.get(name, ()))
