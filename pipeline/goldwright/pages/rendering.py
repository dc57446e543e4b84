"""How the templates of pages that stand alone are rendered."""

from collections.abc import Mapping
from functools import cache
from typing import LiteralString

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from goldwright.text import make_visible


def render_page(template: str, mark: LiteralString, values: Mapping[str, object]) -> bytes:
    """Render a template that begins with a mark; the same values give the same bytes."""
    trusted_mark = Markup(mark)  # noqa: S704  # a constant
    page = page_environment().get_template(template).render(mark=trusted_mark, **values)
    # An id may hold a lone surrogate, which UTF-8 cannot encode.
    return page.encode("utf-8", "backslashreplace")


@cache
def page_environment() -> Environment:
    """Give the environment of all templates, which compiles each of them once a process."""
    environment = Environment(
        loader=PackageLoader("goldwright.pages"),
        autoescape=True,
        undefined=StrictUndefined,  # a misspelt name is an error, not an empty place
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(visible=make_visible)
    return environment
