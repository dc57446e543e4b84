"""What differs between two datasets: every record in one class, nothing hidden, nothing that acts
on the page.
"""

import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from effort import share_of
from goldwright.golden.batch_summaries import BatchSummary, CellCount
from goldwright.golden.difference_text import as_lines
from goldwright.golden.differences import Differences, FieldChange, compare_labels, differences_json
from goldwright.golden.metadata import DatasetMetadata
from goldwright.records import (
    CarryOver,
    Edit,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    GoldenLabel,
    Provenance,
)

OLD_COMMIT = "a" * 40
STAMP = Provenance(query_author="author", oracle="oracle", adversary="adversary", judge="judge")
CARRIED = STAMP.model_copy(update={"carried": (CarryOver(from_commit=OLD_COMMIT, kind="moved"),)})
HOLD = GoldenLabel(
    query_id="q1",
    task_type="explain",
    difficulty="easy",
    query_text="How is the door held open?",
    focus_area=None,
    difficulty_rationale=None,
    classifier_expectation=None,
    identifier_in_query=False,
    baseline_answerable=True,
    expected_entities=(
        ExpectedEntity(
            entity_id="door.py::Door.hold", role="primary", rationale="Stands in door.py."
        ),
        ExpectedEntity(entity_id="hinge.py::bend", role="supporting", rationale="Is called."),
    ),
    expected_files=("door.py", "hinge.py"),
    expected_line_ranges=(
        FileRange(file="door.py", start=10, end=20),
        FileRange(file="hinge.py", start=1, end=3),
    ),
    must_mention_facts=("`hold` calls `bend` twice.", "It waits 5-9 seconds."),
    must_not_mention_facts=("`hold` returns a number.",),
    fact_citations=(
        FactCitation(claim_id="fact-1", file="door.py", start=12, end=13),
        FactCitation(claim_id="fact-2", file="door.py", start=14, end=14),
        FactCitation(claim_id="not-fact-1", file="door.py", start=20, end=20),
    ),
    canonical_narrative="Lines 10 to 20 of door.py hold it; "
    "door.py::Door.hold bends at door.py:12-13, once on line 14.",
    source_evidence=(Evidence(file="door.py", start=10, end=20, read_at_step=2),),
    confidence="high",
    alternatives={"hinge.py::bend": ("rail.py::bend",)},
    provenance=STAMP,
)
MOVED = HOLD.model_copy(
    update={
        "expected_entities": (
            ExpectedEntity(
                entity_id="src/door.py::Gate.hold",
                role="primary",
                rationale="Stands in src/door.py.",
            ),
            HOLD.expected_entities[1],
        ),
        "expected_files": ("src/door.py", "hinge.py"),
        "expected_line_ranges": (
            FileRange(file="src/door.py", start=17, end=27),
            HOLD.expected_line_ranges[1],
        ),
        "fact_citations": (
            FactCitation(claim_id="fact-1", file="src/door.py", start=19, end=20),
            FactCitation(claim_id="fact-2", file="src/door.py", start=21, end=21),
            FactCitation(claim_id="not-fact-1", file="src/door.py", start=27, end=27),
        ),
        "canonical_narrative": "Lines 17 to 27 of src/door.py hold it; "
        "src/door.py::Gate.hold bends at src/door.py:19-20, once on line 21.",
        "source_evidence": (Evidence(file="src/door.py", start=17, end=27, read_at_step=2),),
        "provenance": CARRIED,
    }
)
BATCH = BatchSummary(
    version="1.0",
    run="20261126T080912Z-phase1-bb9f",
    plan="phase1",
    query_ids=("q1", "q2"),
    cells=(),
    human_reviewers=("ann", "bo"),
    sittings={"first": ("ann",)},
    spot_check=None,
    scripted_events=0,
    minimum_total=56,
    minimum_cell_share=0.8,
)
METADATA = DatasetMetadata(
    version="1.0",
    dataset_status="human_blessed",
    dataset_sha256="sha256:" + "0" * 64,
    query_count=1,
    cells=(
        CellCount(
            task_type="explain",
            difficulty="easy",
            target=2,
            count=1,
            emitted=3,
            fates={"blessed": 1},
        ),
    ),
    repo_commit=OLD_COMMIT,
    repo_tree="d" * 40,
    repo_origin="git",
    pipeline_version="0.1.0",
    run="run",
    plan="phase1",
    plan_digest="sha256:" + "1" * 64,
    seed=0,
    roles={"author": "offline", "oracle": "offline"},
    models={},
    families={},
    allow_same_family=False,
    canaries={},
    prompt_digests={},
    stage_versions={},
    human_reviewers=(),
    total_tokens=0,
    usd=0.0,
    low_confidence=(),
    source_file_hashes={"door.py": "sha256:1"},
    known_limits=("Small.",),
)

