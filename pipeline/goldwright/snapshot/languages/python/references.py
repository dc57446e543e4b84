"""The references of a Python file: what is imported, called, derived from and named, and by whom.

One pass over the whole tree with an explicit stack, so that deep nesting costs no recursion. Which
entity a dotted name means is decided later, when every file is known.
"""

import ast
import builtins
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from goldwright.snapshot.file_facts import Definition, FileFacts, ImportedName, Reference
from goldwright.snapshot.languages.python.syntax_nodes import TYPE_ALIAS, Node, dotted_name
from goldwright.snapshot.size_limits import DEEPEST_TREE

OWN_OBJECT: Final = frozenset({"self", "cls", "super()"})
"""What a call on the object that a method belongs to begins with."""

_BUILTINS: Final = frozenset(vars(builtins))
_LEAVES: Final = frozenset(
    {
        *(ast.Constant, ast.Load, ast.Store, ast.Del, ast.Pass, ast.Break, ast.Continue),
        *(ast.Global, ast.Nonlocal, ast.MatchSingleton),
    }
)
# Fields that hold plain text, numbers or operators, in which no name can be used.
_TEXT_FIELDS: Final = frozenset(
    """
    ctx op ops name id attr arg type_comment kind level is_async simple conversion names module rest
    kwd_attrs type_params
    """.split()
)


def _child_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    if kind in _LEAVES:
        return ()
    return tuple(name for name in kind._fields if name not in _TEXT_FIELDS)


def _child_fields_by_kind() -> dict[type[ast.AST], tuple[str, ...]]:
    fields: dict[type[ast.AST], tuple[str, ...]] = {}
    for value in vars(ast).values():
        if isinstance(value, type) and issubclass(value, ast.AST):
            fields[value] = _child_fields(value)
    return fields


_CHILD_FIELDS: Final = _child_fields_by_kind()


@dataclass(slots=True)
class _OwnerScope:
    """Whose statements are walked.

    Attributes:
        owner: The qualified name of the definition; empty at module level.
        class_name: The qualified name of the class around them; empty where there is none.
        local_classes: The class that each local name was annotated with or made by, as written.
    """

    owner: str
    class_name: str
    local_classes: dict[str, str] = field(default_factory=dict)

    @property
    def is_function(self) -> bool:
        """Whether the statements are those of a function, not of a module or class."""
        return self.owner != self.class_name


# A visitor returns whether the children of its node are to be walked in the same scope.
_Visitor: TypeAlias = Callable[[Node, _OwnerScope], bool]


