"""Tables, literals, messages, hooks and names: small readings that closed sets rest on."""

import ast
from pathlib import Path

import pytest

from goldwright.code_reading.comments import comments_of, first_line
from goldwright.code_reading.contracts import (
    abstract_reason,
    assigned_names,
    base_names,
    closed_subclasses,
    does_nothing,
    methods_of,
)
from goldwright.code_reading.given_names import names_given, names_in
from goldwright.code_reading.literal_uses import (
    closed_literal_uses,
    has_other_spelling,
    is_quoted,
    literals_in,
)
from goldwright.code_reading.log_calls import log_sites
from goldwright.code_reading.message_places import places_of_message, stand_in_order
from goldwright.code_reading.modules import open_function, open_module
from goldwright.code_reading.requirements import MOST_CALLERS, requirements_of
from goldwright.code_reading.requirements import names_in as telling_names
from goldwright.code_reading.tables import (
    LONGEST_ENTRY,
    closed_table_users,
    holds_code,
    looks_up,
    tables_of,
)
from goldwright.code_reading.warning_advice import split_advice
from goldwright.code_reading.warning_calls import warning_sites
from goldwright.records import FileRange, Intent, IntentKind
from goldwright.snapshot import Snapshot, open_snapshot
from units.code_reading.sources import PATH, CodeInMemory, read_function, read_module


def write(root: Path, **sources: str) -> Snapshot:
    (root / "code").mkdir()
    for name, code in sources.items():
        (root / "code" / f"{name}.py").write_text(code)
    return open_snapshot(root / "code", cache=root / "cache")


@pytest.mark.parametrize(
    ("body", "is_lookup"),
    [
        ("return KINDS[key]", True),
        ("return KINDS['card']", False),
        ("return OTHER[key]", False),
        ("return KINDS.get(key)", True),
        ("return KINDS.get('card')", False),
        ("return KINDS.get(key, KINDS['card'])", True),
        ("return OTHER.get(key)", False),
        ("return KINDS.items()", True),
        ("return KINDS.values()", True),
        ("return KINDS.keys()", False),
        ("return key in KINDS", True),
        ("return key not in KINDS", True),
        ("return key in OTHER", False),
        ("return key == KINDS", False),
        ("return KINDS", False),
    ],
)
def test_what_is_known_before_is_not_looked_up(body: str, *, is_lookup: bool) -> None:
    _, function = read_function(f"def work(key):\n    {body}\n")
    assert looks_up(function, "KINDS") is is_lookup


@pytest.mark.parametrize(
    ("entries", "is_code"),
    [
        ("'a': pay, 'b': shop.pay", True),
        ("'a': lambda key: 1", True),
        ("'a': 'shop.pay:now'", True),
        ("'a': 'shop.pay'", True),
        ("'a': 'pay'", False),
        ("'a': pay, 'b': 2", False),
        ("'a': pay()", False),
        ("", False),
    ],
)
def test_a_table_of_code_holds_nothing_else(entries: str, *, is_code: bool) -> None:
    (table,) = tables_of(read_module(f"KINDS = {{{entries}}}\n"))
    assert holds_code(table) is is_code


def test_a_table_is_a_dictionary_under_one_name() -> None:
    code = "A: dict = {\n    1: 2,\n}\nB = C = {}\nD.e = {}\nF = [1]\nG = {**A, 'x': 1}\nH: dict\n"
    tables = list(tables_of(read_module(code)))
    assert [(table.name, table.first, table.last) for table in tables] == [("A", 1, 3), ("G", 7, 7)]
    assert [(entry.key, entry.word, entry.line) for entry in tables[0].entries] == [("1", "", 2)]
    assert [(entry.key, entry.word) for entry in tables[1].entries] == [("'x'", "x")]


def test_an_entry_that_is_too_long_is_not_said() -> None:
    longest = "'" + "x" * (LONGEST_ENTRY - 2) + "'"
    too_long = "'" + "x" * (LONGEST_ENTRY - 1) + "'"
    code = f"KINDS = {{1: {longest}, 2: {too_long}, {too_long}: 3, {longest}: 4, 5: '`'}}\n"
    (table,) = tables_of(read_module(code))
    assert [entry.key for entry in table.entries] == ["1", longest]


