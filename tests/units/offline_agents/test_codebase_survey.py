"""The survey: every file is looked at, by however many processes, and a bad one costs itself."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Inquiry, Lead
from goldwright.offline_agents.survey.codebase_survey import survey_codebase
from goldwright.snapshot import Snapshot, open_snapshot

# More than one worker pays off only beyond this size (``SMALLEST_SHARED_WORK``).
FILES = 120
PADDING = "# " + "x" * 98 + "\n"


def _module(number: int) -> str:
    return (
        f"def load_{number}(path, limit={number}):\n"
        f"    if len(path) > limit:\n"
        f'        raise ValueError("The path of shelf number {number} is too long for its label")\n'
        f"    return path\n" + PADDING * 130
    )


def _open(tmp_path: Path, texts: Mapping[str, str]) -> Snapshot:
    for name, text in texts.items():
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return open_snapshot(tmp_path / "code", cache=tmp_path / "cache")


def test_any_number_of_workers_finds_the_same_leads(tmp_path: Path) -> None:
    """Who looks at which file leaves no trace, nor does a file that none of them can read."""
    texts = {f"shelf/m{number:03d}.py": _module(number) for number in range(FILES)}
    texts["shelf/broken.py"] = "def broken(:\n"
    texts["shelf/deep.py"] = "x = " + "(" * 5000 + ")" * 5000 + "\n"
    texts["shelf/surrogate.py"] = (
        'def f(p):\n    if p:\n        raise ValueError("A lonely half \\ud800 of a character")\n'
    )
    snapshot = _open(tmp_path, texts)
    alone = survey_codebase(snapshot, workers=1)
    shared = survey_codebase(snapshot, workers=3)
    assert alone == shared
    assert alone.files == len(texts)
    subjects = {lead.subject for lead in alone.leads["raise_condition"]}
    assert {f"shelf/m{number:03d}.py::load_{number}" for number in range(FILES)} <= subjects


def test_newer_syntax_gives_leads_as_older_does(tmp_path: Path) -> None:
    """Type parameters are rewritten before the file is read."""
    older = 'def pick(items):\n    if not items:\n        raise LookupError("There is no item")\n'
    newer = older.replace("def pick(", "def choose[T](").replace("no item", "no choice")
    survey = survey_codebase(_open(tmp_path, {"older.py": older, "newer.py": newer}))
    subjects = [lead.subject for lead in survey.leads["raise_condition"]]
    assert subjects == ["newer.py::choose", "older.py::pick"]


@pytest.mark.parametrize("inquiry", INQUIRIES, ids=lambda inquiry: inquiry.kind)
def test_an_inquiry_that_fails_over_a_file_costs_that_file_alone(
    inquiry: Inquiry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are asked about as before, and nothing is known of this one any more."""
    snapshot = _open(tmp_path, {"shelf/good.py": _module(1), "shelf/odd.py": _module(2)})
    before = survey_codebase(snapshot)
    look = type(inquiry).leads

    def fail(own: Inquiry, module: Module) -> Iterator[Lead]:
        if module.path == "shelf/odd.py":
            raise LookupError("planted")
        return look(own, module)

    monkeypatch.setattr(type(inquiry), "leads", fail)
    after = survey_codebase(snapshot)
    assert list(snapshot.unparsed) == ["shelf/odd.py"]
    assert "planted" in snapshot.unparsed["shelf/odd.py"]
    assert snapshot.entity("shelf/odd.py::load_2") is None
    for kind, leads in before.leads.items():
        good = [lead for lead in leads if lead.subject.startswith("shelf/good.py")]
        assert list(after.leads[kind]) == good
