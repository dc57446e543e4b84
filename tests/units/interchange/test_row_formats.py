"""Datasets of other people's programs are read as they stand."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery, query_of
from goldwright.interchange.catalog import READABLE
from goldwright.interchange.reading import read_file
from goldwright.records import FileRange, GoldenLabel
from goldwright.records.answer import Evidence, ExpectedEntity, FactCitation
from goldwright.records.label import Provenance

KNOWCODE: dict[str, object] = {
    "query_id": "q1",
    "query_text": "Find the function that parses markdown files.",
    "task_type": "locate",
    "difficulty": "easy",
    "expected_entities": [
        "src/notes/markdown.py::Markdown.parse",
        "src/notes/markdown.py::Markdown",
    ],
    "expected_files": ["src/notes/markdown.py"],
    "must_mention_facts": [],
    "must_not_mention_facts": ["It reads the network."],
}
CODERAG = {
    "query": "fix retry backoff on 429",
    "relevant_files": ["notes/llm.py"],
    "relevant_symbols": ["stream"],
    "id": "abc123",
    "source": "git",
}
VAULTMIND = """\
# golden queries
- name: parsing
  text: where is markdown parsed
  expected:
    - src/notes/markdown.py
    - src/notes/markdown.py::Markdown.parse

- name: no
  text: 12:30
  expected: []
