"""What a function is for, as a person would say it: from its docstring, in the third person."""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.code_reading.docstrings import content_words, docstring_of
from goldwright.snapshot.codebase import SourceTree

FEWEST_WORDS: Final = 4
# Fewer words that carry a meaning fit too many functions.
FEWEST_CONTENT_WORDS: Final = 3
# The end of a longer sentence is about details.
MOST_WORDS: Final = 14

_SENTENCE_END: Final = re.compile(r"[.:;!?](?:\s|$)|\n\s*\n")
_CLAUSE_END: Final = re.compile(r",| - | -- |\(| if | when | which | so that | because | unless ")
# Things that can be counted need an article behind a preposition.
_BARE_END: Final = re.compile(
    r" (?:from|to|for|in|into|of|with|by|on|as) "
    r"(?:class|dict|file|function|key|list|message|method|name|object|path|request|response|string|"
    r"task|url|value)$",
    re.IGNORECASE,
)
_THIS: Final = re.compile(r"\bthis(?= \w)", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z' -]*")
# Verbs that docstrings begin with, as they stand behind "the function that".
_THIRD_PERSON: Final = {
    "add": "adds",
    "adds": "adds",
    "apply": "applies",
    "ask": "asks",
    "build": "builds",
    "calculate": "computes",
    "call": "calls",
    "calls": "calls",
    "cancel": "cancels",
    "check": "checks",
    "checks": "checks",
    "clear": "clears",
    "close": "closes",
    "compute": "computes",
    "configure": "configures",
    "connect": "connects",
    "convert": "converts",
    "converts": "converts",
    "copy": "copies",
    "create": "creates",
    "creates": "creates",
    "decode": "decodes",
    "delete": "deletes",
    "determine": "determines",
    "display": "shows",
    "encode": "encodes",
    "ensure": "ensures",
    "escape": "escapes",
    "execute": "runs",
    "extract": "extracts",
    "fetch": "fetches",
    "find": "finds",
    "finds": "finds",
    "flush": "flushes",
    "format": "formats",
    "generate": "generates",
    "generates": "generates",
    "get": "gets",
    "gets": "gets",
    "handle": "handles",
    "import": "imports",
    "initialize": "initializes",
    "invert": "inverts",
    "invoke": "calls",
    "invokes": "calls",
    "iterate": "iterates",
    "join": "joins",
    "load": "loads",
    "loads": "loads",
    "log": "logs",
    "make": "makes",
    "merge": "merges",
    "normalize": "normalizes",
    "open": "opens",
    "parse": "parses",
    "parses": "parses",
    "prepare": "prepares",
    "print": "prints",
    "prints": "prints",
    "process": "processes",
    "prompt": "prompts",
    "raise": "raises",
    "read": "reads",
    "reads": "reads",
    "register": "registers",
    "release": "releases",
    "remove": "removes",
    "removes": "removes",
    "render": "renders",
    "replace": "replaces",
    "report": "reports",
    "resolve": "resolves",
    "retrieve": "gets",
    "retry": "retries",
    "return": "returns",
    "returns": "returns",
    "run": "runs",
    "save": "saves",
    "schedule": "schedules",
    "send": "sends",
    "sends": "sends",
    "set": "sets",
    "sets": "sets",
    "setup": "sets up",
    "show": "shows",
    "split": "splits",
    "start": "starts",
    "stop": "stops",
    "store": "stores",
    "update": "updates",
    "validate": "validates",
    "verify": "checks",
    "wrap": "wraps",
    "write": "writes",
    "writes": "writes",
    "yield": "yields",
}
# Verbs that follow on others.
_OTHER_VERBS: Final = frozenset(
    """
    use keep give let put move assign append insert attach bind ignore skip wait try perform apply
    collect combine compare count cache pass drop emit dispatch forward expand fill do notify map
    """.split()
)
# Another word for what docstrings begin with: who asks has not read them.
_ANOTHER_WORD: Final = {
    "builds": "puts together",
    "computes": "works out",
    "creates": "makes",
    "determines": "finds out",
    "ensures": "makes sure of",
    "fetches": "gets",
    "finds": "looks up",
    "generates": "produces",
    "gets": "fetches",
    "handles": "deals with",
    "parses": "reads",
    "resolves": "works out",
    "runs": "executes",
    "shows": "displays",
    "updates": "changes",
    "validates": "checks",
}
# What comes before one of these is no noun alone, but a clause.
_FINITE_VERBS: Final = frozenset(
    "are can contains does exist exists gets has have is match matches was were will".split()
)
# Behind these stands how or from what something is done: who asks knows what comes of it.
_DETAIL: Final = re.compile(
    r" (?:based on|according to|for|from|in|inside|within|with|by|using|via|during|at) "
)
# What is spoken of has one of these before it, or is many: notes leave them out.
_DETERMINERS: Final = frozenset(
    """
    a an the all any both each either every everything it its no one some that their them this two
    what whatever where whether which who
    """.split()
)
_PREPOSITIONS: Final = frozenset(
    "as at by during for from in into inside of on onto out over per to under with within".split()
)


def deed_of(codebase: SourceTree, entity_id: str) -> str:
    """Say in the third person what a function does, as in "returns the price of a basket".

    Returns:
        The main clause of the first sentence of its docstring; empty where it begins with no verb
        that is known, is no plain English, or is too short to mean one thing.
    """
    # Nobody calls what makes an object a function; it is named by its class.
    if entity_id.endswith(".__init__"):
        return ""
    first_sentence = _SENTENCE_END.split(docstring_of(codebase, entity_id))[0]
    text = " ".join(first_sentence.split())
    clause = _CLAUSE_END.split(text)[0].strip()
    verb, _, complement = clause.partition(" ")
    words = clause.split()
    verb_spoken = _THIRD_PERSON.get(verb.lower())
    has_code_name = re.search(r"[a-z][A-Z]", clause) is not None
    is_plain = _PLAIN.fullmatch(clause) is not None and not has_code_name
    # A second verb would stay in its imperative.
    is_joined = complement.startswith(("and ", "or "))
    is_double = is_joined or _has_second_verb(complement)
    if (
        verb_spoken is None
        or is_double
        or not is_spoken(words[1:])
        or words[-1].lower() in _PREPOSITIONS
        or _BARE_END.search(clause) is not None
        or len(content_words(complement)) < FEWEST_CONTENT_WORDS
        or not is_plain
        or not FEWEST_WORDS <= len(words) <= MOST_WORDS
    ):
        return ""
    # "This" thing is one that who asks does not see.
    return _in_other_words(verb_spoken, _THIS.sub("the", complement))


def _in_other_words(verb: str, complement: str) -> str:
    """Say it with another verb where there is one, and without details where enough is left."""
    for detail in reversed(list(_DETAIL.finditer(complement))):
        shorter = complement[: detail.start()]
        is_enough = len(content_words(shorter)) >= FEWEST_CONTENT_WORDS
        # A participle belongs to what follows it, and so does an adjective behind its noun.
        is_torn = shorter.endswith(("ed", "ing", "able", "ible"))
        is_whole = is_enough and not is_torn
        if is_whole and is_spoken(shorter.split()) and _BARE_END.search(f" {shorter}") is None:
            complement = shorter
    if verb in {"returns", "checks"} and complement.startswith("whether "):
        return f"finds out {complement}"
    # Both are said: something turns one thing into the other.
    source, to, result = complement.partition(" to ")
    if verb == "converts" and to and " into " not in complement:
        return f"turns {source} into {result}"
    # Something that "makes sure" goes on with a clause.
    if verb == "ensures" and complement.startswith("that "):
        return f"makes sure {complement}"
    if verb == "ensures" and not _FINITE_VERBS.isdisjoint(complement.split()):
        return f"makes sure that {complement}"
    return f"{_ANOTHER_WORD.get(verb, verb)} {complement}"


def _has_second_verb(text: str) -> bool:
    # Behind an "or" an alternative of a word or two and a second deed look alike.
    if re.search(r"\bor (?!not\b)", text):
        return True
    following = re.findall(r"\b(?:and|then) (\w+)", text.lower())
    return any(word in _THIRD_PERSON or word in _OTHER_VERBS for word in following)


def is_spoken(words: Sequence[str]) -> bool:
    """Find out whether what follows a verb is a phrase, and no note without its articles."""
    for place, word in enumerate(words):
        # Behind other words, "that" begins a clause and is no article.
        if word.lower() in _DETERMINERS and (place == 0 or word.lower() != "that"):
            return True
        if word.lower() in _PREPOSITIONS and place > 0:
            return False
        if place > 0 or len(words) > 1:
            is_end = place + 1 == len(words)
            is_last = is_end or words[place + 1].lower() in _PREPOSITIONS
            if is_last and word.endswith("s") and not word.endswith("ss"):
                return True
    return False
