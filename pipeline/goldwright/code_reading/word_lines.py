"""On how many lines a word stands: a claim about all its uses can be checked while they are few."""

import re
from typing import Final

from goldwright.snapshot import Snapshot
from goldwright.snapshot.word_files import files_with, other_files_with

# A search of the toolset shows 200 lines; a few are left for lines that it counts otherwise.
MOST_LINES: Final = 180


def is_on_few_lines(snapshot: Snapshot, word: str) -> bool:
    """Check whether one search would show every line of the codebase that holds a word."""
    source_files = files_with(snapshot, word)
    other_files = other_files_with(snapshot, word)
    if source_files is None or other_files is None:
        return False
    text = word.encode()
    whole_word = rf"\b{re.escape(word)}\b"
    pattern = re.compile(whole_word.encode())
    lines = 0
    for path in (*source_files, *other_files):
        data = snapshot.data(path)
        # Looking for the text first spares the pattern nearly every line.
        candidates = (line for line in data.splitlines() if text in line)
        lines += sum(1 for line in candidates if pattern.search(line))
        if lines > MOST_LINES:
            return False
    return True
