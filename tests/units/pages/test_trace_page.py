"""The page of a trace: what is long begins folded, and what is empty is no fold."""

from collections.abc import Mapping

from goldwright.pages.trace_page import MOST_OPEN_LINES, trace_page


def record(**lines_of_step: int) -> Mapping[str, object]:
    """A record whose steps have so many lines."""
    steps = [
        {
            "name": name,
            "by": "agent:x",
            "summary": "done",
            "lines": [{"kind": "said", "text": f"<b>{number}", "note": ""} for number in range(n)],
        }
        for name, n in lines_of_step.items()
    ]
    return {
        "query_id": "q_00001",
        "cell": "locate/easy",
        "fate": "pending",
        "query_text": "Where?",
        "cost": "",
        "steps": steps,
    }


def test_a_long_conversation_begins_folded_and_says_how_long_it_is() -> None:
    page = trace_page("run", [record(author=MOST_OPEN_LINES + 1, judge=MOST_OPEN_LINES)]).decode()
    author, judge = page.split('<details class="step"')[1:]
    assert author.startswith(">")
    assert f"({MOST_OPEN_LINES + 1} lines)" in author
    assert judge.startswith(" open>")
    # Folded is not left out, and text stays text.
    assert author.count("&lt;b&gt;") == MOST_OPEN_LINES + 1
    assert "<b>0" not in page


def test_a_step_without_a_line_has_nothing_to_unfold() -> None:
    page = trace_page("run", [record(gate=0)]).decode()
    assert '<details class="step"' not in page
    assert '<div class="step">' in page
