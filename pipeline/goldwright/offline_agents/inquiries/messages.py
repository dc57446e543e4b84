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


def is_telling(message: str) -> bool:
    """Find out whether a message says something in words that a person would search for."""
    words = [word for part in fixed_parts(message) for word in _WORD.findall(part)]
    is_long = len(words) >= FEWEST_WORDS and sum(map(len, words)) >= FEWEST_LETTERS
    return is_long and len(message) <= LONGEST and "\\" not in message and '"' not in message


def quoted(message: str) -> str:
    """Write a message as a person quotes it: no gaps and no punctuation at its ends.

    A single word behind the last value is left out together with that value.
    """
    text = cut_message(message)
    beginning, gap, rest = text.rpartition(GAP)
    while gap and len(_WORD.findall(rest)) <= 1 and len(_WORD.findall(beginning)) >= FEWEST_WORDS:
        text = beginning
        beginning, gap, rest = text.rpartition(GAP)
    return text.strip(f"{GAP} :;,.-").rstrip(_OPENERS)


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
        if not is_around and is_product_code(holder.path):
            return False
    return True
