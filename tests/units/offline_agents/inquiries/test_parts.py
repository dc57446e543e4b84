"""Parts of inquiries: verdicts on who copes, what is kept, and what subclasses have to define."""

from pathlib import Path

import pytest

from goldwright.code_reading.error_routes import ErrorStep
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries import caller_coping, steps
from goldwright.offline_agents.inquiries.consequences import of_travelling_along
from goldwright.offline_agents.inquiries.effects import effects_of_call, plain_calls
from goldwright.offline_agents.inquiries.kept_values import fillings, store_of
from goldwright.offline_agents.inquiries.mistaken_functions import (
    MistakenFunction,
    mistaken_function,
)
from goldwright.offline_agents.inquiries.open_methods import are_mandatory, lacks_methods
from goldwright.offline_agents.inquiries.routes import (
    handling_of,
    raised_on,
    steps_of_callers,
    steps_one_call_further,
)
from goldwright.offline_agents.inquiries.surroundings import calls_in
from goldwright.offline_agents.inquiries.swallowed_error import SwallowedError
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.stores_item import StoresItem
from goldwright.snapshot import open_snapshot
from units.code_reading.sources import read_function


def context(root: Path, code: str) -> CodeContext:
    (root / "code").mkdir()
    (root / "code" / "shop.py").write_text(code)
    return CodeContext(open_snapshot(root / "code", cache=root / "cache"))


def step(caller: str, clause: str = "") -> ErrorStep:
    return ErrorStep(f"shop.py::{caller}", "shop.py::pay", clause, 1, 1)


@pytest.mark.parametrize(
    ("passing", "catching", "sentence"),
    [
        (["a"], [], "No, `a` lets it through."),
        (["a", "b"], [], "No, neither `a` nor `b` catches it."),
        (["a", "b", "c"], [], "No, none of `a`, `b` and `c` catches it."),
        ([], ["a"], "Yes, `a` catches it."),
        ([], ["a", "b"], "Yes, `a` and `b` catch it."),
        (["a"], ["b"], "Not everywhere: `b` catches it, but `a` lets it through."),
        (["a", "c"], ["b", "d"], "Not everywhere: `b` and `d` catch it, but `a` and `c` let it"),
    ],
)
def test_the_verdict_counts_who_copes(
    passing: list[str], catching: list[str], sentence: str
) -> None:
    steps = [*map(step, passing), *(step(name, "OSError") for name in catching)]
    assert caller_coping._verdict(steps).startswith(sentence)


@pytest.mark.parametrize(
    ("above", "sentence"),
    [
        ([step("b")], "No, neither the direct callers nor those that call them catch it."),
        ([step("b", "OSError")], "Yes: it passes through `a`, but `b` catches it."),
        (
            [step("b", "OSError"), step("c", "OSError")],
            "Yes: it passes through `a`, but `b` and `c` catch it.",
        ),
        (
            [step("b", "OSError"), step("c")],
            "Not everywhere: it passes through `a`; `b` catches it, but `c` lets it through.",
        ),
        (
            [step("b", "OSError"), step("c"), step("d")],
            "Not everywhere: it passes through `a`; `b` catches it, but `c` and `d` let it",
        ),
    ],
)
def test_the_verdict_goes_on_to_the_callers_of_callers(
    above: list[ErrorStep], sentence: str
) -> None:
    assert caller_coping._verdict_above([step("a")], above).startswith(sentence)


