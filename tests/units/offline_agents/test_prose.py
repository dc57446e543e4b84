"""Narratives: what is written is read back as the same statements, and reads like English."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from goldwright.offline_agents.prose.prose_reading import read_narrative
from goldwright.offline_agents.prose.prose_references import TESTED, with_lead
from goldwright.offline_agents.prose.prose_writing import write_paragraphs, write_prose
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.catalog import DEEDS
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.commented import Commented
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.goes_on import GoesOn
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.module_purpose import ModulePurpose
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import ConditionalStatement, Statement
from goldwright.offline_agents.statements.stored import Stored
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries
from goldwright.path_conditions import Condition, Path, without_implied

OPEN = (Condition("unless", "shop.is_open"),)
BUSY = (Condition("if", "queue"), Condition("if", "len(queue) > 3"), Condition("unless", "staff"))
CAUGHT = (*BUSY, Condition("except", "OSError"), Condition("for", "queue", "person"))
# What each kind of deed says in its own examples: a new kind is written and read with the others.
DEED_EXAMPLES: Sequence[Deed] = [
    deed
    for kind in DEEDS
    for example in kind.examples
    for sentence in example.holds
    if (deed := kind.read(sentence)) is not None
]

_functions = st.sampled_from(("pay", "Shop.pay"))
CLOSED = (Condition("if", "shop.is_open"),)
# Each goes on where the tests before it come out the other way.
CHAIN: tuple[Path, ...] = (
    (*CLOSED, Condition("if", "queue")),
    (*CLOSED, Condition("unless", "queue")),
    (*CLOSED, Condition("unless", "queue"), Condition("for", "staff", "person")),
    (*CLOSED, Condition("unless", "queue"), Condition("if", "till")),
    (*CLOSED, Condition("unless", "queue"), Condition("unless", "till")),
)
ROUND = (Condition("for", "staff", "person"),)
# What is done in a loop goes on there; what is turned round is two tests at once, and then one.
ROUNDS: tuple[Path, ...] = (
    (*ROUND, Condition("if", "person.is_in"), Condition("if", "queue")),
    (*ROUND, Condition("unless", "person.is_in and queue"), Condition("if", "queue")),
    (*ROUND, Condition("unless", "person.is_in and queue"), Condition("unless", "queue")),
)
_paths: st.SearchStrategy[Path] = st.sampled_from(((), OPEN, CLOSED, BUSY, CAUGHT, *CHAIN, *ROUNDS))
_codes = st.sampled_from(("total", "a and b", "till.take(x, y)", "take(x) + take(y)", "1, 2"))
_messages = st.sampled_from(("no money", "closed, and then some"))
_deeds = st.builds(
    lambda deed, function, path: replace(deed, function=function, path=path),
    st.sampled_from(DEED_EXAMPLES),
    _functions,
    _paths,
)
_statements = st.one_of(
    _deeds,
    st.builds(Assigned, _functions, st.just("self.sum"), _codes, _paths),
    st.builds(Stored, _functions, _codes, st.just('bill["sum"]'), _paths),
    st.builds(Runs, _functions, _codes, _paths),
    st.builds(Passes, _functions, _codes, st.just("Bill"), st.just("due"), _paths),
    st.builds(Raises, _functions, st.just("ValueError"), st.one_of(st.just(""), _messages), _paths),
    st.builds(Returned, _functions, _codes, _paths),
    st.builds(Logs, _functions, _messages, st.just("warning"), _paths),
    st.builds(OnlyCallers, st.just("ring"), st.sampled_from((("pay",), ("pay", "refund")))),
    st.builds(
        CaughtFrom,
        st.sampled_from(("pay", "refund")),
        st.just("ring"),
        st.just("Sold"),
        st.sampled_from(("", "KeyError")),
    ),
    st.builds(Described, _functions, _messages),
    st.builds(Commented, _functions, st.just("total += 1"), _messages),
    st.builds(OnlyHolder, _functions, _messages),
    st.builds(OnlySubclasses, st.just("Shop"), st.sampled_from((("Bar",), ("Bar", "Deli")))),
    st.builds(
        OverriddenBy,
        st.just("Shop"),
        st.sampled_from(("open", "close")),
        st.sampled_from((("Bar",), ("Bar", "Deli"))),
        st.just(True),
    ),
    st.builds(MustDefine, st.just("Shop"), st.sampled_from(("open", "close")), st.just("abstract")),
    st.builds(MayDefine, st.just("Shop"), st.sampled_from(("open", "close"))),
    st.builds(
        ParameterDefault, _functions, st.sampled_from(("due", "sum")), st.sampled_from(("0", "[]"))
    ),
    st.builds(CallHandling, st.sampled_from(("pay", "refund")), st.just("ring"), st.just("")),
)


def write(*statements: Statement) -> str:
    return " ".join(write_prose(statements))


@given(st.lists(_statements, max_size=6, unique=True))
def test_a_narrative_says_what_it_was_written_from(statements: Sequence[Statement]) -> None:
    """Joined sentences, conditions that are referred back to and pronouns included."""
    read = [statement for _, statement in read_narrative(write(*statements), {"pay", "Shop.pay"})]
    assert in_any_order(read) == in_any_order(statements)


def in_any_order(statements: Iterable[Statement]) -> list[Statement]:
    """The statements with the fates of one error, which a sentence joins by kind, sorted."""
    sorted_tests = map(with_sorted_tests, statements)
    runs = groupby(sorted_tests, key=lambda statement: isinstance(statement, CaughtFrom))
    return [
        statement
        for is_fate, run in runs
        for statement in (sorted(run, key=repr) if is_fate else run)
    ]


def with_sorted_tests(statement: Any) -> Statement:
    """The statement with its tests, which a sentence may state in any order, in one order.

    Without those that go without saying beside the others: behind "otherwise" they may be unsaid.
    """
    changed: Statement = statement
    if isinstance(statement, ConditionalStatement):
        path: Path = without_implied(statement.path)
        circumstances = [test for test in path if test.kind not in {"if", "unless"}]
        tests = [test for test in path if test not in circumstances]
        tests.sort(key=lambda test: (test.kind, test.code))
        deed: Any = statement
        changed = replace(deed, path=(*circumstances, *tests))
    return changed


def test_conditions_are_said_once_where_several_things_follow_from_them() -> None:
    narrative = write(
        Logs("pay", "nobody there", "warning", OPEN),
        Assigned("pay", "total", "0", OPEN),
        Returned("pay", "None", OPEN),
    )
    assert narrative == (
        "`pay` logs “nobody there” as `warning` when `shop.is_open` is falsy. "
        "Under the same condition it sets `total` to `0` and returns `None`."
    )


def test_what_needs_no_condition_is_one_sentence() -> None:
    narrative = write(Assigned("pay", "total", "0", ()), Runs("pay", "ring()", ()))
    assert narrative == "`pay` sets `total` to `0` and calls `ring()`."


def test_what_must_hold_is_said_before_what_must_not() -> None:
    assert write(Returned("pay", "total", BUSY)) == (
        "`pay` returns `total` when `queue` is truthy, `len(queue)` exceeds `3` and `staff` is "
        "falsy."
    )


def test_a_single_method_is_left_as_it_is() -> None:
    one = MayDefine("Shop", "open")
    assert write(one) == "A subclass of `Shop` can leave `open` as it is."
    both = write(one, MayDefine("Shop", "close"))
    assert both == "A subclass of `Shop` can leave `open` and `close` as they are."


def test_signatures_stand_in_one_sentence() -> None:
    assert write(Takes("pay", ("sum",)), Takes("refund", ("sum", "reason"))) == (
        "`pay` takes the parameter `sum` and no others; "
        "`refund` takes the parameters `sum` and `reason` and no others."
    )


def test_conditions_behind_several_things_are_not_believed() -> None:
    """Nobody knows whether they are meant for the last of them alone."""
    sentence = "`pay` sets `total` to `0` and returns `None` when `queue`."
    assert list(read_narrative(sentence)) == []


def test_files_are_told_in_one_sentence() -> None:
    narrative = write(
        DefinedIn("pay", "till.py"), DefinedIn("Shop", "shop.py"), DefinedIn("refund", "till.py")
    )
    assert narrative == "`pay` and `refund` are in `till.py` and `Shop` in `shop.py`."


def test_methods_of_the_same_subclasses_are_told_together() -> None:
    both = ("FileStore", "Cache")
    narrative = write(
        OverriddenBy("Store", "load", both, True),
        OverriddenBy("Store", "save", both, True),
        OverriddenBy("Store", "drop", ("Cache",), False),
    )
    assert narrative == (
        "Every direct subclass of `Store` defines `load` and `save`: `FileStore` and `Cache`. Of "
        "the direct subclasses of `Store`, only `Cache` defines `drop`."
    )


def test_what_stands_under_the_conditions_of_the_opening_goes_without_them() -> None:
    opened = Raises("Shop.pay", "ValueError", "closed", BUSY)
    sentences = write_prose(
        [Returned("Shop.pay", "None", BUSY), Runs("Shop.pay", "ring()", ())], opened, "Shop.pay"
    )
    assert list(sentences) == [
        "Under the same conditions it returns `None`.",
        "It calls `ring()`.",
    ]


def test_what_follows_from_the_opposite_is_said_with_otherwise() -> None:
    narrative = write(
        Raises("pay", "ValueError", "closed", OPEN),
        Returned("pay", "0", CHAIN[0]),
        Returned("pay", "total", CHAIN[1]),
    )
    assert narrative == (
        "`pay` raises `ValueError` (“closed”) when `shop.is_open` is falsy. "
        "Otherwise it returns `0` when `queue` is truthy. Otherwise it returns `total`."
    )


def test_a_case_is_not_turned_round_with_otherwise() -> None:
    """It is said like a test, so that "otherwise" would hold for the other cases as well."""
    coin = Condition("case", "coin.kind", "Kind.GOLD")
    narrative = write(
        Raises("pay", "ValueError", "closed", (coin, *OPEN)),
        Returned("pay", "0", (coin, *CLOSED)),
    )
    assert "therwise" not in narrative
    assert narrative.count("Kind.GOLD") == 2


def test_behind_checks_that_were_told_their_conditions_are_not_said_again() -> None:
    guards = (
        Raises("pay", "ValueError", "closed", OPEN),
        Returned("pay", "0", CHAIN[0]),
    )
    deeds = (
        Runs("pay", "ring()", CHAIN[3]),
        Assigned("pay", "due", "total", CHAIN[1]),
        Returned("pay", "due", CHAIN[4]),
    )
    assert list(write_prose([*guards, *deeds]))[2:] == [
        "Otherwise it calls `ring()` when `till` is truthy.",
        "It sets `due` to `total` when `shop.is_open` and not `queue`.",
        "Past these checks it returns `due` when `till` is falsy.",
    ]
    # One check, and a deed in between that leaves nothing.
    plain = Runs("pay", "ring()", ())
    assert list(write_prose([guards[0], plain, Runs("pay", "lock()", CLOSED)]))[1:] == [
        "It calls `ring()`.",
        "Past that check it calls `lock()`.",
    ]
    # What another function checks is no check of this one.
    others = replace(guards[0], function="refund")
    assert list(write_prose([others, Runs("pay", "lock()", CLOSED)]))[1:] == [
        "`pay` calls `lock()` when `shop.is_open` is truthy."
    ]


def test_a_loop_that_was_just_named_is_the_same_loop() -> None:
    first, second, third = (Runs("pay", f"ring({number})", ROUNDS[number]) for number in range(3))
    others = Runs("refund", "ring()", ROUNDS[0])
    when = "for each `person` in `staff`, when `person.is_in` and `queue` are truthy."
    assert list(write_prose([first, others])) == [
        f"`pay` calls `ring(0)` {when}",
        f"`refund` calls `ring()` {when}",
    ]
    assert list(write_prose([first, second, third]))[1:] == [
        "Otherwise it calls `ring(1)` when `queue` is truthy.",
        "Otherwise it calls `ring(2)`.",
    ]
    late = Runs("pay", "ring()", (*ROUND, Condition("if", "late")))
    assert list(write_prose([first, late]))[1:] == [
        "It calls `ring()` in the same loop, when `late` is truthy."
    ]


def test_callers_and_what_they_do_with_the_error_are_one_sentence() -> None:
    narrative = write(
        OnlyCallers("take", ("pay", "rent")),
        CaughtFrom("pay", "take", "Sold", ""),
        CaughtFrom("rent", "take", "Sold", ""),
    )
    assert narrative == (
        "In product code only `pay` and `rent` call `take`, and neither of them catches the `Sold`."
    )


def test_callers_who_differ_in_what_they_catch_are_told_apart() -> None:
    callers = OnlyCallers("take", ("pay", "rent", "lend", "sell"))
    narrative = write(
        callers,
        CaughtFrom("pay", "take", "Sold", ""),
        CaughtFrom("rent", "take", "Sold", "KeyError"),
        CaughtFrom("lend", "take", "Sold", "(Sold, OSError)"),
        CaughtFrom("sell", "take", "Sold", "KeyError"),
    )
    assert narrative == (
        "In product code only `pay`, `rent`, `lend` and `sell` call `take`: `rent` and `sell` "
        "catch the `Sold` with `except KeyError` and `lend` catches the `Sold` with "
        "`except (Sold, OSError)`, but `pay` lets it through."
    )
    read = [statement for _, statement in read_narrative(f"Not everywhere: i{narrative[1:]}")]
    fates = {(fate.caller, fate.clause) for fate in read if isinstance(fate, CaughtFrom)}
    assert read[0] == callers
    assert fates == {
        ("pay", ""),
        ("rent", "KeyError"),
        ("sell", "KeyError"),
        ("lend", "(Sold, OSError)"),
    }


def test_what_each_subclass_overrides_is_one_sentence() -> None:
    overrides = [Overrides("File", "Store", ("load", "save")), Overrides("Web", "Store", ("load",))]
    narrative = write(*overrides)
    assert narrative == (
        "Of the methods that `Store` defines, `File` overrides `load` and `save` and no others; "
        "`Web` overrides `load` and no other."
    )
    assert [statement for _, statement in read_narrative(narrative)] == overrides


def test_tested_values_say_so_and_are_read_as_what_sets_them() -> None:
    source = Assigned("pay", "queue", "shop.queue()", ())
    (sentence,) = write_paragraphs([(TESTED, [source])])
    assert sentence == "`pay` takes the tested `queue` from `shop.queue()`."
    assert [statement for _, statement in read_narrative(sentence)] == [source]


def test_docstrings_of_one_name_and_its_module_follow_one_another() -> None:
    statements = [Described("pay", "Pay"), ModulePurpose("pay", "Tills"), Runs("pay", "f()", ())]
    narrative = write(*statements)
    assert narrative == (
        "The docstring of `pay` says “Pay”. Its module is described as “Tills”. `pay` calls `f()`."
    )
    assert [statement for _, statement in read_narrative(narrative)] == statements


def test_the_verdict_on_a_handled_error_is_read_back() -> None:
    handles = Handles("pay", "KeyError", "returned", "None")
    tries = Tries("pay", "KeyError", ("take()", "give()"))
    sentence = "Yes: `pay` in `till.py` catches `KeyError` and returns `None`."
    assert [statement for _, statement in read_narrative(sentence)] == [handles]
    sentence = sentence.replace("`KeyError`", "`KeyError` only around `take()` and `give()`")
    assert [statement for _, statement in read_narrative(sentence)] == [handles, tries]


def test_the_verdict_says_that_the_loop_goes_on() -> None:
    sentence = (
        "It is only logged: `pay` in `till.py` catches `KeyError` only around `take()`, and goes "
        "on with the next turn of the loop `for coin in purse`."
    )
    for verdict in (sentence, sentence.replace("It is", "Yes, it is", 1)):
        assert [statement for _, statement in read_narrative(verdict)] == [
            Handles("pay", "KeyError", "logged", ""),
            Tries("pay", "KeyError", ("take()",)),
            GoesOn("pay", "KeyError", "for coin in purse", has_next_turn=True),
        ]


def test_callers_that_an_error_passes_through_are_told_together() -> None:
    narrative = write(
        CaughtFrom("pay", "take", "Sold", ""),
        CaughtFrom("rent", "take", "Sold", ""),
        CaughtFrom("lend", "take", "Sold", "KeyError"),
    )
    assert narrative == (
        "A `Sold` out of `take` passes through `pay` and `rent` uncaught. "
        "A `Sold` out of `take` is caught in `lend` by `except KeyError`."
    )


def test_a_lead_takes_the_capital_of_a_word_and_leaves_code_as_it_is() -> None:
    assert with_lead("Further up,", "It returns.") == "Further up, it returns."
    assert with_lead("Further up,", "`Till` returns.") == "Further up, `Till` returns."
    assert with_lead("", "It returns.") == "It returns."
