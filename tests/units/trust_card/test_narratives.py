"""What narratives claim, quote and tell."""

from dataclasses import replace

import pytest

from goldwright.records import FileRange
from units.trust_card.codebases import observe, record, values

CODE = {
    "a.py": '''
        def load(): ...
        def one():
            if not is_ready(path) and size > 1:
                raise BufferError("small buffer")
            return load()
        def two(): load()
        class Box:
            def __init__(self): ...
        def unused(): """Never called anywhere."""
        BOX = Box()
        '''
}
LOAD, ONE, TWO = "a.py::load", "a.py::one", "a.py::two"


@pytest.mark.parametrize(
    "claim",
    [
        "Within the repository `unused` has no direct caller.",
        "Nothing else in the repository calls `load` directly.",
        "`load` is called directly from three places of the repository.",
        "This happens nowhere else.",
        "It is the only place that knows.",
        "One place relies on `load` by calling it.",
    ],
)
def test_a_claim_about_the_whole_codebase_that_no_line_bears_is_found(claim: str) -> None:
    asked = record(expects=[LOAD, "a.py::unused"], narrative=f"It loads. {claim}")
    (found,) = observe("repository_claims", asked, CODE)
    assert found.value == 1.0
    assert claim in found.note


@pytest.mark.parametrize(
    "sentence",
    [
        "`load` has two callers, `one` and `two`.",
        "`one` calls `load`.",
        "It returns nothing.",
        "In one case it stops.",
    ],
)
def test_a_count_of_expected_callers_and_other_sentences_are_borne(sentence: str) -> None:
    asked = record(expects=[LOAD, ONE, TWO], narrative=sentence)
    assert values("repository_claims", asked, CODE) == [0.0]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("`load` has no direct caller.", [1.0]),
        ("`load` is called directly from one place.", [1.0]),
        ("`load` is called directly from two places.", [0.0]),
        ("`load` is called directly from nine places.", [0.0]),
        ("Nothing else in the repository calls `load`.", [1.0]),
        ("No direct call of `Box` stands elsewhere in the repository.", [1.0]),
        ("`unused` has no caller.", [0.0]),
        ("Nothing else calls `Box.__init__`.", []),
        ("It has no caller.", []),
    ],
)
def test_a_claim_about_callers_is_held_against_the_sure_calls(
    claim: str, expected: list[float]
) -> None:
    expects = [LOAD, "a.py::Box", "a.py::Box.__init__", "a.py::unused"]
    asked = record(expects=expects, narrative=claim)
    assert values("repository_claims_false", asked, CODE) == expected


def test_what_is_expected_is_no_nothing_else() -> None:
    claim = "Nothing else in the repository calls `load`."
    asked = record(expects=[LOAD, ONE, TWO], narrative=claim)
    assert values("repository_claims_false", asked, CODE) == [0.0]


@pytest.mark.parametrize(
    ("narrative", "is_spoken"),
    [
        ("It raises “buffer error”.", True),
        ("It goes on when “is ready path size” holds.", True),
        ("The helper “load” is called.", True),
        ("It raises `BufferError`.", False),
        ("It raises `BufferError`, saying “small buffer”.", False),
        ("It says “Small Buffer”.", False),
        ("It is “good enough” so far.", False),
        ("The “two” of them.", False),
    ],
)
def test_identifiers_are_not_spoken_as_quoted_words(narrative: str, is_spoken: bool) -> None:
    facts = [("`one` raises.", "a.py", 3, 5)]
    asked = record(expects=[ONE], facts=facts, narrative=narrative)
    assert values("identifiers_as_words", asked, CODE) == [float(is_spoken)]


@pytest.mark.parametrize(
    ("fact", "is_told"),
    [
        ("`one` raises `BufferError` with the message “small buffer”.", True),
        ("`one` returns `load()` otherwise.", True),
        ("`load` is called by `one`.", True),
        ("`one` raises `BufferError` if `size > 1`.", False),
        ("`two` calls `load`.", False),
        ("`one` raises `KeyError`.", False),
        ("It gives up with “large buffer size”.", False),
    ],
)
def test_a_fact_is_told_where_its_marks_and_message_stand_together(
    fact: str, is_told: bool
) -> None:
    narrative = "`one` raises `BufferError`, saying “small buffer”. Otherwise it calls `load()`."
    asked = record(expects=[ONE, LOAD, TWO], facts=[fact], narrative=narrative)
    assert values("narratives_tell_all_facts", asked, CODE) == [float(is_told)]
    assert values("facts_told", asked, CODE) == [float(is_told)]


