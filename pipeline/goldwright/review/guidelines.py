"""How people judge a record: the same sentences on the page, in the terminal and in documents."""

from typing import Final

VERDICT_GUIDELINES: Final = (
    "Judge what stands there by the code beside it, and not by how it may have come about.",
    "Question: would a developer ask it? If nobody would, that is a major issue.",
    "Entities: all that the answer needs? One too few or too many is a major issue.",
    "Another answer that is just as right is a minor issue, with a note that names it.",
    "Facts: is each true, with every condition? A false one is major, an idle one minor.",
    "Lines: do those that a claim cites show it? If they show something else, that is major.",
    "Must-nots: is each false of this code? One that is true is a major issue.",
    "Narrative: does it answer, and is all of it true? False is a major issue, clumsy a minor one.",
    "Wrong is for a record that does not answer its question, whatever else is right in it.",
    "In doubt between two, take the graver one and say why.",
)
"""What makes an issue minor or major; plain sentences, in the order of reading a record."""
