"""Callers, and the order of calls: what is closed, and what nobody can say."""

from pathlib import Path

import pytest

from goldwright.code_reading.call_order import call_sequence
from goldwright.code_reading.callers import called_names, callers_by_name, closed_callers
from goldwright.snapshot import Snapshot, open_snapshot
from units.code_reading.sources import read_function

PATH = "shop.py"


def _open(tmp_path: Path, code: str) -> Snapshot:
    root = tmp_path / "code"
    root.mkdir(parents=True)
    (root / PATH).write_text(code)
    return open_snapshot(root, cache=tmp_path / "cache")


def _callers(tmp_path: Path, code: str, name: str) -> tuple[str, ...] | None:
    found = closed_callers(_open(tmp_path, code), f"{PATH}::{name}", [PATH])
    return None if found is None else tuple(caller.partition("::")[2] for caller in found)


CALLS = """
def pay(): ...

def first():
    pay()
    return pay()

class Till:
    def close(self):
        pay()

def recurse():
    pass
"""


def test_callers_are_functions_and_methods_each_once(tmp_path: Path) -> None:
    callers = _callers(tmp_path, CALLS, "pay") or ()
    assert sorted(callers) == ["Till.close", "first"]


UNREACHED = """
def pay(): ...

def first():
    pay()

def never(till):
    for coin in till:
        {end}
        pay()
"""


@pytest.mark.parametrize("end", ["continue", "break", "return coin", "raise NotImplementedError"])
def test_a_call_that_nothing_reaches_is_neither_made_nor_left_out(tmp_path: Path, end: str) -> None:
    assert _callers(tmp_path / "a", UNREACHED.format(end="print(coin)"), "pay") is not None
    assert _callers(tmp_path / "b", UNREACHED.format(end=end), "pay") is None


@pytest.mark.parametrize(
    "name",
    ['"pay_" + kind', "'pay_%s' % kind", 'f"pay_{kind}"', '"pay_{}".format(kind)'],
)
def test_a_name_that_is_put_together_may_be_called_by_anybody(tmp_path: Path, name: str) -> None:
    code = """
def pay_now(): ...

def give(): ...

def first():
    pay_now()
    give()

def any_way(kind):
    method = {name}
    return getattr(first, method)()
"""
    found = _open(tmp_path, code.replace("{name}", name))

    assert closed_callers(found, f"{PATH}::pay_now", [PATH]) is None
    assert closed_callers(found, f"{PATH}::give", [PATH]) == (f"{PATH}::first",)
    assert callers_by_name(found, "pay_now", [PATH], [f"{PATH}::pay_now"]) is None


@pytest.mark.parametrize(
    ("listing", "is_open"),
    [
        ("for name in dir(shop):", True),
        ("for name, tool in vars(kinds.shop).items():", True),
        ("for name, tool in inspect.getmembers(shop, callable):", True),
        ("for name in shop.__dict__:", True),
        ("for name in dir(other):", False),
        ("for name in self.__dict__:", False),
        ("for name in make_dir(shop):", False),
    ],
)
def test_what_a_module_defines_may_be_called_by_whoever_lists_it(
    tmp_path: Path, listing: str, *, is_open: bool
) -> None:
    code = f"""
def pay(): ...

def first():
    pay()

def every(self):
    {listing}
        yield name
"""
    found = _open(tmp_path, code)
    assert PATH == "shop.py"
    callers = closed_callers(found, f"{PATH}::pay", [PATH])
    assert callers == (None if is_open else (f"{PATH}::first",))


def test_what_nothing_calls_has_an_empty_set_of_callers(tmp_path: Path) -> None:
    assert _callers(tmp_path, f"{CALLS}\ndef idle(): ...\n", "idle") == ()


def test_what_calls_itself_has_no_closed_set_of_callers(tmp_path: Path) -> None:
    """That only others call it would be false to the letter."""
    assert _callers(tmp_path, f"{CALLS}\ndef recurse():\n    recurse()\n", "recurse") is None


