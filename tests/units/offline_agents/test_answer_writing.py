"""Answers as records hold them: whole keys, narratives without padding, places that bear out."""

from pathlib import Path

import pytest

from goldwright.code_blocks import code_blocks
from goldwright.offline_agents.answer_limits import FEWEST_WORDS, MOST_FACTS
from goldwright.offline_agents.answers.answer_writing import WrittenAnswer, write_answer
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.inquiry import AnswerPart, AnswerPlan
from goldwright.offline_agents.inquiries.surroundings import find_statements, place_of
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.snapshot import open_snapshot

LINES = [f"    step_{number} = plan.step({number})" for number in range(MOST_FACTS + 1)]
CODE = "\n".join(
    [
        "def fire(pot, heat, plan=None, color='red'):",
        '    """Fire a pot."""',
        *LINES,
        "    glaze = color.upper()",
        "    kiln = find_kiln(heat)",
        "    if kiln is None:",
        "        raise LookupError('no kiln is free')",
        "    try:",
        "        kiln.open()",
        "    except OSError:",
        "        pass",
        "    try:",
        "        kiln.close()",
        "    except OSError:",
        "        pass",
        "    return kiln",
    ]
)
FIRE = "kiln.py::fire"


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> CodeContext:
    root: Path = tmp_path_factory.mktemp("pottery")
    (root / "kiln.py").write_text(CODE)
    return CodeContext(open_snapshot(root, cache=tmp_path_factory.mktemp("cache")))


def write(
    code: CodeContext, *facts: Finding, opening: str = "It stops.", told: int = 0
) -> WrittenAnswer | None:
    parts = (AnswerPart(FIRE, "primary", "`fire` is it."),)
    return write_answer(AnswerPlan(parts, opening, facts, said_in_opening=told), code)


def raised(code: CodeContext) -> list[Finding]:
    return list(find_statements(code, FIRE, (Raises,)))


def steps(code: CodeContext) -> list[Finding]:
    return list(find_statements(code, FIRE, (Assigned,)))


def test_an_answer_that_would_be_cut_is_none(code: CodeContext) -> None:
    facts = [*raised(code), *steps(code)]
    assert len(facts) > MOST_FACTS
    assert write(code, *facts) is None
    assert write(code, *facts[:MOST_FACTS]) is not None


def test_a_narrative_quotes_the_lines_of_its_facts_and_those_around_them(
    code: CodeContext,
) -> None:
    """The lines around the error in one block, and as many more as words are wanted."""
    ignored = list(find_statements(code, FIRE, (Handles,)))[:1]
    written = write(code, *raised(code), *place_of(code, FIRE), *ignored)
    assert written is not None
    assert len(written.narrative.split()) >= FEWEST_WORDS
    block = next(code_blocks(written.narrative))
    assert block[0] == "def fire(pot, heat, plan=None, color='red'):"
    error = block.index("    if kiln is None:")
    assert block[error - 1 : error + 2] == (
        "    kiln = find_kiln(heat)",
        "    if kiln is None:",
        "        raise LookupError('no kiln is free')",
    )
    # What stands in the block is not read aloud as well.
    assert "sets `kiln` to" not in written.narrative
    # What the function does further down is shown, where words are wanted, and not spoken of.
    assert "    return kiln" in block


def test_that_a_parameter_has_no_default_is_told_to_nobody(code: CodeContext) -> None:
    written = write(code, *raised(code), *list(steps(code))[:2])
    assert written is not None
    assert "must be given" not in written.narrative


def test_a_file_that_the_opening_names_is_not_told_again(code: CodeContext) -> None:
    facts = (*raised(code), *place_of(code, FIRE), *list(steps(code))[:1])
    again = write(code, *facts)
    once = write(code, *facts, opening="It is `fire` in `kiln.py` that stops.")
    assert again is not None
    assert once is not None
    assert again.narrative.count("`kiln.py`") == once.narrative.count("`kiln.py`") == 1
    assert len(once.facts) == len(again.facts)


def test_a_fact_cites_every_place_that_bears_it_out(code: CodeContext) -> None:
    """Two clauses do the same, and whoever checks may find either."""
    ignored = next(find_statements(code, FIRE, (Handles,)))
    written = write(code, ignored, *raised(code), *list(steps(code))[:1])
    assert written is not None
    starts = [lines.start for lines in written.facts[0].cited_lines()]
    assert starts == [n for n, line in enumerate(CODE.split("\n"), 1) if "except OSError" in line]


def test_functions_of_one_name_in_two_files_are_not_told_together(code: CodeContext) -> None:
    facts = (*raised(code), *place_of(code, FIRE), *list(steps(code))[:1])
    both = (
        AnswerPart(FIRE, "primary", "`fire` is it."),
        AnswerPart("oven.py::fire", "supporting", "`fire` is it, too."),
    )
    assert write_answer(AnswerPlan(both[:1], "It stops.", facts), code) is not None
    assert write_answer(AnswerPlan(both, "It stops.", facts), code) is None


def test_an_entity_that_no_fact_speaks_of_is_not_expected(code: CodeContext) -> None:
    facts = (*raised(code), *place_of(code, FIRE), *list(steps(code))[:1])
    parts = (
        AnswerPart(FIRE, "primary", "`fire` is it."),
        AnswerPart("kiln.py::glaze_all", "supporting", "`glaze_all` calls it."),
    )
    assert write_answer(AnswerPlan(parts[:1], "It stops.", facts), code) is not None
    assert write_answer(AnswerPlan(parts, "It stops.", facts), code) is None


@pytest.mark.parametrize(("otherwise", "is_asked"), [("kiln.is_hot = True", False), ("pass", True)])
def test_what_both_sides_of_a_test_do_is_not_told_of_one(
    tmp_path: Path, otherwise: str, *, is_asked: bool
) -> None:
    lines = [
        "def heat(kiln, fuel):",
        "    if kiln.is_open:",
        "        kiln.is_hot = True",
        "        kiln.draw(fuel)",
        "    else:",
        f"        {otherwise}",
        "    if fuel is None:",
        "        raise LookupError('there is no fuel for the kiln any more')",
        "    return kiln",
    ]
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "heat.py").write_text("\n".join(lines))
    code = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    subject = "heat.py::heat"
    hot = [
        finding
        for finding in find_statements(code, subject, (Assigned,))
        if finding.lines.start == 3  # the line above
    ]
    facts = (*find_statements(code, subject, (Raises,)), *place_of(code, subject), *hot)
    parts = (AnswerPart(subject, "primary", "`heat` is it."),)
    # As long as an answer has to be.
    words = "It says what the docstring of every function of the pottery says of itself. " * 6
    answer = write_answer(AnswerPlan(parts, words, facts, said_in_opening=0), code)
    assert len(hot) == 1
    assert (answer is not None) is is_asked
