"""Messages of a program as words of a question."""

import re
from typing import Final

from goldwright.code_reading.messages import GAP, fixed_parts
from goldwright.code_reading.name_files import stands_in_other_code
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.statements.quotes import cut_message
from goldwright.retrieval.quotations import holders_of, quotation_of, times_held
from goldwright.snapshot.product_code import is_product_code

# A message of fewer words fits too many places to stand for one.
FEWEST_WORDS: Final = 3
FEWEST_LETTERS: Final = 12
LONGEST: Final = 110

# What was opened for a value that is not quoted.
_OPENERS: Final = "<([{=: "
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_ERROR_CLASS: Final = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Timeout)")
# Words that only lead to a value: without it, a quotation does not end in them.
_LEADING: Final = "but got expected received was were is are"
# Before a colon, these may well end a clause; a preposition belongs to its verb in either case.
_LINKING: Final = "a an the and or be must will not than that"
_MARKS_AND_SPACE: Final = rf"[\s,;:{GAP}-]*\s"
_LOOSE_AT_COLON: Final = re.compile(
    rf"(?:{_MARKS_AND_SPACE}(?:{'|'.join(_LEADING.split())}))+$", re.IGNORECASE
)
_LOOSE_AT_GAP: Final = re.compile(
    rf"(?:{_MARKS_AND_SPACE}(?:{'|'.join((*_LEADING.split(), *_LINKING.split()))}))+$",
    re.IGNORECASE,
)
# A sentence of one word behind another one only names the value that follows.
_LABEL: Final = re.compile(r"[.;!?] \w+$")
# Behind these the value is missed that follows.
_OPEN_ENDS: Final = frozenset(
    """
    a after an and are as at be before between by for from in into is of on or that than the to use
    using with within
    """.split()
)
# Values with nothing but a mark between them.
_GAPS_IN_A_ROW: Final = re.compile(rf"{GAP}(?:[^\w\s“”]{{1,3}}{GAP})+")
# Enough words to search for, up to a full stop.
_FIRST_SENTENCE: Final = re.compile(r"((?:\S+ ){3,}?\S*\w)[.!?] ")
# The same up to where a clause ends, or a value is put in; and else up to a phrase.
# One that only leads to the next says nothing.
_FIRST_CLAUSE: Final = re.compile(
    r"(?!(?:after|as|because|due|for|if|in|since|to|when|while|with) )"
    rf"((?:\S+ ){{3,}}?\S*[\w)])(?:[,;:.] |[.:;]? ?{GAP})",
    re.IGNORECASE,
)
_LAST_PHRASE: Final = re.compile(
    r"((?:\S+ ){3,}\S*[\w)]) "
    r"(?:after|and|as|at|because|before|but|by|for|from|if|in|into|on|or|since|unless|until|when|"
    r"while|with|without)\b"
)
# A bracket that is opened and not closed.
_TORN_BRACKET: Final = re.compile(r"\s*[(\[{<][^)\]}>]*$")
# An opening mark behind a space, whose value is cut off.
_TORN_QUOTE: Final = re.compile(r"\s+'$")


def is_telling(message: str) -> bool:
    """Find out whether a message says something in words that a person would search for."""
    words = [word for part in fixed_parts(message) for word in _WORD.findall(part)]
    letters = sum(map(len, words))
    is_long = len(words) >= FEWEST_WORDS and letters >= FEWEST_LETTERS
    is_quotable = "\\" not in message and '"' not in message
    return is_long and len(message) <= LONGEST and is_quotable


# Dashes before a word are those of an option.
_LEADING_MARKS: Final = re.compile(rf"^(?:[{GAP} :;,.]|-(?!-*\w))+")


