"""Families and callers: questions for all of them expect all of them."""

import pytest

from units.trust_card.codebases import observe, record, values

STEPS = {
    "steps.py": """
        class Step:
            def create(self): ...
            def stop(self): ...
        class Pool(Step):
            def create(self): ...
        class Timer(Step):
            def create(self): ...
        class Hub(Step): pass
        class Deep(Pool): pass
        """,
    "tests/test_steps.py": "from steps import Step\nclass Stub(Step): pass\n",
}
BASE, POOL, TIMER, HUB = (f"steps.py::{name}" for name in ("Step", "Pool", "Timer", "Hub"))


@pytest.mark.parametrize(
    "query",
    [
        "Do all our steps keep the contract?",
        "Which step deviates from its base class?",
        "Are the steps consistent with one another?",
        "What do the existing steps have in common?",
    ],
)
def test_a_question_for_a_whole_family_wants_every_direct_subclass(query: str) -> None:
    complete = record(query, expects=[BASE, POOL, TIMER, HUB])
    partial = record(query, expects=[BASE, POOL, TIMER])
    assert values("families_complete", [complete, partial], STEPS) == [1.0, 0.0]
    assert values("family_recall", partial, STEPS) == [0.0, 1.0, 1.0]
    (found,) = observe("families_complete", partial, STEPS)
    assert "lacks 1 of 3 classes" in found.note
    assert HUB in found.note


@pytest.mark.parametrize(
    "query",
    [
        "How do I add another step?",
        "Which methods does a new step need?",
        "Which existing steps are the best examples to copy?",
        "Someone mentioned any step. What about it?",
        "Which check is behind the error of a pool?",
    ],
)
def test_a_question_for_the_contract_or_a_few_members_is_no_question_for_all(query: str) -> None:
    assert values("families_complete", record(query, expects=[BASE, POOL]), STEPS) == []


def test_a_question_about_a_method_wants_the_subclasses_that_override_it() -> None:
    asked = record("How do the steps differ in creating?", expects=[BASE, POOL, TIMER])
    assert values("families_complete", asked, STEPS) == [1.0]


def test_where_a_record_goes_deeper_all_descendants_are_wanted() -> None:
    query = "Do all steps agree?"
    deep = record(query, expects=[BASE, POOL, TIMER, HUB, "steps.py::Deep"])
    partial = record(query, expects=[BASE, POOL, "steps.py::Deep"])
    assert values("families_complete", [deep, partial], STEPS) == [1.0, 0.0]


def test_members_may_be_expected_by_their_methods_or_as_alternatives() -> None:
    query = "Do all steps agree?"
    by_method = record(query, expects=[BASE, f"{POOL}.create", f"{TIMER}.create", HUB])
    by_copy = record(query, expects=[BASE, POOL, TIMER], alternatives={TIMER: [HUB]})
    assert values("families_complete", [by_method, by_copy], STEPS) == [1.0, 1.0]


CALLS = {
    "core.py": """
        def load(): ...
        def one(): load()
        def two():
            def inner(): load()
        class Three:
            def go(self): load()
        def other(x): x.load()
        """,
    "tests/test_core.py": "from core import load\ndef test_it(): load()\n",
}
LOAD, ONE, TWO, GO = (f"core.py::{name}" for name in ("load", "one", "two", "Three.go"))


@pytest.mark.parametrize(
    "query",
    [
        "Which callers have to change if loading takes a parameter?",
        "Who calls the code that loads?",
        "Before I change loading: where is it used?",
        "Loading gets a flag: which functions need to hand it down?",
        "Do the callers of loading catch its error?",
        "What else must be threaded through?",
    ],
)
def test_a_question_for_callers_wants_every_sure_one_outside_tests(query: str) -> None:
    complete = record(query, expects=[LOAD, ONE, TWO, GO])
    partial = record(query, expects=[LOAD, ONE])
    assert values("callers_complete", [complete, partial], CALLS) == [1.0, 0.0]
    assert values("caller_recall", partial, CALLS) == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "query",
    [
        "What does loading do?",
        "It writes something global. Who relies on that?",
        "Do callers of it get a normal result although it failed?",
        "Is the error only logged, or do the callers see it?",
        "Which functions take a flag and pass it on?",
        "Through which functions is a flag passed, and where is it used?",
    ],
)
def test_other_questions_want_no_callers(query: str) -> None:
    assert values("callers_complete", record(query, expects=[LOAD, ONE]), CALLS) == []


