"""Small HTML for notebooks, which stands alone and takes its colours from the notebook.

Where a notebook takes the style away, as some do with those of strangers, plain tables remain.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from markupsafe import Markup

from goldwright.text import make_visible, shorten

# Text has the colour of the notebook, light or dark; greys and the blue are legible on both.
_STYLE: Final = Markup(
    "<style>"
    ".goldwright table{border-collapse:collapse;margin:.5em 0;"
    "font-variant-numeric:tabular-nums}"
    ".goldwright th,.goldwright td{padding:.15em .8em;text-align:right!important;"
    "border-bottom:1px solid rgba(128,128,128,.35);vertical-align:top}"
    ".goldwright th:first-child,.goldwright td:first-child,"
    ".goldwright .words td,.goldwright .words th{text-align:left!important}"
    ".goldwright{overflow-x:auto}.goldwright td,.goldwright th{white-space:nowrap}"
    ".goldwright .words td{white-space:normal}"
    ".goldwright p{margin:.3em 0}.goldwright .soft{opacity:.75;font-size:90%}"
    ".goldwright summary{cursor:pointer}"
    "</style>"
)
# Characters of a cell: a query may be a page of text.
LONGEST_CELL: Final = 160

# An interval is drawn so wide, in pixels, with room for the dot at both ends.
_SCALE: Final = 120
_MARGIN: Final = 5


def block(title: str, *parts: Markup) -> str:
    """Put parts below a title, in an element of their own."""
    head = Markup('<div class="goldwright">{}<p><strong>{}</strong></p>').format(
        _STYLE, _visible(title)
    )
    return str(head + Markup("").join(parts) + Markup("</div>"))


def table(rows: Sequence[Sequence[str]], *, is_words: bool = False) -> Markup:
    """Write a table; cells that are no markup are escaped.

    Args:
        rows: Rows of equal length, the header first.
        is_words: Whether the cells are words; otherwise all columns but the first are figures.
    """
    header, *body = rows
    kind = Markup(' class="words"') if is_words else Markup("")
    head = _row(header, "th")
    lines = Markup("").join(_row(row, "td") for row in body)
    template = Markup("<table{}><thead>{}</thead><tbody>{}</tbody></table>")
    return template.format(kind, head, lines)


def paragraph(text: str, *, is_soft: bool = False) -> Markup:
    """Write a paragraph, a soft one for what stands in the background."""
    template = Markup('<p class="soft">{}</p>') if is_soft else Markup("<p>{}</p>")
    return template.format(_visible(text))


def paragraphs(texts: Iterable[str]) -> Markup:
    """Write notes, a soft paragraph each."""
    return Markup("").join(paragraph(text, is_soft=True) for text in texts)


def folded(summary: str, content: Markup) -> Markup:
    """Hide content behind its summary."""
    template = Markup("<details><summary>{}</summary>{}</details>")
    return template.format(_visible(summary), content)


def mean_bar(value: float, interval: tuple[float, float] | None) -> Markup:
    """Draw a mean as a dot on a scale of 0 to 1, and its interval as a bar."""
    low, high = interval or (value, value)
    stated_interval = interval_text(interval)
    label = f"{value:.3f}, {stated_interval}"
    width = _SCALE + 2 * _MARGIN
    template = Markup(
        '<svg width="{width}" height="12" role="img" aria-label="{label}">'
        '<line x1="{start}" x2="{end}" y1="6" y2="6" stroke="#808080" stroke-opacity=".35"/>'
        '<line x1="{low:.1f}" x2="{high:.1f}" y1="6" y2="6" stroke="#4c86c6" stroke-width="4"'
        ' stroke-opacity=".6"/><circle cx="{dot:.1f}" cy="6" r="3.5" fill="#4c86c6"/></svg>'
    )

    def position(share: float) -> float:
        return _MARGIN + _SCALE * share

    return template.format(
        width=width,
        label=label,
        start=_MARGIN,
        end=_MARGIN + _SCALE,
        low=position(low),
        high=position(high),
        dot=position(value),
    )


def interval_text(interval: tuple[float, float] | None) -> str:
    """Write an interval of a mean; a dash where there is none."""
    if interval is None:
        return "–"
    low, high = interval
    return f"{low:.3f}–{high:.3f}"


def _row(cells: Iterable[str], element: str) -> Markup:
    template = Markup("<{0}>{1}</{0}>")
    elements = [template.format(Markup(element), _cell(cell)) for cell in cells]  # noqa: S704  # th or td
    return Markup("<tr>{}</tr>").format(Markup("").join(elements))


def _cell(text: str) -> str:
    """Cut a text to the length of a cell; markup is a cell as it is."""
    if isinstance(text, Markup):
        return text
    return shorten(_visible(text), LONGEST_CELL)


def _visible(text: str) -> str:
    """Show what hides in a text; whoever puts it into markup escapes it."""
    return make_visible(" ".join(text.split()))
