"""Words of the codebase, quoted so that they can stand in a sentence."""

import re
from typing import Final

from goldwright.code_reading.messages import GAP

LONGEST_MESSAGE: Final = 90
_MARKS: Final = re.compile("[“”`]")
_GAPS: Final = re.compile(rf"{GAP}{{2,}}")


def cut_message(message: str) -> str:
    """Make a message fit for quotation marks; one that is too long ends in ``…``.

    Marks that would end the quotation or begin code are put as gaps too: nothing may be read as
    more than it is.
    """
    # A value in marks of its own is one gap.
    text = _GAPS.sub(GAP, _MARKS.sub(GAP, message))
    if len(text) > LONGEST_MESSAGE:
        shortened, _, _ = text[:LONGEST_MESSAGE].rpartition(" ")
        text = f"{shortened}{GAP}" if shortened else ""
    return text.strip()
