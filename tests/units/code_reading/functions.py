"""Functions drawn at random: nested blocks of every kind, with every way out of them."""

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

FLAGS = ("a", "b", "c", "d")
# What evaluates without effect, and differs in how a negation or an ``and`` has to bracket it.
TESTS = (
    "a",
    "b",
    "c",
    "d",
    "not a",
    "not b",
    "a and b",
    "b or c",
    "not (a and c)",
    "(a or d)",
    "not (not b)",
    "a if b else c",
    "not a or d",
    "(lambda: d)()",
    "a is not b",
    "'or' in {'and': a, 'or': b}",
    "(a\n{indent}    and b)",
    "bool(\n{indent}    c,  # a remark: or\n{indent})",
    "(e := b)",
)
ERRORS = ("KeyError", "ValueError", "(KeyError, OSError)", "ValueError as error")
HEADERS = ("with place():", "with place() as p, place():", "with suppress(KeyError):")
PATTERNS = ("1", "'x'", "None", "[1, *_]", "1 | 2", "_", "other")
DEEPEST = 3


@dataclass
class Writer:
    """Writes one function, line by line.

    Attributes:
        chance: Makes all choices. Drawing each of them from a strategy finds less: the rare ways in
            which blocks meet hardly ever come up, and a function takes ten times as long.
        is_runnable: Whether every loop must come to an end when the function is run.
        kinds: The compound statements that are drawn.
    """

    chance: Random
    is_runnable: bool
    kinds: tuple[str, ...]
    lines: list[str] = field(default_factory=list)
    marks: int = 0

    def block(self, depth: int, *, is_in_loop: bool, may_leave: bool = True) -> None:
        """Write up to three statements, and now and then a way out behind them."""
        compounds = self.kinds if depth < DEEPEST else ()
        fewest, most = (2, 4) if depth == 1 else (0, 2)
        for _ in range(self.chance.randint(fewest, most)):
            kind = self.chance.choice(("call", *compounds, *compounds))
            if kind == "call":
                self.marks += 1
                self.put(depth, self.chance.choice((f"out({self.marks})", "x = 1; step()")))
            else:
                write = getattr(self, f"write_{kind}")
                write(depth, is_in_loop=is_in_loop, may_leave=may_leave)
        if may_leave and self.chance.random() < 0.5:
            self.exit(depth, is_in_loop=is_in_loop)
        else:
            self.marks += 1
            self.put(depth, f"out({self.marks})")

    def exit(self, depth: int, *, is_in_loop: bool) -> None:
        """Write a way out; what can be reached has a number, by which it is known again."""
        self.marks += 1
        number = f"out({self.marks})"
        forms = [f"return {number}", f"raise ValueError({number})", f"raise KeyError({number})"]
        forms += [f"sys.exit({number})"]
        forms += ["continue", "break"] if is_in_loop else []
        self.put(depth, self.chance.choice(forms))

    def write_if(self, depth: int, *, is_in_loop: bool, may_leave: bool) -> None:
        if self.chance.randint(0, 5) == 0 and may_leave:
            self.marks += 1
            self.put(depth, f"if {self.test(depth)}: return out({self.marks})")
            return
        self.put(depth, f"if {self.test(depth)}:")
        self.block(depth + 1, is_in_loop=is_in_loop, may_leave=may_leave)
        for _ in range(self.chance.randint(0, 2)):
            self.put(depth, f"elif {self.test(depth)}:")
            self.block(depth + 1, is_in_loop=is_in_loop, may_leave=may_leave)
        self.maybe_else(depth, is_in_loop=is_in_loop, may_leave=may_leave)

    def write_for(self, depth: int, *, is_in_loop: bool, may_leave: bool) -> None:
        header = self.chance.choice(("for n in items():", "for n, m in sorted(pairs()):"))
        self.put(depth, header)
        self.loop_body(depth, may_leave=may_leave)
        self.maybe_else(depth, is_in_loop=is_in_loop, may_leave=may_leave)

    def write_while(self, depth: int, *, is_in_loop: bool, may_leave: bool) -> None:
        self.put(depth, self.chance.choice(("while turn():", "while True:", "while 1:")))
        self.loop_body(depth, may_leave=may_leave)
        self.maybe_else(depth, is_in_loop=is_in_loop, may_leave=may_leave)

    def loop_body(self, depth: int, *, may_leave: bool) -> None:
        self.put(depth + 1, "tick()")
        self.block(depth + 1, is_in_loop=True, may_leave=may_leave)

    def write_with(self, depth: int, *, is_in_loop: bool, may_leave: bool) -> None:
        self.put(depth, self.chance.choice(HEADERS))
        self.block(depth + 1, is_in_loop=is_in_loop, may_leave=may_leave)

    def write_try(self, depth: int, *, is_in_loop: bool, may_leave: bool) -> None:
        self.put(depth, "try:")
        self.block(depth + 1, is_in_loop=is_in_loop, may_leave=may_leave)
        handlers = self.chance.randint(0, 2)
        for _ in range(handlers):
            self.put(depth, f"except {self.chance.choice(ERRORS)}:")
            self.block(depth + 1, is_in_loop=is_in_loop, may_leave=may_leave)
        if handlers:
            self.maybe_else(depth, is_in_loop=is_in_loop, may_leave=may_leave)
        if not handlers or self.chance.randint(0, 3) == 0:
            self.put(depth, "finally:")
            # A way out would swallow what brings an endless loop to its end.
            may_leave = may_leave and not self.is_runnable
            self.block(depth + 1, is_in_loop=is_in_loop, may_leave=may_leave)

    def write_match(self, depth: int, *, is_in_loop: bool, may_leave: bool) -> None:
        self.put(depth, "match value():")
        patterns = self.chance.sample(PATTERNS, self.chance.randint(1, 3))
        for place, pattern in enumerate(patterns):
            is_last = place == len(patterns) - 1
            catches_all = pattern in {"_", "other"} and not is_last
            guard = " if a" if catches_all or self.chance.randint(0, 4) == 0 else ""
            self.put(depth + 1, f"case {pattern}{guard}:")
            self.block(depth + 2, is_in_loop=is_in_loop, may_leave=may_leave)

    def write_def(
        self,
        depth: int,
        *,
        is_in_loop: bool,  # noqa: ARG002  # a loop outside is none for what is inside
        may_leave: bool,  # noqa: ARG002  # what leaves the inner function stays in the outer one
    ) -> None:
        self.put(depth, "@wrapped")
        self.put(depth, f"def inner_{len(self.lines)}(x={{}}, *, y: int = 1) -> None:")
        self.block(depth + 1, is_in_loop=False)

    def maybe_else(self, depth: int, *, is_in_loop: bool, may_leave: bool) -> None:
        if self.chance.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, is_in_loop=is_in_loop, may_leave=may_leave)

    def test(self, depth: int) -> str:
        """Draw a test; one over several lines is indented as its statement is."""
        return self.chance.choice(TESTS).replace("{indent}", "    " * depth)

    def put(self, depth: int, line: str) -> None:
        """Write a line, now and then below a remark or an empty line."""
        above = self.chance.randint(0, 12)
        if above == 0:
            self.lines.append("  # a remark at a depth of its own")
        elif above == 1:
            self.lines.append("")
        self.lines.append("    " * depth + line)


