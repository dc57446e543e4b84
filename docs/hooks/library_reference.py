"""Write the reference of the library, the gate and the measures from their docstrings."""

import inspect
from collections.abc import Callable, Iterator, Mapping

from docstring_pages import docstring_prose, object_section
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import goldwright
from goldwright.metrics.catalog import FAMILIES, WITHOUT_CUTOFF
from goldwright.stages.gate.checks import CHECKS

LIBRARY_PAGES: Mapping[str, str] = {
    "Functions": "What `import goldwright` does; [the guide](../../library.md) shows it at work.",
    "Results": "What the functions give and take.",
    "Errors": "Whatever goes wrong for a known reason raises one of these. Its text is one line.",
}
INDEX = """# Reference

Written from the program itself whenever the site is built: the [commands](commands/curate.md) from
their help, the [library](library/functions.md) from its docstrings, and so the
[checks of the gate](checks.md) and the [measures](measures.md). Exit codes and settings are on
[a page of the guide](../settings.md).
"""
CHECKS_HEAD = """# Checks of the gate

Every answer passes all of these or is turned away, with the codes of those that it breaks, which
need no model: [agents and the gate](../agents.md) says where they stand. `goldwright gate` holds
answers from anywhere against them.

"""
MEASURES_HEAD = """# Measures

`--measure` takes each of these, and with `file.` before it the same at the level of files.
[Scoring](../scoring.md) says what is printed without it.

"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    pages = {f"library/{kind.lower()}.md": library_page(kind) for kind in LIBRARY_PAGES}
    pages |= {"index.md": INDEX, "checks.md": checks_page(), "measures.md": measures_page()}
    for place, text in pages.items():
        files.append(File.generated(config, f"reference/{place}", content=text))
    return files


def library_page(kind: str) -> str:
    """The page of one kind of public names."""
    names = [name for name in goldwright.__all__ if kind_of(name) == kind]
    sections = [object_section(name, getattr(goldwright, name)) for name in names]
    return f"# {kind}\n\n{LIBRARY_PAGES[kind]}\n\n{''.join(sections)}"


def kind_of(name: str) -> str:
    """The page that a public name stands on."""
    value = getattr(goldwright, name)
    if not inspect.isclass(value):
        return "Functions"
    return "Errors" if issubclass(value, Exception) else "Results"


def checks_page() -> str:
    """Every check by its code, in the order in which failures are reported."""
    sections = [f"## {check.code}\n\n{docstring_prose(type(check))}" for check in CHECKS]
    return CHECKS_HEAD + "".join(sections)


def measures_page() -> str:
    """Every measure by the names that it goes by."""
    return MEASURES_HEAD + "".join(measure_sections())


def measure_sections() -> Iterator[str]:
    """A section for each formula; two names may stand for one."""
    formulas: dict[str, Callable[..., float]] = dict(WITHOUT_CUTOFF)
    formulas |= {f"{family}@k": formula for family, formula in FAMILIES.items()}
    names_by_formula: dict[Callable[..., float], list[str]] = {}
    for name, formula in formulas.items():
        names_by_formula.setdefault(formula, []).append(name)
    for formula, names in names_by_formula.items():
        yield f"## {', '.join(names)}\n\n{docstring_prose(formula)}"
