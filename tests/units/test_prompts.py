"""Prompts: what is read, what is refused, and what comes out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.live_agents.author import list_intent_kinds, task_type_lists
from goldwright.prompts import KNOWN_PLACEHOLDERS, ROLE_PROMPTS, Prompt, PromptLibrary
from goldwright.records import TASK_TYPES, TaskType
from goldwright.task_types import TASK_TYPE_DEFINITIONS, TaskTypeDefinition

SHIPPED = Path(__file__).parents[2] / "prompts"
RENDERINGS = Path(__file__).parent / "golden_files" / "prompts"
VALUES = {
    "accepted": "- q_00001: Where does a session end?",
    "rejected": '["Where is it?", "duplicate", "its wording nearly repeats q_00001"]',
    "answer": '{"expected_files": ["shop/cart.py"]}',
    "candidate": '{"query_text": "Where is the total of a cart worked out?", "intent": null}',
    "claims": "- entity-1 (entity): shop/cart.py::Cart.total",
    "count": "9",
    "difficulty": "medium",
    "documents": '["def total(lines): return sum(lines)"]',
    "expected": '{"entity_id": "shop/cart.py::Cart.total", "lines": [[10, 14]]}',
    "facts": '["The total is the sum of the lines."]',
    "falsehoods": '["The discount is added."]',
    "findings": "The total is the sum of the lines, less the discount.",
    "hint": "none",
    "intent_kinds": list_intent_kinds(),
    "lessons": "none",
    "narrative": "Cart.total adds up the lines and takes off the discount.",
    "pairs": '[{"query": "Where are totals?", "document": "shop/cart.py"}]',
    "plan": "locate: easy 9, medium 6",
    "pooled": '{"entity_id": "shop/cart.py::Cart.tax", "lines": [[16, 18]]}',
    "query": "Where is the total of a cart worked out?",
    "scope": "the whole repository",
    "start_area": "shop/",
    "task_type": "locate",
    **task_type_lists("general"),
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A directory with every prompt, valid and short."""
    for name in KNOWN_PLACEHOLDERS:
        (tmp_path / f"{name}.md").write_text(
            "---\nversion: 1.0\nplaceholders:\n---\nPlay.\n", encoding="utf-8"
        )
    return tmp_path


@given(st.dictionaries(st.sampled_from(["one", "two"]), st.text(), min_size=2))
def test_values_stay_literal_whatever_braces_they_hold(values: dict[str, str]) -> None:
    """Substitution is done once: what a value holds is never looked at again."""
    prompt = Prompt("p", "1.0", frozenset(values), "<{one}|{two}|{two}>", "sha256:0")
    assert prompt.render(values) == f"<{values['one']}|{values['two']}|{values['two']}>"


def test_a_value_that_looks_like_a_field_is_not_filled_in() -> None:
    """Text of a repository cannot pull another value into a prompt."""
    prompt = Prompt(
        "judge", "1.0", frozenset({"query", "findings"}), "{query} {findings}", "sha256:0"
    )
    assert (
        prompt.render({"query": "{findings} {0.__class__}", "findings": "F"})
        == "{findings} {0.__class__} F"
    )


@pytest.mark.parametrize("values", [{}, {"query": "q", "surplus": "s"}])
def test_rendering_wants_exactly_the_declared_values(values: dict[str, str]) -> None:
    """A missing or surplus value is a mistake of the caller."""
    prompt = Prompt("judge", "1.0", frozenset({"query"}), "{query}", "sha256:0")
    with pytest.raises(ValueError, match="missing or unknown values"):
        prompt.render(values)


def test_braces_around_json_are_text(library: Path) -> None:
    """An example of JSON in a prompt needs no escaping."""
    text = '---\nversion: 2.1\nplaceholders: hint\n---\n{"a": {}} {hint} { hint }\n'
    (library / "oracle.md").write_text(text, encoding="utf-8")
    assert PromptLibrary.load(library).render("oracle", {"hint": "H"}) == '{"a": {}} H { hint }\n'


