"""Malformed files end in one line that says what is wrong, and in nothing else."""

import json
import time
from pathlib import Path

import pytest

from effort import share_of
from goldwright.errors import InputError
from goldwright.interchange.reading import read_file

GOOD = {"query_id": "q1", "query_text": "Where?", "expected_files": ["a.py"]}


def knowcode(**changes: object) -> bytes:
    return json.dumps([GOOD, GOOD | changes]).encode()


def billion_laughs() -> bytes:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(["l0: &l0 [lol]", *levels]).encode()


CASES: tuple[tuple[str, str, bytes, str], ...] = (
    ("an empty file", "x.json", b"", "empty"),
    ("blanks alone", "x.jsonl", b" \n\r\n\t", "empty"),
    ("a mark of byte order alone", "x", b"\xef\xbb\xbf", "empty"),
    ("a YAML file of comments", "x.yaml", b"# nothing\n", "no record"),
    ("an empty list", "x.json", b"[]", "no record"),
    ("UTF-16", "x.json", '[{"query": "a"}]'.encode("utf-16"), "not UTF-8 at line 1"),
    (
        "Latin-1 on line 2",
        "x.jsonl",
        b'{"query": "a"}\n{"query": "\xe9t\xe9"}\n',
        "not UTF-8 at line 2",
    ),
    ("random bytes", "x", bytes(range(128, 256)), "not UTF-8"),
    ("NUL bytes", "x.yaml", b"- name: a\x00b\n  text: c\n", "not plain YAML"),
    ("an image", "x.png", b"\x89PNG\r\n\x1a\n\x00\x00", "not UTF-8"),
    ("a JSON number", "x.json", b"3", "a number"),
    ("a JSON text", "x.json", b'"query"', "a text"),
    ("JSON null", "x.json", b"null", "no record"),
    ("an open bracket", "x.json", b"[", "not JSON at line 1"),
    ("a comma at the end", "x.json", b'[{"query": "a"},]', "not JSON at line 1"),
    ("text after the list", "x.json", b'[{"query": "a"}] [', "not JSON"),
    ("single quotes", "x.json", b"[{'query': 'a'}]", "not JSON"),
    ("NaN", "x.json", b'[{"query": "a", "score": NaN}]', "NaN"),
    ("infinity by size", "x.json", b'[{"query": "a", "score": 1e999}]', "too large"),
    ("a key twice", "x.json", b'[{"query": "a", "query": "b"}]', "twice"),
    ("a key twice on a line", "x.jsonl", b'{"query": "a"}\n{"query": "a", "query": "b"}', "line 2"),
    ("200,000 brackets", "x.json", b"[" * 200_000, "x.json"),
    ("200,000 brackets of YAML", "x.yaml", b"[" * 200_000, "levels"),
    ("200,000 mappings", "x.jsonl", b'{"query":' * 200_000, "line 1"),
    ("a number of 10,000 digits", "x.json", b'[{"query": ' + b"9" * 10_000 + b"}]", "x.json"),
    ("a line cut off", "x.jsonl", b'{"query": "a"}\n{"query": "b', "line 2"),
    ("a list among lines", "x.jsonl", b'{"query": "a"}\n["b"]', "line 2: wanted an object"),
    ("numbers in a list", "x.json", b"[1, 2]", "record 1: wanted an object"),
    ("null in a list", "x.json", b'[{"query": "a"}, null]', "record 2: wanted an object"),
    ("records in an object", "x.json", b'{"queries": [{"query_id": "a"}]}', "known format"),
    ("unknown fields alone", "x.json", b'[{"question": "a"}]', "known format"),
    ("empty objects", "x.json", b"[{}, {}]", "known format"),
    ("plain prose", "x.txt", b"Where is the parser?", "a text"),
    ("prose with a colon", "x.txt", b"query: where", "an object"),
    ("a table that is called a text", "x.txt", b"query,files\nwhere,a.py\n", "a text"),
    ("HTML", "x.html", b"<!doctype html><p>no</p>", "a text"),
    ("no query", "x.json", knowcode(query_text=None), "record 2: wanted query_text"),
    (
        "a number for a query",
        "x.json",
        knowcode(query_text=3),
        "record 2: query_text: wanted a text, found a number",
    ),
    (
        "a list for a query",
        "x.json",
        knowcode(query_text=["a"]),
        "query_text: wanted a text, found a list",
    ),
    ("an endless query", "x.json", knowcode(query_text="a" * 10_001), "at most 10000"),
    ("the first half of a surrogate pair", "x.json", knowcode(query_text="\ud800"), "surrogate"),
    ("the second half of a surrogate pair", "x.json", knowcode(query_text="\udfff"), "surrogate"),
    ("an endless path", "x.json", knowcode(expected_files=["a" * 1001]), "at most 1000"),
    ("no id", "x.json", knowcode(query_id=None), "record 2: wanted query_id"),
    ("a boolean for an id", "x.json", knowcode(query_id=True), "found a boolean"),
    ("an endless id", "x.json", knowcode(query_id="a" * 201), "at most 200"),
    (
        "a text for files",
        "x.json",
        knowcode(expected_files="a.py"),
        "expected_files: wanted a list, found a text",
    ),
    (
        "an object for entities",
        "x.json",
        knowcode(expected_entities={"a": 1}),
        "wanted a list, found an object",
    ),
    (
        "an entity without id",
        "x.json",
        knowcode(expected_entities=["a", {}]),
        "expected_entities.1: wanted entity_id",
    ),
    (
        "an entity in a list",
        "x.json",
        knowcode(expected_entities=[["a"]]),
        "expected_entities.0: wanted a text",
    ),
    (
        "a file that is null",
        "x.json",
        knowcode(expected_files=[None]),
        "expected_files.0: wanted a text, found null",
    ),
    ("a fact that is a number", "x.json", knowcode(must_mention_facts=[1]), "must_mention_facts.0"),
    ("a task type in a list", "x.json", knowcode(task_type=["locate"]), "task_type: wanted a text"),
    (
        "a range as text",
        "x.json",
        knowcode(expected_line_ranges=["a.py:1-2"]),
        "wanted an object with file",
    ),
    (
        "a range without file",
        "x.json",
        knowcode(expected_line_ranges=[{"start": 1, "end": 2}]),
        "wanted file",
    ),
    (
        "a line as text",
        "x.json",
        knowcode(expected_line_ranges=[{"file": "a", "start": "1", "end": 2}]),
        "start: ",
    ),
    (
        "half a line",
        "x.json",
        knowcode(expected_line_ranges=[{"file": "a", "start": 1, "end": 2.5}]),
        "end: ",
    ),
    (
        "line true",
        "x.json",
        knowcode(expected_line_ranges=[{"file": "a", "start": True, "end": 2}]),
        "a boolean",
    ),
    (
        "line 10^30",
        "x.json",
        knowcode(expected_line_ranges=[{"file": "a", "start": 1, "end": 10**30}]),
        "beyond",
    ),
    (
        "a line beyond",
        "x.json",
        knowcode(expected_line_ranges=[{"file": "a", "start": 1, "end": 10**9 + 1}]),
        "beyond",
    ),
    ("a case without query", "x.jsonl", b'{"relevant_files": ["a.py"]}', "line 1: wanted query"),
    (
        "a symbol that is null",
        "x.jsonl",
        b'{"query": "a", "relevant_symbols": [null]}',
        "relevant_symbols.0",
    ),
    (
        "a number for a case's id",
        "x.jsonl",
        b'{"query": "a", "relevant_files": [], "id": 7}',
        "id: wanted a text",
    ),
    (
        "a label cut short",
        "x.json",
        b'[{"query_id": "a", "fact_citations": [], "provenance": {}}]',
        "record 1 (a): ",
    ),
    (
        "a label with a newline in a key",
        "x.json",
        (
            b'[{"query_id": "a", "fact_citations": [],'
            b' "provenance": {"a\\nb\\u202e": 1}, "query\\ntext": 1}]'
        ),
        "record 1 (a): ",
    ),
    ("a billion laughs", "x.yaml", billion_laughs(), "aliases"),
    ("an anchor", "x.yaml", b"- &a\n  name: a\n  text: b\n", "anchors"),
    ("a tag that runs code", "x.yaml", b"- !!python/object/apply:os.system ['true']\n", "tags"),
    ("a plain tag", "x.yaml", b"- name: !!str a\n  text: b\n", "tags"),
    ("a YAML key twice", "x.yaml", b"- name: a\n  text: b\n  name: c\n", "line 3"),
    (
        "two YAML documents",
        "x.yaml",
        b"- name: a\n  text: b\n---\n- name: c\n  text: d\n",
        "line 3",
    ),
    ("a tab for indentation", "x.yaml", b"- name: a\n\ttext: b\n", "line 2: found a tab"),
    ("an open quote", "x.yaml", b"- name: 'a\n  text: b\n", "not plain YAML"),
    ("YAML over 1 MB", "x.yaml", b"- name: a\n  text: b\n" * 60_000, "1000000 bytes"),
    ("a list for a YAML key", "x.yaml", b"- ? [a]\n  : b\n", "a key that is no text at line 1"),
    ("null for a YAML key", "x.yaml", b"- name: a\n  ~: b\n", "a key that is no text at line 2"),
    ("no YAML key", "x.yaml", b"- name: a\n  ? \n  : b\n", "a key that is no text"),
    (
        "YAML with a label's keys",
        "x.yaml",
        b"- {query_id: a, fact_citations: [], provenance: {~: b}}\n",
        "no text",
    ),
    (
        "a YAML mapping",
        "x.yaml",
        b"things:\n  - name: a\n    text: b\n",
        "wanted a list of records",
    ),
    (
        "a number for expected",
        "x.json",
        b'[{"name": "a", "text": "b", "expected": 7}]',
        "expected: wanted a list",
    ),
    (
        "a mapping in expected",
        "x.yaml",
        b"- name: a\n  text: b\n  expected: [{id: c}]\n",
        "expected.0: wanted a text",
    ),
    (
        "a YAML query that is null",
        "x.yaml",
        b"- name: a\n  text: ~\n  expected: [b]\n",
        "record 1: wanted text",
    ),
    ("a YAML list of texts", "x.yaml", b"- a\n- b\n", "record 1: wanted an object"),
    ("a YAML directive of the future", "x.yaml", b"%YAML 9.9\n---\n- name: a\n", "not plain YAML"),
)


