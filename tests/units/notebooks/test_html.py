"""HTML for notebooks: nothing of a text becomes markup, and nothing is loaded from elsewhere."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from goldwright.notebooks.html import LONGEST_CELL, block, folded, mean_bar, paragraph, table


class Elements(HTMLParser):
    """Collects the elements and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag not in ("line", "circle"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(), st.text(), st.text())
def test_no_text_becomes_an_element(title: str, cell: str, note: str) -> None:
    page = block(title, table([["", "b"], [cell, "x"]]), folded(note, paragraph(note)))
    plain = block("t", table([["", "b"], ["c", "x"]]), folded("n", paragraph("n")))
    assert Elements(page).elements == Elements(plain).elements
    assert Elements(page).open == []


def test_what_hides_is_shown_and_a_cell_is_cut() -> None:
    page = Elements(block("a\u202eb", table([["h"], ["w" * 1000]])))
    assert "a\\u{202e}b" in page.text
    assert f"{'w' * (LONGEST_CELL - 1)}…" in page.text
    assert "w" * LONGEST_CELL not in page.text


def test_a_note_is_not_cut() -> None:
    assert Elements(block("t", paragraph("w" * 1000))).text.endswith("w" * 1000)


def test_markup_stays_markup() -> None:
    page = Elements(block("t", table([["h", ""], ["m", mean_bar(0.5, (0.25, 0.75))]])))
    assert page.elements[-4:] == ["svg", "line", "line", "circle"]


def test_an_interval_is_drawn_around_its_mean() -> None:
    drawn = mean_bar(0.5, (0.25, 0.75))
    assert 'x1="35.0" x2="95.0"' in drawn
    assert 'cx="65.0"' in drawn
    # Without an interval the bar has no length.
    assert 'x1="65.0" x2="65.0"' in mean_bar(0.5, None)
