"""Whatever goes wrong over one file costs that file alone, whichever reader it happens to."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from effort import first_of
from goldwright.app.runs.run import start_run
from goldwright.app.runs.run_preparation import RunRequest
from goldwright.app.runs.run_report import RunReport
from goldwright.engine.progress import SilentProgress
from journeys.sample_code import SHOP, write_code
from journeys.workplace import Workplace

BAD: Final = "shop/till.py"
_TITLE: Final = SHOP[BAD].partition("\n")[0]
_FILE: Final = re.compile(r"shop/\w+\.py")
_OFFLINE: Final = "goldwright.offline_agents"

# Where each reader is looked up, by the name that it has there.
READERS: Final[Mapping[str, str]] = {
    "facts": "goldwright.snapshot.languages.python.parsing.read_facts",
    "survey": f"{_OFFLINE}.survey.file_survey.read_module",
    "definitions": "goldwright.code_reading.modules.read_module",
    "search": "goldwright.retrieval.entity_documents._read_file",
    "wording": f"{_OFFLINE}.questions.question_wording._slot_choices",
    "answers": f"{_OFFLINE}.questions.question_dealing.can_be_answered",
    "oracle": f"{_OFFLINE}.oracle.write_answer",
    "gate": "goldwright.stages.gate.stage.run_gate",
    "adversary": f"{_OFFLINE}.adversary.weigh_fact",
    "tokens": f"{_OFFLINE}.token_reading.definitions.read_token_lines",
    "code lines": "goldwright.stages.evidence_rules.code_lines",
    "names": "goldwright.snapshot.languages.python.language.names_of",
    "canaries": "goldwright.canaries.stage.falsify",
    "clones": "goldwright.snapshot.languages.python.clones.parse_module",
    "card": "goldwright.trust_card.source.codebase.read_module",
}


class _Fault:
    """A reader that fails over one file, and counts how often it did."""

    def __init__(self, reader: Callable[..., Any]) -> None:
        self._reader = reader
        self.count = 0

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        if any(map(_is_about, arguments)):
            self.count += 1
            raise LookupError("planted")
        return self._reader(*arguments, **options)


def _is_about(argument: object) -> bool:
    """Find out whether an argument is the file's content, or names it before any other file."""
    if isinstance(argument, bytes):
        return argument.startswith(_TITLE.encode())
    text = repr(argument)
    files = _FILE.findall(text)
    return files[:1] == [BAD] or _TITLE.strip('"') in text


def _run(desk: Workplace) -> RunReport:
    write_code(desk.code, SHOP)
    desk.root.mkdir()
    request = RunRequest(plan="smoke", repo=desk.code, canaries=8)
    return start_run(request, desk.environment, SilentProgress(), lambda _name: None)


@pytest.mark.parametrize("reader", first_of(sorted(READERS), suite=4))
def test_a_reader_that_fails_over_a_file_costs_that_file_alone(
    reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends, the file is named with its reason, and no record is about it."""
    module, _, name = READERS[reader].rpartition(".")
    fault = _Fault(getattr(__import__(module, fromlist=[name]), name))
    monkeypatch.setattr(READERS[reader], fault)
    report = _run(Workplace(tmp_path / "desk", tmp_path / "cache", tmp_path / "code"))
    assert fault.count, "the reader was not asked about the file"
    assert (report.state, report.failed) == ("complete", ())
    assert list(report.unparsed) == [BAD]
    assert "planted" in report.unparsed[BAD]
    assert report.selected
    live = [record.query_id for record in report.record_fates if record.fate != "rejected"]
    candidates = (report.path / "00_candidates.jsonl").read_text().splitlines()
    about_bad = [line for line in candidates if f'"{BAD}::' in line]
    assert not [query_id for query_id in live if any(query_id in line for line in about_bad)]