texts = st.text(st.sampled_from("ab `|\n\r#@-+~\\<é\u202e\x1b\u00a0"), max_size=30)
lists = st.lists(texts, max_size=4).map(tuple)
people = st.builds(
    Provenance,
    query_author=st.sampled_from(["author", "`other`"]),
    oracle=st.just("oracle"),
    adversary=st.none(),
    judge=st.none(),
    human_reviewer=st.none() | texts,
    verdict=st.sampled_from([None, "correct", "wrong"]),
    carried=st.lists(
        st.builds(CarryOver, from_commit=st.sampled_from("ab"), kind=st.just("moved")), max_size=2
    ).map(tuple),
)
entities = st.lists(
    st.builds(
        ExpectedEntity,
        entity_id=st.sampled_from(["a.py::f", "b.py::f", "a.py::C.g", ""]),
        role=st.sampled_from(["primary", "supporting"]),
        rationale=texts,
    ),
    max_size=3,
).map(tuple)
ranges = st.builds(
    FileRange,
    file=st.sampled_from(["a.py", "b.py"]),
    start=st.integers(1, 4),
    end=st.integers(1, 4),
)


@st.composite
def labels(draw: st.DrawFn) -> GoldenLabel:
    """A record with odd content, that often has much in common with another."""
    return HOLD.model_copy(
        update={
            "query_id": draw(st.sampled_from(["q1", "q2", "q3", "``` |\n# q"])),
            "query_text": draw(st.sampled_from(["one", "two"]) | texts),
            "expected_entities": draw(entities),
            "expected_files": draw(
                st.lists(st.sampled_from(["a.py", "b.py"]), max_size=2).map(tuple)
            ),
            "expected_line_ranges": draw(st.lists(ranges, max_size=2).map(tuple)),
            "must_mention_facts": draw(lists),
            "canonical_narrative": draw(texts),
            "uncertainty_notes": draw(st.none() | texts),
            "alternatives": draw(
                st.dictionaries(st.sampled_from(["a.py::f", "a"]), lists, max_size=2)
            ),
            "provenance": draw(people),
        }
    )


# Drawing two datasets takes far longer than comparing them.
few_examples = settings(max_examples=share_of(400, suite=15))
datasets = st.lists(labels(), max_size=4, unique_by=lambda one: one.query_id)


def ids(differences: Differences) -> dict[str, list[str]]:
    """The query ids of each class."""
    return {
        "added": [one.label.query_id for one in differences.added],
        "removed": [one.label.query_id for one in differences.removed],
        "changed": [one.query_id for one in differences.changed],
        "reanchored": [one.query_id for one in differences.reanchored],
        "restamped": [one.query_id for one in differences.restamped],
        "unchanged": list(differences.unchanged),
    }


def turned(change: FieldChange) -> FieldChange:
    """The same change the other way round."""
    back = tuple(sorted((after, before) for before, after in change.reworded))
    return FieldChange(change.field, change.added, change.removed, back, change.reordered)


def in_order(change: FieldChange) -> FieldChange:
    """The same change with its pairs sorted."""
    return FieldChange(
        change.field, change.removed, change.added, tuple(sorted(change.reworded)), change.reordered
    )


def changed(**fields: object) -> GoldenLabel:
    """The record of the door with other fields."""
    return HOLD.model_copy(update=fields)


def hold_moved(**fields: object) -> ExpectedEntity:
    """The moved entity with other fields."""
    return MOVED.expected_entities[0].model_copy(update=fields)


def only_change(new: GoldenLabel) -> FieldChange:
    """The one content change of the door's record."""
    (record,) = compare_labels([HOLD], [new]).changed
    (change,) = record.content
    return change


@given(datasets)
def test_a_dataset_does_not_differ_from_itself(dataset: Sequence[GoldenLabel]) -> None:
    found = compare_labels(dataset, list(reversed(dataset)))
    assert ids(found) == {
        "added": [],
        "removed": [],
        "changed": [],
        "reanchored": [],
        "restamped": [],
        "unchanged": sorted(one.query_id for one in dataset),
    }
    assert list(as_lines(found)) == [
        f"0 added, 0 removed, 0 changed, 0 re-anchored, {len(dataset)} unchanged"
    ]


