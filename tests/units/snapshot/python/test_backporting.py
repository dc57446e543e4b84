"""Reading Python that is newer than the interpreter."""

import ast
import random
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldwright
from goldwright.snapshot.file_facts import Definition
from goldwright.snapshot.languages.python.backporting import backport
from goldwright.snapshot.languages.python.definitions import definitions
from goldwright.snapshot.languages.python.newer_syntax import newer_definitions
from goldwright.snapshot.languages.python.parsing import parse_module, parse_strictly, read_facts
from goldwright.snapshot.languages.python.string_scanning import MalformedSourceError
from units.snapshot.python.generated_code import CodeGenerator

OWN_FILES = sorted(Path(goldwright.__file__).parent.rglob("*.py"))


def definitions_of(tree: ast.Module, text: str) -> Sequence[Definition]:
    return definitions(tree, text.encode().split(b"\n"))


def seconds(text: str) -> float:
    start = time.process_time()
    read_facts(text.encode())
    return time.process_time() - start


@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_what_the_interpreter_reads_is_not_rewritten(chance: random.Random, size: int) -> None:
    """The tolerant way gives the same tree, and so the same entities and spans."""
    text = CodeGenerator(chance).module(size)
    tree = parse_strictly(text)
    assert backport(text) == text
    assert ast.dump(parse_module(text)) == ast.dump(tree)


# libcst takes most of the time.
@settings(max_examples=50)
@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_newer_code_has_the_entities_and_spans_that_libcst_finds(
    chance: random.Random, size: int
) -> None:
    """Two readers that share no code agree on every definition."""
    text = CodeGenerator(chance, is_newer=True).module(size)
    assert definitions_of(parse_module(text), text) == newer_definitions(text.encode())


@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_a_rewritten_text_keeps_its_lines_and_is_not_rewritten_again(
    chance: random.Random, size: int
) -> None:
    """Whoever holds the source finds everything of the tree on the line that it names."""
    text = CodeGenerator(chance, is_newer=True).module(size)
    older = backport(text)
    assert older.count("\n") == text.count("\n")
    assert backport(older) == older


@given(st.text(alphabet="ft'\"{}[]()*\\\n:=!,# abdefT1é"))
def test_any_text_is_rewritten_or_refused(text: str) -> None:
    """Nothing but one error comes out of broken source."""
    try:
        older = backport(text)
    except MalformedSourceError:
        return
    assert older.count("\n") == text.count("\n")


def test_no_file_of_this_package_is_rewritten() -> None:
    """Real code that the interpreter reads stays as it is."""
    for path in OWN_FILES:
        text = path.read_text(encoding="utf-8")
        assert backport(text) == text


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("def f[T: int](x): ...", "def f        (x): ..."),
        ("def f[\n  T,\n](x): ...", "def f\\\n   \\\n (x): ..."),
        ("class Bé[*Ts = *tuple[int]]: ...", "class Bé                   : ..."),
        ("type X[T] = list[T]", "X         = list[T]"),
        ("if a: type X = int", "if a: X      = int"),
        ("try: ...\nexcept A, B: ...", "try: ...\nexcept A| B: ..."),
        ("try: ...\nexcept* A,: ...", "try: ...\nexcept* A : ..."),
        ("x = t'{a}' tR'é'", "x = f'{a}' fr'é'"),
        ("x = f'{a['b']!r:>{w}}' 'é'", "x = (  a['b'],    w,      )"),
        ("x = f'{f'{a}'}'", "x = (  f'{a}',)"),
        ("x = f'{f'{a['b']}'}'", "x = (  (  a['b'],),)"),
        ("lazy import a", "import      a"),
        ("lazy from a import b", "from      a import b"),
        ("x = [*a for a in b]", "x = [ a for a in b]"),
        ("x = {** a for a in b}", "x = {   a for a in b}"),
    ],
)
def test_newer_syntax_becomes_older_syntax_in_the_same_columns(newer: str, older: str) -> None:
    """Columns are those of ``ast``: they count the bytes of UTF-8."""
    assert backport(newer) == older
    parse_strictly(older)


def test_the_calls_of_newer_code_are_known() -> None:
    """What stands in a file with type parameters is linked as in any other."""
    facts = read_facts(
        b"from a import help_out\n\ndef f[T](x: T):\n    return f'{help_out('x')}'\n"
    )
    assert [(call.owner, call.dotted, call.line) for call in facts.calls] == [("f", "help_out", 4)]
    assert [name.alias for name in facts.imports] == ["help_out"]


@pytest.mark.parametrize(
    "text",
    [
        "try: ...\nexcept A, B as e: ...\n",
        "print 'hello'\n",
        "x = f'{}'\n",
        "x = f'{a'\n",
        "def f[T(x): ...\n",
        "call(a, type X = int)\n",
        "x = 'open\n",
        "x = t'{a!}'\n",
    ],
)
def test_what_no_python_reads_is_refused_with_the_interpreter_s_reason(text: str) -> None:
    """A rewriting makes nothing valid that was not."""
    facts = read_facts(text.encode())
    assert facts.reason
    assert facts.definitions == ()
    assert newer_definitions(text.encode()) == []


@pytest.mark.parametrize(
    "piece",
    [
        "def f[",
        "\ndef f[",
        "f'{",
        "f'{a['",
        "[*",
        "(*a",
        "{**",
        "\nexcept a",
        "\nexcept (",
        "\ntype X[",
        "t'' ",
        "'",
        '"""',
        "f'''{",
        "\\",
        "#'\n",
        "{a:",
        "[*'",
    ],
)
def test_a_hostile_file_takes_no_more_than_its_length(piece: str) -> None:
    """Nothing is tried again from every place: 10 times the length takes no 60 times as long."""
    short, long = f"x = f'{{a['b']}}'\n{piece * 2_000}", f"x = f'{{a['b']}}'\n{piece * 20_000}"
    short_time, long_time = seconds(short), seconds(long)
    assert long_time < max(0.5, short_time * 60)


def test_a_rewritten_file_may_be_of_any_encoding_and_have_any_line_ends() -> None:
    """The coding line counts, as it does for the interpreter."""
    data = "# coding: latin-1\r\ntype Été = int\rdef f[T](): ...\r\n".encode("latin-1")
    facts = read_facts(data)
    assert [(one.name, one.first) for one in facts.definitions] == [("Été", 2), ("f", 3)]
    assert read_facts(data.replace(b"latin-1", b"ascii")).reason
