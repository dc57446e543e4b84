"""What questions give away, how they open, and how hard they are to search for."""

from collections.abc import Mapping
from typing import get_args

import pytest

from goldwright.records import TaskType
from goldwright.task_types import definition_of
from goldwright.trust_card.figures.questions import question_kind
from goldwright.trust_card.material import AnsweredQuery
from units.trust_card.codebases import observe, record, values

CODE = {
    "app/cookies.py": '''
        def parse_cookie(text):
            """Read the jar of biscuits."""
            return split(text)

        def make_content_range(length):
            return length

        class HTTPServer:
            def serve(self):
                """Hand out the biscuits."""
        ''',
    "tests/test_cookies.py": "def test_parse_cookie(): pass\n",
}
PARSE = "app/cookies.py::parse_cookie"
SERVER = "app/cookies.py::HTTPServer"


@pytest.mark.parametrize(
    ("query", "leaks"),
    [
        ("Where do we parse a cookie?", True),
        ("Where do we parse cookies?", True),
        ("What does parse_cookie do?", True),
        ("Where do we parse a tasty cookie?", False),
        ("Where is the cookie that we parse?", False),
        ("Where is the cookie read?", False),
    ],
)
def test_a_question_leaks_an_identifier_whose_words_stand_in_order(query: str, leaks: bool) -> None:
    assert values("identifier_words_in_query", record(query, expects=[PARSE]), CODE) == [leaks]


def test_identifiers_of_one_word_and_questions_that_may_name_theirs_leak_nothing() -> None:
    serve = record("Where do we serve?", expects=[f"{SERVER}.serve"])
    assert values("identifier_words_in_query", serve, CODE) == [0.0]
    query = "What does the HTTP server do?"
    for task_type in get_args(TaskType):
        may_name_it = definition_of(task_type).may_name_target_when_easy
        easy = record(query, expects=[SERVER], difficulty="easy", task_type=task_type)
        found = values("identifier_words_in_query", easy, CODE)
        assert found == ([] if may_name_it else [1.0])
        hard = record(query, expects=[SERVER], difficulty="hard", task_type=task_type)
        assert values("identifier_words_in_query", hard, CODE) == [1.0]


def test_targets_with_docstrings_are_compared_with_all_code_outside_tests() -> None:
    records = [record(expects=[PARSE]), record(expects=[SERVER])]
    observations = observe("documented_targets", records, CODE)
    assert [(one.value, one.expected) for one in observations] == [(1.0, 0.5), (0.0, 0.5)]


def test_a_question_in_the_words_of_a_docstring_gains_by_it() -> None:
    by_docstring = record("Where is the jar of biscuits?", expects=[PARSE])
    by_code = record("Where is the content range?", expects=["app/cookies.py::make_content_range"])
    assert values("docstring_first", [by_docstring, by_code], CODE) == [1.0, 0.0]
    gained, none = values("docstring_gain", [by_docstring, by_code], CODE)
    assert gained == 1.0
    assert none == 0.0


def test_the_tiers_are_scored_by_the_best_target_alone() -> None:
    asked = record(
        "Where is the content range?", expects=[SERVER, "app/cookies.py::make_content_range"]
    )
    (found,) = observe("tiers_ordered", asked, CODE)
    assert (found.group, found.value) == ("explain/medium", 1.0)


def test_the_overlap_counts_the_words_of_the_question() -> None:
    asked = record("Which cookies hold biscuits?", expects=[PARSE])
    assert values("overlap_with_docstring", asked, CODE) == [1 / 3]
    assert values("overlap_with_name", asked, CODE) == [1 / 3]
    assert values("overlap_with_path", asked, CODE) == [1 / 3]
    assert values("overlap_with_docstring", record(expects=[SERVER]), CODE) == []
    assert values("overlap_with_name", record("What is it?", expects=[SERVER]), CODE) == []
    assert values("overlap_with_name", record(asked.query), CODE) == []


def of(queries: list[str]) -> list[AnsweredQuery]:
    """Records that ask these questions."""
    return [record(query, query_id=f"q_{place}") for place, query in enumerate(queries)]


NOTHING: Mapping[str, str] = {}


def test_repeated_questions_are_found_by_their_words_and_by_their_stems() -> None:
    records = of(
        [
            "Where do we parse the cookie header?",
            "where do we parse the cookie header",
            "Where are cookie headers parsed?",
            "Where do we write the cookie header?",
        ]
    )
    assert values("duplicate_queries", records, NOTHING) == [0.0, 1.0, 0.0, 0.0]
    assert values("near_duplicate_queries", records, NOTHING) == [0.0, 1.0, 1.0, 0.0]


def test_an_opening_is_distinct_when_no_earlier_question_has_it() -> None:
    records = of(["Where do we stop?", "Where do we go?", "How do we go?"])
    assert values("distinct_openings", records, NOTHING) == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("Why does it fail?", "why"),
        ("It fails when I start it. What is wrong?", "what"),
        ("When we start it, which check fails?", "which"),
        ("When does it fail?", "when"),
        ("My script dies. Under which condition does that happen?", "when"),
        ("In which file do we start?", "which"),
        ("If I stop where we load, what would I step through?", "what"),
        ("Starting where we write, where does it go?", "where"),
        ("Loading - how is that done?", "how"),
        ("Could you tell me who calls it?", "who"),
        ("Does it fail?", ""),
        ("Show me what fails.", ""),
    ],
)
def test_a_question_asks_with_the_word_of_its_main_clause(query: str, kind: str) -> None:
    assert question_kind(query) == kind
    if kind:
        assert values(f"questions_{kind}", record(query), NOTHING) == [1.0]
