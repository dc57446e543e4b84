"""What lines of tokens tell of kept values, caught errors, strings and places of definitions."""

import tokenize
from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.token_reading.caught_errors import handler_outcomes
from goldwright.offline_agents.token_reading.definition_search import locate
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.error_kinds import first_taker
from goldwright.offline_agents.token_reading.library_words import library_uses
from goldwright.offline_agents.token_reading.state_changes import changers_of, changes_on
from goldwright.offline_agents.token_reading.string_text import plain_value, string_text
from goldwright.offline_agents.token_reading.token_lines import TokenLine, read_token_lines
from goldwright.snapshot import open_snapshot


def line_of(code: str) -> TokenLine:
    return read_token_lines(code.split("\n"), 1, "work")[0]


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("POOL[key] = 1", {"put"}),
        ("POOL[key][0] = 1", set()),
        ("POOL[f(1)] = 1", {"put"}),
        ("POOL[key] += 1", {"put"}),
        ("POOL[key] == 1", set()),
        ("x = POOL[key]", set()),
        ("POOL += [1]", {"put"}),
        ("POOL.append(1)", {"put"}),
        ("self.POOL.update(a=1)", {"put"}),
        ("POOL.append", set()),
        ("POOL.clear()", {"drop"}),
        ("x = POOL.pop(key)", {"drop"}),
        ("del POOL[key]", {"drop"}),
        ("POOL.get(key)", set()),
        ("POOL = {}", {"replace"}),
        ("POOL: dict = {}", {"replace"}),
        ("POOL: dict", set()),
        ("first = POOL = {}", {"replace"}),
        ("fill(POOL=1)", set()),
        ("def fill(POOL=1): pass", set()),
        ("return POOL", set()),
        ("if POOL: pass", set()),
        ("x = lambda: POOL", set()),
        ("POOLS = {}", set()),
        ("x = POOL.pop(POOL.get(1))", {"drop"}),
        ("POOL[POOL.pop(1)] = 2", {"put", "drop"}),
    ],
)
def test_a_line_changes_what_is_kept(code: str, changes: set[str]) -> None:
    assert changes_on(line_of(code), "POOL") == changes


KEEPING = """
POOL = {}

class Till:
    def __init__(self):
        self.POOL = {}

    def fill(self):
        self.POOL[1] = 2

    def drop(self):
        self.POOL = {}

def read():
    return POOL
"""


def codebase(root: Path, code: str, *names: str) -> TokenCodebase:
    (root / "code").mkdir()
    (root / "code" / "pool.py").write_text(code)
    (root / "code" / "test_pool.py").write_text("def test():\n    POOL.clear()\n")
    snapshot = open_snapshot(root / "code", cache=root / "cache")
    return TokenCodebase(snapshot, Toolset(snapshot), [f"pool.py::{name}" for name in names])


def test_who_makes_a_value_first_does_not_change_it(tmp_path: Path) -> None:
    code = codebase(tmp_path, KEEPING)
    assert changers_of(code, "POOL", frozenset({"put"})) == {"Till.fill"}
    assert changers_of(code, "POOL", frozenset({"replace"})) == {"Till.drop"}
    assert changers_of(code, "POOL", frozenset({"drop"})) == set()
    both = changers_of(code, "POOL", frozenset({"put", "replace"}))
    assert both == {"Till.fill", "Till.drop"}


@pytest.mark.parametrize(
    ("body", "outcome", "value"),
    [
        ("pass", "ignored", ""),
        ("...", "ignored", ""),
        ("'nothing'", "ignored", ""),
        ("logger.error('lost')", "logged", ""),
        ("warnings.warn('lost')", "logged", ""),
        ("catalog.error('lost')", "handled", ""),
        ("return", "returned", "None"),
        ("return [1]", "returned", "[1]"),
        ("logger.error('lost')\n        return 1", "returned", "1"),
        ("continue", "skipped", ""),
        ("raise", "reraised", ""),
        ("raise KilnError('cold') from error", "translated", "KilnError"),
        ("raise kiln.ColdError", "translated", "kiln.ColdError"),
        ("raise error", "handled", ""),
        ("fire()", "handled", ""),
        ("fire()\n        return 1", "handled", ""),
    ],
)
def test_a_clause_does_one_thing_with_an_error(body: str, outcome: str, value: str) -> None:
    code = (
        f"for pot in pots:\n    try:\n        fire()\n    except OSError:\n        {body}\n    x()"
    )
    (reading,) = handler_outcomes(read_token_lines(code.split("\n"), 1, "work"))
    assert (reading.caught, reading.outcome, reading.value) == ("OSError", outcome, value)
    assert (reading.first, reading.last) == (4, 5 + body.count("\n"))


def test_a_clause_on_one_line_ends_there() -> None:
    code = "try: fire()\nexcept OSError: return 1\nfire()"
    (reading,) = handler_outcomes(read_token_lines(code.split("\n"), 1, "work"))
    assert (reading.outcome, reading.value, reading.last) == ("returned", "1", 2)