TABLE = "KINDS = {'card': 1}\n\ndef pay(kind):\n    return KINDS[kind]\n"


@pytest.mark.parametrize(
    "addition",
    [
        "PLACE = KINDS['card']",
        "def find(module):\n    return getattr(module, 'KINDS')",
        "def pay_again(kind):\n    return 1  # see KINDS",
        "KINDS = {}",
    ],
    ids=["module", "string", "comment behind code", "twice"],
)
def test_a_table_with_another_use_has_no_closed_users(tmp_path: Path, addition: str) -> None:
    snapshot = write(tmp_path, shop=f"{TABLE}\n{addition}\n")
    assert closed_table_users(snapshot, "shop.py::KINDS", ["shop.py"]) is None


def test_users_of_a_table_are_closed_over_files_and_whole_words(tmp_path: Path) -> None:
    till = "from shop import KINDS\n# KINDS are many\n\ndef count():\n    return len(KINDS)\n"
    snapshot = write(tmp_path, shop=f"{TABLE}\nMY_KINDS_2 = 1\n", till=till)
    users = closed_table_users(snapshot, "shop.py::KINDS", ["shop.py", "till.py"])
    assert users == ("shop.py::pay", "till.py::count")
    assert closed_table_users(snapshot, "gone.py::KINDS", ["shop.py"]) is None


@pytest.mark.parametrize(
    ("code", "manner", "receiver"),
    [
        ("self.headers['X-Out'] = 1", "stored", "headers"),
        ("del headers['X-Out']", "stored", "headers"),
        ("headers['X-Out']", "read", "headers"),
        ("headers.pop('X-Out', 1)", "read", "headers"),
        ("headers.getlist('X-Out')", "read", "headers"),
        ("headers.has_key('X-Out')", "read", "headers"),
        ("headers.config_get('X-Out')", "read", "headers"),
        ("headers.getting_on('X-Out')", "read", "headers"),
        ("headers.forget('X-Out')", "other", ""),
        ("headers.setdefault('X-Out', 1)", "stored", "headers"),
        ("headers.set('X-Out', 1)", "stored", "headers"),
        ("headers().get('X-Out')", "read", "headers"),
        ("headers.get(1, 'X-Out')", "other", ""),
        ("headers.merge('X-Out')", "other", ""),
        ("'X-Out' in headers", "read", "headers"),
        ("'X-Out' not in headers", "read", "headers"),
        ("name == 'X-Out'", "read", "name"),
        ("'X-Out' == name", "read", ""),
        ("a < 'X-Out' < b", "read", "a"),
        ("os.environ['X-Out']", "read", "os.environ"),
        ("os.getenv('X-Out')", "read", "os.environ"),
        ("save('X-Out')", "other", ""),
        ("['X-Out']", "other", ""),
        ("save(b'X-Out')", "other", ""),
    ],
)
def test_a_literal_is_read_stored_or_anything_else(code: str, manner: str, receiver: str) -> None:
    module = read_module(f"def work(name):\n    {code}\n")
    uses = [use for literal, use in literals_in(module) if literal == "X-Out"]
    assert [(use.manner, use.receiver, use.owner, use.line) for use in uses] == [
        (manner, receiver, "work", 2)
    ]


@pytest.mark.parametrize("text", ["two words", "x", "", "a" * 61, "1st"])
def test_a_text_that_is_no_name_is_no_literal_of_interest(text: str) -> None:
    assert literals_in(read_module(f"work({text!r})\n")) == ()
    assert len(literals_in(read_module(f"work({'a' * 60!r})\n"))) == 1


def test_spellings_of_a_literal_are_told_apart(tmp_path: Path) -> None:
    snapshot = write(tmp_path, shop="a = ['Host', 'HOST', 'port', 'Path', 'Path']\n")
    spelled = [
        has_other_spelling(snapshot, text) for text in ("Host", "port", "Port", "Path", "no")
    ]
    assert spelled == [True, False, True, False, False]
    assert is_quoted(snapshot, "PORT")
    assert not is_quoted(snapshot, "ports")