@pytest.mark.parametrize(
    "use",
    ["TABLE = {'pay': pay}", "def other(act=pay): ...", "@pay\ndef other(): ...", "pay()"],
    ids=["table", "default", "decorator", "module-level"],
)
def test_where_a_name_is_handed_on_nobody_knows_who_calls_it(tmp_path: Path, use: str) -> None:
    assert _callers(tmp_path, f"{CALLS}\n{use}\n", "pay") is None


ON_AN_OBJECT = """
class Till:
    def {name}(self): ...

def close(till):
    till.{name}()
"""


@pytest.mark.parametrize(
    ("name", "is_closed"), [("count_money", True), ("count", False), ("_count", False)]
)
def test_a_call_on_an_unknown_object_is_sure_only_by_an_unmistakable_name(
    tmp_path: Path, name: str, *, is_closed: bool
) -> None:
    """Two words that nothing else bears; one word may be a method of anything."""
    callers = _callers(tmp_path, ON_AN_OBJECT.replace("{name}", name), f"Till.{name}")
    assert callers == (("close",) if is_closed else None)


def test_a_name_that_two_definitions_bear_is_not_unmistakable(tmp_path: Path) -> None:
    code = ON_AN_OBJECT.replace("{name}", "count_money")
    code += "\nclass Purse:\n    def count_money(self): ...\n"
    assert _callers(tmp_path, code, "Till.count_money") is None


OVERRIDDEN = """
class Till:
    def count_coins(self): ...

class Drawer(Till):
    def count_coins(self):
        return super().count_coins()

def close(till):
    till.count_coins()
"""


def test_callers_of_a_name_are_those_of_all_that_it_means(tmp_path: Path) -> None:
    snapshot = _open(tmp_path, OVERRIDDEN)
    both = [f"{PATH}::Till.count_coins", f"{PATH}::Drawer.count_coins"]
    callers = callers_by_name(snapshot, "count_coins", [PATH], both)
    # What overrides the method and goes on to it is one of them.
    assert set(callers or ()) == {f"{PATH}::Drawer.count_coins", f"{PATH}::close"}
    assert callers_by_name(snapshot, "count_coins", [PATH], both[:1]) is None


def test_a_name_that_is_handed_on_has_no_known_callers(tmp_path: Path) -> None:
    snapshot = _open(tmp_path, f"{OVERRIDDEN}\nCOUNTERS = [Till.count_coins]\n")
    both = [f"{PATH}::Till.count_coins", f"{PATH}::Drawer.count_coins"]
    assert callers_by_name(snapshot, "count_coins", [PATH], both) is None


def test_a_single_word_may_be_a_method_of_anything(tmp_path: Path) -> None:
    """A list counts as well; what the graph resolves is known all the same."""
    code = OVERRIDDEN.replace("count_coins", "count")
    both = [f"{PATH}::Till.count", f"{PATH}::Drawer.count"]
    assert callers_by_name(_open(tmp_path, code), "count", [PATH], both) is None


def test_a_single_word_has_the_callers_that_the_graph_knows(tmp_path: Path) -> None:
    code = """
class Till:
    def count(self): ...

    def close(self):
        self.count()

class Drawer(Till):
    def count(self): ...
"""
    both = [f"{PATH}::Till.count", f"{PATH}::Drawer.count"]
    callers = callers_by_name(_open(tmp_path, code), "count", [PATH], both)
    assert callers == (f"{PATH}::Till.close",)


STEPS = """
def check_stock(): ...
def charge_card(): ...
def send_parcel(): ...
def write_note(): ...
class CardError(Exception): ...

def work(order, items):
"""


def _in_order(tmp_path: Path, body: str) -> tuple[str, ...] | None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    sequence = call_sequence(_open(tmp_path, f"{STEPS}{lines}\n"), f"{PATH}::work")
    return None if sequence is None else sequence.in_order


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("check_stock()\ncharge_card()\ncheck_stock()", ("check_stock", "charge_card")),
        (
            "charge_card()\nif order:\n    check_stock()\nsend_parcel()",
            ("charge_card", "send_parcel"),
        ),
        (
            "check_stock()\nif not order:\n    raise CardError(1)\nsend_parcel()",
            ("check_stock", "send_parcel"),
        ),
        (
            "check_stock()\ntry:\n    items()\nexcept OSError:\n    return\nsend_parcel()",
            ("check_stock", "send_parcel"),
        ),
    ],
)
def test_calls_that_are_made_in_the_same_cases_are_in_order(
    tmp_path: Path, body: str, names: tuple[str, ...]
) -> None:
    assert _in_order(tmp_path, body) == names