@pytest.mark.parametrize(
    ("name", "data", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_malformed_file_ends_in_one_line(name: str, data: bytes, wanted: str) -> None:
    """The line names the file and what is wrong, and holds nothing that a terminal would obey."""
    with pytest.raises(InputError) as caught:
        read_file(Path("sets") / name, data)
    message = str(caught.value)
    assert message.startswith(f"sets/{name}: ")
    assert wanted in message
    assert message.isprintable()
    assert len(message) < 700


def test_no_prefix_of_a_good_file_raises_anything_else() -> None:
    """A download may stop at any byte."""
    whole = json.dumps(
        [GOOD, GOOD | {"query_text": "Wo denn, bitte schön?"}], ensure_ascii=False
    ).encode()
    for length in range(len(whole)):
        with pytest.raises(InputError):
            read_file(Path("x.json"), whole[:length])


def test_no_prefix_of_a_good_yaml_file_raises_anything_else() -> None:
    """A prefix may itself be a dataset."""
    whole = "- name: 'a'\n  text: \"wo denn, schön?\"\n  expected: [a.py, {b: c}]\n".encode()
    refused = 0
    for length in range(len(whole)):
        try:
            read_file(Path("x.yaml"), whole[:length])
        except InputError:
            refused += 1
    assert refused > len(whole) // 2


def test_the_largest_yaml_file_that_is_taken_is_read_in_seconds() -> None:
    # A tenth has a tenth of the time: were it read in the square of its length, all would need two
    # minutes.
    count, seconds = share_of(33_000, suite=3_300), share_of(20, suite=2)
    data = b"- name: 1:1:1:1:1:1\n  text: b\n" * count
    since = time.process_time()
    assert len(read_file(Path("x.yaml"), data).queries) == count
    assert time.process_time() - since < seconds
