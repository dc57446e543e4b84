"""The calls of a file, and what each of them surely calls."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from goldwright.trust_card.source.modules import FunctionNode, dotted_name
from goldwright.trust_card.source.names import ImportResolver

_SCOPES: Final = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Call:
    """One call in a file.

    Attributes:
        path: The file.
        line: The line of the call.
        node: The call.
        scope: The definition around it.
    """

    path: str
    line: int
    node: ast.Call
    scope: "CallScope"

    @property
    def called_name(self) -> str:
        """The last part of what is called: ``send`` for ``self.session.send()``."""
        function = self.node.func
        if isinstance(function, ast.Attribute):
            return function.attr
        if isinstance(function, ast.Name):
            return function.id
        return ""


@dataclass
class CallScope:
    """A definition with calls in it, or the module.

    Attributes:
        name: Its qualified name; empty for the module.
        outer: What it stands in; None for the module.
        node: Its syntax tree; None for the module.
        bound_names: The names that are bound inside it, those of its parameters included.
        local_types: The dotted class names that local names surely hold an object of.
    """

    name: str
    outer: "CallScope | None"
    node: FunctionNode | ast.ClassDef | None
    bound_names: set[str] = field(default_factory=set)
    local_types: dict[str, str] = field(default_factory=dict)

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def first_parameter(self) -> str:
        """The name of the first parameter of a method; empty for anything else."""
        if self.outer is None or not self.outer.is_class or self.node is None:
            return ""
        if isinstance(self.node, ast.ClassDef):
            return ""
        if "staticmethod" in map(dotted_name, self.node.decorator_list):
            return ""
        arguments = self.node.args
        for parameter in (*arguments.posonlyargs, *arguments.args):
            return parameter.arg
        return ""


def calls_in(path: str, tree: ast.Module) -> Mapping[str, tuple[Call, ...]]:
    """List the calls of a file by the name that is called."""
    calls: dict[str, list[Call]] = {}
    for node, scope in _walk(tree):
        call = Call(path, node.lineno, node, scope)
        calls.setdefault(call.called_name, []).append(call)
    return {name: tuple(same_name) for name, same_name in calls.items()}


def called_entity(call: Call, names: ImportResolver) -> str | None:
    """The id of the class or function that a call surely calls; None where that is open.

    A call through ``self`` is settled by the class that it stands in, although an object may be of
    a subclass that overrides the method.
    """
    function = call.node.func
    if isinstance(function, ast.Name):
        return _called_by_name(call, function.id, names)
    if not isinstance(function, ast.Attribute):
        return None
    if _is_super(function.value):
        return names.find_inherited(_enclosing_class_id(call), function.attr)
    class_id = _class_of(function.value, call, names)
    if class_id is not None:
        return names.find_member(class_id, function.attr)
    return _called_by_dotted_name(call, dotted_name(function), names)


def _called_by_name(call: Call, name: str, names: ImportResolver) -> str | None:
    scope: CallScope | None = call.scope
    while scope is not None and scope.node is not None:
        # Names of a class body are not seen from the functions inside it.
        if not scope.is_class:
            nested_name = f"{scope.name}.{name}"
            nested_id = f"{call.path}::{nested_name}"
            if names.definition(nested_id) is not None:
                return nested_id
            if name in scope.bound_names:
                return None
        scope = scope.outer
    return _called_by_dotted_name(call, name, names)


def _called_by_dotted_name(call: Call, dotted: str, names: ImportResolver) -> str | None:
    first_name = dotted.partition(".")[0]
    if not first_name or _is_bound_locally(call.scope, first_name):
        return None
    meaning = names.resolve(call.path, dotted)
    if meaning is None or not meaning.name:
        return None
    return meaning.entity_id


def _class_of(receiver: ast.expr, call: Call, names: ImportResolver) -> str | None:
    """The id of the class that the receiver of a method call is an object of, or is itself."""
    if isinstance(receiver, ast.Call):
        dotted = dotted_name(receiver.func)
        return _visible_class(dotted, call, names)
    if not isinstance(receiver, ast.Name):
        return None
    scope: CallScope | None = call.scope
    while scope is not None:
        if receiver.id == scope.first_parameter and scope.outer is not None:
            return f"{call.path}::{scope.outer.name}"
        local_type = scope.local_types.get(receiver.id)
        if local_type is not None:
            return _visible_class(local_type, call, names)
        if receiver.id in scope.bound_names and not scope.is_class:
            return None
        scope = scope.outer
    return None


def _visible_class(dotted: str, call: Call, names: ImportResolver) -> str | None:
    first_name = dotted.partition(".")[0]
    if not first_name or _is_bound_locally(call.scope, first_name):
        return None
    return names.resolve_class(call.path, dotted)


def _is_bound_locally(scope: CallScope | None, name: str) -> bool:
    while scope is not None:
        if not scope.is_class and name in scope.bound_names:
            return True
        scope = scope.outer
    return False


def _is_super(receiver: ast.expr) -> bool:
    if not isinstance(receiver, ast.Call) or receiver.args:
        return False
    function = receiver.func
    return isinstance(function, ast.Name) and function.id == "super"


def _enclosing_class_id(call: Call) -> str:
    """The id of the class around a call; that of the module's nothing where there is none."""
    scope: CallScope | None = call.scope
    while scope is not None and not scope.is_class:
        scope = scope.outer
    name = scope.name if scope is not None else ""
    return f"{call.path}::{name}"


