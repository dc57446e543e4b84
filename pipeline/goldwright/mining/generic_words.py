"""Words that commits are written with whatever they change: they lead to no place in the code."""

import re
from collections.abc import Mapping
from typing import Final

from goldwright.mining.message_query import CONTENT_WORD
from goldwright.retrieval.stop_words import STOP_WORDS

# Of what, with what is done to it: read in the subjects of requests, marshmallow and click.
_GENERIC: Final[Mapping[str, str]] = {
    "deeds": (
        "fix correct clean cleanup tidy refactor rework rewrite simplify simplification update"
        " change improve improvement add addition remove removal delete deletion move use rename"
        " make do implement implementation tweak polish work break address apply try set get"
        " bugfix hotfix support introduce replace ensure avoid allow handle resolve adjust"
    ),
    "things": (
        "bug issue problem error warning failure breakage typo lint linter style formatting"
        " format test testing coverage doc docs documentation docstring comment changelog code"
        " stuff thing feature version release todo review suggestion feedback concern merge"
        " conflict pr pull request branch master main commit ci build compat compatibility"
        " backward deprecation file line function method class module variable import imports"
        " type types typing annotation hint wip progress advisory ghsa fork regression couple"
    ),
    "tools": (
        "pep flake pyflakes pylint isort mypy ruff travis appveyor tox pytest pyright codecov"
    ),
    "looks": (
        "minor small little tiny quick simple some several various few more better nicer bit"
        " unused unnecessary redundant useless needless dead obsolete old new initial first"
        " last next final finally after before during since caused broken wrong missing"
        " potential proper again really actually just also even failing possible slight slightly"
        " general internal legacy oops whoops"
        " sorry thanks courtesy hurray"
    ),
    "pythons": "python py cpython pypy",
}
_GENERIC_WORDS: Final = frozenset(" ".join(_GENERIC.values()).split())
# Longest first, each with what stands in its place in the plain form.
_ENDINGS: Final = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST_STEM: Final = 2

# People who are thanked, numbers of commits and of advisories.
_OF_NOBODY: Final = re.compile(
    r"@[\w-]+(?:'s)?|\b(?=\w*\d)[0-9a-f]{7,40}\b|\bghsa(?:-\w+)+", re.IGNORECASE
)
# ``status_code``, ``iter_lines()``, ``JSONEncoder``, ``TLS``, ```name```: a name is enough.
_NAME: Final = re.compile(
    r"`[^`]+`|\w+\(\)|[^\W\d]+_\w+|\b\w+\.\w+|\b[a-z]+[A-Z]\w*|\b[A-Z]\w*[a-z]\w*[A-Z]\w*"
)
_JOINT: Final = re.compile(r"[-'’_.]")
_CAPITALS: Final = re.compile(r"\b[A-Z][A-Z0-9]{2,}\b")


def is_vague(query: str) -> bool:
    """Return whether a query says nothing of what was changed: only that, and how.

    It names nothing that looks like code or an acronym, and every other word is a stop word or of
    the vocabulary of commits. One word of its own is enough: of the subjects with one, a third led
    to their place (``Refactor netrc handling``).
    """
    text = _OF_NOBODY.sub(" ", query)
    if any(not is_generic(name.strip("`()")) for name in _names(text)):
        return False
    words = (match[0].lower() for match in CONTENT_WORD.finditer(text))
    # Either part of ``error-handling`` may lead somewhere.
    return not any(_leads_somewhere(part) for word in words for part in _JOINT.split(word))


def is_generic(word: str) -> bool:
    """Return whether a word, in any of its plain forms, belongs to the vocabulary of commits."""
    word = word.lower()
    return any(form in _GENERIC_WORDS for form in _plain_forms(word))


def _names(text: str) -> list[str]:
    names = _NAME.findall(text)
    if text.upper() != text:
        names += _CAPITALS.findall(text)
    return names


def _leads_somewhere(word: str) -> bool:
    return len(word) > 1 and word not in STOP_WORDS and not is_generic(word)


def _plain_forms(word: str) -> list[str]:
    """Give a word as it stands, and without endings: ``fixing``, ``removed``, ``utilities``."""
    forms = [word]
    for ending, replacement in _ENDINGS:
        stem = word.removesuffix(ending) + replacement
        if word.endswith(ending) and len(stem) > _SHORTEST_STEM:
            # ``removed`` is ``remove``, and ``dropped`` is ``drop``.
            forms += [stem, f"{stem}e"]
            if stem[-1] == stem[-2]:
                forms.append(stem[:-1])
    return forms