def test_a_literal_on_one_line_twice_is_used_twice(tmp_path: Path) -> None:
    code = "def f(a):\n    return a['LIMIT_OF'], a.get('LIMIT_OF')\n\nb = 'LIMIT_OF'\n"
    uses = closed_literal_uses(write(tmp_path, shop=code), "LIMIT_OF") or ()
    assert sorted((use.line, use.owner) for use in uses) == [(2, "f"), (2, "f"), (4, "")]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("self.shop.size > limit", {"self", "self.shop", "limit"}),
        ("shop", {"shop"}),
        ("'till' in name", {"in", "name"}),
        ("f(x)[3]", {"f", "x"}),
    ],
)
def test_names_of_an_expression_go_one_dot_deep(code: str, names: set[str]) -> None:
    assert names_in(code) == names


def test_names_that_get_a_value_are_stored_or_deleted() -> None:
    tree = ast.parse("a = b\nself.c = a.d\ndel e, f.g\nh[1] = 2\nself.i.j = 3\n")
    assert names_given(ast.walk(tree)) == {"a", "self.c", "e", "f.g"}


@pytest.mark.parametrize(
    ("body", "is_empty"),
    [
        ("pass", True),
        ("...", True),
        ("return", True),
        ("return None", True),
        ("'''A hook.'''\n    return None", True),
        ("return 0", False),
        ("log()", False),
        ("pass\n    log()", False),
    ],
)
def test_an_empty_hook_does_nothing_at_all(body: str, *, is_empty: bool) -> None:
    _, function = read_function(f"def work(self):\n    {body}\n")
    assert does_nothing(function) is is_empty


@pytest.mark.parametrize(
    ("decorator", "reason"),
    [("@abstractmethod", "abstract"), ("@abc.abstractproperty", "abstract"), ("@cached", "")],
)
def test_a_decorator_makes_a_method_abstract(decorator: str, reason: str) -> None:
    _, function = read_function(f"{decorator}\ndef work(self):\n    return 1\n")
    assert abstract_reason(function) == reason
    _, called = read_function(f"{decorator}(1)\ndef work(self):\n    return 1\n")
    assert abstract_reason(called) == reason


CLASSES = """
class Pot(base.Vessel[int], Clay):
    size = 1
    lid: int = 2
    handle: int
    left, right = 3, 4
    rim = foot = 5

    def fill(self): ...
    def fill(self): ...
    def pour(self): ...
    class Spout: ...
"""


def test_a_class_is_read_by_its_bases_values_and_methods() -> None:
    module = read_module(CLASSES)
    node = module.class_definition("Pot")
    assert node is not None
    assert assigned_names(node) == {"size", "lid", "rim", "foot"}
    assert base_names(module, "Pot") == ["Vessel", "Clay"]
    assert base_names(module, "Gone") == []
    assert list(methods_of(module, "Pot")) == ["pour"]


def test_subclasses_are_closed_where_graph_and_walk_agree(tmp_path: Path) -> None:
    code = "class Pot: ...\n\nclass Vase(Pot): ...\n\nclass Urn(Pot): ...\n"
    snapshot = write(tmp_path, shop=code, odd="class Jug(shelf.Pot): ...\n")
    files = ["shop.py"]
    assert closed_subclasses(snapshot, "shop.py::Pot", files) == ("shop.py::Urn", "shop.py::Vase")
    assert closed_subclasses(snapshot, "shop.py::Pot", [*files, "odd.py"]) is None
    assert closed_subclasses(snapshot, "shop.py::Pot", [*files, "gone.py"]) is None


def test_a_subclass_behind_a_generic_base_or_a_metaclass_leaves_the_set_open(
    tmp_path: Path,
) -> None:
    code = "class Pot: ...\n\nclass Shelf(list[Pot]): ...\n\nclass Odd(metaclass=Pot): ...\n"
    assert closed_subclasses(write(tmp_path, shop=code), "shop.py::Pot", ["shop.py"]) is None