def _walk(tree: ast.Module) -> Iterator[tuple[ast.Call, CallScope]]:
    """Yield every call of a file with the definition around it."""
    module = CallScope("", None, None)
    stack: list[tuple[ast.AST, CallScope]] = [(tree, module)]
    while stack:
        node, scope = stack.pop()
        if isinstance(node, ast.Call):
            yield node, scope
        inner_scope = scope
        if isinstance(node, FunctionNode | ast.ClassDef):
            inner_scope = _enter(node, scope)
            # Decorators, defaults and bases are evaluated outside.
            stack.extend((outer_part, scope) for outer_part in _parts_outside(node))
            stack.extend((statement, inner_scope) for statement in reversed(node.body))
            continue
        children = list(ast.iter_child_nodes(node))
        stack.extend((child, inner_scope) for child in reversed(children))


def _parts_outside(node: FunctionNode | ast.ClassDef) -> Iterator[ast.AST]:
    yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from node.keywords
    else:
        yield node.args


def _enter(node: FunctionNode | ast.ClassDef, outer: CallScope) -> CallScope:
    name = f"{outer.name}.{node.name}".removeprefix(".")
    scope = CallScope(name, outer, node)
    if isinstance(node, ast.ClassDef):
        return scope
    for argument in _arguments(node):
        scope.bound_names.add(argument.arg)
        annotation = _annotated_class(argument.annotation)
        if annotation:
            scope.local_types[argument.arg] = annotation
    assignments: dict[str, list[str]] = {}
    for bound_name, class_name in _bindings_inside(node):
        scope.bound_names.add(bound_name)
        assignments.setdefault(bound_name, []).append(class_name)
    for bound_name, class_names in assignments.items():
        # Assigned once, by a call of a name: an object of that class, if it is a class.
        is_parameter = bound_name in scope.local_types
        scope.local_types.pop(bound_name, None)
        if len(class_names) == 1 and class_names[0] and not is_parameter:
            scope.local_types[bound_name] = class_names[0]
    return scope


def _arguments(node: FunctionNode) -> Iterator[ast.arg]:
    arguments = node.args
    yield from arguments.posonlyargs
    yield from arguments.args
    yield from arguments.kwonlyargs
    if arguments.vararg is not None:
        yield arguments.vararg
    if arguments.kwarg is not None:
        yield arguments.kwarg


def _annotated_class(annotation: ast.expr | None) -> str:
    """The class that an annotation names; ``X | None`` names ``X``."""
    match annotation:
        case ast.Constant(value=str(name)) if name.isidentifier():
            return name
        case ast.BinOp(left=left, right=ast.Constant(value=None)):
            return dotted_name(left)
        case _:
            return dotted_name(annotation)


def _bindings_inside(function: FunctionNode) -> Iterator[tuple[str, str]]:
    """Yield each binding of a local name, with the class it is made of where a call makes it."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                yield target.id, _constructor(node.value)
                stack.append(node.value)
                continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, ""
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name, ""
        if not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))


def _constructor(value: ast.expr) -> str:
    if not isinstance(value, ast.Call):
        return ""
    return dotted_name(value.func)