@pytest.mark.parametrize(
    ("first_sentence", "answers"),
    [
        ("No.", True),
        ("Two of them do.", True),
        ("`one` raises `BufferError` when the file is not ready.", True),
        ("The loader raises `BufferError`.", True),
        ("The loader keeps only digits and blanks.", True),
        ("`one` in a.py is what stands behind this.", False),
        ("The flow begins in `one` and goes on through `load`.", False),
        ("Start the review at `one` in a.py and carry it on to `load`.", False),
        ("In general somebody would raise `BufferError`.", False),
    ],
)
def test_the_first_sentence_answers(first_sentence: str, answers: bool) -> None:
    asked = record(
        "When does the loader fail?",
        expects=[ONE, LOAD],
        facts=["`one` raises `BufferError`.", "Only digits, commas and blanks are kept."],
        narrative=f"{first_sentence} That is all.",
    )
    assert values("first_sentence_answers", asked, CODE) == [float(answers)]


def test_to_locate_something_is_answered_by_the_place() -> None:
    place = record(expects=[ONE], narrative="Look at `one`.", task_type="locate")
    other = record(expects=[ONE], narrative="Look around.", task_type="locate")
    assert values("first_sentence_answers", [place, other], CODE) == [1.0, 0.0]


def test_a_narrative_has_80_to_250_words() -> None:
    narratives = [record(narrative="word " * count) for count in (79, 80, 250, 251)]
    assert values("narrative_length_kept", narratives, CODE) == [0.0, 1.0, 1.0, 0.0]
    assert values("narrative_words", narratives, CODE) == [79.0, 80.0, 250.0, 251.0]


@pytest.mark.parametrize(
    ("fact", "narrative", "is_told"),
    [
        # A keyword is no detail: other words say the same.
        (
            "`one` calls `load` outside of any `try`.",
            "`one` catches nothing; it calls `load`.",
            True,
        ),
        # A name is the same with and without quotation marks.
        ('`one` reads `"size"` first.', "It is `one` that reads `size` first.", True),
        ('`one` reads `"size"` first.', "It is `one` that reads `length` first.", False),
        # "It" is whom the sentence before began with.
        ("`one` calls `load`.", "`one` waits. It reads. It calls `load`.", True),
        ("`one` calls `load`.", "`one` waits. `two` reads. It calls `load`.", False),
        # What is said otherwise hangs on the tests before, turned round.
        (
            "`one` returns `b` if `key in table`, unless `late`.",
            (
                "`one` fails when `late`. Otherwise it fails when `key not in table`. Otherwise it "
                "returns `b`."
            ),
            True,
        ),
        (
            "`one` returns `b` if `key in table`, unless `late`.",
            "`one` fails when `late`. It fails when `key not in table`. It returns `b`.",
            False,
        ),
        # Past all checks is where none of them applies.
        (
            "`one` calls `save()` unless `late` or `key not in table`.",
            (
                "`one` raises `KeyError` when `late`. `one` returns `b` when `key not in table`. "
                "`one` waits. Past these checks it calls `save()`."
            ),
            True,
        ),
        (
            "`one` calls `save()` unless `late` or `key not in table`.",
            (
                "`one` waits when `late` and `key not in table`. `one` reads. Past these checks it "
                "calls `save()`."
            ),
            False,
        ),
        # Tests may be told one by one.
        (
            "`one` calls `load` if `a or not b`.",
            "`one` calls `load` if `a`, or `b` is falsy.",
            True,
        ),
        ("`one` calls `load` if `a or not b`.", "`one` calls `load` if `a` is truthy.", False),
        # The same loop is the one that was named last.
        (
            "`one` returns `b` in the loop over `rows` with `row`.",
            "`one` waits in the loop `for row in rows`. It reads. It returns `b` in the same loop.",
            True,
        ),
        (
            "`one` returns `b` in the loop over `rows` with `row`.",
            "`one` waits in the loop `for row in rows`. It reads. It returns `b`.",
            False,
        ),
    ],
)
def test_a_fact_may_be_told_in_other_words(fact: str, narrative: str, is_told: bool) -> None:
    asked = record(expects=[ONE, LOAD, TWO], facts=[fact], narrative=narrative)
    assert values("facts_told", asked, CODE) == [float(is_told)]


@pytest.mark.parametrize(("end", "is_borne"), [(6, True), (3, False)])
def test_a_string_that_stands_nowhere_else_is_looked_for(end: int, is_borne: bool) -> None:
    asked = record(
        expects=[ONE], narrative='The name `"small buffer"` is used in `one` and nowhere else.'
    )
    lines = (FileRange(file="a.py", start=2, end=end),)
    answer = asked.answer.model_copy(update={"expected_line_ranges": lines})
    (found,) = observe("repository_claims", replace(asked, answer=answer), CODE)
    assert found.value == float(not is_borne)


@pytest.mark.parametrize(("end", "is_borne"), [(6, True), (2, False)])
def test_a_call_of_a_library_that_is_made_nowhere_else_is_looked_for(
    end: int, is_borne: bool
) -> None:
    asked = record(
        expects=[ONE],
        narrative="In product code, `paths.is_ready` is called in `one` and nowhere else.",
    )
    lines = (FileRange(file="a.py", start=2, end=end),)
    answer = asked.answer.model_copy(update={"expected_line_ranges": lines})
    (found,) = observe("repository_claims", replace(asked, answer=answer), CODE)
    assert found.value == float(not is_borne)