@pytest.mark.parametrize(
    ("body", "stores"),
    [
        ("if k not in P:\n        P[k] = f(k)\n    return P[k]", ["P"]),
        ("if not k in P:\n        P[k] = f(k)\n    return P[k]", ["P"]),
        ("if k not in self.p:\n        self.p[k] = f(k)\n    return self.p[k]", ["self.p"]),
        ("try:\n        return P[k]\n    except KeyError:\n        P[k] = f(k)", ["P"]),
        ("if self.p is None:\n        self.p = f()\n    return self.p", ["self.p"]),
        ("if not self.p:\n        self.p = f()\n    v = self.p\n    return v", ["self.p"]),
        ("if k not in P:\n        P[k] = f(k)\n    return P.get(k)", ["P"]),
        # Worked out with what is kept, each time anew.
        ("if self.p is None:\n        self.p = f()\n    return self.p(k)", []),
        ("if self.p is None:\n        self.p = f()\n    v = g(self.p)\n    return v", []),
        # Not for the first time, not worked out, or not given back.
        ("if k in P:\n        P[k] = f(k)\n    return P[k]", []),
        ("if k:\n        P[k] = f(k)\n    return P[k]", []),
        ("P[k] = f(k)\n    return P[k]", []),
        ("if k not in P:\n        P[k] = k\n    return P[k]", []),
        ("if k not in P:\n        P[k] = f(k)\n    return k", []),
        ("if k not in P:\n        P[k] = f(k)\n    v = k\n    return v", []),
        ("if k not in P:\n        P[k] = f(k)", []),
        ("if p is None:\n        p = f()\n    return p", []),
        ("if k not in a.b.P:\n        a.b.P[k] = f(k)\n    return a.b.P[k]", []),
    ],
)
def test_a_value_is_kept_where_it_is_worked_out_once_and_given_back(
    body: str, stores: list[str]
) -> None:
    module, function = read_function(f"def work(self, k):\n    {body}\n")
    kept_values = fillings(module, "work", function)
    assert [store_of(finding.statement) for finding in kept_values] == stores


def test_only_names_and_own_attributes_are_stores() -> None:
    assert store_of(StoresItem("work", "a.b", "k", "f()", ())) == ""
    assert store_of(Assigned("work", "p", "f()", ())) == ""


OPEN = """
class Till:
    def open(self):
        raise NotImplementedError

    def close(self):
        raise NotImplementedError

    def count(self):
        return 1


class Drawer(Till):
    def open(self):
        return 1

    def close(self):
        return 2
"""


@pytest.mark.parametrize(
    ("addition", "class_name", "mandatory"),
    [
        ("", "Till", True),
        ("class Box(Till):\n    def open(self):\n        return 1", "Till", False),
        ("class Base(Till): ...\n\nclass Box(Base):\n    def open(self): ...", "Till", False),
        ("class Big(Till):\n    def lock(self):\n        raise NotImplementedError", "Big", False),
        ("class Big(Till):\n    def open(self): ...\n    def close(self): ...", "Big", True),
    ],
)
def test_what_every_subclass_defines_is_mandatory(
    tmp_path: Path, addition: str, class_name: str, *, mandatory: bool
) -> None:
    code = context(tmp_path, f"{OPEN}\n{addition}\n")
    methods = ["open", "close"] if class_name == "Till" else ["lock"]
    assert are_mandatory(f"shop.py::{class_name}", methods, code) is mandatory


@pytest.mark.parametrize(
    ("bases", "is_enforced"),
    [("", False), ("(ABC)", True), ("(metaclass=ABCMeta)", True), ("(Shelf)", False)],
)
def test_an_abstract_method_is_mandatory_where_python_minds(
    tmp_path: Path, bases: str, *, is_enforced: bool
) -> None:
    code = (
        "from abc import ABC, ABCMeta, abstractmethod\n\nclass Shelf: ...\n\n"
        f"class Till{bases}:\n    @abstractmethod\n    def open(self): ...\n"
    )
    assert are_mandatory("shop.py::Till", ["open"], context(tmp_path, code)) is is_enforced


@pytest.mark.parametrize(
    ("bases", "body", "lacks"),
    [
        ("", "def open(self): self.ring()", True),
        ("", "def open(self): self.ring()\n    def ring(self): ...", False),
        ("", "ring = print\n    def open(self): self.ring()", False),
        ("", "def open(self, bell):\n        self.ring = bell\n        self.ring()", False),
        ("Bell", "def open(self): self.ring()", False),
        ("ABC", "def open(self): self.ring()", True),
        # A base from elsewhere may have any method.
        ("Bench", "def open(self): self.ring()", False),
    ],
)
def test_a_class_that_calls_what_nobody_defines_lacks_methods(
    tmp_path: Path, bases: str, body: str, *, lacks: bool
) -> None:
    others = "from abc import ABC\nfrom work import Bench\nclass Bell:\n    def ring(self): ...\n"
    code = context(tmp_path, f"{others}class Till({bases}):\n    {body}\n")
    assert lacks_methods("shop.py::Till", code) is lacks


