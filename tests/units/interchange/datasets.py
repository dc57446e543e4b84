"""Golden labels as anybody might have them, and the dataset that holds them."""

from pathlib import Path

from hypothesis import strategies as st

from goldwright.golden.datasets import CorpusDocument
from goldwright.interchange.format import Dataset
from goldwright.records import (
    Edit,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    GoldenLabel,
    Provenance,
)

DOCUMENTS = (
    CorpusDocument("door.py::Door.hold", "Door.hold", "def hold(self):\n    return '“open”'"),
    CorpusDocument("hinge.py::bend", "bend", "def bend():\n    pass"),
    CorpusDocument("my files/rail.py::bend", "bend", "def bend():\n    pass"),
)
HOLD = GoldenLabel(
    query_id="q1",
    task_type="explain",
    difficulty="easy",
    query_text="How is the {{ door }} held open?",
    focus_area=None,
    difficulty_rationale=None,
    classifier_expectation=None,
    identifier_in_query=False,
    baseline_answerable=True,
    baseline_retriever="bm25-2",
    expected_entities=(
        ExpectedEntity(entity_id="door.py::Door.hold", role="primary", rationale="It holds."),
        ExpectedEntity(entity_id="hinge.py::bend", role="supporting", rationale="It is called."),
    ),
    expected_files=("door.py", "hinge.py"),
    expected_line_ranges=(FileRange(file="door.py", start=10, end=20),),
    must_mention_facts=("`hold` calls `bend` twice.", "It waits 5-9 seconds."),
    must_not_mention_facts=("`hold` returns a number.",),
    fact_citations=(FactCitation(claim_id="fact-1", file="door.py", start=12, end=13),),
    canonical_narrative="door.py::Door.hold bends the hinge.",
    source_evidence=(Evidence(file="door.py", start=10, end=20, read_at_step=2),),
    confidence="high",
    provenance=Provenance(
        query_author="author", oracle="oracle", adversary="adversary", judge="judge"
    ),
)
RAIL = HOLD.model_copy(
    update={
        "query_id": "q2",
        "query_text": "Where does the rail bend?",
        "expected_entities": (
            ExpectedEntity(entity_id="my files/rail.py::bend", role="primary", rationale=""),
        ),
        "expected_files": ("my files/rail.py",),
        "alternatives": {"my files/rail.py::bend": ("hinge.py::bend",)},
        "cited_text": {"my files/rail.py:3-4": "sha256:" + 64 * "0"},
    }
)

words = st.text(st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    [
        "{{ x }}",
        "{% raw %}",
        "a #} b",
        "file://a",
        "null",
        "12:30",
        "a\tb\nc",
        "\u2028",
        '"',
        "%20",
        "=1+1",
        "{{ '{' }}",
    ]
)
names = words.filter(bool)
ranges = st.builds(FileRange, file=words, start=st.integers(0, 99), end=st.integers(0, 99))
entities = st.builds(
    ExpectedEntity,
    entity_id=st.tuples(
        names.filter(lambda one: "::" not in one and not one.endswith(":")),
        names.filter(lambda one: not one.startswith(":")),
    ).map("::".join),
    role=st.sampled_from(["primary", "supporting", "contextual"]),
    rationale=words,
)
labels = st.builds(
    GoldenLabel,
    query_id=names,
    task_type=st.sampled_from(["locate", "general"]),
    difficulty=st.sampled_from(["easy", "hard"]),
    query_text=words,
    focus_area=st.none() | words,
    difficulty_rationale=st.none() | words,
    classifier_expectation=st.none() | st.just("debug"),
    identifier_in_query=st.booleans(),
    baseline_answerable=st.booleans(),
    baseline_retriever=st.none() | words,
    expected_entities=st.lists(entities, max_size=3, unique_by=lambda one: one.entity_id).map(
        tuple
    ),
    expected_files=st.lists(words, max_size=3, unique=True).map(tuple),
    expected_line_ranges=st.lists(ranges, max_size=2).map(tuple),
    must_mention_facts=st.lists(words, max_size=2).map(tuple),
    must_not_mention_facts=st.lists(words, max_size=2).map(tuple),
    fact_citations=st.just(HOLD.fact_citations),
    canonical_narrative=words,
    source_evidence=st.just(HOLD.source_evidence),
    confidence=st.sampled_from(["high", "low"]),
    uncertainty_notes=st.none() | words,
    alternatives=st.dictionaries(names, st.lists(names, max_size=2).map(tuple), max_size=2),
    provenance=st.builds(
        Provenance,
        query_author=words,
        oracle=words,
        adversary=st.none() | words,
        judge=st.none(),
        edits=st.just(
            (
                Edit(
                    field="canonical_narrative",
                    before="a",
                    after="b",
                    reviewer="Ada",
                    reviewed_at="2026-01-01",
                ),
            )
        ),
    ),
)


def of(*records: GoldenLabel, documents: tuple[CorpusDocument, ...] = DOCUMENTS) -> Dataset:
    """A dataset of these records, without metadata."""
    return Dataset("golden_v1.0", "sha256:" + "0" * 64, records, None, documents)


def corpus_for(records: tuple[GoldenLabel, ...]) -> tuple[CorpusDocument, ...]:
    """A document for everything that the records expect, and some more."""
    wanted = dict.fromkeys(one for label in records for one in label.entity_ids)
    found = (
        CorpusDocument(one, one.rpartition("::")[2], f"def of_{place}(): ...")
        for place, one in enumerate(wanted)
    )
    return (*found, *(one for one in DOCUMENTS if one.document_id not in wanted))


def content(path: Path) -> dict[str, bytes]:
    """The bytes of a file, or of all files of a folder by their paths in it."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {
        str(one.relative_to(path)): one.read_bytes()
        for one in sorted(path.rglob("*"))
        if one.is_file()
    }