ALL_KINDS = ("if", "for", "while", "with", "try", "match", "def")
CONDITIONS_ALONE = ("if", "with")


def functions(
    *, is_runnable: bool = False, kinds: tuple[str, ...] = ALL_KINDS
) -> st.SearchStrategy[str]:
    """Give the text of files with one function each, ``work``."""

    def write(seed: int) -> str:
        chance = Random(seed)
        # Few kinds in one function: then the rare ways in which they meet come up often.
        chosen = chance.sample(kinds, chance.randint(1, min(3, len(kinds))))
        writer = Writer(chance, is_runnable, ("if", *chosen))
        writer.block(1, is_in_loop=False)
        header = f"def work({', '.join(FLAGS)}):"
        return "\n".join((header, *writer.lines, ""))

    return st.integers(0, 2**32).map(write)


@dataclass(frozen=True)
class Outcome:
    """One run of a function.

    Attributes:
        flags: What it was called with.
        reached: The numbers of the statements that it came to.
    """

    flags: dict[str, bool]
    reached: frozenset[int]


def run_on_every_choice(code: str, *, steps_fail: bool) -> Iterator[Outcome]:
    """Run a function with each choice of its flags.

    Args:
        code: The text of a file with the function ``work``.
        steps_fail: Whether every sixth step raises an error.
    """
    compiled = compile(code, "generated", "exec")
    for choice in range(2 ** len(FLAGS)):
        flags = {flag: bool(choice >> place & 1) for place, flag in enumerate(FLAGS)}
        surroundings = _Surroundings(flags, steps_fail=steps_fail)
        names = surroundings.names()
        exec(compiled, names)  # noqa: S102  # our own text is run
        with contextlib.suppress(KeyError, ValueError, SystemExit, _TooManyTurnsError):
            names["work"](**flags)
        yield Outcome(flags, frozenset(surroundings.reached))


class _TooManyTurnsError(BaseException):
    """An endless loop is brought to an end."""


@dataclass
class _Surroundings:
    """What generated functions call: steps that fail now and then, and loops that end."""

    flags: dict[str, bool]
    steps_fail: bool
    ticks: int = 0
    steps: int = 0
    reached: set[int] = field(default_factory=set)

    def names(self) -> dict[str, Any]:
        return {
            "out": self.out,
            "step": self.step,
            "tick": self.tick,
            "turn": lambda: self.ticks % 3 != 2,
            "items": lambda: [1, 2],
            "pairs": lambda: [(1, 2), (3, 4)],
            "value": lambda: [1, "x", None, [1, 2], 9][self.steps % 5],
            "place": contextlib.nullcontext,
            "suppress": contextlib.suppress,
            "wrapped": lambda function: function,
            "sys": sys,
        }

    def out(self, number: int) -> int:
        self.reached.add(number)
        return number

    def step(self) -> None:
        self.steps += 1
        if self.steps_fail and self.steps % 6 == 3:
            raise KeyError if self.flags["c"] else ValueError

    def tick(self) -> None:
        self.ticks += 1
        if self.ticks > 40:
            raise _TooManyTurnsError
