"""From docstrings and comments to plain sentences: markup out, asides out, doubtful text refused."""

import re
from typing import Final

from goldwright.offline_agents.author.inflection import spell
from goldwright.offline_agents.author.lexicon import DETERMINERS

LONGEST_SENTENCE: Final = 400

_ROLE: Final = re.compile(r":[\w:+.-]+:`([^`]*)`|:[\w:+.-]+:(?=\s)")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]*\)|`([^`<]+?)\s*<[^`>]*>`_+")
_MARKED: Final = re.compile(
    r"(``?)([^`]+?)\1|(?<!\w)'([A-Za-z_]\w*)'(?!\w)|(?<![\w*])\*([A-Za-z_]\w*)\*(?![\w*])|\*\*([\w ]+)\*\*"
)
_ASIDE: Final = re.compile(r"\s*\([^()]*\)|\s*\[[^\[\]]*\]")
_SENTENCE_END: Final = re.compile(
    r"(?<![eE]\.g)(?<!i\.e)(?<!etc)(?<!vs)(?<!\be)(?<!\bi)[.!?](?=\s+[A-Z\"'`:*]|\s*$)|:\s*$|;\s"
)
_CAMEL: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_CODE_LEFT: Final = re.compile(
    r"[_=<>{}\[\]|\\/@#$%^~`]|\w\.\w|[a-z][A-Z]|\d\.\d|\*|\(|\)|::|--|\.\."
)
_REFUSED: Final = re.compile(
    r"\b(deprecated|internal use|see also|see|todo|fixme|xxx|hack|note|versionadded|versionchanged|"
    r"workaround|ditto|e\.g|i\.e|etc|"
    r"I|we|our|you|your|us|my|subclass(?:es)? (?:should|must|may|can)|backwards?|compatib\w+|new "
    r"in|since version|override[sn]?|overridden|"
    r"above|below|docstring|http|https?:|www|same as|alias|foo|bar|baz|shortcut|noqa|pragma|don't|"
    r"doesn't|isn't|won't|can't|bug|issue|"
    r"python ?\d|py\d|this function|this method|this class|ticket|hence|just|really|actually|simply|basically)\b"
)


def first_sentence(text: str) -> str:
    """Take the first sentence of the first paragraph, lines joined, without its full stop."""
    paragraph = re.split(
        r"\n\s*\n|\n\s*(?:[-*] |\.\. |:param|Args:|>>>)", text.strip(), maxsplit=1
    )[0]
    joined = re.sub(r"\s+", " ", paragraph).strip()[:LONGEST_SENTENCE]
    end = _SENTENCE_END.search(joined)
    return (joined[: end.start()] if end else joined).strip(" .:;!")


def plain(sentence: str, parameters: frozenset[str] = frozenset()) -> str | None:
    """Strip the markup of a sentence; ``None`` when what is left still smells of code or of an
    aside.

    ``parameters`` are the argument names of the function it describes: marked as code, they become
    nouns.
    """
    text = _ROLE.sub(lambda match: f"`{match.group(1)}`" if match.group(1) else " ", sentence)
    text = re.sub(r"`+(True|False|None)`+", r"\1", text)
    text = _LINK.sub(lambda match: match.group(1) or match.group(2), text)
    text = (
        text.replace("“", '"')
        .replace("”", '"')
        .replace("’", "'")
        .replace("---", " - ")
        .replace("--", " - ")
        .replace("—", " - ")
    )
    text = _ASIDE.sub("", text)
    try:
        text = _MARKED.sub(
            lambda match: _as_words(next(filter(None, match.groups()[1:])), match, parameters), text
        )
    except _UnspeakableError:
        return None
    text = re.sub(r"\s+", " ", re.split(r"\s-\s|\s–\s", text)[0]).strip(" .,:;")
    return _tidied(text)


def comment_sentence(lines: tuple[str, ...]) -> str:
    """Join the lines of one comment block into its first sentence."""
    return first_sentence(" ".join(line.lstrip("#").strip() for line in lines))


def humanised(name: str) -> str:
    """Split a CamelCase name into lower-case words: ``FileSystemLoader`` becomes ``file system
    loader``.
    """
    return " ".join(
        spell(word if word.isupper() and len(word) > 1 else word.lower())
        for word in _CAMEL.findall(name)
    )


class _UnspeakableError(ValueError):
    """A code token that has no plain-English reading."""


def _as_words(token: str, match: re.Match[str], parameters: frozenset[str]) -> str:
    name = token.lstrip("~!").rpartition(".")[2].rstrip("()").strip()
    if " " in token.strip() and re.fullmatch(r"[A-Za-z ]+", token):
        return token
    if not re.fullmatch(r"[A-Za-z]+", name):
        raise _UnspeakableError(name)
    if name in {"None", "True", "False", "self", "cls"} or "(" in token:
        raise _UnspeakableError(name)
    words = humanised(name) if name[:1].isupper() else spell(name)
    before = match.string[: match.start()].rstrip().rpartition(" ")[2].lower()
    after = match.string[match.end() :].lstrip().split(" ")[0].lower()
    is_bare = (
        before not in DETERMINERS
        and before not in {"given", "its", "this", "of"}
        and not after[:1].isalpha()
    )
    if name in parameters and len(name) < 3:
        raise _UnspeakableError(name)
    if (
        name in parameters
        and (is_bare or before in {"of", "to", "for", "from", "in", "into"})
        and not name.endswith("s")
    ):
        return f"the {words}"
    return words


def _tidied(text: str) -> str | None:
    if (
        not text
        or _CODE_LEFT.search(text)
        or _REFUSED.search(text)
        or text.count('"') % 2
        or re.search(r"\d", text)
    ):
        return None
    if not re.fullmatch(r"[\w ,'\"&+-]+", text):
        return None
    return text
