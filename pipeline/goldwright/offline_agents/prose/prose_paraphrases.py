"""Words that are read more easily than those of the grammar, put in last and taken out first.

A sentence is written by one grammar, so that it can be read back. ``as_spoken`` then says of a
function that leaves a loop that it does so for the first item; of who calls an ``__init__``, that
an object is made; and of a message, at which level it is logged. ``in_grammar`` undoes that.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from goldwright.offline_agents.statements.catalog import DEED_VERBS
from goldwright.offline_agents.statements.lists import read_code_list

_LEVELS: Final = "debug|info|warning|warn|error|critical"
_LOGGED: Final = re.compile(rf"(logs “[^”]*”) as (`(?:{_LEVELS})`)")
_LOGGED_AT: Final = re.compile(rf"(logs “[^”]*”) at (`(?:{_LEVELS})`) level")
_LOGGED_WITH_TRACEBACK: Final = re.compile(r"(logs “[^”]*”) with the traceback")
_LOGGED_AS_EXCEPTION: Final = re.compile(r"(logs “[^”]*”) as `exception`")


# A verb outside of code, or a loop.
_DEED_OR_LOOP: Final = re.compile(
    rf"`[^`]*`|“[^”]*”|\b(?P<verb>{'|'.join(DEED_VERBS)}|catches)\b"
    r"|(?P<loop>\bfor each (?=`)|\bin the loop (?=`for ))"
)
_LEAVING: Final = frozenset({"raises", "returns"})
_LOOP_AND_TEST: Final = re.compile(
    r"(?:for each `(?P<each>[^`]+)` in `(?P<of>[^`]+)`"
    r"|in the loop `for (?P<item>[^`]+?) in (?P<items>[^`]+)`)(?P<test>, when )?"
)
_LOOP_HEAD: Final = re.compile(r"in the loop `for ([^`]+?) in ([^`]+)`")
# What happens on another condition does not happen for the first item, whatever that is.
_CONDITION: Final = re.compile(r"\b(?:after catching|catches|if|unless|when)\b")
_CODE_OR_QUOTATION: Final = re.compile(r"`[^`]*`|“[^”]*”")
_FIRST: Final = re.compile(r"for the first (`[^`]+` in `[^`]+`)( for which )?")

_FUNCTIONS: Final = r"`[\w.]+`(?:(?:, | and )`[\w.]+`)*"
_MAKES: Final = re.compile(rf"\bcall(s?) (?P<names>{_FUNCTIONS})(?!:)")
_MADE: Final = re.compile(rf"\binstantiate(s?) (?P<names>{_FUNCTIONS})")
_NAME: Final = re.compile(r"`([\w.]+)`")
_INIT: Final = ".__init__"
_SAME_CALL: Final = re.compile(rf"(?P<callers>{_FUNCTIONS}) call (?P<callee>`[\w.]+`) as (?=`)")
_CALLERS: Final = re.compile(rf"(?P<callers>{_FUNCTIONS}) call (?P<callee>`[\w.]+`)")
_EACH_CALLS: Final = re.compile(r"(?:Both call it|Each of them calls it) as (?=`)")
_TWO: Final = 2


def as_spoken(sentence: str, makers: Collection[str] = ()) -> str:
    """Say a sentence of the grammar in easier words.

    Args:
        sentence: One sentence in full.
        makers: The classes whose ``__init__`` is called only where objects of them are made.
    """
    spoken = _LOGGED.sub(r"\1 at \2 level", sentence)
    spoken = _LOGGED_AS_EXCEPTION.sub(r"\1 with the traceback", spoken)
    spoken = _MAKES.sub(lambda match: _made(match, makers), spoken)
    return _leaving_a_loop(spoken)


def in_grammar(text: str) -> str:
    """Put sentences that ``as_spoken`` gave into the words of the grammar again."""
    plain = _LOGGED_AT.sub(r"\1 as \2", text)
    plain = _LOGGED_WITH_TRACEBACK.sub(r"\1 as `exception`", plain)
    plain = _MADE.sub(_called, plain)
    plain = _LOOP_HEAD.sub(r"for each `\1` in `\2`", plain)
    return _FIRST.sub(_in_each, plain)


def with_each(sentence: str, before: str) -> str:
    """Say "each of them" where all callers that the sentence before names call something alike."""
    alike = _SAME_CALL.match(sentence)
    named = _callers_in(before)
    if alike is None or named != (alike["callers"], alike["callee"]):
        return sentence
    count = len(read_code_list(alike["callers"]) or ())
    who = "Both call it" if count == _TWO else "Each of them calls it"
    way_and_rest = sentence[alike.end() :]
    return f"{who} as {way_and_rest}"


def without_each(sentence: str, before: str) -> str:
    """Name the callers again that "each of them" stands for."""
    alike = _EACH_CALLS.match(sentence)
    named = _callers_in(before)
    if alike is None or named is None:
        return sentence
    callers, callee = named
    calls = sentence[alike.end() :]
    return f"{callers} call {callee} as {calls}"


def _callers_in(sentence: str) -> tuple[str, str] | None:
    match = _CALLERS.search(sentence)
    if match is None:
        return None
    return match["callers"], match["callee"]


def _made(match: re.Match[str], makers: Collection[str]) -> str:
    """Say that objects are made where all that is called are the ``__init__`` of such classes."""
    names = _NAME.findall(match["names"])
    if not all(name.endswith(_INIT) and name.removesuffix(_INIT) in makers for name in names):
        return match[0]
    classes = match["names"].replace(f"{_INIT}`", "`")
    return f"instantiate{match[1]} {classes}"


def _called(match: re.Match[str]) -> str:
    names = _NAME.sub(rf"`\1{_INIT}`", match["names"])
    return f"call{match[1]} {names}"


def _in_each(match: re.Match[str]) -> str:
    opening = ", when " if match[2] else ""
    return f"for each {match[1]}{opening}"


def _leaving_a_loop(sentence: str) -> str:
    """Whoever raises or returns inside of a loop does so once: at the first item that fits."""
    loops = list(_loops_with_verbs(sentence))
    if len(loops) != 1 or loops[0][0] not in _LEAVING:
        return sentence
    _, place = loops[0]
    match = _LOOP_AND_TEST.match(sentence, place)
    if match is None:
        return sentence
    before = sentence[:place]
    behind = sentence[match.end() :]
    around = _CODE_OR_QUOTATION.sub("", f"{before} {behind}")
    item = match["each"] or match["item"]
    items = match["of"] or match["items"]
    if not match["test"] and _CONDITION.search(around):
        return f"{before}in the loop `for {item} in {items}`{behind}"
    test = " for which " if match["test"] else ""
    return f"{before}for the first `{item}` in `{items}`{test}{behind}"


def _loops_with_verbs(sentence: str) -> Iterator[tuple[str, int]]:
    """Yield where loops are told, each with the verb of what is done in it."""
    verb = ""
    for match in _DEED_OR_LOOP.finditer(sentence):
        verb = match["verb"] or verb
        if match["loop"]:
            yield verb, match.start()