@pytest.mark.parametrize(
    "body",
    [
        "charge_card(check_stock())",
        "if order:\n    check_stock()\nsend_parcel()",
        "for item in items:\n    check_stock()\nsend_parcel()",
        "if order:\n    check_stock()\nelse:\n    send_parcel()",
        "if order:\n    check_stock()\n    return\nsend_parcel()",
        "if order and not items:\n    check_stock()\n    return\nsend_parcel()",
        "write_note()\nif order:\n    check_stock()\nelse:\n    send_parcel()",
        "match order:\n    case 1:\n        check_stock()\n    case 2:\n        send_parcel()",
        "try:\n    items()\nexcept OSError:\n    check_stock()\nelse:\n    send_parcel()",
    ],
    ids=[
        "argument",
        "if",
        "loop",
        "else",
        "return",
        "two-tests",
        "behind-another",
        "case",
        "except-else",
    ],
)
def test_calls_of_which_one_is_made_without_the_other_have_no_order(
    tmp_path: Path, body: str
) -> None:
    assert _in_order(tmp_path, body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "return check_stock() if order else send_parcel()",
        "return order and check_stock()",
        "def inner():\n    check_stock()\ninner()",
        "check_stock()\nsuper().work()",
    ],
    ids=["conditional", "and", "inner-function", "inherited"],
)
def test_calls_in_branches_of_an_expression_are_no_steps(tmp_path: Path, body: str) -> None:
    assert _in_order(tmp_path, body) is None


AROUND = """
def work(till):
    try:
        try:
            return till.pay(
                1,
            )
        except (KeyError, OSError):
            till.close()
    except:
        self.reopen()
    total = cls.count()
    total: int = count()
    log(count())
    await wait()
    later = lambda: till.ring()
"""


def test_calls_are_told_with_what_catches_them_and_what_becomes_of_them() -> None:
    calls = {call.name: call for call in called_names(*read_function(AROUND))}
    assert calls["pay"].catches == ("(KeyError, OSError)", "BaseException")
    assert calls["close"].catches == ("BaseException",)
    assert calls["reopen"].catches == ()
    assert (calls["pay"].first, calls["pay"].last, calls["pay"].statement) == (5, 7, 5)
    assert calls["pay"].clauses == (8, 10)
    results = {name: call.result for name, call in calls.items() if name != "count"}
    assert results == {
        "pay": "returned",
        "close": "dropped",
        "reopen": "dropped",
        "log": "dropped",
        "wait": "dropped",
    }
    counts = [
        (call.result, call.reach)
        for call in called_names(*read_function(AROUND))
        if call.name == "count"
    ]
    assert counts == [("assigned", "self"), ("assigned", "name"), ("used", "name")]
    assert [calls[name].reach for name in ("pay", "reopen", "log")] == ["other", "self", "name"]


FOREIGN = """
class Selector:
    def {name}(self, fd): ...


def wait(selector: Selector, fd):
    selector.{name}(fd)


class Server:
    def serve(self):
        self._loop.{name}(self._socket)
"""


@pytest.mark.parametrize("name", ["add_reader", "register"])
def test_a_method_of_the_name_of_a_library_is_not_taken_for_our_own(
    tmp_path: Path, name: str
) -> None:
    assert _callers(tmp_path, FOREIGN.format(name=name), f"Selector.{name}") is None


def test_a_method_that_nothing_else_is_called_like_is_our_own_wherever_it_is_called(
    tmp_path: Path,
) -> None:
    callers = _callers(tmp_path, FOREIGN.format(name="keep_watch"), "Selector.keep_watch")
    assert set(callers or ()) == {"wait", "Server.serve"}
