"""The laws of the gate's catalog: every check keeps the promises of its own examples."""

import pkgutil

import pytest

from goldwright.stages.gate import checks, run_gate
from goldwright.stages.gate.check_protocol import Check, GateCase
from goldwright.stages.gate.checks import CHECKS
from goldwright.stages.gate.examples import example

PASSES = [(check, example) for check in CHECKS for example in check.passing_examples()]
FAILS = [(check, example) for check in CHECKS for example in check.failing_examples()]


def _name(value: Check | GateCase) -> str:
    return "example" if isinstance(value, GateCase) else value.code


@pytest.mark.parametrize(("check", "example"), PASSES, ids=_name)
def test_a_check_finds_nothing_in_its_passing_examples(check: Check, example: GateCase) -> None:
    """What a check shows as right, it lets pass."""
    assert list(check.inspect(example)) == []


@pytest.mark.parametrize(("check", "example"), FAILS, ids=_name)
def test_a_check_finds_something_in_each_failing_example(check: Check, example: GateCase) -> None:
    """What a check shows as wrong, it finds, and says where in words."""
    findings = list(check.inspect(example))
    assert findings
    assert all(finding.claim and finding.message for finding in findings)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_every_check_has_examples_of_both_kinds(check: Check) -> None:
    """A check without examples has neither a specification nor a test."""
    assert list(check.passing_examples())
    assert list(check.failing_examples())


def test_every_check_file_stands_in_the_catalog_under_its_own_name() -> None:
    """A forgotten line in the catalog of goldwright.stages.gate.checks would switch a check off."""
    files = {module.name for module in pkgutil.iter_modules(checks.__path__)}
    assert files == {check.code for check in CHECKS}


def test_the_catalog_has_the_codes_of_the_specification_once_each() -> None:
    """Failures are told apart by these codes, in ledgers that outlive the program."""
    assert [check.code for check in CHECKS] == [
        "entity_resolves",
        "file_exists",
        "line_range_valid",
        "evidence_exists",
        "text_unchanged",
        "entity_file_listed",
        "narrative_covered",
        "narrative_names_something",
        "quoted_code_exists",
        "facts_covered",
        "must_nots_covered",
        "rationales_covered",
        "evidence_read",
        "range_in_listed_file",
        "range_touches_entity",
        "answer_shape",
        "answers_question",
    ]


def test_a_good_answer_passes_every_check() -> None:
    """The answer that all examples are made from is right in every respect."""
    good = example()
    assert run_gate(good.answer, good.codebase) == ()
