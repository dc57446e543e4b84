"""Templates to text: everything that is put into one is escaped, and nothing in it stays unseen."""

import difflib
from collections.abc import Iterator

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from goldwright.records import FileRange
from goldwright.text import make_visible


class Templates:
    """The templates of this package."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=PackageLoader("goldwright.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(
            visible=visible,
            coded=coded,
            lines=lines_of,
            words=words,
            shares=difference,
            plain=plain,
        )

    def render(self, name: str, **values: object) -> str:
        """Fill a template in."""
        return self._environment.get_template(name).render(**values)


def visible(text: str) -> str:
    """Show every character of a text; line ends stay."""
    return "\n".join(make_visible(line) for line in text.split("\n"))


def coded(text: str) -> Markup:
    """Show a text with its backticked parts as code."""
    return Markup().join(_parts(visible(text)))


def lines_of(one: FileRange) -> str:
    """Name a range in short: the file's own name and its lines."""
    name = one.file.rpartition("/")[2]
    return f"{name}:{one.start}" if one.start == one.end else f"{name}:{one.start}-{one.end}"


def words(name: str) -> str:
    """Write a word of the records as people do."""
    return name.replace("_", " ")


def plain(after: str | tuple[str, ...]) -> tuple[str, ...]:
    """Give a field as lines of text."""
    return (after,) if isinstance(after, str) else after


def difference(
    before: str | tuple[str, ...], after: str | tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Compare a field before and after an edit: pairs of ``-``, ``+`` or a blank, and the text."""
    return tuple(_changes(plain(before), plain(after)))


def _changes(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "equal":
            yield from (("-", text) for text in before[first:last])
            yield from (("+", text) for text in after[start:end])


def _parts(text: str) -> Iterator[Markup]:
    for place, part in enumerate(text.split("`")):
        if place % 2 and part:
            yield Markup("<code>{}</code>").format(part)
        else:
            yield escape(part)
