"""Whether the methods that a class leaves open are all that its subclasses have to define."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeGuard

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.contracts import (
    abstract_reason,
    assigned_names,
    base_names,
    methods_of,
)
from goldwright.code_reading.modules import Function
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of

# Bases that have no methods of their own that anybody calls.
EMPTY_BASES: Final = frozenset({"ABC", "Generic", "Protocol", "object"})
# What every class may define says nothing of its kind.
ORDINARY_METHODS: Final = frozenset(
    """
    __init__ __repr__ __str__ __eq__ __ne__ __hash__ __reduce__ __getstate__ __setstate__ __len__
    __copy__ __deepcopy__ __del__ __new__ __slots__ __init_subclass__ __class_getitem__
    """.split()
)


def are_mandatory(class_id: str, methods: Sequence[str], code: CodeContext) -> bool:
    """Find out whether every subclass, however far down, defines what is left open.

    One that inherits it from another one, or leaves it open as well, does without.

    A class that has none, and whose objects are made, refuses these methods: it leaves none open.
    Where a base leaves methods open as well, those of the class are not all that is needed.
    """
    subclasses = code.closed_subclasses(class_id) or ()
    graph = code.snapshot.graph
    if any(_leaves_open(base, class_id, code) for base in _all_bases(class_id, code)):
        return False
    if lacks_methods(class_id, code) or not _is_enforced(class_id, methods, code):
        return False
    is_made = bool(graph.callers(class_id) or graph.callers(f"{class_id}.__init__"))
    if not subclasses and (is_made or _refuses(class_id, methods, code)):
        return False
    # Those of tests show as well what does without.
    all_subclasses = (*subclasses, *graph.subclasses(class_id))
    waiting = list(dict.fromkeys(all_subclasses))
    seen: set[str] = set()
    while waiting:
        subclass = waiting.pop()
        if subclass in seen:
            continue
        seen.add(subclass)
        module = code.module(path_of(subclass))
        if module is None or not set(methods) <= set(methods_of(module, name_of(subclass))):
            return False
        waiting.extend(graph.subclasses(subclass))
    return True


def _refuses(class_id: str, methods: Sequence[str], code: CodeContext) -> bool:
    """Find out whether a class only raises in a method: for want of subclasses, it may mean so.

    A driver whose device cannot do something says that it is not implemented.
    """
    return "not implemented" in _abstract_reasons(class_id, methods, code)


def _abstract_reasons(class_id: str, methods: Sequence[str], code: CodeContext) -> set[str]:
    """Tell in which ways a class leaves some of its methods open."""
    own_methods = _methods(class_id, code)
    return {abstract_reason(own_methods[name]) for name in methods if name in own_methods}


def _is_enforced(class_id: str, methods: Sequence[str], code: CodeContext) -> bool:
    """Find out whether something comes of it where a subclass leaves an abstract method out.

    Without ``ABCMeta``, which ``ABC`` has, the decorator does nothing.
    """
    if _abstract_reasons(class_id, methods, code) != {"abstract"}:
        return True
    for each in (class_id, *_all_bases(class_id, code)):
        module = code.module(path_of(each))
        if module is None:
            return True
        node = module.class_definition(name_of(each))
        if node is None or node.keywords:
            return True
        bases = code.snapshot.graph.bases(each)
        known = set(map(_simple_name, bases))
        # A base from elsewhere may have it, as ``ABC`` and ``Protocol`` do.
        if not set(base_names(module, name_of(each))) - known <= {"object", "Generic"}:
            return True
    return False


def lacks_methods(class_id: str, code: CodeContext) -> bool:
    """Find out whether a class calls methods of its own that neither it nor a base defines.

    Nothing says so, but a subclass has to have them as well. Bases from elsewhere may have any.
    """
    module = code.module(path_of(class_id))
    if module is None:
        return False
    name = name_of(class_id)
    node = module.class_definition(name)
    bases = list(_all_bases(class_id, code))
    own_bases = set(base_names(module, name))
    known_bases = set(map(_simple_name, bases))
    is_known = own_bases - known_bases <= EMPTY_BASES
    if node is None or not is_known:
        return False
    known = _set_names(node)
    for each in (class_id, *bases):
        known.update(_members(each, code))
    return not _called_names(node) <= known


def _members(class_id: str, code: CodeContext) -> Iterator[str]:
    module = code.module(path_of(class_id))
    if module is not None:
        yield from module.members.get(name_of(class_id), ())


def _called_names(node: ast.ClassDef) -> set[str]:
    names: set[str] = set()
    for call in walk(node):
        if isinstance(call, ast.Call) and _is_on_self(call.func):
            names.add(call.func.attr)
    return names


def _set_names(node: ast.ClassDef) -> set[str]:
    """Give what a class assigns: in its body, and to itself anywhere in it."""
    attributes: set[str] = set()
    for target in walk(node):
        if _is_on_self(target) and isinstance(target.ctx, ast.Store):
            attributes.add(target.attr)
    return attributes | assigned_names(node)


def _is_on_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    match node:
        case ast.Attribute(value=ast.Name(id="self")):
            return True
        case _:
            return False


def _simple_name(entity_id: str) -> str:
    return name_of(entity_id).rpartition(".")[2]


def _all_bases(class_id: str, code: CodeContext) -> Iterator[str]:
    """Yield the bases of a class in the codebase, theirs included."""
    bases_seen = {class_id}
    waiting = list(code.snapshot.graph.bases(class_id))
    while waiting:
        base = waiting.pop()
        if base not in bases_seen:
            bases_seen.add(base)
            waiting.extend(code.snapshot.graph.bases(base))
            yield base


def _leaves_open(base: str, class_id: str, code: CodeContext) -> bool:
    """Find out whether a base leaves a method open that the class does not define itself."""
    own_methods = _methods(class_id, code)
    base_methods = _methods(base, code)
    inherited = (method for name, method in base_methods.items() if name not in own_methods)
    return any(map(abstract_reason, inherited))


def _methods(class_id: str, code: CodeContext) -> Mapping[str, Function]:
    module = code.module(path_of(class_id))
    if module is None or module.class_definition(name_of(class_id)) is None:
        return {}
    return methods_of(module, name_of(class_id))
