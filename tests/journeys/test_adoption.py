"""From somebody's list to a dataset of ours that a person has confirmed."""

import json
from pathlib import Path
from typing import Any

import pytest

import goldwright
from goldwright.app.datasets.convert import ConvertRequest, convert_dataset
from goldwright.app.datasets.export import ExportRequest, export_dataset
from goldwright.app.runs.record_decisions import retry_record
from goldwright.engine.progress import SilentProgress
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.loading import metadata_path
from goldwright.golden.versions import find_dataset
from goldwright.records import Decision
from goldwright.review.session import ReviewSession
from journeys.workplace import Workplace

CODE = '''"""A till."""


class Till:
    """Counts money."""

    def total(self, prices):
        """Add the prices up."""
        return sum(prices)

    def change(self, paid, total):
        """Say what goes back."""
        if paid < total:
            raise ValueError("too little was paid")
        return paid - total
'''
ROWS = (
    {"ask": "Where is what a customer owes added up?", "gold": {"at": "till.py::Till.total"}},
    {"ask": "Where is it noticed that too little came in?", "gold": {"at": "till.py::Till.change"}},
    {"ask": "Who opens the drawer?", "gold": {"at": "till.py::Till.open_drawer"}},
)


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """A codebase and a list about it, whose fields have names of their own."""
    for name in ("code", "desk"):
        (tmp_path / name).mkdir()
    (tmp_path / "code" / "till.py").write_text(CODE)
    rows = "\n".join(map(json.dumps, ROWS))
    (tmp_path / "desk" / "theirs.jsonl").write_text(rows)
    monkeypatch.setenv("GOLDWRIGHT_CACHE", str(tmp_path / "cache"))
    return Workplace(tmp_path / "desk", tmp_path / "cache", tmp_path / "code")


def decide(room: ReviewSession, query_id: str, decision: Decision) -> None:
    """Say of a record as it is shown that it is kept, or dropped for a reason."""
    room.decide(
        query_id,
        room.look().record_view(query_id),
        decision,
        key=f"{decision}-{query_id}",
        words="" if decision == "keep" else "not asked by anybody",
    )


def test_a_list_becomes_a_draft_then_people_decide_and_what_they_kept_is_blessed(
    workplace: Workplace,
) -> None:
    theirs = goldwright.open_dataset(
        workplace.root / "theirs.jsonl", fields={"query": "ask", "expected": "gold.at"}
    )
    adoption = goldwright.adopt(theirs, workplace.code, workspace=workplace.root)
    assert [record.label.expected_entities[0].entity_id for record in adoption.adopted] == [
        "till.py::Till.total",
        "till.py::Till.change",
    ]
    assert "open_drawer" in adoption.stopped[0].problems[0]
    assert adoption.dataset is not None
    # What a list cannot hold is no defect of what was made of it.
    verification = goldwright.verify(adoption.dataset, workplace.code, workspace=workplace.root)
    assert verification.audit.defects == ()
    kept_id, dropped_id = [record.label.query_id for record in adoption.adopted]
    stopped_id = adoption.stopped[0].label.query_id
    with pytest.raises(InputError, match="correct the list and adopt it again with --replace"):
        retry_record(
            adoption.run,
            stopped_id,
            hint="look at the till",
            environment=workplace.environment,
            progress=SilentProgress(),
        )

    with workplace.room() as room:
        view = room.look()
        with pytest.raises(InputError, match="put an answer of the Oracle in place of its own"):
            room.decide(
                stopped_id, view.record_view(stopped_id), "retry", key="again", words="look"
            )
        assert {item.query_id for item in view.items} == {kept_id, dropped_id, stopped_id}
        decide(room, kept_id, "keep")
        # A version is written once, so it waits until each record is decided.
        request = ExportRequest(adoption.run, "1.0")
        with pytest.raises(QualityGateError, match="2 records wait to be kept or dropped"):
            export_dataset(request, workplace.environment, SilentProgress())
        decide(room, dropped_id, "drop")
        decide(room, stopped_id, "drop")
    export = export_dataset(request, workplace.environment, SilentProgress())

    blessed = goldwright.open_dataset("1.0", workspace=workplace.root)
    assert blessed.path == export.dataset
    assert [query.query_id for query in blessed] == [kept_id]
    assert blessed.metadata is not None
    card = export.dataset.with_suffix(".md").read_text()
    assert "One person decided each." in card
    assert ("confirmed a sample" in card, "played by" in card) == (False, False)
    evaluation = goldwright.evaluate(
        blessed, "bm25", repo=workplace.code, workspace=workplace.root, measures=["MRR"]
    )
    assert evaluation.report.mean("MRR") == 1.0


