"""What a right answer must settle, read from the code for the reason of a question.

The requirements are as lenient as the words of people and models need: they ask that names be
spoken of, and leave to others how.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.contracts import abstract_reason, methods_of
from goldwright.code_reading.errors import HandlerSite, RaiseSite, handler_sites, raise_sites
from goldwright.code_reading.log_calls import LogSite, log_sites
from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module, open_function, open_module
from goldwright.code_reading.name_uses import uses_of
from goldwright.path_conditions import Path
from goldwright.records import Intent, IntentKind
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.product_code import product_code_among

_Site = TypeVar("_Site", RaiseSite, HandlerSite, LogSite)

# A set of more callers is no answer key: nobody would ask for it.
MOST_CALLERS: Final = 8

# A long message is quoted with its end cut off.
BEGINNING: Final = 60
MOST_TELLING_WORDS: Final = 3
SHORT_WORD: Final = 3

_STRING: Final = re.compile(r"""[rbfuRBFU]{0,2}("[^"]*"|'[^']*')""")
_NAME: Final = re.compile(r"[^\W\d]\w*")
# What everybody reads past: keywords, and builtins that carry no meaning of the codebase.
_COMMON: Final = frozenset(
    """
    and or not in is if else for lambda None True False self cls isinstance issubclass len any all
    bool str int float bytes list tuple dict set frozenset type getattr hasattr callable sum min max
    """.split()
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that an answer must settle.

    Attributes:
        description: What it is, in a few words.
        names: The names that the facts must speak of, each.
    """

    description: str
    names: frozenset[str]


def requirements_of(intent: Intent, codebase: SourceTree) -> tuple[Requirement, ...] | None:
    """Derive what an answer to a question must settle.

    Returns:
        The requirements, none for a reason that code cannot check; None where the code does not
        show the reason at all.
    """
    derive = REQUIREMENTS[intent.kind]
    if derive is None:
        return ()
    requirements = list(derive(intent, codebase))
    return tuple(requirements) if requirements else None


def _error(intent: Intent, codebase: SourceTree) -> Iterator[Requirement]:
    site = _raise_site(intent, codebase)
    if site is not None:
        yield Requirement("the error", _names_of_error(site))
        yield from _conditions(site.path)


def _error_and_callers(intent: Intent, codebase: SourceTree) -> Iterator[Requirement]:
    yield from _error(intent, codebase)
    caller_ids = _callers(intent.subject, codebase)
    callers = {split_entity_id(caller_id)[1] for caller_id in caller_ids}
    if 0 < len(callers) <= MOST_CALLERS:
        names = frozenset(caller.rpartition(".")[2] for caller in callers)
        yield Requirement("every caller", names)


def _message(intent: Intent, codebase: SourceTree) -> Iterator[Requirement]:
    opened = open_function(codebase, intent.subject)
    if opened is None:
        return
    raised = _site_on_lines(raise_sites(*opened), intent)
    site = raised or _site_on_lines(log_sites(*opened), intent)
    if site is None:
        return
    words = _telling_words(site.message)
    if words:
        yield Requirement("the message", words)
    elif isinstance(site, RaiseSite):
        yield Requirement("the error", _names_of_error(site))


def _logged(intent: Intent, codebase: SourceTree) -> Iterator[Requirement]:
    for path in _log_conditions(intent, codebase):
        yield from _conditions(path)


def _caught(intent: Intent, codebase: SourceTree) -> Iterator[Requirement]:
    opened = open_function(codebase, intent.subject)
    if opened is None:
        return
    site = _site_on_lines(handler_sites(*opened), intent)
    if site is not None:
        names = {name.rpartition(".")[2] for name in site.caught}
        # A bare clause names nothing.
        module, _ = opened
        header = module.lines[site.first - 1]
        behind_keyword = header.partition("except")[2].lstrip()
        is_bare = behind_keyword.startswith(":")
        yield Requirement("what is caught", frozenset(() if is_bare else names))


def _ways_out(intent: Intent, codebase: SourceTree) -> Iterator[Requirement]:
    opened = open_function(codebase, intent.subject)
    if opened is None:
        return
    for site in raise_sites(*opened):
        yield Requirement("each error", _names_of_error(site))
    for path in _return_paths(*opened):
        yield from _conditions(path)


def _open_methods(intent: Intent, codebase: SourceTree) -> Iterator[Requirement]:
    path, name = split_entity_id(intent.subject)
    module = open_module(codebase, path)
    if module is None:
        return
    methods = methods_of(module, name)
    left_open = {method for method, function in methods.items() if abstract_reason(function)}
    if left_open:
        yield Requirement("each method that is left open", frozenset(left_open))


_Derivation = Callable[[Intent, SourceTree], Iterator[Requirement]]
REQUIREMENTS: Final[Mapping[IntentKind, _Derivation | None]] = {
    "message_origin": _message,
    "literal_use": None,
    "library_call": None,
    "raise_condition": _error,
    "error_translation": None,
    "hidden_error": None,
    "swallowed_error": _caught,
    "caller_coping": _error_and_callers,
    "default_value": None,
    "outcomes": _ways_out,
    "steps": None,
    "cache_lifetime": None,
    "contract": _open_methods,
    "class_role": None,
    "registry": None,
    "option_readers": None,
    "reason": None,
    "shared_state": None,
    "callers": None,
    "deprecation": None,
    "log_meaning": _logged,
    "family": None,
    "parameter_path": None,
    "other": None,
}
"""Every kind; None where code cannot say what an answer must settle."""


def _names_of_error(site: RaiseSite) -> frozenset[str]:
    name = site.exception.rpartition(".")[2]
    return frozenset({name})


def _telling_words(message: str) -> frozenset[str]:
    """Give the longest words of the beginning of a message: who quotes it quotes these."""
    beginning = message
    if len(message) > BEGINNING:
        # A word that is cut off is none that anybody quotes.
        opening = message[: BEGINNING + 1]
        beginning = opening.rpartition(" ")[0]
    words = [word for part in fixed_parts(beginning) for word in _NAME.findall(part)]
    telling = sorted(set(words), key=lambda word: (-len(word), word))
    longest = telling[:MOST_TELLING_WORDS]
    return frozenset(word for word in longest if len(word) > SHORT_WORD)


def _raise_site(intent: Intent, codebase: SourceTree) -> RaiseSite | None:
    opened = open_function(codebase, intent.subject)
    if opened is None:
        return None
    return _site_on_lines(raise_sites(*opened), intent)


def _log_conditions(intent: Intent, codebase: SourceTree) -> Iterator[Path | None]:
    opened = open_function(codebase, intent.subject)
    if opened is None:
        return
    site = _site_on_lines(log_sites(*opened), intent)
    if site is not None and fixed_parts(site.message):
        yield site.path


def _site_on_lines(sites: Sequence[_Site], intent: Intent) -> _Site | None:
    """Find the statement that an intent means by its lines.

    It starts on the first of them. Who cites a condition together with what stands under it means
    the only such statement on the lines.
    """
    lines = intent.lines
    for site in sites:
        if site.first == lines.start:
            return site
    inside = [site for site in sites if lines.start <= site.first <= lines.end]
    return inside[0] if len(inside) == 1 else None


def _return_paths(module: Module, function: Function) -> Iterator[Path | None]:
    for reached in statements_of(function, module.text):
        if isinstance(reached.node, ast.Return):
            yield reached.path


def _conditions(path: Path | None) -> Iterator[Requirement]:
    for condition in path or ():
        names = frozenset(names_in(condition.code))
        if names:
            yield Requirement(f"the condition `{condition.code}`", names)


def names_in(code: str) -> set[str]:
    """Give the names in an expression that say something about the codebase."""
    code_without_texts = _STRING.sub(" ", code)
    return set(_NAME.findall(code_without_texts)) - _COMMON


def _callers(entity_id: str, codebase: SourceTree) -> set[str]:
    _, qualified_name = split_entity_id(entity_id)
    name = qualified_name.rpartition(".")[2]
    word = name.encode()
    product_paths = product_code_among(codebase, codebase.source_files)
    texts = [path for path in product_paths if codebase.has_text(path)]
    paths = [path for path in texts if word in codebase.data(path)]
    uses = uses_of(codebase, paths, name)
    calls = [use for use in uses if use.kind == "call"]
    callers = {use.owner_id for use in calls} - {entity_id}
    return {caller for caller in callers if codebase.entity(caller) is not None}
