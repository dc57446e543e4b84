"""The house measured against codebases worth admiring, by one reading of syntax trees.

    python tests/benchmarks/house_table.py [PACKAGE ...]

Each argument is an installed package or a directory. Rows: lines of functions (docstrings in),
lines of modules, nesting, cyclomatic complexity, imports inside functions, comments, expression
nodes in a simple statement, comprehensions and ternaries per 1,000 non-blank lines, columns,
bindings named by a pronoun or participle, and class names that mean several things.
"""

import ast
import importlib.util
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DEFAULTS = ("goldwright", "importlinter", "griffe", "ir_measures", "tenacity")
WIDEST = 100
DEEPEST = 2
SIMPLE = (
    ast.Expr,
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Return,
    ast.Raise,
    ast.Assert,
    ast.Delete,
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
# Names that say what a variable is to the sentence around it, and not what it holds.
PRONOUNS = frozenset(
    """
    one ones other others found known wanted given asked told taken made done said kept left it
    that this these those what which such something anything each some any both fresh now shown
    written seen rest same own whole mine ours theirs way thing things stuff held meant read named
    """.split()
)


@dataclass
class Figures:
    """What was counted in one codebase."""

    files: int = 0
    lines: int = 0
    non_blank: int = 0
    comments: int = 0
    wide: int = 0
    inner_imports: int = 0
    comprehensions: int = 0
    ternaries: int = 0
    bindings: int = 0
    pronouns: int = 0
    module_lines: list[int] = field(default_factory=list)
    function_lines: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    complexities: list[int] = field(default_factory=list)
    densities: list[int] = field(default_factory=list)
    class_names: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path) -> None:
        """Count one file in."""
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        self.files += 1
        self.lines += len(lines)
        self.non_blank += sum(bool(line.strip()) for line in lines)
        self.wide += sum(len(line) > WIDEST for line in lines)
        self.module_lines.append(len(lines))
        self.comments += _comments(text)
        for node in ast.walk(ast.parse(text)):
            self._add_node(node)

    def _add_node(self, node: ast.AST) -> None:
        if isinstance(node, FUNCTIONS):
            self.function_lines.append((node.end_lineno or node.lineno) - node.lineno + 1)
            self.depths.append(_depth(node))
            self.complexities.append(_complexity(node))
            inner = (child for statement in node.body for child in ast.walk(statement))
            self.inner_imports += sum(
                isinstance(child, ast.Import | ast.ImportFrom) for child in inner
            )
        if isinstance(node, ast.ClassDef):
            self.class_names[node.name.lstrip("_")] += 1
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, SIMPLE) and not is_text:
            self.densities.append(_expressions(node))
        self.comprehensions += isinstance(node, COMPREHENSIONS)
        self.ternaries += isinstance(node, ast.IfExp)
        for name in _bound(node):
            self.bindings += 1
            self.pronouns += name.strip("_") in PRONOUNS


def main(names: Sequence[str]) -> None:
    """Print the table, a row a figure and a column a codebase."""
    measured = {
        name: _measured(Path(name) if Path(name).is_dir() else _package(name)) for name in names
    }
    print(f"{'':<44}" + "".join(f"{name.rpartition('/')[2]:>16}" for name in measured))
    for title, row in _rows(list(measured.values())):
        print(f"{title:<44}" + "".join(f"{cell:>16}" for cell in row))


def _rows(measured: Sequence[Figures]) -> Iterator[tuple[str, list[str]]]:
    yield "files / lines", [f"{one.files} / {one.lines}" for one in measured]
    yield "function lines median / p90 / max", [_three(one.function_lines) for one in measured]
    yield "module lines p90 / max", [_two(one.module_lines) for one in measured]
    deep = [sum(depth > DEEPEST for depth in one.depths) / len(one.depths) for one in measured]
    yield "nesting over 2", [f"{share:.1%}" for share in deep]
    yield "cyclomatic p90 / max", [_two(one.complexities) for one in measured]
    yield "imports inside functions", [str(one.inner_imports) for one in measured]
    yield "comment lines, 1 in n", [f"{one.lines / max(one.comments, 1):.0f}" for one in measured]
    yield "expression nodes per statement p90 / p99", [_tail(one.densities) for one in measured]
    yield "comprehensions / ternaries per 1,000 lines", [_branchings(one) for one in measured]
    yield f"lines over {WIDEST} columns", [f"{one.wide / one.non_blank:.1%}" for one in measured]
    yield (
        "bindings named by a pronoun or participle",
        [f"{one.pronouns / one.bindings:.1%}" for one in measured],
    )
    yield (
        "class names with several meanings",
        [str(sum(count > 1 for count in one.class_names.values())) for one in measured],
    )


def _branchings(figures: Figures) -> str:
    thousands = figures.non_blank / 1000
    return f"{figures.comprehensions / thousands:.1f} / {figures.ternaries / thousands:.1f}"


def _measured(root: Path) -> Figures:
    figures = Figures()
    for path in sorted(root.rglob("*.py")):
        figures.add(path)
    return figures


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        sys.exit(f"{name}: no installed package, and no directory")
    return Path(spec.origin).parent


def _comments(text: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


def _expressions(statement: ast.stmt) -> int:
    return sum(isinstance(node, ast.expr) for node in ast.walk(statement))


def _depth(function: ast.AST) -> int:
    deepest = 0
    pending = [(child, 0) for child in ast.iter_child_nodes(function)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            continue
        depth += isinstance(node, BLOCKS)
        deepest = max(deepest, depth)
        pending.extend((child, depth) for child in ast.iter_child_nodes(node))
    return deepest


def _complexity(function: ast.AST) -> int:
    branches = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp)
    paths = 1
    for node in ast.walk(function):
        paths += isinstance(node, (*branches, ast.comprehension, ast.match_case, ast.Assert))
        paths += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
    return paths


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg


def _at(values: Sequence[int], share: float) -> int:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def _three(values: Sequence[int]) -> str:
    return f"{_at(values, 0.5)} / {_at(values, 0.9)} / {max(values)}"


def _two(values: Sequence[int]) -> str:
    return f"{_at(values, 0.9)} / {max(values)}"


def _tail(values: Sequence[int]) -> str:
    return f"{_at(values, 0.9)} / {_at(values, 0.99)}"


if __name__ == "__main__":
    main(sys.argv[1:] or DEFAULTS)
