"""Filling in the templates: every value is escaped, and hidden characters are written out."""

import difflib
from collections.abc import Iterator
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from goldwright.code_blocks import texts_and_blocks
from goldwright.records import ExpectedEntity, FileRange
from goldwright.records.label import EditedValue
from goldwright.text import make_visible


class Templates:
    """The templates of this package."""

    def render(self, name: str, **values: object) -> str:
        """Fill in one template."""
        return template_environment().get_template(name).render(**values)


@cache
def template_environment() -> Environment:
    """Give the environment of all templates, which compiles each of them once a process."""
    environment = Environment(
        loader=PackageLoader("goldwright.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        visible=make_lines_visible,
        coded=mark_code,
        range_label=range_label,
        words=separate_words,
        difference=difference,
    )
    return environment


def make_lines_visible(text: str) -> str:
    """Write hidden characters out as codes; line ends stay."""
    lines = text.split("\n")
    return "\n".join(make_visible(line) for line in lines)


def mark_code(text: str) -> Markup:
    """Set blocks and the parts between backticks as code, and write hidden characters out."""
    markup = Markup()
    for passage, title, block in texts_and_blocks(text):
        markup += _mark_spans(passage.strip("\n"))
        if block:
            lines = make_lines_visible("\n".join(block))
            head = Markup("<b>{}</b>\n").format(make_lines_visible(title)) if title else ""
            markup += Markup('<code class="block">{}{}</code>').format(head, lines)
    return markup


def _mark_spans(text: str) -> Markup:
    markup = Markup()
    # Every second part of the split text stood between two backticks, or behind a lone last one.
    for place, part in enumerate(make_lines_visible(text).split("`")):
        if place % 2 == 1 and part:
            markup += Markup("<code>{}</code>").format(part)
        else:
            markup += escape(part)
    return markup


def range_label(lines: FileRange) -> str:
    """Name lines in short, without the folders of their file: ``basket.py:9-12``."""
    file_name = lines.file.rpartition("/")[2]
    if lines.start == lines.end:
        return f"{file_name}:{lines.start}"
    return f"{file_name}:{lines.start}-{lines.end}"


def separate_words(name: str) -> str:
    """Write a name of the records as people do: ``minor issue``."""
    return name.replace("_", " ")


def difference(before: EditedValue, after: EditedValue) -> Iterator[tuple[str, str]]:
    """Compare a field before and after an edit: pairs of ``-`` or ``+`` and a text."""
    old = _texts(before)
    new = _texts(after)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for text in old[old_start:old_end]:
            yield "-", text
        for text in new[new_start:new_end]:
            yield "+", text


def _texts(value: EditedValue) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(_text(item) for item in value)


def _text(item: str | ExpectedEntity | FileRange) -> str:
    match item:
        case ExpectedEntity():
            return f"`{item.entity_id}`, {item.role}: {item.rationale}"
        case _:
            return str(item)