def test_a_list_is_verified_by_the_ids_that_it_is_scored_by(workplace: Workplace) -> None:
    theirs = workplace.root / "named.csv"
    theirs.write_text(
        "query,expected\nWhere is the money counted that comes back?,Till.change\n"
        "Where is the drawer opened?,Till.open_drawer\n"
    )
    verification = goldwright.verify(theirs, workplace.code, workspace=workplace.root)
    assert {defect.query_id for defect in verification.audit.defects} == {"line 3"}


def test_an_adopted_list_takes_a_free_version_and_never_becomes_the_newest_beside_a_draft(
    workplace: Workplace,
) -> None:
    theirs = workplace.root / "theirs.jsonl"
    fields = {"query": "ask", "expected": "gold.at"}

    def adopted(**arguments: Any) -> Path:
        adoption = goldwright.adopt(
            theirs, workplace.code, fields=fields, workspace=workplace.root, **arguments
        )
        assert adoption.dataset is not None
        return adoption.dataset

    first = adopted()
    golden = first.parent
    # Stands for the draft of a run; `latest` needs no more of it than what it says of itself.
    draft_of_run = golden / "golden_v2.0.draft.json"
    draft_of_run.write_bytes(first.read_bytes())
    metadata = json.loads(metadata_path(first).read_text())
    metadata["dataset_status"] = "agent_curated_pending_human_review"
    metadata_path(draft_of_run).write_text(json.dumps(metadata))
    third = adopted()
    assert [first.name, third.name] == ["golden_v1.0.draft.json", "golden_v3.0.draft.json"]
    newest = find_dataset("latest", golden)
    assert newest.path == draft_of_run
    assert "the newest of 3 drafts that is not adopted" in newest.description

    # A copy in another format holds whole records, which are not adopted without their citations.
    copied = workplace.root / "copied"
    request = ConvertRequest(dataset=str(third), to="beir", out=copied, repo=workplace.code)
    convert_dataset(request, workplace.environment)
    with pytest.raises(InputError, match=r"goldwright convert .* --from beir --out"):
        goldwright.adopt(copied, workplace.code, workspace=workplace.root)

    with pytest.raises(InputError, match=r"v3\.0.*pass --replace"):
        adopted(version="3.0")
    rows = theirs.read_text().splitlines()
    theirs.write_text(rows[0])
    assert adopted(version="3.0", replace=True) == third
    assert len(json.loads(third.read_text())) == 1
    with pytest.raises(InputError, match="no draft that was adopted"):
        adopted(version="2.0", replace=True)
    with pytest.raises(InputError, match="say which draft"):
        adopted(replace=True)


def test_where_no_id_is_right_several_are_named(workplace: Workplace) -> None:
    wrong = workplace.root / "wrong.csv"
    rows = [f"Who opens drawer {number}?,till.py::Till.drawer_{number}" for number in range(5)]
    wrong.write_text("\n".join(["query,expected", *rows]))
    with pytest.raises(InputError) as refused:
        goldwright.adopt(wrong, workplace.code)
    message = str(refused.value)
    assert [f"drawer_{number}" in message for number in range(5)] == [True] * 3 + [False] * 2
    assert message.endswith("2 more")
