"""Words that hold a question together and say nothing of what it asks for.

Without this list a question's own words decide ranks: "what", "when" and "does" are rare in code
that has no docstring, so their weight is high. Decision 20 has the figures.

The list holds closed classes of English words and no others, so nobody has to judge whether a
word of some codebase belongs to it. The 33 stop words of Lucene's EnglishAnalyzer are among them;
interrogatives, auxiliaries and personal pronouns, which make a text a question, are added. Words
that merely turn up often in questions about code ("show", "function", "find") are content here.
"""

from typing import Final

_WORDS: Final = """
    a an the this that these those such
    and but if or
    as at by for from in into of on to with
    am are be been being is was were can could did do does had has have having may might must shall
    should will would
    how what when where which who whom whose why
    i me my we us our you your it its they them their
    no not then there
"""

# Articles and demonstratives, conjunctions, prepositions, auxiliaries, interrogatives, pronouns and
# adverbs, a line or two each.
STOP_WORDS: Final = frozenset(_WORDS.split())
