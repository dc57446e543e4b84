"""Docstrings and signatures of public objects as Markdown."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import griffe

WIDTH = 76
Documented = type | Callable[..., Any]


def object_section(name: str, documented: Documented) -> str:
    """A section for a function or a class: its signature, and what its docstring says."""
    if inspect.isclass(documented):
        return "".join(class_lines(name, documented))
    signature = code_block(signature_of(documented))
    return f"## {name}\n\n{signature}{docstring_text(documented)}"


def class_lines(name: str, documented: type) -> Iterator[str]:
    """A class, and below it what it offers beside its attributes."""
    bases = [base.__name__ for base in documented.__bases__ if base is not object]
    after = f" is a `{bases[0]}`" if issubclass(documented, Exception) else ""
    yield f"## {name}\n\n"
    if after:
        yield f"`{name}`{after}.\n\n"
    yield docstring_text(documented)
    for member_name, member in vars(documented).items():
        if not member_name.startswith("_"):
            yield from member_lines(f"{name}.{member_name}", member)


def member_lines(name: str, member: object) -> Iterator[str]:
    """A method or property with a docstring; anything else is an attribute."""
    function = getattr(member, "fget", None) or getattr(member, "func", None)
    if isinstance(member, classmethod | staticmethod):
        function = member.__func__
    if inspect.isfunction(member):
        function = member
    if function is None or not function.__doc__:
        return
    yield f"### {name}\n\n"
    if inspect.isfunction(member) or isinstance(member, classmethod | staticmethod):
        yield code_block(signature_of(function))
    yield docstring_text(function)


def signature_of(function: Callable[..., Any]) -> str:
    """The signature as the source has it, a parameter a line where one line is too short."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise TypeError(f"{function!r} is no function with a source")
    arguments = definition.args
    for kind in (arguments.posonlyargs, arguments.args):
        kind[:] = [argument for argument in kind if argument.arg not in {"self", "cls"}]
    parameters = ast.unparse(arguments)
    result = f" -> {ast.unparse(definition.returns)}" if definition.returns else ""
    line = f"{definition.name}({parameters}){result}"
    if len(line) <= WIDTH:
        return line
    rows = "".join(f"    {row},\n" for row in split_parameters(arguments))
    return f"{definition.name}(\n{rows}){result}"


def split_parameters(arguments: ast.arguments) -> Iterator[str]:
    """Every parameter by itself, with its annotation and default."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults: list[ast.expr | None] = [*[None] * missing, *arguments.defaults]
    for argument, default in zip(positional, defaults, strict=True):
        yield with_default(argument, default)
    if arguments.vararg:
        yield f"*{ast.unparse(arguments.vararg)}"
    elif arguments.kwonlyargs:
        yield "*"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield with_default(argument, default)
    if arguments.kwarg:
        yield f"**{ast.unparse(arguments.kwarg)}"


def with_default(argument: ast.arg, default: ast.expr | None) -> str:
    """A parameter as it is written."""
    written = ast.unparse(argument)
    return written if default is None else f"{written} = {ast.unparse(default)}"


def docstring_text(documented: object) -> str:
    """A docstring, its sections as lists."""
    docstring = griffe.Docstring(inspect.getdoc(documented) or "")
    sections = griffe.parse_google(docstring, warnings=False)
    return "".join("".join(section_lines(section)) for section in sections)


def docstring_prose(documented: object) -> str:
    """A docstring without its sections on parameters, results and errors."""
    docstring = griffe.Docstring(inspect.getdoc(documented) or "")
    sections = griffe.parse_google(docstring, warnings=False)
    kept = (part for part in sections if part.kind is griffe.DocstringSectionKind.text)
    return "".join("".join(section_lines(part)) for part in kept)


def section_lines(section: griffe.DocstringSection) -> Iterator[str]:
    """A section of a docstring."""
    match section.kind:
        case griffe.DocstringSectionKind.text:
            yield f"{section.value}\n\n"
        case griffe.DocstringSectionKind.examples:
            for kind, text in section.value:
                is_code = kind == griffe.DocstringSectionKind.examples
                yield code_block(text) if is_code else f"{text}\n\n"
        case griffe.DocstringSectionKind.returns | griffe.DocstringSectionKind.yields:
            yield f"**{section.kind.value.capitalize()}**\n\n"
            yield from (f"{item.description}\n\n" for item in section.value)
        case _:
            yield f"**{section.kind.value.capitalize()}**\n\n"
            yield from map(item_line, section.value)


def item_line(item: Any) -> str:
    """A parameter, an attribute or an error, and what is said of it."""
    name = getattr(item, "name", None) or str(item.annotation)
    description = textwrap.indent(item.description, "    ").strip()
    return f"`{name}`\n:   {description}\n\n"


def code_block(text: str) -> str:
    """Python code as a block."""
    return f"```python\n{text}\n```\n\n"
