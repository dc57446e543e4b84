"""Source files that are deep, long or wide: what recursion, quadratic time and limits fail on."""

from typing import Final

from zoo.specimen import Specimen, odd_file

MEGABYTE: Final = 1_000_000


def nested(before: str, after: str, depth: int, core: str = "1") -> str:
    """Put something inside something ``depth`` times."""
    return before * depth + core + after * depth


def function(body: str, *, name: str = "odd", parameters: str = "value") -> str:
    """Write a function with a docstring, as an author of questions likes them."""
    return f'def {name}({parameters}):\n    """Work out something odd."""\n{body}\n'


def chain(calls: int) -> str:
    """A method chain, such as those of query builders and data frames."""
    return function("    return value" + ".step(1)" * calls)


def ladder(steps: int) -> str:
    """Classes of which each extends the one before it."""
    lines = ["class Step0:\n    def climb(self):\n        return 0\n"]
    for number in range(1, steps):
        lines += [
            f"class Step{number}(Step{number - 1}):",
            f"    def climb(self):\n        return super().climb() + {number}\n",
        ]
    return "\n".join(lines)


def elif_chain(count: int) -> str:
    """Branches that a tree holds one inside the other."""
    lines = ["    if value == 0:", "        return 0"]
    for number in range(1, count):
        lines += [f"    elif value == {number}:", f"        return {number}"]
    return function("\n".join(lines))


def nested_blocks(depth: int, header: str) -> str:
    """Blocks within blocks, each with more indentation."""
    lines = [f"{' ' * level}{header.format(level)}" for level in range(depth)]
    return "\n".join([*lines, f"{' ' * depth}pass\n"])


def call_ladder(steps: int) -> str:
    """Functions of which each calls the next one."""
    lines = [function(f"    return step{n + 1}(value) + 1", name=f"step{n}") for n in range(steps)]
    lines.append(function("    raise ValueError('the ladder ends')", name=f"step{steps}"))
    return "\n".join(lines)


def raises(count: int) -> str:
    """One function with a great many conditions."""
    lines = [
        f"    if value == {n}:\n        raise ValueError('number {n} is refused')"
        for n in range(count)
    ]
    return function("\n".join(lines))


def match_statement(cases: int) -> str:
    """A match statement as generated parsers have them."""
    lines = ["    match value:"]
    lines += [f"        case [{n}, *rest]:\n            return {n}" for n in range(cases)]
    return function("\n".join(lines))