@few_examples
@given(datasets, datasets)
def test_every_record_is_in_exactly_one_class(
    old: Sequence[GoldenLabel], new: Sequence[GoldenLabel]
) -> None:
    classes = ids(compare_labels(old, new))
    everything = [query_id for found in classes.values() for query_id in found]
    assert sorted(everything) == sorted({one.query_id for one in (*old, *new)})
    assert all(found == sorted(found) for found in classes.values())


@few_examples
@given(datasets, datasets)
def test_the_other_way_round_added_and_removed_change_places(
    old: Sequence[GoldenLabel], new: Sequence[GoldenLabel]
) -> None:
    there, back = compare_labels(old, new), compare_labels(new, old)
    assert ids(there)["added"] == ids(back)["removed"]
    assert ids(there)["removed"] == ids(back)["added"]
    assert ids(there)["unchanged"] == ids(back)["unchanged"]


@few_examples
@given(datasets, datasets)
def test_the_other_way_round_each_field_tells_the_reverse(
    old: Sequence[GoldenLabel], new: Sequence[GoldenLabel]
) -> None:
    def by_id(found: Differences) -> dict[str, tuple[FieldChange, ...]]:
        return {
            one.query_id: one.content
            for one in (*found.changed, *found.reanchored, *found.restamped)
        }

    there, back = by_id(compare_labels(old, new)), by_id(compare_labels(new, old))
    assert there.keys() == back.keys()
    for query_id, changes in there.items():
        assert [in_order(one) for one in changes] == [turned(one) for one in back[query_id]]


@few_examples
@given(datasets, datasets)
def test_no_field_that_differs_is_left_out(
    old: Sequence[GoldenLabel], new: Sequence[GoldenLabel]
) -> None:
    found = compare_labels(old, new)
    before, after = ({one.query_id: one for one in dataset} for dataset in (old, new))
    for record in (*found.changed, *found.reanchored, *found.restamped):
        one, other = before[record.query_id], after[record.query_id]
        differing = {
            name for name in GoldenLabel.model_fields if getattr(one, name) != getattr(other, name)
        }
        told = {change.field.partition(".")[0] for change in record.content}
        assert told == differing - {"provenance"}
        assert bool(record.provenance) == ("provenance" in differing)
    assert not any(record.content for record in found.restamped)
    assert all(record.content for record in found.changed)


@few_examples
@given(datasets, datasets)
def test_only_a_record_that_was_carried_on_is_reanchored(
    old: Sequence[GoldenLabel], new: Sequence[GoldenLabel]
) -> None:
    before, after = ({one.query_id: one for one in dataset} for dataset in (old, new))
    for record in compare_labels(old, new).reanchored:
        assert len(after[record.query_id].provenance.carried) > len(
            before[record.query_id].provenance.carried
        )


@few_examples
@given(datasets, datasets)
def test_what_a_dataset_says_stands_in_code_alone(
    old: Sequence[GoldenLabel], new: Sequence[GoldenLabel]
) -> None:
    """Outside code there are our own words only, and no line is cut by what a dataset holds."""
    lines = list(as_lines(compare_labels(old, new)))
    assert all(line.isprintable() or "\u00a0" in line for line in lines)
    own = {"Added", "Removed", "Changed", "Re-anchored", "New in provenance alone"}
    for token in MarkdownIt().parse("\n".join(lines[1:])):
        assert token.type in {"heading_open", "heading_close", "inline", "fence"}
        for child in token.children or ():
            assert child.type == "code_inline" or child.content.partition(" (")[0] in own | {""}
    assert sum(line == "```diff" for line in lines) == sum(line == "```" for line in lines)


@few_examples
@given(datasets, datasets)
def test_the_json_says_the_same_and_can_be_read_back(
    old: Sequence[GoldenLabel], new: Sequence[GoldenLabel]
) -> None:
    found = compare_labels(old, new)
    read = json.loads(json.dumps(differences_json(found)))
    assert read["summary"] == found.summary
    assert [one["record"]["query_id"] for one in read["added"]] == ids(found)["added"]
    assert [one["query_id"] for one in read["changed"]] == ids(found)["changed"]
    assert read["unchanged"] == ids(found)["unchanged"]