"""
LABEL = GoldenLabel(
    query_id="q_00001",
    query_text="Where do notes become trees?",
    task_type="locate",
    difficulty="medium",
    focus_area=None,
    difficulty_rationale=None,
    classifier_expectation=None,
    identifier_in_query=False,
    baseline_answerable=True,
    provenance=Provenance(query_author="a", oracle="o", adversary=None, judge=None),
    expected_entities=(
        ExpectedEntity(entity_id="a.py::f", role="primary", rationale="It does it."),
    ),
    expected_files=("a.py",),
    expected_line_ranges=(FileRange(file="a.py", start=1, end=2),),
    must_mention_facts=("It returns a tree.",),
    must_not_mention_facts=("It writes.",),
    fact_citations=(FactCitation(claim_id="fact-1", file="a.py", start=1, end=2),),
    canonical_narrative="It does.",
    source_evidence=(Evidence(file="a.py", start=1, end=2, read_at_step=1),),
    confidence="high",
)


def read(text: str | bytes, name: str = "set.json") -> tuple[str, tuple[DatasetQuery, ...]]:
    data = text.encode("utf-8") if isinstance(text, str) else text
    found = read_file(Path(name), data)
    return found.format, tuple(replace(query, place="") for query in found.queries)


def one(row: dict[str, object]) -> DatasetQuery:
    _, records = read(json.dumps([row]))
    (record,) = records
    return record


def test_a_record_of_knowcode_keeps_every_field_that_is_compared() -> None:
    kind, records = read(json.dumps([KNOWCODE]))
    assert kind == "knowcode"
    assert records == (
        DatasetQuery(
            query_id="q1",
            query_text="Find the function that parses markdown files.",
            strata={"task_type": "locate", "difficulty": "easy"},
            expected_ids=(
                "src/notes/markdown.py::Markdown.parse",
                "src/notes/markdown.py::Markdown",
            ),
            names_entities=True,
            expected_files=("src/notes/markdown.py",),
            must_mention_facts=(),
            must_not_mention_facts=("It reads the network.",),
            carries_facts=True,
        ),
    )


def test_entities_may_be_texts_objects_or_both_in_one_list() -> None:
    mixed = [
        {"entity_id": "a.py::f", "role": "primary", "rationale": "It is it."},
        "a.py::g",
        {"entity_id": "a.py::h"},
    ]
    assert one(KNOWCODE | {"expected_entities": mixed}).entity_ids == (
        "a.py::f",
        "a.py::g",
        "a.py::h",
    )


def test_line_zero_is_read_and_left_to_the_audit() -> None:
    ranges = [{"file": "a.py", "start": 0, "end": 80}, {"file": "a.py", "start": 9, "end": 2}]
    assert one(KNOWCODE | {"expected_line_ranges": ranges}).expected_line_ranges == (
        FileRange(file="a.py", start=0, end=80),
        FileRange(file="a.py", start=9, end=2),
    )


def test_long_texts_and_far_lines_are_taken_up_to_their_bounds() -> None:
    far = {"file": "a" * 1000, "start": -1_000_000_000, "end": 1_000_000_000}
    record = one(
        KNOWCODE
        | {"query_text": "a" * 10_000, "query_id": "b" * 200, "expected_line_ranges": [far]}
    )
    assert (len(record.query_text), len(record.query_id)) == (10_000, 200)
    assert record.expected_line_ranges == (
        FileRange(file="a" * 1000, start=-1_000_000_000, end=1_000_000_000),
    )


def test_a_task_type_that_nobody_knows_is_no_task_type() -> None:
    assert one(KNOWCODE | {"task_type": "refactor", "difficulty": None}).cell is None
    assert one(KNOWCODE | {"task_type": "LOCATE", "difficulty": "Easy"}).cell == ("locate", "easy")


def test_fields_that_are_not_known_are_left_alone() -> None:
    assert one(KNOWCODE | {"author": {"name": "x"}, "tags": [1, 2]}) == one(KNOWCODE)


def test_missing_lists_are_empty() -> None:
    record = one({"query_id": "q1", "query_text": "Where?", "expected_files": None})
    assert (record.entity_ids, record.file_paths, record.must_mention_facts) == ((), (), ())


def test_a_record_with_provenance_and_a_narrative_is_still_knowcode_s_own() -> None:
    kind, _ = read(
        json.dumps(
            [KNOWCODE | {"canonical_narrative": "…", "provenance": {"oracle": "agent:oracle"}}]
        )
    )
    assert kind == "knowcode"


def test_cases_of_coderag_stand_one_a_line() -> None:
    kind, records = read(
        f"{json.dumps(CODERAG)}\n{json.dumps({'query': 'why so slow', 'relevant_files': []})}\n",
        "x",
    )
    assert kind == "coderag"
    assert records == (
        DatasetQuery(
            "abc123",
            "fix retry backoff on 429",
            expected_ids=("notes/llm.py::stream",),
            names_entities=True,
            expected_files=("notes/llm.py",),
            strata={"source": "git"},
        ),
        DatasetQuery("line 2", "why so slow"),
    )


def test_windows_newlines_a_byte_order_mark_and_blank_lines_change_nothing() -> None:
    line = json.dumps(CODERAG).encode()
    assert read(b"\xef\xbb\xbf" + line + b"\r\n\r\n \n" + line + b"\r\n", "x.jsonl") == read(
        line + b"\n" + line, "x"
    )


def test_a_case_is_called_by_its_line_and_blank_lines_count() -> None:
    _, records = read('\n\n{"query": "a", "relevant_files": []}\n\n{"query": "b"}\n')
    assert [record.query_id for record in records] == ["line 3", "line 5"]


def test_cases_of_coderag_may_stand_in_a_list() -> None:
    kind, records = read(json.dumps([CODERAG, {"query": "why so slow"}]))
    assert (kind, [record.query_id for record in records]) == ("coderag", ["abc123", "record 2"])


def test_one_object_over_several_lines_is_one_record() -> None:
    assert read(json.dumps(CODERAG, indent=2)) == read(json.dumps(CODERAG))


def test_queries_of_vaultmind_name_files_and_entities_in_one_list() -> None:
    kind, records = read(VAULTMIND, "queries.yaml")
    assert kind == "vaultmind"
    assert records[0] == DatasetQuery(
        "parsing",
        "where is markdown parsed",
        expected_ids=("src/notes/markdown.py", "src/notes/markdown.py::Markdown.parse"),
    )
    assert records[0].entity_ids == ("src/notes/markdown.py::Markdown.parse",)
    assert records[0].file_paths == ("src/notes/markdown.py",)


def test_a_query_of_vaultmind_without_a_name_is_called_by_its_number() -> None:
    _, records = read("- text: why\n- text: how\n  name: ''\n", "q.yaml")
    assert [record.query_id for record in records] == ["record 1", "record 2"]


def test_yaml_reads_words_as_they_are_written() -> None:
    """`no` is a name and `12:30` a text, not false and 750."""
    _, records = read(VAULTMIND, "queries.yaml")
    assert records[1] == DatasetQuery("no", "12:30")


@pytest.mark.parametrize("name", ["queries", "queries.txt", "queries.yml", "queries.json"])
def test_the_content_decides_the_format_whatever_the_ending(name: str) -> None:
    assert read(VAULTMIND, name)[0] == "vaultmind"
    assert read(json.dumps([KNOWCODE]), name)[0] == "knowcode"
    assert read(json.dumps(CODERAG) + "\n" + json.dumps(CODERAG), name)[0] == "coderag"


def test_yaml_is_taken_to_twenty_levels_and_a_million_bytes() -> None:
    def nested(levels: int) -> str:
        return (
            "- text: why\n  expected: []\n  deep: " + "[" * (levels - 2) + "]" * (levels - 2) + "\n"
        )

    assert len(read(nested(20), "q.yaml")[1]) == 1
    with pytest.raises(InputError, match="more than 20 levels at line 3"):
        read(nested(21), "q.yaml")
    padded = "- text: why\n".ljust(999_999, "#") + "\n"
    assert len(read(padded, "q.yaml")[1]) == 1
    with pytest.raises(InputError, match="over 1000000 bytes"):
        read(padded + "\n", "q.yaml")


def test_a_list_in_yaml_s_own_brackets_is_yaml() -> None:
    kind, records = read("[{name: a, text: why, expected: [b.py]}]", "q.yaml")
    assert (kind, records) == ("vaultmind", (DatasetQuery("a", "why", expected_ids=("b.py",)),))


def test_queries_of_vaultmind_may_be_json() -> None:
    assert read('[{"name": "a", "text": "why", "expected": ["b.py"]}]')[0] == "vaultmind"


def test_a_golden_label_is_a_record_too() -> None:
    kind, records = read(f"[{LABEL.as_json()}]")
    assert (kind, records) == ("goldwright", (query_of(LABEL),))


def test_a_golden_label_with_a_field_of_another_is_refused() -> None:
    """What we wrote ourselves is held to its schema."""
    row = json.loads(LABEL.as_json()) | {"colour": "red"}
    with pytest.raises(InputError, match=r"^set\.json: record 1 \(q_00001\): colour: "):
        read(json.dumps([row]))


def test_an_id_that_stands_twice_is_read_twice() -> None:
    _, records = read(json.dumps([KNOWCODE, KNOWCODE]))
    assert [record.query_id for record in records] == ["q1", "q1"]


def test_a_first_record_that_lacks_everything_does_not_hide_the_format() -> None:
    with pytest.raises(InputError) as caught:
        read(json.dumps([{"note": "x"}, KNOWCODE]))
    assert str(caught.value) == "set.json: record 1: wanted query_id, found none"


def test_a_file_of_no_known_format_is_told_all_that_are_known() -> None:
    with pytest.raises(InputError) as caught:
        read('[{"title": "why", "link": ["a"]}]')
    assert "found 'title', 'link'" in str(caught.value)
    for known in READABLE:
        assert known in str(caught.value)


def test_fields_that_mean_nothing_to_a_format_are_named(tmp_path: Path) -> None:
    rows = [
        {"query": "Where?", "expected": "a.py", "category": "x", "strata": {"team": "b"}},
        {"question": "Who?", "gold": ["a.py"], "weight": 3, "my\ntag": None},
        {"query": "Why?", "expected": "a.py", "weight": 1, "reason": "because"},
    ]
    data = json.dumps(rows).encode()
    (note,) = read_file(tmp_path / "list.json", data).notes
    assert note.endswith(r"the fields 'weight', 'my\\u{a}tag', 'reason'.")
    del rows[1:]
    assert not read_file(tmp_path / "list.json", json.dumps(rows).encode()).notes


def test_what_is_read_whole_has_no_unread_field(tmp_path: Path) -> None:
    data = f"[{LABEL.model_dump_json()}]".encode()
    assert not read_file(tmp_path / "golden.json", data).notes