class ReferenceCollector:
    """Collects the references of one file; ``known_names`` are its own top-level names."""

    def __init__(self, known_names: Iterable[str]) -> None:
        self._known_names = set(known_names)
        self._has_star_import = False
        self._imports: list[ImportedName] = []
        self._calls: list[Reference] = []
        self._uses: dict[tuple[str, str], int] = {}
        self._bases: list[Reference] = []
        self._attributes: list[Reference] = []
        self._visitors: dict[type[ast.AST], _Visitor] = {
            ast.Name: self._visit_name,
            ast.Call: self._visit_call,
            ast.FunctionDef: self._visit_function,
            ast.AsyncFunctionDef: self._visit_function,
            ast.ClassDef: self._visit_class,
            ast.Import: self._visit_import,
            ast.ImportFrom: self._visit_import_from,
            ast.Assign: self._visit_assign,
            ast.AnnAssign: self._visit_annotated_assign,
        }
        if TYPE_ALIAS is not None:
            self._visitors[TYPE_ALIAS] = self._visit_type_alias

    def collect(self, tree: ast.Module, definitions: tuple[Definition, ...]) -> FileFacts:
        """Walk a module and put its references beside its definitions.

        Raises:
            RecursionError: The tree is deeper than ``DEEPEST_TREE``.
        """
        self._walk(tree.body, _OwnerScope(owner="", class_name=""))
        uses: list[Reference] = []
        for (owner, name), line in self._uses.items():
            # What a module itself uses belongs to no entity.
            if owner:
                uses.append(Reference(owner, name, line))
        return FileFacts(
            definitions=definitions,
            imports=tuple(self._imports),
            calls=tuple(self._calls),
            uses=tuple(uses),
            bases=tuple(self._bases),
            attributes=tuple(self._attributes),
        )

    def _walk(  # noqa: C901  # calls of functions would double the time of the loop
        self, nodes: Sequence[Node], scope: _OwnerScope
    ) -> None:
        # Every node of the codebase passes through this loop; its tables are local for speed.
        visitors, child_fields, leaves = self._visitors, _CHILD_FIELDS, _LEAVES
        stack = list(reversed(nodes))
        # The height of the stack below the nodes of each level: the levels are not counted by a
        # number beside each node, which would cost a tenth of the time.
        levels: list[int] = []
        while stack:
            node = stack.pop()
            height = len(stack)
            while levels and height < levels[-1]:
                levels.pop()
            kind = node.__class__
            visit = visitors.get(kind)
            if visit is not None and not visit(node, scope):
                continue
            for name in child_fields[kind]:
                value = getattr(node, name, None)
                if value.__class__ is list:
                    stack.extend(item for item in reversed(value) if item is not None)
                elif value is not None and value.__class__ not in leaves:
                    stack.append(value)
            if len(stack) > height:
                levels.append(height)
                if len(levels) > DEEPEST_TREE:
                    raise RecursionError

    def _visit_name(self, node: Node, scope: _OwnerScope) -> bool:
        if node.id in self._known_names:
            self._uses.setdefault((scope.owner, node.id), node.lineno)
        return False

    def _visit_call(self, node: Node, scope: _OwnerScope) -> bool:
        called = dotted_name(node.func)
        if called is None:
            return True
        head, dot, tail = called.partition(".")
        if dot and head in scope.local_classes:
            class_name = scope.local_classes[head]
            called = f"({class_name}).{tail}"
        elif not self._may_resolve(head, dot):
            return True
        call = Reference(scope.owner, called, node.lineno)
        self._calls.append(call)
        return True

    def _may_resolve(self, head: str, dot: str) -> bool:
        """Rule out calls of builtins and of methods of plain locals.

        No file of the codebase can answer for them.
        """
        if head in self._known_names or self._has_star_import:
            return True
        if dot:
            return head in OWN_OBJECT
        return head not in _BUILTINS

    def _visit_function(self, node: Node, scope: _OwnerScope) -> bool:
        name = _qualify(scope.owner, node.name)
        inner = _OwnerScope(owner=name, class_name=scope.class_name)
        # Keyword-only arguments without a default stand as None.
        keyword_defaults = filter(None, node.args.kw_defaults)
        defaults = [*node.args.defaults, *keyword_defaults]
        nodes = [*node.decorator_list, *defaults, *node.body]
        self._walk(nodes, inner)
        return False

    def _visit_class(self, node: Node, scope: _OwnerScope) -> bool:
        name = _qualify(scope.owner, node.name)
        for base in node.bases:
            base_name = dotted_name(base)
            if base.__class__ is ast.Subscript:
                # Of ``Base[int]`` the class is what stands before the bracket.
                base_name = dotted_name(base.value)
            if base_name is not None:
                reference = Reference(name, base_name, node.lineno)
                self._bases.append(reference)
        inner = _OwnerScope(owner=name, class_name=name)
        nodes = [*node.decorator_list, *node.keywords, *node.body]
        self._walk(nodes, inner)
        return False

    def _visit_import(self, node: Node, _scope: _OwnerScope) -> bool:
        for item in node.names:
            if item.asname:
                imported = ImportedName(item.asname, item.name, "", 0)
            else:
                # ``import a.b`` binds ``a``.
                top_level = item.name.partition(".")[0]
                imported = ImportedName(top_level, top_level, "", 0)
            self._add_import(imported)
        return False

    def _visit_import_from(self, node: Node, _scope: _OwnerScope) -> bool:
        for item in node.names:
            alias = item.asname or item.name
            module = node.module or ""
            imported = ImportedName(alias, module, item.name, node.level)
            self._add_import(imported)
            if item.name == "*":
                self._has_star_import = True
        return False

    def _add_import(self, imported: ImportedName) -> None:
        self._imports.append(imported)
        self._known_names.add(imported.alias)

    def _visit_assign(self, node: Node, scope: _OwnerScope) -> bool:
        # Of ``a = b = Session()`` the first name alone counts.
        self._add_assignment(node.targets[0], node, scope)
        return True

    def _visit_annotated_assign(self, node: Node, scope: _OwnerScope) -> bool:
        self._add_assignment(node.target, node, scope)
        return True

    def _visit_type_alias(self, node: Node, scope: _OwnerScope) -> bool:
        self._assign_name(node.name.id, node, scope)
        return True

    def _add_assignment(self, target: Node, node: Node, scope: _OwnerScope) -> None:
        if target.__class__ is ast.Name:
            self._assign_name(target.id, node, scope)
        elif target.__class__ is ast.Attribute:
            self._assign_attribute(target, node, scope)

    def _assign_name(self, name: str, node: Node, scope: _OwnerScope) -> None:
        class_name = _class_of_value(node)
        if class_name is not None:
            scope.local_classes[name] = class_name
        else:
            # The name holds something else from here on.
            scope.local_classes.pop(name, None)
        # A literal names nothing; generated modules hold little else.
        is_literal = node.value is None or node.value.__class__ is ast.Constant
        if not is_literal and not scope.is_function:
            owner = _qualify(scope.owner, name)
            self._add_uses_of_value(node.value, owner)

    def _assign_attribute(self, target: Node, node: Node, scope: _OwnerScope) -> None:
        class_name = _class_of_value(node)
        if class_name is not None and dotted_name(target) == f"self.{target.attr}":
            typed = f"{target.attr}:{class_name}"
            attribute = Reference(scope.class_name, typed, node.lineno)
            self._attributes.append(attribute)

    def _add_uses_of_value(self, value: Node, owner: str) -> None:
        """Let a module- or class-level name use what its value names.

        So registries, aliases and tables are linked to their entries.
        """
        for node in ast.walk(value):
            if node.__class__ is not ast.Name and node.__class__ is not ast.Attribute:
                continue
            name = dotted_name(node)
            if name is not None and name.partition(".")[0] in self._known_names:
                self._uses.setdefault((owner, name), node.lineno)


def _qualify(owner: str, name: str) -> str:
    if not owner:
        return name
    return f"{owner}.{name}"


def _class_of_value(node: Node) -> str | None:
    """Write the name of the class that an assigned value is annotated with or made by."""
    if node.__class__ is ast.AnnAssign:
        annotated = dotted_name(node.annotation)
        if annotated is not None:
            return annotated
    if node.value.__class__ is ast.Call:
        return dotted_name(node.value.func)
    return None
