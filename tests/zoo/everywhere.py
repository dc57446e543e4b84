"""Oddities in every function of a codebase, so that no question can avoid them."""

import ast
from collections.abc import Callable, Mapping
from typing import Final

from journeys.sample_code import SHOP, write_code
from zoo.depths import nested
from zoo.specimen import Ending, Place, Specimen

Rewriting = Callable[[str], str]


def everywhere(name: str, why: str, rewriting: Rewriting, ending: Ending = "works") -> Specimen:
    """Describe a codebase of which every module was rewritten; little may be left to ask about.

    Args:
        name: The name of the specimen.
        why: Why it matters.
        rewriting: Takes the honest source of a module and gives the odd one.
        ending: How a run over it is to end.
    """

    def make(place: Place) -> None:
        write_code(place.code, {path: rewriting(text) for path, text in SHOP.items()})

    return Specimen(name, why, make, ending, also=("falls short",))


def first_statement(statement: str) -> Rewriting:
    """Begin each function with a statement."""

    def rewrite(text: str) -> str:
        lines = text.splitlines()
        for line, indentation in sorted(_bodies(text), reverse=True):
            lines.insert(line, f"{' ' * indentation}{statement}")
        return "\n".join(lines) + "\n"

    return rewrite


def _bodies(text: str) -> list[tuple[int, int]]:
    """Find the line after the docstring of each function, and its indentation."""
    places = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            has_docstring = ast.get_docstring(node) is not None
            line = (first.end_lineno or first.lineno) if has_docstring else first.lineno - 1
            places.append((line, first.col_offset))
    return places


def in_messages(odd: str) -> Rewriting:
    """Put something into each error message, as it stands in the source."""

    def rewrite(text: str) -> str:
        lines = text.splitlines(keepends=True)
        return "".join(
            line.replace('("', f'("{odd} ', 1) if line.lstrip().startswith("raise ") else line
            for line in lines
        )

    return rewrite


def in_docstrings(odd: str) -> Rewriting:
    """Put something into each docstring."""
    return lambda text: text.replace('    """', f'    """{odd} ')


def with_each_class_below(base_levels: int) -> Rewriting:
    """Put each class that extends nothing below a ladder of classes."""

    def rewrite(text: str) -> str:
        ladder = ["class Level0:\n    pass\n"]
        ladder += [f"class Level{n}(Level{n - 1}):\n    pass\n" for n in range(1, base_levels)]
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if line.startswith("class ") and line.endswith(":") and "(" not in line:
                lines[number] = f"{line[:-1]}(Level{base_levels - 1}):"
        return "\n".join([*lines, "", *ladder])

    return rewrite


def branches(count: int) -> str:
    """A branch for each number, on lines of its own within one statement."""
    return "zoo = " + " ".join(f"{n} if zoo == {n} else" for n in range(count)) + " 0"


STATEMENTS: Final[Mapping[str, tuple[str, str]]] = {
    "method-chain-of-180-calls": ("query builders", "zoo = zoo" + ".step(1)" * 180),
    "method-chain-of-400-calls": (
        "just below what a recursion takes",
        "zoo = zoo" + ".step(1)" * 400,
    ),
    "method-chain-of-2000-calls": ("far beyond it", "zoo = zoo" + ".step(1)" * 2_000),
    "sum-of-900-terms": ("just below what a recursion takes", "zoo = 1" + " + 1" * 900),
    "sum-of-3000-terms": ("far beyond it", "zoo = 1" + " + 1" * 3_000),
    "strings-added-1000-times": ("pages built in code", "zoo = ''" + " + 'word'" * 1_000),
    "brackets-90-deep": ("nested data", f"zoo = {nested('[', ']', 90)}"),
    "calls-90-deep": ("nested constructors", f"zoo = {nested('zoo(', ')', 90)}"),
    "dicts-90-deep": ("nested settings", "zoo = " + "{'a': " * 90 + "1" + "}" * 90),
    "lambdas-90-deep": ("nested scopes", f"zoo = {nested('lambda: ', '', 90)}"),
    "negations-2000-deep": ("deep without brackets", "zoo = " + "not " * 2_000 + "1"),
    "choices-300-deep": ("a choice inside a choice", branches(300)),
    "choices-900-deep": ("the same, deeper", branches(900)),
    "conditions-800-wide": (
        "long guards",
        "zoo = " + " and ".join(f"zoo != {n}" for n in range(800)),
    ),
    "comparison-chain-2000": ("one comparison of thousands", "zoo = 1" + " < 2" * 2_000),
    "comprehension-of-40-loops": (
        "many scopes in one expression",
        "zoo = [1 " + " ".join(f"for a{n} in zoo" for n in range(40)) + "]",
    ),
    "nested-comprehensions-60": (
        "scopes inside scopes",
        f"zoo = {nested('[', ' for a in zoo]', 60)}",
    ),
    "text-of-100000-letters": ("embedded data", f"zoo = '{'a' * 100_000}'"),
    "number-of-4000-hex-digits": (
        "a number that cannot be printed in decimals",
        f"zoo = 0x{'f' * 4_000}",
    ),
    "numbers-beyond-floats": (
        "infinity and its friends",
        "zoo = [1e999, -1e999, 1e999j, 0xffff_ffff, 1_0.0_1e-5, 1e999 - 1e999]",
    ),
    "lone-surrogates": (
        "text that no UTF-8 holds",
        "zoo = '\\ud800 \\udfff' or ValueError('\\udc80 is refused')",
    ),
    "walrus-and-stars": (
        "new corners of the grammar",
        "zoo = [*(half := zoo), *[b := a for a in half]]",
    ),
    "statements-on-one-line": ("what one line holds", "zoo = 1; " * 500 + "pass"),
    "backslashes-500": ("one statement of five hundred lines", "zoo = 1" + " + \\\n1" * 500),
    "bytes-and-raw-strings": (
        "every prefix of a string",
        "zoo = b'\\xff', rb'\\\\', Rb'', u'', f'{zoo!r:>{zoo}}', rf'\\{zoo}'",
    ),
    "returns-of-everything": ("unreachable code behind it", "if zoo: return zoo; zoo = yield_ = 1"),
    "swallowed-errors": (
        "except clauses of all kinds",
        "import contextlib; zoo = contextlib.suppress(*zoo, **zoo)",
    ),
}