def quoted(message: str) -> str:
    """Write a message as a person quotes it, with ``…`` for what is left out at its ends.

    One that is too long is quoted up to the end of its first sentence, its first clause or, where
    it has one alone, its last phrase that is whole.
    """
    message_start = cut_message(message)
    core = _core(message)
    is_too_long = message_start != message.strip() and message_start.endswith(GAP)
    for end_of_part in (_FIRST_SENTENCE, _FIRST_CLAUSE, _LAST_PHRASE) if is_too_long else ():
        part = end_of_part.match(core)
        if part is not None:
            return part[1]
    start = f"{GAP} " if message_start.startswith(GAP) else ""
    end = f" {GAP}" if _goes_on(core, message_start) else ""
    # Of values with nothing but a mark between them nobody quotes more than that there are some.
    quotation = f"{start}{core}{end}"
    return _GAPS_IN_A_ROW.sub(GAP, quotation)


def spoken_error(name: str) -> str:
    """Name the class of an error as people do; no more than "error" where that says nothing.

    Args:
        name: The class as it is raised, with the module that it is taken from.
    """
    simple = name.rpartition(".")[2]
    return simple if _ERROR_CLASS.fullmatch(simple) else "error"


def _goes_on(core: str, message: str) -> bool:
    """Find out whether words follow behind what is quoted, or the value that its end leads to."""
    end_of_core = message.find(core) + len(core)
    ending = message[end_of_core:]
    last_word = core.rpartition(" ")[2].lower()
    is_open = ending.strip(" .") != "" and last_word in _OPEN_ENDS
    words = [word.lower() for word in _WORD.findall(ending)]
    # Words that only lead to a value say nothing without it, and a mark may close what is quoted.
    leading_words = _LEADING.split()
    has_words = any(word not in leading_words for word in words)
    is_closed = ending.startswith((":", ";", "."))
    return is_open or (has_words and not is_closed)


def _core(message: str) -> str:
    """Write a message without gaps and punctuation at its ends.

    A single word behind the last value is left out together with that value, unless what is before
    it leads there, as in "after … seconds"; and so are the words that only lead to a value which is
    cut off.
    """
    message_start = cut_message(message)
    text = message_start
    beginning, gap, ending = text.rpartition(GAP)
    while gap and _is_loose_end(beginning, ending):
        text = beginning
        beginning, gap, ending = text.rpartition(GAP)
    is_cut = text != message_start or text.endswith(GAP)
    text = text.rstrip(f"{GAP} ")
    is_at_colon = text.endswith(":")
    whole = _TORN_BRACKET.sub("", _TORN_QUOTE.sub("", text))
    trimmed = _LEADING_MARKS.sub("", whole).rstrip(f"{GAP} :;,.-").rstrip(_OPENERS)
    if not is_cut and not is_at_colon:
        return trimmed
    closed = (_LOOSE_AT_COLON if is_at_colon else _LOOSE_AT_GAP).sub("", trimmed)
    closed = _LABEL.sub("", closed)
    # Too little would be left to search for.
    is_enough = len(_WORD.findall(closed)) >= FEWEST_WORDS
    return closed if is_enough else trimmed


def _is_loose_end(beginning: str, ending: str) -> bool:
    """Find out whether a value and the word behind it may be left out at the end of a message."""
    words = _WORD.findall(ending)
    last_word = beginning.rstrip().rpartition(" ")[2].lower()
    is_led_to = bool(words) and last_word in _OPEN_ENDS
    is_enough_left = len(_WORD.findall(beginning)) >= FEWEST_WORDS
    return len(words) <= 1 and not is_led_to and is_enough_left


def is_said_once(code: CodeContext, message: str, entity_id: str) -> bool:
    """Find out whether a message stands in one place of one function: else nobody knows which."""
    entity = code.snapshot.entity(entity_id)
    quotation = quotation_of(quoted(message))
    if entity is None or times_held(quotation, entity, code.snapshot) != 1:
        return False
    longest_part = max(fixed_parts(message), key=len)
    if stands_in_other_code(code.snapshot, longest_part):
        return False
    holders = {holder.entity_id: holder for holder in holders_of(quotation, code.snapshot)}
    # Of words that stand everywhere, nobody keeps account.
    if entity_id not in holders:
        return False
    for holder_id, holder in holders.items():
        is_around = entity_id == holder_id or entity_id.startswith(f"{holder_id}.")
        if not is_around and is_product_code(code.snapshot, holder.path):
            return False
    return True