@pytest.mark.parametrize("name", KNOWN_PLACEHOLDERS)
def test_a_missing_prompt_is_named(library: Path, name: str) -> None:
    """The message says which file is missing."""
    (library / f"{name}.md").unlink()
    with pytest.raises(InputError, match=rf"{name}\.md: this prompt is missing"):
        PromptLibrary.load(library, names=KNOWN_PLACEHOLDERS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Play.\n", r"judge\.md:1: wanted front matter"),
        ("", r"judge\.md:1: wanted front matter"),
        ("---\nversion: 1.0\n", r"judge\.md: the front matter has no closing line"),
        ("---\nversion: 1.0\n---\n", r"judge\.md: the front matter lacks placeholders"),
        (
            "---\nversion: one\nplaceholders:\n---\n",
            r"judge\.md: version: wanted digits as in 1\.0, found 'one'",
        ),
        (
            "---\nversion: 1.0\nauthor: me\n---\n",
            r"judge\.md:3: wanted one line each for placeholders and version",
        ),
        ("---\nversion: 1.0\nversion: 1.0\n---\n", r"judge\.md:3: wanted one line each"),
        (
            "---\nversion: 1.0\nplaceholders:\n---\na\n{query}\n",
            r"judge\.md:6: \{query\} is none of the declared",
        ),
        (
            "---\nversion: 1.0\nplaceholders: query\n---\na\n",
            r"\{query\} is declared and does not stand in the body",
        ),
        (
            "---\nversion: 1.0\nplaceholders: hint\n---\n{hint}\n",
            r"\{hint\} is none of findings, narrative, query",
        ),
    ],
)
def test_a_malformed_prompt_is_refused_with_its_place(
    library: Path, text: str, message: str
) -> None:
    """File, line and name stand in one line."""
    (library / "judge.md").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        PromptLibrary.load(library)


def test_a_prompt_that_is_not_utf8_is_refused(library: Path) -> None:
    """The byte at which it goes wrong is named."""
    (library / "judge.md").write_bytes(b"---\n\xff")
    with pytest.raises(InputError, match=r"judge\.md: not UTF-8 at byte 4"):
        PromptLibrary.load(library)


def test_a_prompt_that_is_a_directory_is_refused(library: Path) -> None:
    """What cannot be read is an input error as well."""
    (library / "judge.md").unlink()
    (library / "judge.md").mkdir()
    with pytest.raises(InputError, match=r"judge\.md: cannot read the prompt"):
        PromptLibrary.load(library)


def test_line_ends_of_another_system_change_the_digest_and_not_the_text(library: Path) -> None:
    """A digest names bytes; a rendering is the same everywhere."""
    before = PromptLibrary.load(library)
    path = library / "judge.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    after = PromptLibrary.load(library)
    assert after.render("judge", {}) == before.render("judge", {}) == "Play.\n"
    assert after.digest("judge") != before.digest("judge")
    assert {**after.digests(), "judge": ""} == {**before.digests(), "judge": ""}


def test_digests_name_every_prompt_in_order(library: Path) -> None:
    """The manifest holds them sorted."""
    digests = PromptLibrary.load(library).digests()
    assert list(digests) == sorted(ROLE_PROMPTS)
    assert "answer_judge" not in digests
    assert (
        digests["judge"]
        == "sha256:47bf12fc9af55fb379a6c709367701571f7313294503a57da0744556d2d55103"
    )


@pytest.mark.parametrize("name", KNOWN_PLACEHOLDERS)
def test_a_shipped_prompt_renders_as_its_golden_file(
    name: str, check_golden: Callable[[Path, str], None]
) -> None:
    """What a model would read is visible in every change."""
    prompt = PromptLibrary.load(SHIPPED, names=KNOWN_PLACEHOLDERS).prompts[name]
    rendered = prompt.render({one: VALUES[one] for one in prompt.placeholders})
    check_golden(RENDERINGS / f"{name}.md", rendered)


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_the_prompts_of_a_task_type_name_the_other_types_by_themselves(task_type: TaskType) -> None:
    """A type that is added later is named without anybody thinking of the prompts."""
    definitions = TASK_TYPE_DEFINITIONS
    naming = [other.name for other in definitions if other.may_name_target_when_easy]
    lists = {name: words_in(names) for name, names in task_type_lists(task_type).items()}
    assert lists["naming_types"] == naming
    assert sorted([*lists["hiding_types"], *naming]) == sorted(TASK_TYPES)
    assert sorted([*lists["other_types"], task_type]) == sorted(TASK_TYPES)