TEXT_IN_MESSAGES: Final[Mapping[str, tuple[str, str]]] = {
    "escapes": ("a message that takes over the terminal", "\\x1b]0;owned\\x07\\x1b[2J"),
    "raw-escapes": ("the same, raw in the source", "\x1b]0;owned\x07\x1b[2J"),
    "surrogates": ("text that no UTF-8 holds", "\\ud800"),
    "line-ends": ("a message of many lines", "one\\ntwo\\r\\nthree\\u2028four\\x85five"),
    "bidirectional-marks": ("text that turns around", "\u202eesrever\u2066"),
    "braces-and-dollars": (
        "templates that fill themselves",
        "{0.__class__} %s %(x)d $HOME ${x} `id` \\\\1",
    ),
    "markup": ("pages that run it", "</script><img src=x onerror=alert(1)> & &amp;"),
    "backticks-and-quotes": ("what ends a quotation of ours", '`` ` ``` “no” ’ \\" \\\\'),
    "100000-letters": ("a message that fits nowhere", "word " * 20_000),
    "nul-bytes": ("a string of C ends here", "a\\0b"),
}

# Too deep to be read at all, so that no file is left to ask about.
BEYOND_PARSERS: Final = ("method-chain-of-2000-calls", "sum-of-3000-terms")

EVERYWHERE: Final[tuple[Specimen, ...]] = (
    *(
        everywhere(
            f"everywhere-{name}",
            why,
            first_statement(statement),
            "falls short" if name in BEYOND_PARSERS else "works",
        )
        for name, (why, statement) in STATEMENTS.items()
    ),
    *(
        everywhere(f"messages-with-{name}", why, in_messages(odd))
        for name, (why, odd) in TEXT_IN_MESSAGES.items()
    ),
    everywhere(
        "docstrings-with-escapes",
        "what is quoted to people",
        in_docstrings("\x1b]0;owned\x07 \u202e"),
    ),
    everywhere(
        "docstrings-of-100000-letters", "a manual in each function", in_docstrings("word " * 20_000)
    ),
    everywhere("classes-below-a-ladder-of-400", "deep frameworks", with_each_class_below(400)),
    everywhere(
        "carriage-returns-everywhere",
        "line ends of the last century",
        lambda text: text.replace("\n", "\r"),
    ),
    everywhere(
        "dos-line-ends-everywhere",
        "a codebase of another system",
        lambda text: text.replace("\n", "\r\n"),
    ),
    everywhere(
        "form-feeds-everywhere",
        "pages, as GNU likes them",
        lambda text: text.replace("\n\n", "\n\f\n"),
    ),
    everywhere(
        "tabs-everywhere",
        "a codebase that indents with tabs",
        lambda text: text.replace("    ", "\t"),
    ),
    everywhere(
        "type-parameters-everywhere",
        "newer than 3.11 in each file",
        lambda text: text + "\n\ntype Zoo[T] = list[T]\n",
    ),
    everywhere("marks-everywhere", "a byte order mark at each start", lambda text: "\ufeff" + text),
    everywhere(
        "broken-everywhere",
        "not one file that can be read",
        lambda text: text + "\ndef broken(:\n",
        "falls short",
    ),
)