ERRORS = """
class KilnError(Exception): ...

class ColdError(KilnError, kiln.LookupError): ...

class AskError(shop.BoxError): ...

class TwiceError(A): ...

class TwiceError(B): ...

class RoundError(RoundError): ...
"""


@pytest.mark.parametrize(
    ("clauses", "error", "taker"),
    [
        (["ColdError"], "ColdError", "ColdError"),
        (["OSError", "KilnError", "ColdError"], "ColdError", "KilnError"),
        (["(OSError, KilnError)"], "kiln.ColdError", "(OSError, KilnError)"),
        (["LookupError"], "ColdError", "LookupError"),
        (["BaseException"], "ColdError", "BaseException"),
        (["OSError"], "ColdError", ""),
        (["ColdError"], "KilnError", ""),
        (["LookupError"], "KeyError", "LookupError"),
        (["Exception"], "AskError", "Exception"),
        (["BoxError"], "AskError", "BoxError"),
        (["Exception"], "BoxError", "Exception"),
        (["A"], "TwiceError", None),
        (["OSError"], "RoundError", ""),
        ([], "ColdError", ""),
    ],
)
def test_a_clause_takes_errors_of_its_class_and_of_those_below(
    tmp_path: Path, clauses: list[str], error: str, taker: str | None
) -> None:
    assert first_taker(codebase(tmp_path, ERRORS), clauses, error) == taker


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("say('no  more')", "no more"),
        ("say('no ' 'more')", "no more"),
        ('say("""no\n  more""")', "no more"),
        ("say(f'no {pot} more')", "no {pot} more"),
        ("say(f'no\\n{pot}')", "no {pot}"),
        ("say('100%% {{sure}}')", "100% {sure}"),
        ("say(r'no\\d')", "no\\d"),
        ("say(b'no')", "no"),
        ("say('no', 'more')", "nomore"),
        ("say(no)", ""),
        (
            "say(f'{run_id=} is {state!r}, {total == 1}')",
            "run_id={} is {state!r}, {total == 1}",
        ),
        ("say(f'{size = :>8} {{lost}}')", "size = {} {lost}"),
    ],
)
def test_the_strings_of_a_line_make_one_text(code: str, text: str) -> None:
    assert string_text(line_of(code).line) == text


@pytest.mark.parametrize(
    ("literal", "value"),
    [("'a'", "a"), ("b'a'", "a"), ("b'\\xe4'", "ä"), ("f'a'", None), ("a", None), ("1", None)],
)
def test_a_plain_string_has_a_value(literal: str, value: str | None) -> None:
    token = line_of(literal).line.tokens[0]
    assert token.type in {tokenize.STRING, tokenize.NAME, tokenize.NUMBER} or value is None
    assert plain_value(token) == value


PLACES = '''
@first(
    1,
)
# a remark
@second
class Pot:
    size = (
        1,
    )
    text = """
        no pot
    """

    def fill(self,
             much):
        if much:
            return [
    1]

        # the end
    def pour(self): pass

    async def fire(self):
        def inner():
            return ")" # (
        return inner

left, right = 1, \\
    2
def pour(self): pass
'''


@pytest.mark.parametrize(
    ("name", "spans"),
    [
        ("Pot", [(2, 27)]),
        ("Pot.size", [(8, 10)]),
        ("Pot.text", [(11, 13)]),
        ("Pot.fill", [(15, 19)]),
        ("Pot.pour", [(22, 22)]),
        ("Pot.fire", [(24, 27)]),
        ("Pot.fire.inner", [(25, 26)]),
        ("left", [(29, 30)]),
        ("right", [(29, 30)]),
        ("pour", [(31, 31)]),
        ("fill", []),
        ("Pot.inner", []),
        ("Gone", []),
    ],
)
def test_a_definition_reaches_to_the_end_of_its_block(
    name: str, spans: list[tuple[int, int]]
) -> None:
    places = locate(PLACES.split("\n"), name)
    assert [(span.first, span.last) for span in places] == spans


_CALLING = """
import atexit
import signal as signals

def start(bus):
    atexit.register(bus.stop)

def listen(bus):
    bus.register(bus.stop)
    signals.signal(signals.SIGINT, bus.stop)

def register(bus):
    register(bus)
"""


@pytest.mark.parametrize(
    ("name", "callers"),
    [
        ("atexit.register", {"start"}),
        ("signal.signal", {"listen"}),
        ("os.register", set()),
    ],
)
def test_a_method_of_the_same_name_is_no_call_of_a_library(
    tmp_path: Path, name: str, callers: set[str]
) -> None:
    uses = library_uses(codebase(tmp_path, _CALLING, "start"), name)
    assert uses is not None
    assert {use.owner for use in uses} == callers


def test_a_function_that_is_imported_by_itself_is_called_by_its_name(tmp_path: Path) -> None:
    code = "from atexit import register\n\ndef start(bus):\n    register(bus.stop)\n"
    uses = library_uses(codebase(tmp_path, code, "start"), "atexit.register")
    assert uses is not None
    assert [use.owner for use in uses] == ["start"]
