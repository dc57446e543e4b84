"""A sentence that became a query is left out of what solvers and retrievers are shown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.relevance.asked_sentences import asked_sentences, leave_out, leave_sentences_out
from goldwright.relevance.tasks import ExactCheck, RelevanceTask
from goldwright.retrieval.entity_documents import documents
from goldwright.snapshot import open_snapshot

_WORDS = st.lists(st.sampled_from(["Split", "a", "text", "in", "two."]), min_size=1, max_size=6)
_SPACES = st.sampled_from([" ", "  ", "\n", "\n    ", "\r\n\t"])


@given(words=_WORDS, data=st.data())
def test_the_sentence_goes_and_all_around_it_stays(words: list[str], data: st.DataObject) -> None:
    written = words[0]
    for word in words[1:]:
        mark = data.draw(st.sampled_from(["", "`", "``", "*"]))
        written += data.draw(_SPACES) + mark + word + mark
    text = f'def f():\n    """{written}\n\n    More.\n    """\n'
    shown = leave_out(text, " ".join(words))
    assert shown.startswith('def f():\n    """')
    assert shown.endswith('\n\n    More.\n    """\n')
    assert shown.count("\n") == text.count("\n")
    assert "".join(shown.split()) == 'deff():"""More."""'
    compile(shown, "f.py", "exec")


@pytest.mark.parametrize("sentence", ["Another one.", "", "Sp.it a text."])
def test_a_text_that_does_not_hold_it_stays_as_it_is(sentence: str) -> None:
    assert leave_out('"""Split a text."""', sentence) == '"""Split a text."""'


def test_only_the_document_that_was_asked_of_is_shown_without(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text(
        'def f(x):\n    """Split a text.\n\n    At commas.\n    """\n    return x\n\n\n'
        'def g(x):\n    """Split a text."""\n    return x + 1\n'
    )
    (code / "b.py").write_text('"""Split a text."""\n')
    snapshot = open_snapshot(code, rev=None, cache=tmp_path / "cache")
    before = {document.entity_id: document.text for document in documents(snapshot)}
    check = ExactCheck(text="x")
    task = RelevanceTask(id="t", query="Split a text.", check=check, asked_of="a.py::f")
    other = RelevanceTask(id="u", query="Split a text.", check=check)
    sentences = asked_sentences([task, other])
    leave_sentences_out(snapshot, {**sentences, "gone.py::h": "Split a text."})
    after = {document.entity_id: document.text for document in documents(snapshot)}
    assert after["a.py::f"] == before["a.py::f"].replace("Split a text.", "")
    assert after["a.py::g"] == before["a.py::g"]
    assert snapshot.line_count("a.py") == 11
    assert snapshot.source("b.py").text == '"""Split a text."""\n'