def test_a_class_that_may_refuse_leaves_nothing_open(tmp_path: Path) -> None:
    """It has no subclass; so where its objects are made, or where it does no more than raise."""
    beginning = "from abc import ABC, abstractmethod\n\n"
    abstract = "class Till(ABC):\n    @abstractmethod\n    def open(self): ...\n"
    refusing = "class Till:\n    def open(self):\n        raise NotImplementedError\n"
    made = f"{abstract}\ndef make():\n    return Till()\n"
    for number, (code, mandatory) in enumerate(
        ((abstract, True), (refusing, False), (made, False))
    ):
        root = tmp_path / str(number)
        root.mkdir()
        is_mandatory = are_mandatory("shop.py::Till", ["open"], context(root, beginning + code))
        assert is_mandatory is mandatory


ROUTES = """
class PayError(Exception): ...

def pay(sum):
    if not sum:
        raise PayError("nothing to pay")
    raise UnknownError("what is this")

def buy(sum):
    pay(sum)

def rent(sum):
    try:
        pay(sum)
    except PayError:
        return None

def shop(sum):
    buy(sum)

def visit(sum):
    try:
        buy(sum)
    except Exception:
        return None

def alone(sum):
    try:
        raise PayError("caught at once")
    except PayError:
        return None
"""


def test_an_error_is_followed_to_callers_and_theirs(tmp_path: Path) -> None:
    code = context(tmp_path, ROUTES)
    pay = "shop.py::pay"
    steps = steps_of_callers(code, pay, 6, "PayError")
    assert sorted((taken.caller, taken.clause) for taken in steps) == [
        ("shop.py::buy", ""),
        ("shop.py::rent", "PayError"),
    ]
    further = steps_one_call_further(code, steps, pay, "PayError")
    assert sorted((taken.caller, taken.clause) for taken in further) == [
        ("shop.py::shop", ""),
        ("shop.py::visit", "Exception"),
    ]
    assert steps_of_callers(code, pay, 6, "len") == ()
    assert steps_of_callers(code, "gone.py::pay", 6, "PayError") == ()
    assert steps_of_callers(code, "shop.py::alone", 32, "PayError") == ()
    passing = [taken for taken in further if not taken.clause]
    assert steps_one_call_further(code, passing, pay, "PayError") == (), "nobody calls it"


@pytest.mark.parametrize(
    ("call", "has_steps"),
    [
        ("pay(sum)", True),
        ("pay(12)", False),
        ("pay(0)", True),
        ("if sum:\n        pay(sum)", True),
        ("if sum is not None:\n        pay(sum)", False),
        ("if sum is not None:\n        sum = take()\n        pay(sum)", True),
        ("if sum is not None:\n        pay(sum)\n    pay(sum)", True),
    ],
)
def test_nobody_is_said_to_pass_an_error_on_who_never_meets_it(
    tmp_path: Path, call: str, *, has_steps: bool
) -> None:
    test = "sum is None" if "is not None" in call else "not sum"
    code = context(
        tmp_path,
        "class PayError(Exception): ...\n\n\n"
        f"def pay(sum):\n    if {test}:\n        raise PayError('nothing to pay')\n\n\n"
        f"def buy(sum):\n    {call}\n",
    )
    assert bool(steps_of_callers(code, "shop.py::pay", 6, "PayError")) is has_steps


UNTOLD = """
class PayError(Exception): ...

def pay(sum):
    if not sum:
        raise PayError("nothing to pay")

def rent(sum):
    try:
        pay(sum)
    except PayError:
        raise find_error(sum)(sum) from None
"""


def test_no_handling_is_stated_where_another_error_leaves_of_which_nothing_is_said(
    tmp_path: Path,
) -> None:
    code = context(tmp_path, UNTOLD)
    raised = raised_on(code, "shop.py::pay", 6)
    steps = steps_of_callers(code, "shop.py::pay", 6, "PayError")
    assert raised is not None
    assert [taken.clause for taken in steps] == ["PayError"]
    assert handling_of(code, steps, raised) == ()


def test_what_callers_do_is_stated_and_summed_up(tmp_path: Path) -> None:
    code = context(tmp_path, ROUTES)
    raised = raised_on(code, "shop.py::pay", 6)
    assert raised is not None
    assert raised_on(code, "shop.py::pay", 5) is None
    steps = steps_of_callers(code, "shop.py::pay", 6, "PayError")
    findings = handling_of(code, steps, raised)
    assert {finding.statement.sentence(): len(finding.clauses) for finding in findings} == {
        "A `PayError` out of `pay` passes through `buy` uncaught.": 0,
        "A `PayError` out of `pay` is caught in `rent` by `except PayError`.": 1,
        "`rent` returns `None` after catching `PayError`.": 0,
    }
    fates = [finding for finding in findings if isinstance(finding.statement, CaughtFrom)]
    assert all(finding.elsewhere == (raised.lines,) for finding in fates)


