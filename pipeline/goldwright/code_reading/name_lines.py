"""The lines of a file that hold a name: what lies between them need not be walked through."""

import ast
from bisect import bisect_left
from dataclasses import dataclass

from goldwright.code_reading.modules import Module


@dataclass(frozen=True, slots=True)
class NameLines:
    """Where a name stands in a file, as text.

    Attributes:
        numbers: The numbers of the lines, from 1, rising.
    """

    numbers: tuple[int, ...]

    def may_stand_in(self, node: ast.AST) -> bool:
        """Check whether a node reaches over one of the lines; nodes without lines may."""
        if not isinstance(node, ast.stmt):
            return True
        return self.touch(*statement_lines(node))

    def touch(self, first: int, last: int) -> bool:
        """Check whether one of the lines lies between two others, both included."""
        place = bisect_left(self.numbers, first)
        return place < len(self.numbers) and self.numbers[place] <= last


def lines_with(module: Module, name: str) -> NameLines:
    """Find the lines of a file that hold a name, inside longer words too."""
    numbered = enumerate(module.lines, start=1)
    return NameLines(tuple(number for number, line in numbered if name in line))


def lines_quoting(module: Module, text: str) -> NameLines:
    """Find the lines of a file that hold a text in quotes."""
    single = f"'{text}'"
    double = f'"{text}"'
    numbers = []
    for number, line in enumerate(module.lines, start=1):
        if single in line or double in line:
            numbers.append(number)
    return NameLines(tuple(numbers))


def statement_lines(node: ast.stmt) -> tuple[int, int]:
    """Give the first and last line of a statement; decorators stand above the line that it says."""
    decorators = getattr(node, "decorator_list", None)
    first = min(node.lineno, decorators[0].lineno) if decorators else node.lineno
    return first, node.end_lineno or node.lineno
