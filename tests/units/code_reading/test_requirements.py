"""What an answer must settle, by the reason of its question."""

import pytest

from goldwright.code_reading.requirements import BEGINNING, requirements_of
from goldwright.records import FileRange, Intent, IntentKind
from units.code_reading.sources import PATH, CodeInMemory

CODE = """
def work(pot, log):
    if pot is None:
        log.warning("there is no glazed pot on this shelf")
        raise LookupError("nothing to fire: %s" % pot)
    if pot.cracked:
        raise LookupError(pot)
"""


def asked(kind: IntentKind, line: int) -> Intent:
    lines = FileRange(file=PATH, start=line, end=line)
    return Intent(kind=kind, subject=f"{PATH}::work", lines=lines, detail="")


@pytest.mark.parametrize(
    ("line", "what", "names"),
    [
        (4, "the message", {"glazed", "there", "shelf"}),
        (5, "the message", {"nothing", "fire"}),
        (7, "the error", {"LookupError"}),
    ],
)
def test_whoever_asks_for_a_message_wants_to_hear_it(line: int, what: str, names: set[str]) -> None:
    """Which error carries it, and under which conditions, is another question."""
    (requirement,) = (
        requirements_of(asked("message_origin", line), CodeInMemory({PATH: CODE})) or ()
    )
    assert requirement.description == what
    assert requirement.names == names


def test_a_word_in_which_a_long_message_is_cut_is_asked_of_nobody() -> None:
    message = "The kiln needs one of the two glazes to be installed." + " It is dear." * 3
    place = BEGINNING - 4
    code = f'def work(pot):\n    raise ValueError("{"a " * (place // 2)}gigantically {message}")\n'
    found = requirements_of(asked("message_origin", 2), CodeInMemory({PATH: code}))
    assert found is not None
    # Every other word of the beginning is too short to tell anything.
    assert {name for requirement in found for name in requirement.names} == {"ValueError"}


def test_where_no_message_is_the_question_has_no_answer() -> None:
    assert requirements_of(asked("message_origin", 3), CodeInMemory({PATH: CODE})) is None


def test_an_error_is_settled_with_its_whole_condition() -> None:
    requirements = requirements_of(asked("raise_condition", 7), CodeInMemory({PATH: CODE})) or ()
    assert [requirement.names for requirement in requirements] == [
        {"LookupError"},
        {"pot"},
        {"pot", "cracked"},
    ]


@pytest.mark.parametrize(("clause", "names"), [("", set()), (" BaseException", {"BaseException"})])
def test_what_a_clause_names_is_asked_for_and_a_bare_one_names_nothing(
    clause: str, names: set[str]
) -> None:
    code = f"def work(pot):\n    try:\n        pot.fire()\n    except{clause}:\n        pass\n"
    found = requirements_of(asked("swallowed_error", 4), CodeInMemory({PATH: code})) or ()
    assert {name for requirement in found for name in requirement.names} == names
