"""Statement: which methods of its base class a class defines anew; the set is closed."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.contracts import assigned_names
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.outlines import first_line
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.records import FileRange

_SOME: Final = re.compile(
    r"Of the methods that `(?P<base>[\w.]+)` defines, `(?P<name>[\w.]+)` overrides "
    r"(?P<methods>`.+`) and no others?\."
)
_NONE: Final = re.compile(
    r"`(?P<name>[\w.]+)` overrides none of the methods that `(?P<base>[\w.]+)` defines\."
)


@dataclass(frozen=True, slots=True)
class Overrides(Statement):
    """A class defines these methods of another one anew, and no others of it.

    Attributes:
        name: The qualified name of the class.
        base: The qualified name of the class that it derives from, directly or not.
        methods: The simple names of the methods, in the order of their lines.
    """

    kind: ClassVar[str] = "overrides"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Store:
    def __init__(self):
        self.opened = True

    def load(self, key):
        return None

    def close(self):
        return None

class FileStore(Store):
    def __init__(self):
        self.opened = False

    async def load(self, key):
        return open(key)

    def sync(self):
        return True

class Cache(Store):
    def sync(self):
        return False
""",
            holds=(
                (
                    "Of the methods that `Store` defines, `FileStore` overrides `__init__` and "
                    "`load` and no others."
                ),
                "`Cache` overrides none of the methods that `Store` defines.",
            ),
            fails=(
                "Of the methods that `Store` defines, `FileStore` overrides `load` and no other.",
                "Of the methods that `Store` defines, `Cache` overrides `close` and no other.",
                "`FileStore` overrides none of the methods that `Store` defines.",
            ),
        ),
    )

    name: str
    base: str
    methods: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        if not self.methods:
            return f"`{self.name}` overrides none of the methods that `{self.base}` defines."
        remainder = "other" if len(self.methods) == 1 else "others"
        methods = f"{join_code(self.methods)} and no {remainder}"
        return f"Of the methods that `{self.base}` defines, `{self.name}` overrides {methods}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        if none := _NONE.fullmatch(sentence):
            return cls(none["name"], none["base"], ())
        match = _SOME.fullmatch(sentence)
        methods = read_code_list(match["methods"]) if match is not None else None
        if match is None or methods is None:
            return None
        return cls(match["name"], match["base"], methods)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    @classmethod
    def find_in(cls, module: Module, name: str, base_module: Module, base: str) -> Finding | None:
        """Find it for a class and a base of it.

        Returns:
            None for classes that are defined twice, or where the class puts anything else in the
            place of a method: an assignment overrides as well.
        """
        node = module.class_definition(name)
        base_node = base_module.class_definition(base)
        if node is None or base_node is None:
            return None
        base_methods = _methods_in(base_module, base)
        class_methods = _methods_in(module, name)
        if assigned_names(node) & base_methods.keys():
            return None
        methods = tuple(method for method in class_methods if method in base_methods)
        first = first_line(node)
        lines = FileRange(file=module.path, start=first, end=node.end_lineno or first)
        base_lines = FileRange(file=base_module.path, start=base_node.lineno, end=base_node.lineno)
        statement = cls(name, base, methods)
        return Finding(statement, module.entity_id(name), lines, elsewhere=(base_lines,))

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        bases = code.named(self.base)
        definitions = code.named(self.name)
        if not bases or not definitions:
            return "unclear", None
        base_methods = {method for definition in bases for method in _defined(definition)}
        for definition in definitions:
            methods = base_methods.intersection(_defined(definition))
            is_same = methods == set(self.methods)
            return ("shown" if is_same else "refuted"), definition.range
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if not isinstance(alternative, Overrides) or not alternative.methods:
                continue
            if set(alternative.methods) != set(self.methods):
                yield replace(self, methods=alternative.methods)
        if len(self.methods) > 1:
            yield replace(self, methods=self.methods[:-1])


def _methods_in(module: Module, class_name: str) -> dict[str, None]:
    """Give the simple names of the methods of a class, getters and setters once."""
    prefix = f"{class_name}."
    names = [name for name in module.definitions if name.startswith(prefix)]
    functions = [name for name in names if not isinstance(module.definitions[name], ast.ClassDef)]
    simple_names = [name.removeprefix(prefix) for name in functions]
    return dict.fromkeys(name for name in simple_names if "." not in name)


def _defined(definition: TokenDefinition) -> set[str]:
    prefix = f"{definition.name}."
    owners = {line.owner for line in definition.lines if line.keyword == "def"}
    names = {owner.removeprefix(prefix) for owner in owners if owner.startswith(prefix)}
    return {name for name in names if "." not in name}
