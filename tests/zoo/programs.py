"""Programs that nobody wrote: functions and classes of random statements, which mean nothing."""

from collections.abc import Callable
from random import Random
from typing import Final

NAMES: Final = ("value", "other", "items", "count", "größe", "_x", "match", "type", "self", "T")
WORDS: Final = (
    "less than nothing",
    "the shelf is empty",
    "{value}",
    "\\ud800",
    "a\\nb",
    "%s",
    "“x”",
)
MOST_STATEMENTS: Final = 4


class ProgramWriter:
    """Writes programs; the deeper it is, the simpler it writes."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def program(self) -> str:
        """Write a module of a few functions and classes."""
        parts = [self._definition(0) for _ in range(self._rng.randint(1, 6))]
        return "import os\nfrom shop import stock as _x, errors\n\n" + "\n\n".join(parts) + "\n"

    def _definition(self, level: int) -> str:
        write = self._rng.choice((self._function, self._function, self._class, self._module_name))
        return write(level)

    def _module_name(self, level: int) -> str:
        name = f"{' ' * 4 * level}{self._name().upper()}"
        return f"{name}: {self._expression(3)} = {self._expression(2)}"

    def _class(self, level: int) -> str:
        indent = " " * 4 * level
        bases = ", ".join(self._expression(3) for _ in range(self._rng.randint(0, 2)))
        head = f"{self._decorators(level)}{indent}class C{self._rng.randrange(99)}({bases}):\n"
        body = [self._definition(level + 1) for _ in range(self._rng.randint(1, 3))]
        return head + "\n".join(body)

    def _function(self, level: int) -> str:
        indent = " " * 4 * level
        kind = self._rng.choice(("def", "def", "async def"))
        name = f"{self._name()}_{self._rng.randrange(99)}"
        parameters = f"a, b={self._expression(3)}, /, *c, d: {self._expression(3)} = 1, **e"
        head = f"{self._decorators(level)}{indent}{kind} {name}({parameters}):\n"
        docstring = f'{indent}    """Do {self._rng.choice(WORDS)} with {self._name()}."""\n'
        return head + docstring + self._block(level + 1)

    def _decorators(self, level: int) -> str:
        count = self._rng.choice((0, 0, 0, 1, 2))
        return "".join(f"{' ' * 4 * level}@{self._expression(2)}\n" for _ in range(count))

    def _block(self, level: int) -> str:
        count = self._rng.randint(1, MOST_STATEMENTS if level < 3 else 2)
        return "\n".join(self._statement(level) for _ in range(count))

    def _statement(self, level: int) -> str:
        simple = level > 3 or self._rng.random() < 0.6
        if simple:
            return " " * 4 * level + self._simple()
        return self._rng.choice(self._compounds())(level)

    def _simple(self) -> str:
        name, value = self._name(), self._expression(0)
        return self._rng.choice(
            (
                f"{name} = {value}",
                f"{name}.{self._name()} += {value}",
                f"{name}[{value}], *{self._name()} = {value}",
                f"return {value}",
                f"raise ValueError('{self._rng.choice(WORDS)}') from {name}",
                f"raise {name}",
                f"assert {value}, {value}",
                f"del {name}[{value}]",
                f"global {name.upper()}_G; pass",
                f"{name}: {value} = {value}",
                f"yield {value}",
                f"import {name} as {self._name()}",
                "raise",
                "...",
            )
        )

    def _compounds(self) -> tuple[Callable[[int], str], ...]:
        return (self._if, self._if, self._for, self._while, self._try, self._with, self._match)

    def _if(self, level: int) -> str:
        indent = " " * 4 * level
        parts = [f"{indent}if {self._expression(0)}:\n{self._block(level + 1)}"]
        parts += [
            f"{indent}elif {self._expression(0)}:\n{self._block(level + 1)}"
            for _ in range(self._rng.choice((0, 0, 1, 3)))
        ]
        if self._rng.random() < 0.4:
            parts.append(f"{indent}else:\n{self._block(level + 1)}")
        return "\n".join(parts)

    def _for(self, level: int) -> str:
        indent = " " * 4 * level
        head = f"{indent}for {self._name()}, *{self._name()} in {self._expression(0)}:\n"
        return f"{head}{self._block(level + 1)}\n{indent}else:\n{self._block(level + 1)}"

    def _while(self, level: int) -> str:
        indent = " " * 4 * level
        condition = f"({self._name()}_w := {self._expression(1)})"
        return f"{indent}while {condition}:\n{self._block(level + 1)}\n{indent}    break"

    def _try(self, level: int) -> str:
        indent = " " * 4 * level
        star = self._rng.choice(("", "", "*"))
        errors = self._rng.choice(("ValueError", "(KeyError, OSError)", "errors.X", self._name()))
        handler = f"{indent}except{star} {errors} as {self._name()}_e:\n{self._block(level + 1)}"
        if star:
            # Neither return nor break may stand in such a clause.
            handler = f"{indent}except* {errors}:\n{indent}    pass"
        return (
            f"{indent}try:\n{self._block(level + 1)}\n{handler}\n"
            f"{indent}finally:\n{self._block(level + 1)}"
        )

    def _with(self, level: int) -> str:
        head = f"with {self._expression(1)} as {self._name()}_c, {self._expression(1)}:"
        return f"{' ' * 4 * level}{head}\n{self._block(level + 1)}"

    def _match(self, level: int) -> str:
        indent = " " * 4 * level
        patterns = ("[1, *_]", "{'a': str() as s}", "C(x=1) | D(y=[z, *_])", "-1 | None", "_")
        cases = [
            f"{indent}    case {pattern}:\n{self._block(level + 2)}"
            for pattern in patterns[: self._rng.randint(1, 4)]
        ]
        return f"{indent}match {self._expression(1)}:\n" + "\n".join(cases)

    def _expression(self, depth: int) -> str:
        if depth > 3 or self._rng.random() < 0.3:
            return self._atom()
        first, second = self._expression(depth + 1), self._expression(depth + 1)
        name = self._name()
        operator = self._rng.choice(("+", "-", "*", "//", "**", "%", "|", "<<"))
        comparison = self._rng.choice(("and", "or", "is not", "not in", "<", "=="))
        return self._rng.choice(
            (
                f"{first} {operator} {second}",
                f"({first} {comparison} {second})",
                f"{name}({first}, *{name}, k={second}, **{name})",
                f"{name}.{self._name()}({first}).{self._name()}",
                f"{name}[{first}:{second}, ...]",
                f"({first} if {second} else {name})",
                f"(lambda {name}=1, *a: {first})",
                f"[{first} for {name} in {name} if {second}]",
                f"{{{name}: {first} for {name}, *_ in {name}}}",
                f"({first} for {name} in {name})",
                f"{{**{name}, {first}: {second}}}",
                f'f"{{{name}!r:>{{{name}}}}} {self._rng.choice(("x", "{{}}"))}"',
                f"(not -~{name})",
                f"({first}, *{name})",
            )
        )

    def _atom(self) -> str:
        return self._rng.choice(
            (*NAMES, "0", "1e999", "0xFF", "1j", "'x'", "b'\\xff'", "None", "...", "()", "[]", "''")
        )

    def _name(self) -> str:
        return self._rng.choice(NAMES)