def test_a_fact_that_is_worded_anew_is_told_from_one_that_is_new() -> None:
    facts = ("It waits 5-9 seconds.", "`hold` calls `bend` once.", "The door is blue.")
    assert only_change(changed(must_mention_facts=facts)) == FieldChange(
        "must_mention_facts",
        added=("The door is blue.",),
        reworded=(("`hold` calls `bend` twice.", "`hold` calls `bend` once."),),
    )


def test_facts_that_share_few_words_are_no_rewording() -> None:
    assert only_change(
        changed(must_mention_facts=("`hold` calls `bend` twice.", "Doors are blue."))
    ) == FieldChange(
        "must_mention_facts", removed=("It waits 5-9 seconds.",), added=("Doors are blue.",)
    )


@pytest.mark.parametrize(
    ("query_id", "heading"),
    [("a`b", "### `` a`b ``"), ("a``|", "### ``` a``| ```"), ("`\n", "### `` `\\u{a} ``")],
)
def test_a_query_id_cannot_leave_its_code_span(query_id: str, heading: str) -> None:
    assert heading in as_lines(compare_labels([], [changed(query_id=query_id)]))


def test_facts_in_another_order_are_told_as_that() -> None:
    facts = ("It waits 5-9 seconds.", "`hold` calls `bend` twice.")
    assert only_change(changed(must_mention_facts=facts)) == FieldChange(
        "must_mention_facts", reordered=True
    )


def test_a_role_that_changes_is_told_with_its_entity() -> None:
    first, second = HOLD.expected_entities
    new = changed(expected_entities=(first, second.model_copy(update={"role": "contextual"})))
    pair = ("hinge.py::bend (supporting)", "hinge.py::bend (contextual)")
    assert only_change(new) == FieldChange("expected_entities", reworded=(pair,))


def test_a_rationale_that_changes_is_told_with_its_entity() -> None:
    first, second = HOLD.expected_entities
    new = changed(expected_entities=(first, second.model_copy(update={"rationale": "Bends."})))
    pair = ("hinge.py::bend = Is called.", "hinge.py::bend = Bends.")
    assert only_change(new) == FieldChange("expected_entities.rationale", reworded=(pair,))


def test_lines_that_moved_where_others_were_are_paired_in_their_order() -> None:
    def cited(first: int) -> tuple[FactCitation, ...]:
        lines = range(first, first + 3)
        return tuple(
            FactCitation(file="hinge.py", start=line, end=line, claim_id="fact-1") for line in lines
        )

    (record,) = compare_labels(
        [changed(fact_citations=cited(216))], [changed(fact_citations=cited(218))]
    ).changed
    (change,) = record.content
    moved = [tuple(re.findall(r":(\d+)", text)[0] for text in pair) for pair in change.reworded]
    assert moved == [("216", "218"), ("217", "219"), ("218", "220")]
    assert (change.removed, change.added, change.reordered) == ((), (), False)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"query_text": "Why?"}, FieldChange("query_text", reworded=((HOLD.query_text, "Why?"),))),
        ({"focus_area": "doors"}, FieldChange("focus_area", added=("doors",))),
        (
            {"alternatives": {}},
            FieldChange("alternatives", removed=('hinge.py::bend = ["rail.py::bend"]',)),
        ),
        ({"expected_files": ("door.py",)}, FieldChange("expected_files", removed=("hinge.py",))),
        (
            {"baseline_answerable": False},
            FieldChange("baseline_answerable", reworded=(("true", "false"),)),
        ),
    ],
)
def test_a_value_that_changes_is_told_before_and_after(
    fields: dict[str, object], told: FieldChange
) -> None:
    assert only_change(changed(**fields)) == told


def test_lists_too_long_to_match_are_told_as_gone_and_new() -> None:
    old = changed(must_mention_facts=tuple(f"old fact number {number}" for number in range(100)))
    new = changed(must_mention_facts=tuple(f"new fact number {number}" for number in range(100)))
    (record,) = compare_labels([old], [new]).changed
    assert (
        len(record.content[0].removed),
        len(record.content[0].added),
        record.content[0].reworded,
    ) == (100, 100, ())
    assert "# 100 removed, 100 added, 0 changed: too many to show, --json has them all" in as_lines(
        compare_labels([old], [new])
    )


def test_a_record_whose_places_moved_is_reanchored() -> None:
    found = compare_labels([HOLD], [MOVED])
    assert found.summary == "0 added, 0 removed, 0 changed, 1 re-anchored, 0 unchanged"
    assert found.reanchored[0].why == (f"carried over from commit {OLD_COMMIT} as moved",)


