"""Python modules by chance: nested definitions, strings and statements, older or newer."""

import random
from collections.abc import Callable
from dataclasses import dataclass

# Pieces that any supported interpreter reads.
_OLDER_EXPRESSIONS: tuple[str, ...] = (
    "1",
    "'text'",
    "\"it's [not] {closed\" '('",
    "name.part(1, key=[2])",
    "lambda x, *y: x[1:2]",
    "{**first, 'type': type}",
    "[*first, *second]",
    "call(*first, **second)",
    "(yield)",
    "f'{name!r:>{width}} {{}} {call(1)=}'",
    'f"{first}{second}" f\'plain\' "more"',
    "f'''{\nname\n} \\N{DIGIT ONE} \\''''",
    "rf'\\{name}' 'é'",
    "'''def f[T](): \"\nclass C[T]:\n'''",
    "x if'a'else\"b\"",
    "(  # a comment with 'quotes\n    1\n)",
    "# type X = int\n",
    "b'\\'' rb'\\\\'",
    "first[second: third]",
    "(value := 3)",
)
_OLDER_STATEMENTS: tuple[str, ...] = (
    "type = {'type': 1}",
    "type: int = 3",
    "match, case = 1, 2",
    "lazy = type (first)",
    "total += 1",
    "first, (second, *third) = value",
    "with open(path) as file, lock: pass",
    "try:\n    pass\nexcept (OSError, ValueError) as error:\n    raise\nexcept KeyError: pass",
    "for item in items: print(item, end='')",
    '"""A string\ntype Alias = int\n"""',
    "import os; from json import dumps as to_json",
    "@wrap(\n    'x',\n)\ndef wrapped(a, /, b=1, *, c): return a",
    "if first: second = 1",
)
# Pieces of Python 3.12 to 3.15.
_NEWER_EXPRESSIONS: tuple[str, ...] = (
    "f'{table['key']}'",
    'f"{", ".join(names)!r:>{width}}"',
    "f'{'\\n'.join(names)}' 'plain' f\"{value}\"",
    'f"{call(  # why\n    1, "é"\n)}"',
    "f'''{f'{f'{deep}'}'} {{'''",
    "f'{value:{width:{more}}}'",
    "t'{name} and {other!s:>3}'",
    "T'{table['key']}é{x}'",
    "[*row for row in rows]",
    "{**table for table in tables}",
    "{*row for row in rows if row}",
    "call(*row for row in rows)",
    "(f'{a['b']}'\n    # between\n    'c')",
)
_NEWER_STATEMENTS: tuple[str, ...] = (
    "type Alias = int",
    "type Pair[T, *Ts, **P] = tuple[T, *Ts]",
    "type Long[\n    T,  # why\n\n    U: (int, str) = 'int',\n] = (\n    dict[T, U]\n)",
    "x = 1; type Inner = str",
    "if first: type Nested[T] = list[T]",
    "def generic[T](value: T) -> T: return value",
    "async def waits[\n    T: Base[int],\n](value): pass",
    "class Box[T = int](Base[T]):\n    size = 1",
    "try:\n    pass\nexcept OSError, ValueError:\n    pass",
    "try:\n    pass\nexcept* OSError, errors[1, 2], module.Error,: pass",
    "lazy import os",
    "lazy from json import dumps, loads",
)


@dataclass(frozen=True)
class CodeGenerator:
    """Writes modules; the same chance gives the same text.

    Attributes:
        chance: The source of chance.
        is_newer: Whether to use what Python 3.11 cannot read.
    """

    chance: random.Random
    is_newer: bool = False

    def module(self, statements: int) -> str:
        """Write a module of so many statements at its top, or in what they hold."""
        text = "".join(self._statement(depth=0) for _ in range(statements))
        if self.is_newer:
            text += self.chance.choice(_NEWER_STATEMENTS) + "\n"
        return text

    def _statement(self, depth: int) -> str:
        kinds: list[Callable[[int], str]] = [self._simple, self._simple, self._assignment]
        if depth < 3:
            kinds += [self._function, self._class, self._block]
        return self.chance.choice(kinds)(depth)

    def _simple(self, depth: int) -> str:
        pieces = _OLDER_STATEMENTS
        if self.is_newer and self.chance.random() < 0.3:
            pieces = _NEWER_STATEMENTS
            # An import is lazy at the top of a module only.
            if depth:
                pieces = tuple(piece for piece in pieces if not piece.startswith("lazy"))
        return _indented(self.chance.choice(pieces), depth)

    def _assignment(self, depth: int) -> str:
        return _indented(f"{self._name()} = (\n{self._expression()}, {self._expression()})", depth)

    def _expression(self) -> str:
        pieces = _OLDER_EXPRESSIONS
        if self.is_newer and self.chance.random() < 0.3:
            pieces = _NEWER_EXPRESSIONS
        piece = self.chance.choice(pieces)
        return f"{piece}0" if piece.startswith("#") else piece

    def _function(self, depth: int) -> str:
        parameters = "[T]" if self.is_newer and self.chance.random() < 0.3 else ""
        return self._suite(f"def {self._name()}{parameters}(self, x={self._expression()}):", depth)

    def _class(self, depth: int) -> str:
        decorator = self.chance.choice(("", "@wrap\n", "@\\\nwrap(1)\n"))
        return self._suite(f"{decorator}class {self._name().title()}(Base, key='['):", depth)

    def _block(self, depth: int) -> str:
        heads = ("if first:", "while not done: # [", "with first as f:", "for type in types:")
        return self._suite(self.chance.choice(heads), depth)

    def _suite(self, head: str, depth: int) -> str:
        count = self.chance.randint(1, 3)
        body = "".join(self._statement(depth + 1) for _ in range(count))
        return _indented(head, depth) + body

    def _name(self) -> str:
        return self.chance.choice(("first", "second", "type", "été", "name", "case"))


def _indented(text: str, depth: int) -> str:
    """Indent the lines of a statement that begin with a word of it."""
    margin = "    " * depth
    if "'''" in text or '"""' in text:
        # Text inside strings keeps its own indentation.
        return f"{margin}{text}\n"
    return "".join(f"{margin}{line}\n" for line in text.split("\n"))
