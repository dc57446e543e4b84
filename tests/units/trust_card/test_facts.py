"""Facts that say nothing, and must-nots that nobody would say."""

import pytest

from units.trust_card.codebases import observe, record, values

CODE = {
    "a.py": """
        class Box(dict):
            def get(self, key, default=None,
                    size=10):
                if key:
                    return default
                return self[key]
            def put(self, key):
                self[key] = 1
            def find(self, key):
                return key or None
        """
}
BOX = "a.py::Box"


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (("It does what it should.", "a.py", 5), "names nothing"),
        (("`Box.get` checks whether `key` is truthy.", "a.py", 5), "tells a check"),
        (("`Box.get` branches on whether `key` is set for each `x`.", "a.py", 5), "tells a check"),
        (("The parameter `size` of `Box.get` defaults to `10`.", "a.py", 3), "restates"),
        (("`Box.get` has no default for `key`.", "a.py", 2, 3), "restates"),
    ],
)
def test_a_fact_that_says_nothing_is_found(
    fact: tuple[str, str, int] | tuple[str, str, int, int], reason: str
) -> None:
    (found,) = observe("vacuous_facts", record(expects=[BOX], facts=[fact]), CODE)
    assert found.value == 1.0
    assert reason in found.note


@pytest.mark.parametrize(
    "fact",
    [
        ("At most 3 are kept.", "a.py", 5),
        ("It logs “gone”.", "a.py", 5),
        ("`Box.get` checks whether `key` is truthy and returns `default`.", "a.py", 5),
        ("`Box.get` returns `default` if `key`.", "a.py", 5),
        ("`Box` derives from `dict`.", "a.py", 1),
        ("Subclasses have to implement `Box.get`.", "a.py", 2),
        ("`Box.get` returns `default` by default.", "a.py", 2, 5),
        ("`Box.get` is defined in `a.py`.", "a.py", 2),
    ],
)
def test_a_fact_with_a_subject_and_an_outcome_says_something(
    fact: tuple[str, str, int] | tuple[str, str, int, int],
) -> None:
    assert values("vacuous_facts", record(expects=[BOX], facts=[fact]), CODE) == [0.0]


def test_a_signature_answers_a_question_for_a_parameter() -> None:
    fact = ("The parameter `size` of `Box.get` defaults to `10`.", "a.py", 3)
    asked = record("What is the default size?", facts=[fact])
    assert values("vacuous_facts", asked, CODE) == [0.0]


@pytest.mark.parametrize(
    ("falsehood", "is_straw"),
    [
        ("`Box` derives directly from `object`.", True),
        ("`object` is a direct base class of `Box`.", True),
        ("`Box.get` returns `None`.", True),
        ("When `key` is falsy, `Box.get` gives back `True`.", True),
        ("The parameter `key` of `Box.get` defaults to `()`.", True),
        ("`Box.put` returns `None` after a while.", False),
        ("`Box.find` returns `None` when `key` is set.", False),
        ("The parameter `key` of `Box.get` defaults to `None`.", False),
        ("`Box.get` returns `default` when `key` is falsy.", False),
        ("`Box` derives from `list`.", False),
        ("`elsewhere` returns `None`.", False),
    ],
)
def test_a_straw_man_is_what_no_path_and_no_parameter_could_suggest(
    falsehood: str, is_straw: bool
) -> None:
    asked = record(expects=[BOX, f"{BOX}.get"], must_not=[falsehood])
    assert values("straw_men", asked, CODE) == [float(is_straw)]


@pytest.mark.parametrize(
    ("falsehood", "is_mere"),
    [
        ("`f` returns `x` when `a` is falsy.", True),
        ("When `a` is not truthy, `x` is what `f` returns.", True),
        ("`f` returns `y` when `a` is truthy.", False),
        ("`f` returns `x` when `a` is truthy.", False),
        ("It never stops.", False),
    ],
)
def test_a_mere_negation_has_the_marks_of_a_fact_and_one_negation_more(
    falsehood: str, is_mere: bool
) -> None:
    asked = record(facts=["`f` returns `x` when `a` is truthy."], must_not=[falsehood])
    assert values("mere_negations", asked, CODE) == [float(is_mere)]


def test_facts_are_counted_by_record() -> None:
    records = [record(facts=["a", "b", "c"]), record(facts=["a"], query_id="q_2")]
    assert values("facts_per_record", records, CODE) == [3.0, 1.0]
    assert values("enough_facts", records, CODE) == [1.0, 0.0]