def test_a_record_that_is_carried_as_it_was_is_reanchored() -> None:
    assert ids(compare_labels([HOLD], [HOLD.model_copy(update={"provenance": CARRIED})]))[
        "reanchored"
    ] == ["q1"]


def test_a_record_that_moved_without_being_carried_is_changed() -> None:
    assert ids(compare_labels([HOLD], [MOVED.model_copy(update={"provenance": STAMP})]))[
        "changed"
    ] == ["q1"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("lines 3, 5 and 9 of door.py", "lines 10, 12 and 16 of src/door.py"),
        ("Lines 12-13 (door.py#L12-L13)", "Lines 19-20 (src/door.py#L19-L20)"),
        ("see 12-13 and 4 doors", "see 19-20 and 4 doors"),
        ("door.py. In hinge.py too", "src/door.py. In hinge.py too"),
    ],
)
def test_places_in_prose_follow_the_code(before: str, after: str) -> None:
    old, new = (
        one.model_copy(update={"canonical_narrative": text})
        for one, text in ((HOLD, before), (MOVED, after))
    )
    assert ids(compare_labels([old], [new]))["reanchored"] == ["q1"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It waits 5-9 seconds.", "It waits 6-10 seconds."),
        ("It waits 3 seconds.", "It waits 10 seconds."),
        ("lines 10 to 20", "lines 17 to 28"),
        ("in door.py", "in gate.py"),
        ("in mydoor.py", "in mysrc/door.py"),
        ("in door.py", "in src/door.py!"),
        ("line " + "1" * 5000, "line " + "2" * 5000),
    ],
)
def test_another_word_in_the_prose_of_a_carried_record_is_a_change(before: str, after: str) -> None:
    old, new = (
        one.model_copy(update={"canonical_narrative": text})
        for one, text in ((HOLD, before), (MOVED, after))
    )
    assert ids(compare_labels([old], [new]))["changed"] == ["q1"]


@pytest.mark.parametrize(
    "fields",
    [
        {"query_text": "Another?"},
        {"must_mention_facts": ("`hold` calls `bend` twice.",)},
        {"expected_entities": MOVED.expected_entities[:1]},
        {"expected_entities": (hold_moved(role="contextual"), HOLD.expected_entities[1])},
        {
            "expected_entities": (
                hold_moved(entity_id="src/door.py::Gate.drop"),
                HOLD.expected_entities[1],
            )
        },
        {
            "expected_line_ranges": (
                FileRange(file="src/door.py", start=17, end=28),
                HOLD.expected_line_ranges[1],
            )
        },
        {"fact_citations": MOVED.fact_citations[:2]},
        {"source_evidence": ()},
        {"expected_files": ("src/door.py",)},
        {"expected_files": ("src/door.py", "hinge.py", "lock.py")},
        {"alternatives": {"hinge.py::bend": ("rail.py::twist",)}},
        {"confidence": "low"},
    ],
)
def test_anything_else_in_a_carried_record_is_a_change(fields: dict[str, object]) -> None:
    assert ids(compare_labels([HOLD], [MOVED.model_copy(update=fields)]))["changed"] == ["q1"]


def test_a_review_is_no_change_of_content() -> None:
    update = {"human_reviewer": "ana", "second_reviewer": "ben", "verdict": "correct"}
    found = compare_labels([HOLD], [changed(provenance=STAMP.model_copy(update=update))])
    assert (
        found.summary
        == "0 added, 0 removed, 0 changed, 0 re-anchored, 1 new in provenance alone, 0 unchanged"
    )
    assert found.restamped[0].why == ("reviewed by ana, ben: correct",)
    assert [one.field for one in found.restamped[0].provenance] == [
        "human_reviewer",
        "second_reviewer",
        "verdict",
    ]


def test_an_edit_says_who_changed_what() -> None:
    edit = Edit(
        field="canonical_narrative",
        before="a",
        after="b",
        reviewer="ana",
        reviewed_at="2025-03-01T10:00:00Z",
    )
    stamp = STAMP.model_copy(update={"edits": (edit,)})
    (record,) = compare_labels([HOLD], [changed(canonical_narrative="b", provenance=stamp)]).changed
    assert record.why == ("ana edited canonical_narrative at 2025-03-01T10:00:00Z",)
    assert [one.field for one in record.content] == ["canonical_narrative"]