@pytest.mark.parametrize(
    ("call", "level"),
    [
        ("logger.warning('lost')", "warning"),
        ("self._log.info('lost')", "info"),
        ("logging.getLogger().error('lost')", ""),
        ("self.logger().error('lost')", "error"),
        ("catalog.error('lost')", ""),
        ("logger.fatal_error('lost')", ""),
        ("logger.warning()", ""),
        ("logger.warning(text)", ""),
        ("warning('lost')", ""),
    ],
)
def test_a_logger_is_known_by_its_name(call: str, level: str) -> None:
    sites = log_sites(*read_function(f"def work(text):\n    {call}\n"))
    assert [(site.level, site.message) for site in sites] == ([(level, "lost")] if level else [])


@pytest.mark.parametrize(
    ("call", "category"),
    [
        ("warnings.warn('old', DeprecationWarning)", "DeprecationWarning"),
        ("warn('old', category=shop.OldWarning)", "shop.OldWarning"),
        ("warnings.warn('old')", ""),
        ("warnings.warn('old', kind)", ""),
        ("warnings.warn('old', 1, DeprecationWarning)", ""),
        ("self.warn('old', DeprecationWarning)", ""),
        ("warnings.warn(text, DeprecationWarning)", ""),
        ("warnings.warn(category=DeprecationWarning)", ""),
    ],
)
def test_a_warning_has_a_category_that_is_a_class(call: str, category: str) -> None:
    sites = warning_sites(*read_function(f"def work(text):\n    {call}\n"))
    assert [site.category for site in sites] == ([category] if category else [])


@pytest.mark.parametrize(
    ("message", "complaint", "advice"),
    [
        ("fire() is old; use bake() instead.", "fire() is old", "use bake() instead"),
        ("fire() is old in favour of bake()", "fire() is old", "in favour of bake()"),
        ("fire() is old (use bake().)", "fire() is old", "use bake()"),
        ("fire() is old (use the oven)", "fire() is old", "use the oven"),
        ("fire() is old.", "fire() is old.", ""),
    ],
)
def test_the_advice_of_a_warning_stands_behind_its_complaint(
    message: str, complaint: str, advice: str
) -> None:
    assert split_advice(message) == (complaint, advice)


MESSAGES = """
def fire(pot):
    raise KilnError(f"the kiln is {pot} too cold")

class Kiln:
    text = "the kiln " + "is far too " + "cold"

    def heat(self):
        log("the oven is warm")
"""


def test_a_message_stands_in_the_innermost_definitions(tmp_path: Path) -> None:
    snapshot = write(tmp_path, kiln=MESSAGES, test_kiln=MESSAGES)
    whole = places_of_message(snapshot, "the kiln is … too cold")
    assert whole == frozenset({"kiln.py::fire", "kiln.py::Kiln"})
    assert places_of_message(snapshot, "the oven is warm") == frozenset({"kiln.py::Kiln.heat"})
    assert places_of_message(snapshot, "the oven is cold") == frozenset()
    assert places_of_message(snapshot, "is … of") is None, "no word is long enough to look for"


@pytest.mark.parametrize(
    ("parts", "stands"),
    [
        (["a", "b"], True),
        (["b", "a"], False),
        (["a", "a"], False),
        (["xa", "axb"], False),
        (["xa", "xb"], True),
        ([], True),
    ],
)
def test_parts_of_a_message_stand_one_behind_the_other(parts: list[str], *, stands: bool) -> None:
    assert stand_in_order(parts, "xaxb") is stands


COMMENTED = '''def work(pots):
    # why we look
    if pots:
        # the first
        #
        # of many
        return (
            1
        )
    # for a while
    while pots:
        pots.pop()
    # a try
    try:
        pots()
    except OSError:
        text = """
        # no comment
        """
    # each
    for pot in pots:
        pot()
'''


def test_a_comment_belongs_to_the_statement_below_it() -> None:
    module, function = read_function(COMMENTED)
    rows = [
        (comment.text, comment.first, comment.last, first_line(comment.statement, module))
        for comment in comments_of(module, function)
    ]
    assert rows == [
        ("why we look", 2, 2, "if pots"),
        ("the first of many", 4, 6, "return (1)"),
        ("for a while", 10, 10, "while pots"),
        ("a try", 13, 13, ""),
        ("each", 20, 20, ""),
    ]