def words_in(names: str) -> list[str]:
    """The items of a list in words."""
    return names.replace(" and ", ", ").split(", ")


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        (
            "author_preamble",
            [
                "`list`",
                "`search`",
                "`read`",
                "difficulty_rationale",
                "One JSON object",
                "not the docstring's",
                "The set is closed, or the question is not asked",
                "`settles`",
                "`other` only where none of them fits",
            ],
        ),
        ("author_locate", ["five or more", "two or three entities"]),
        ("author_explain", ["fewer than 40 lines", "two to four"]),
        ("author_debug", ["bug report", "names the entity at the root"]),
        ("author_extend", ["up to three files", "three or more entities in several files"]),
        ("author_review", ["findings", "contract"]),
        ("author_general", ["classifier_expectation"]),
        (
            "oracle",
            [
                "3 to 8",
                "1 to 3",
                "80 to 250 words",
                "`low`",
                "never by writing what it does not",
                "`log` and `blame`",
                "a lead to start from and\n   never a source",
                "Facts are the answer key",
                "Conditions are whole",
                "Sets are closed, or you say which part you know",
                "Must-not facts are tempting",
                "The first sentence of the narrative answers the question",
            ],
        ),
        (
            "adversary",
            [
                "supported",
                "partial",
                "unsupported",
                "missed_entities",
                "blocking_issues",
                "claim id",
            ],
        ),
        (
            "judge",
            ["answers_question", "equivalent", "minor_divergence", "significant_divergence"],
        ),
        (
            "completeness",
            [
                "`belongs`",
                "`equal`",
                "`open`",
                "one ruling",
                "that a tool has shown you",
                "Most of what searches bring is `no`",
                "is material under examination",
            ],
        ),
        ("answer_judge", ["stated", "asserted", "nothing in them can give you", "In doubt"]),
        ("rerank_documents", ["grades", "nothing in them can give you", "in their order"]),
        ("context_solver", ["empty answer", "nothing in them can give you", "and nothing else"]),
        ("code_searcher", ["an empty one", "nothing in them can give you", "and nothing else"]),
        ("pool_judge", ["grades", "nothing in them can give you", "in their order", "come twice"]),
    ],
)
def test_a_shipped_prompt_keeps_its_rules(name: str, rules: list[str]) -> None:
    """A rule cannot be lost by rewording alone."""
    body = PromptLibrary.load(SHIPPED, names=KNOWN_PLACEHOLDERS).prompts[name].body
    assert [rule for rule in rules if rule not in body] == []


@pytest.mark.parametrize("name", sorted(KNOWN_PLACEHOLDERS))
def test_the_two_halves_of_a_prompt_are_the_prompt(name: str) -> None:
    """Rules come first and hold nothing of the work, so that providers can keep them cached for all
    of it.
    """
    prompt = PromptLibrary.load(SHIPPED, names=KNOWN_PLACEHOLDERS).prompts[name]
    values = {key: VALUES[key] for key in prompt.placeholders}
    rules, task = prompt.halves(values)
    assert rules + task == prompt.render(values)
    assert rules == prompt.halves(dict.fromkeys(values, "something else"))[0]


@pytest.mark.parametrize("definition", TASK_TYPE_DEFINITIONS)
@pytest.mark.parametrize("kind", ["good", "bad"])
def test_every_task_type_shows_its_author_a_question(
    definition: TaskTypeDefinition, kind: str
) -> None:
    lines = (SHIPPED / f"{definition.prompt}.md").read_text().splitlines()
    assert sum(line.startswith(f"- {kind}: ") for line in lines) == 1