def test_a_removed_record_says_where_its_query_stands_now_and_that_the_codebase_moved() -> None:
    later = METADATA.model_copy(update={"repo_commit": "b" * 40})
    (record,) = compare_labels([HOLD], [changed(query_id="q9")], metadata=(METADATA, later)).removed
    assert record.why == (
        "its query stands in q9 now",
        "the codebase moved to another commit in between",
    )


def test_metadata_tells_commit_cells_and_hashes() -> None:
    cell = METADATA.cells[0].model_copy(update={"count": 2, "fates": {"blessed": 2}})
    later = METADATA.model_copy(
        update={
            "repo_commit": "b" * 40,
            "cells": (cell,),
            "dataset_sha256": "sha256:" + "9" * 64,
            "roles": {"author": "model", "oracle": "offline"},
            "source_file_hashes": {"door.py": "sha256:2"},
        }
    )
    assert compare_labels([HOLD], [HOLD], metadata=(METADATA, later)).metadata == (
        FieldChange(
            "cells",
            reworded=(
                (
                    "explain/easy = 1 of 2 wanted; in the batch 1 blessed",
                    "explain/easy = 2 of 2 wanted; in the batch 2 blessed",
                ),
            ),
        ),
        FieldChange("repo_commit", reworded=((OLD_COMMIT, "b" * 40),)),
        FieldChange("roles", reworded=(("author = offline", "author = model"),)),
        FieldChange("source_file_hashes", reworded=(("door.py = sha256:1", "door.py = sha256:2"),)),
    )
    assert compare_labels([HOLD], [HOLD], metadata=(METADATA, None)).metadata == ()


def test_a_batch_is_told_in_a_line_that_can_be_read() -> None:
    """All that is known of one is thousands of characters, which stand in the metadata."""
    old, new = (
        METADATA.model_copy(update={"batches": (BATCH.model_copy(update={"version": version}),)})
        for version in ("1.0", "1.1")
    )
    (change,) = compare_labels([HOLD], [HOLD], metadata=(old, new)).metadata
    before = f"{BATCH.run} = 2 records of phase1 in 1.0, reviewed by ann, bo"
    assert change.reworded == ((before, before.replace("in 1.0", "in 1.1")),)


def test_a_word_that_changes_in_a_long_text_is_shown_with_its_neighbours() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    old, new = (
        changed(canonical_narrative=words),
        changed(canonical_narrative=words.replace("word30", "other")),
    )
    assert list(as_lines(compare_labels([old], [new]))) == [
        "0 added, 0 removed, 1 changed, 0 re-anchored, 0 unchanged",
        "",
        "## Changed (1)",
        "",
        "### `q1`",
        "",
        "```diff",
        "# its provenance does not say why",
        "@@ canonical_narrative @@",
        "- … word26 word27 word28 word29 word30 word31 word32 word33 word34 …",
        "+ … word26 word27 word28 word29 other word31 word32 word33 word34 …",
        "```",
    ]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a b", "a\u00a0b", ["- 'a b'", "+ 'a\\xa0b'"]),
        ("a b", "a  b", ["- 'a b'", "+ 'a  b'"]),
        ("a", "a ", ["- 'a'", "+ 'a '"]),
        ("\u00e9", "e\u0301", ["- '\\xe9'", "+ 'e\\u0301'"]),
        ("a", "a\n```\n# b", ["- a", "+ a\\u{a}```\\u{a}# b"]),
        ("a", "\u202ea", ["- a", "+ \\u{202e}a"]),
    ],
)
def test_texts_that_look_the_same_are_told_apart(before: str, after: str, shown: list[str]) -> None:
    lines = list(
        as_lines(compare_labels([changed(query_text=before)], [changed(query_text=after)]))
    )
    assert lines[lines.index("@@ query_text @@") + 1 : -1] == shown


def test_an_added_record_is_shown_with_what_it_asks_and_wants() -> None:
    lines = list(as_lines(compare_labels([], [HOLD])))
    assert lines[0] == "1 added, 0 removed, 0 changed, 0 re-anchored, 0 unchanged"
    assert lines[6:] == [
        "```diff",
        "# written by author, answered by oracle",
        "+ explain/easy: How is the door held open?",
        "+ door.py::Door.hold (primary)",
        "+ hinge.py::bend (supporting)",
        "+ must mention: `hold` calls `bend` twice.",
        "+ must mention: It waits 5-9 seconds.",
        "+ must not mention: `hold` returns a number.",
        "```",
    ]
    assert lines[2:6] == ["## Added (1)", "", "### `q1`", ""]