def test_without_a_sure_caller_there_is_nothing_to_want() -> None:
    asked = record("Who calls it?", expects=[ONE])
    assert values("callers_complete", asked, CALLS) == []


def test_only_the_callers_of_a_primary_entity_are_wanted() -> None:
    texts = {"a.py": "def f(x): x.g()\ndef h(): f(1)\n"}
    asked = record("Who calls it?", expects=["a.py::g", "a.py::f"])
    assert values("callers_complete", asked, texts) == []


@pytest.mark.parametrize("name", ["StepInterface", "AbstractStep", "BaseStep", "StepMixin"])
def test_a_family_is_called_by_the_word_of_its_base_that_means_something(name: str) -> None:
    texts = {"steps.py": STEPS["steps.py"].replace("class Step:", f"class {name}:")}
    texts = {path: text.replace("(Step)", f"({name})") for path, text in texts.items()}
    asked = record("Do all our steps keep the contract?", expects=[f"steps.py::{name}", POOL])
    assert values("families_complete", asked, texts) == [0.0]


NAMED = {
    "core.py": """
        def load(): save()
        def save(): ...
        def one(): load()
        def two(): load()
        def above(): one()
        """,
}


@pytest.mark.parametrize(
    "query",
    [
        "Who calls `load`, and with what?",
        "Where do we call `load`, and when?",
        "When is `load` called, and by which functions?",
        "Which calls break if I add a required parameter to `load`?",
    ],
)
def test_the_callers_are_those_of_what_the_question_names_and_not_of_an_answer(query: str) -> None:
    # `one` is an answer that something calls itself: nobody asked for its callers.
    complete = record(query, expects=["core.py::one", "core.py::two"])
    partial = record(query, expects=["core.py::one"])
    assert values("callers_complete", [complete, partial], NAMED) == [1.0, 0.0]
    (found,) = observe("callers_complete", partial, NAMED)
    assert "callers of core.py::load: core.py::two" in found.note


def test_of_a_name_that_no_file_defines_nobody_guesses_whose_callers_are_wanted() -> None:
    """Its file may be written in newer syntax than that of the interpreter."""
    asked = record("Which functions call `unreadable`?", expects=["core.py::load", "core.py::one"])
    assert values("callers_complete", [asked], NAMED) == []


def test_the_callers_asked_for_are_those_of_what_holds_the_quoted_message() -> None:
    """A step of it may have further callers, which nobody asked for."""
    code = {
        "till.py": """
        def value_of(coin):
            if not read(coin):
                raise ValueError("no coin of ours")
        def read(coin): return coin.face
        def weigh(coin): return read(coin)
        def pay(coin): return value_of(coin)
        """
    }
    asked = record(
        'Walk me through the function that raises "no coin of ours": its callers, and its steps.',
        expects=["till.py::read", "till.py::value_of", "till.py::pay"],
    )
    assert values("callers_complete", asked, code) == [1.0]


def test_who_catches_a_quoted_message_is_asked_for_its_own_callers() -> None:
    code = {
        "till.py": """
        def value_of(coin):
            raise ValueError("no coin of ours")
        def weigh(coin): return value_of(coin)
        def pay(coin):
            try:
                value_of(coin)
            except ValueError:
                return None
        def shop(coin): return pay(coin)
        """
    }
    asked = record(
        'What catches "no coin of ours", and which functions call the one that catches it?',
        expects=["till.py::pay", "till.py::shop", "till.py::value_of"],
    )
    assert values("callers_complete", asked, code) == [1.0]
