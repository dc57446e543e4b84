"""Rows of text in columns."""

from collections.abc import Iterator, Sequence


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align columns: the first to the left, figures to the right.

    Args:
        rows: At least one, all of one length.
    """
    columns = zip(*rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    for row in rows:
        name, *figures = row
        cells = [name.ljust(widths[0])]
        for figure, width in zip(figures, widths[1:], strict=True):
            cells.append(figure.rjust(width))
        yield "  ".join(cells).rstrip()
