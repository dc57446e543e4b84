"""The words that belong to TypeScript itself.

They count for texts about every codebase, whether the parser is installed or not, so that one text
always means the same. So only words are here that hardly any Python code gives to things of its
own; what both languages share is among Python's.
"""

from typing import Final

from goldwright.snapshot.languages.language_port import LanguageWords

_KEYWORDS: Final = frozenset({"instanceof", "readonly", "typeof", "undefined"})

WORDS: Final = LanguageWords(
    keywords=_KEYWORDS,
    names=_KEYWORDS,
    standard_modules=frozenset(),
    type_names=frozenset({"ReadonlyArray", "ReturnType", "NonNullable"}),
    object_methods=frozenset({"addEventListener", "forEach", "hasOwnProperty", "toString"}),
    receivers=frozenset({"this"}),
    leading_keywords=frozenset(),
)