DEPTHS: Final[tuple[Specimen, ...]] = (
    odd_file("method-chain-180", "a query builder's chain is deeper than recursion", chain(180)),
    odd_file(
        "method-chain-2000", "the same, as generated code has it", chain(2_000), readable=None
    ),
    odd_file(
        "attribute-chain-20000",
        "some parsers of C overflow their stack on it",
        function("    return value" + ".a" * 20_000),
        readable=None,
    ),
    odd_file(
        "subscript-chain-3000",
        "deep in another kind of node",
        function("    return value" + "[0]" * 3_000),
        readable=None,
    ),
    odd_file(
        "operators-5000",
        "constant tables are added up like this",
        function("    return " + " + ".join(["value"] * 5_000)),
        readable=None,
    ),
    odd_file(
        "operators-16000",
        "libcst reads it for minutes",
        function("    return " + " + ".join(["1"] * 16_000)),
        readable=None,
    ),
    odd_file(
        "string-additions-4000",
        "templates of web pages in code",
        function("    return " + " + ".join([f"'part {n}'" for n in range(4_000)])),
        readable=None,
    ),
    odd_file(
        "unary-operators-10000",
        "deep without a single bracket",
        "x = " + "- " * 10_000 + "1\n",
        readable=None,
    ),
    odd_file(
        "boolean-conditions-3000",
        "wide rather than deep",
        function(
            "    if "
            + " and ".join([f"value != {n}" for n in range(3_000)])
            + ":\n        raise ValueError('none of them')"
        ),
    ),
    odd_file(
        "conditional-expressions-900",
        "a choice inside a choice",
        function("    return " + " ".join(f"{n} if value == {n} else" for n in range(900)) + " 0"),
        readable=None,
    ),
    odd_file(
        "parentheses-3000",
        "more than any parser takes",
        f"x = {nested('(', ')', 3_000)}\n",
        readable=False,
    ),
    odd_file(
        "parentheses-190",
        "just what CPython takes",
        f"x = {nested('(', ')', 190)}\n",
        readable=None,
    ),
    odd_file(
        "lists-in-lists-95",
        "literals as configuration",
        f"x = {nested('[', ']', 95)}\n",
        readable=None,
    ),
    odd_file(
        "calls-in-calls-95",
        "one call as the argument of another",
        function(f"    return {nested('f(', ')', 95)}"),
        readable=None,
    ),
    odd_file(
        "lambdas-in-lambdas-150",
        "scopes within scopes",
        f"x = {nested('lambda: ', '', 150)}\n",
        readable=None,
    ),
    odd_file(
        "default-value-80-deep",
        "a signature that nobody can print",
        f"def odd(value={nested('[', ']', 80)}):\n    return value\n",
    ),
    odd_file(
        "annotation-80-deep",
        "types of generated clients",
        f"def odd(value: {nested('list[', ']', 80, 'int')}) -> int:\n    return 1\n",
    ),
    odd_file(
        "blocks-in-blocks-95",
        "just below CPython's limit of indentation",
        nested_blocks(95, "if level == {}:"),
        readable=None,
    ),
    odd_file(
        "blocks-in-blocks-150",
        "beyond that limit",
        nested_blocks(150, "if level == {}:"),
        readable=False,
    ),
    odd_file(
        "functions-in-functions-90",
        "ninety scopes",
        nested_blocks(90, "def inner{}():"),
        readable=None,
    ),
    odd_file(
        "classes-in-classes-90",
        "names with ninety parts",
        nested_blocks(90, "class Inner{}:"),
        readable=None,
    ),
    odd_file(
        "loops-in-loops-30",
        "CPython compiles no more than twenty",
        nested_blocks(30, "for level in range({}):"),
        readable=None,
    ),
    odd_file(
        "elif-chain-900",
        "a tree holds each branch inside the one before",
        elif_chain(900),
        readable=None,
    ),
    odd_file("elif-chain-5000", "the same, generated", elif_chain(5_000), readable=None),
    odd_file(
        "comprehension-of-60-loops",
        "one expression, sixty scopes",
        "x = [1 " + " ".join(f"for a{n} in b" for n in range(60)) + "]\n",
    ),
    odd_file("inheritance-ladder-300", "frameworks of frameworks", ladder(300)),
    odd_file(
        "inheritance-ladder-5000",
        "superlinear where each class asks all above it",
        lambda: ladder(5_000),
        readable=None,
    ),
    odd_file(
        "call-ladder-1500",
        "a chain of calls longer than recursion",
        lambda: call_ladder(1_500),
        readable=None,
    ),
    odd_file(
        "names-50000",
        "tables of constants, as in generated bindings",
        lambda: "".join(f"NAME_{n} = {n}\n" for n in range(50_000)),
        readable=None,
    ),
    odd_file(
        "functions-10000",
        "one file, ten thousand entities",
        lambda: "".join(f"def name_{n}():\n    return {n}\n" for n in range(10_000)),
        readable=None,
    ),
    odd_file(
        "methods-5000-of-one-class",
        "generated clients of large services",
        lambda: (
            "class Client:\n"
            + "".join(
                f"    def call_{n}(self):\n        return self.call_{n + 1}()\n"
                for n in range(5_000)
            )
        ),
        readable=None,
    ),
    odd_file(
        "overloads-3000-of-one-name",
        "an id that thousands share",
        lambda: "".join(f"def same(value):\n    return {n}\n" for n in range(3_000)),
        readable=None,
    ),
    odd_file(
        "decorators-2000",
        "decorators by the thousand",
        "".join(f"@wrap({n})\n" for n in range(2_000)) + function("    return value"),
        readable=None,
    ),
    odd_file(
        "parameters-3000",
        "a signature of thousands",
        function("    return 1", parameters=", ".join(f"p{n}" for n in range(3_000))),
        readable=None,
    ),
    odd_file(
        "arguments-20000",
        "a call of thousands",
        function("    return f(" + ", ".join(map(str, range(20_000))) + ")"),
    ),
    odd_file(
        "raises-2000-in-one-function",
        "every condition becomes a question",
        lambda: raises(2_000),
        readable=None,
    ),
    odd_file(
        "match-of-1000-cases", "generated parsers", lambda: match_statement(1_000), readable=None
    ),
    odd_file(
        "pattern-80-deep",
        "patterns in patterns",
        function(f"    match value:\n        case {nested('[', ']', 80)}:\n            return 1"),
        readable=None,
    ),
    odd_file(
        "line-of-a-megabyte",
        "minified or embedded data",
        lambda: f"x = '{'a' * MEGABYTE}'\n",
        readable=None,
    ),
    odd_file(
        "line-of-statements-a-megabyte",
        "everything on one line",
        lambda: "x = 1; " * (MEGABYTE // 7) + "\n",
        readable=None,
    ),
    odd_file(
        "docstring-of-a-megabyte",
        "a manual in a module",
        lambda: f'"""{"word " * (MEGABYTE // 5)}"""\n\ndef odd():\n    return 1\n',
        readable=None,
    ),
    odd_file(
        "comment-of-a-megabyte",
        "text that no parser keeps",
        lambda: f"# {'word ' * (MEGABYTE // 5)}\ndef odd():\n    return 1\n",
        readable=None,
    ),
    odd_file(
        "blank-lines-a-million",
        "lines count from one, too often",
        lambda: "\n" * MEGABYTE + "def odd():\n    return 1\n",
        readable=None,
    ),
    odd_file(
        "dict-of-a-megabyte",
        "tables of data take gigabytes as trees",
        lambda: "x = {" + ", ".join(f"{n}: '{n}'" for n in range(60_000)) + "}\n",
        readable=None,
    ),
    odd_file(
        "file-of-60-megabytes",
        "beyond what anyone reads",
        lambda: b"x = 1\n" * 10_000_000,
        readable=None,
    ),
    odd_file(
        "integer-of-5000-digits",
        "more digits than CPython turns into a number",
        f"x = {'9' * 5_000}\n",
        readable=False,
    ),
    odd_file(
        "hexadecimal-of-50000-digits",
        "a number whose decimal digits cannot be printed",
        function(f"    return 0x{'f' * 50_000}", parameters=f"value=0x{'f' * 50_000}"),
        readable=None,
    ),
    odd_file(
        "power-of-ten-thousands",
        "whoever folds constants waits for ever",
        function("    return 9 ** 9 ** 9 ** 9", parameters="value=10 ** 10 ** 10"),
    ),
    odd_file(
        "repeated-string-of-gigabytes",
        "whoever folds constants has no memory left",
        function("    raise ValueError('a' * 10 ** 12)"),
    ),
    odd_file(
        "message-of-a-megabyte",
        "an error message that fits into no record",
        lambda: function(f"    raise ValueError('{'word ' * (MEGABYTE // 5)}')"),
        readable=None,
    ),
    odd_file(
        "name-of-100000-letters",
        "identifiers have no limit",
        lambda: f"def {'n' * 100_000}():\n    return 1\n",
        readable=None,
    ),
    odd_file(
        "implicit-strings-20000",
        "strings side by side",
        lambda: "x = (" + "\n".join(f"'part {n}'" for n in range(20_000)) + ")\n",
        readable=None,
    ),
    odd_file(
        "imports-20000",
        "one import statement of thousands",
        lambda: "from shop import (" + ", ".join(f"name_{n}" for n in range(20_000)) + ")\n",
        readable=None,
    ),
)