def test_every_value_that_gets_a_name_is_a_step(tmp_path: Path) -> None:
    code = context(
        tmp_path,
        "def checked(order):\n    return order.total > 0\n\n\n"
        "def pay(pay_by, order):\n"
        "    receipt = pay_by(order)\n"
        "    order.receipt = receipt\n"
        "    number = receipt['number']\n"
        "    order.is_right = checked(order)\n"
        "    if not order.is_right:\n"
        "        raise ValueError('the order costs nothing')\n"
        "    return receipt\n",
    )
    derived = steps._steps(code, "shop.py::pay")
    assert derived is not None
    assert derived.are_all
    # What only names a part of a value is one as well: whoever explains leaves nothing out.
    assert [fact.lines.start for fact in derived.effects] == [6, 7, 8, 9, 11, 12]


def test_an_error_that_is_raised_in_the_end_is_not_lost(tmp_path: Path) -> None:
    code = context(
        tmp_path,
        "def find(shops):\n"
        "    for shop in shops:\n"
        "        try:\n"
        "            return shop.find()\n"
        "        except LookupError:\n"
        "            continue\n"
        "    raise LookupError('no shop has it')\n\n\n"
        "def find_quietly(shops):\n"
        "    for shop in shops:\n"
        "        try:\n"
        "            return shop.find()\n"
        "        except LookupError:\n"
        "            continue\n"
        "    raise ValueError('no shop has it')\n",
    )
    module = code.module("shop.py")
    assert module is not None
    inquiry = SwallowedError()
    asked = [lead.subject for lead in inquiry.leads(module) if list(inquiry.questions(lead, code))]
    assert asked == ["shop.py::find_quietly"]


def test_the_function_that_words_bring_first_is_mistaken_for_another(tmp_path: Path) -> None:
    code = context(
        tmp_path,
        "class Copies:\n"
        "    def copy_deep(self):\n"
        "        pass\n\n\n"
        "def deep_copy(tree):\n"
        "    return tree\n\n\n"
        "def clone(tree):\n"
        "    def copy_deep_inside():\n"
        "        return tree\n"
        "    return copy_deep_inside()\n\n\n"
        "def price(basket):\n"
        "    return basket.total\n\n\n"
        "def charge(basket):\n"
        "    return price(basket)\n\n\n"
        "def weigh(basket):\n"
        "    return basket.weight\n\n\n"
        "def measure(basket):\n"
        "    return basket.size\n",
    )
    # What is inside the answer, or only declared, is no other place.
    mistaken = mistaken_function(code, "makes a deep copy", ["shop.py::clone"])
    assert mistaken == MistakenFunction("shop.py::deep_copy", is_likely=False)
    # Who calls it is taken for it sooner.
    mistaken = mistaken_function(code, "sends a deep copy", ["shop.py::price"])
    assert mistaken == MistakenFunction("shop.py::charge", is_likely=True)
    # What no word brings is looked for nearby.
    mistaken = mistaken_function(code, "sends a letter", ["shop.py::measure"])
    assert mistaken == MistakenFunction("shop.py::weigh", is_likely=False)


def test_who_gives_an_argument_first_is_named_where_that_is_known() -> None:
    takers = ["pay", "book"]
    assert "and in those that `buy` makes" in of_travelling_along(takers, ["buy"])
    # Who calls the first of them may leave it out where it has a default value.
    assert of_travelling_along(takers, []).endswith("a place in the calls between them.")


NAMESAKES = """
class Till:
    def close(self, shop):
        return shop

class Door:
    def close(self, shop):
        return shop

def evening(shop):
    till = Till()
    till.close("early")
    door = Door()
    door.close(shop)
"""


def test_a_call_of_another_class_is_no_call_of_a_method(tmp_path: Path) -> None:
    """A reader would be shown a line that proves nothing."""
    code = context(tmp_path, NAMESAKES)
    caller, callee = "shop.py::evening", "shop.py::Till.close"
    assert [lines.start for lines in calls_in(code, caller, callee)] == [12]
    told = [finding.statement.sentence() for finding in plain_calls(code, caller, callee)]
    assert told == ['`evening` runs `till.close("early")`.']
    effects = effects_of_call(code, caller, callee)
    assert all("door" not in finding.statement.sentence() for finding in effects)