def intent(kind: IntentKind, subject: str, first: int, last: int | None = None) -> Intent:
    lines = FileRange(file=PATH, start=first, end=last or first)
    return Intent(kind=kind, subject=f"{PATH}::{subject}", lines=lines, detail="")


NEEDS = """
def work(pot, log):
    if pot.is_old and not cold:
        log.warning("there is no glaze left for %s", pot)
        try:
            fire(pot)
        except (kiln.ColdError, OSError):
            return 1
        except:
            return 2
        raise kiln.HotError("hot")
    return 3

def first():
    work(1, 2)

class Shop:
    def open(self):
        work(3, 4)

    def close(self):
        raise NotImplementedError

    def clean(self):
        return 1
"""

TESTS = [{"pot", "is_old"}, {"cold"}]
# What must not have come up for the code behind the ``try`` to be reached.
ERRORS = [{"kiln", "ColdError", "OSError"}, {"BaseException"}]


@pytest.mark.parametrize(
    ("asked", "needs"),
    [
        (intent("raise_condition", "work", 11), [{"HotError"}, *TESTS, *ERRORS]),
        # A condition together with what stands under it means the only error inside.
        (intent("raise_condition", "work", 3, 11), [{"HotError"}, *TESTS, *ERRORS]),
        (intent("raise_condition", "work", 4), None),
        (intent("raise_condition", "gone", 11), None),
        (
            intent("caller_coping", "work", 11),
            [{"HotError"}, *TESTS, *ERRORS, {"first", "open"}],
        ),
        (intent("log_meaning", "work", 4), TESTS),
        (intent("log_meaning", "work", 5), None),
        (intent("message_origin", "work", 4), [{"there", "glaze", "left"}]),
        (intent("swallowed_error", "work", 7), [{"ColdError", "OSError"}]),
        (intent("swallowed_error", "work", 9), [set()]),
        (intent("swallowed_error", "gone", 9), None),
        (intent("contract", "Shop", 17), [{"close"}]),
        (intent("contract", "Kiln", 17), None),
        (intent("reason", "work", 4), []),
    ],
)
def test_an_answer_must_speak_of_what_the_question_turns_on(
    asked: Intent, needs: list[set[str]] | None
) -> None:
    requirements = requirements_of(asked, CodeInMemory({PATH: NEEDS}))
    assert (None if requirements is None else [set(need.names) for need in requirements]) == needs


def test_all_ways_out_must_be_spoken_of() -> None:
    requirements = requirements_of(intent("outcomes", "work", 2), CodeInMemory({PATH: NEEDS})) or ()
    assert requirements[0].names == {"HotError"}
    assert {name for need in requirements for name in need.names} >= {
        "is_old",
        "ColdError",
        "OSError",
    }


def test_callers_are_an_answer_while_they_are_few() -> None:
    for number in (MOST_CALLERS, MOST_CALLERS + 1):
        callers = "".join(f"def caller_{place}():\n    work(1, 2)\n" for place in range(number))
        code = CodeInMemory({PATH: f"def work(a, b):\n    raise OSError('no')\n{callers}"})
        requirements = requirements_of(intent("caller_coping", "work", 2), code) or ()
        sizes = [len(need.names) for need in requirements]
        assert sizes == ([1, number] if number == MOST_CALLERS else [1])


def test_common_words_and_strings_tell_nothing_of_a_codebase() -> None:
    assert telling_names("isinstance(pot, str) and 'big pot' != self.lid") == {"pot", "lid"}


def test_what_is_defined_twice_has_no_single_reading() -> None:
    code = CodeInMemory({PATH: CLASSES})
    module = open_module(code, PATH)
    assert module is not None
    assert module.repeated == {"Pot.fill"}
    assert open_function(code, f"{PATH}::Pot.fill") is None
    assert open_function(code, f"{PATH}::Pot") is None
    assert open_function(code, f"{PATH}::Pot.pour") is not None
    assert module.class_definition("Pot.pour") is None
    assert list(module.members["Pot"]) == ["fill", "pour", "Spout"]
