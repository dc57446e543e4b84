"""Which words are code by their shape, and which give an answer away."""

import re
from collections.abc import Iterable, Iterator

from goldwright.snapshot.entities import split_entity_id

CODE_MARKS = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]+)\1(?!`)|(?<=<code>)([^<]+)(?=</code>)")
"""Text that is marked as code, by up to three backticks or by ``<code>`` tags."""

BACKTICKS = 2
CODE_TAGS = 3
"""The groups of ``CODE_MARKS`` that hold what stands between the marks; one of them is empty."""

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]")
# ``URLs`` has an inner capital and is English all the same.
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s")
_ACRONYM = re.compile(r"[A-Z]{2,}s?")

BRANDS: frozenset[str] = frozenset(
    """
    amd64 arm64 base16 base32 base64 base85 crc32 github gitlab graphql http2 http3 ios ipv4 ipv6
    iso8601 javascript linkedin macos md5 mongodb mypy mysql nodejs nosql numpy oauth oauth1 oauth2
    openssl postgresql pypi pypy python2 python3 pytorch sha1 sha224 sha256 sha384 sha512 sqlalchemy
    sqlite sqlite3 typescript utf16 utf32 utf8 webhook webhooks websocket websockets wifi win32 x86
    x64 youtube
    """.split()
)
"""Names of the trade in lower case: they are shaped like code, and text uses them as plain words.
"""


def is_code_shaped(word: str) -> bool:
    """Tell whether a word is shaped like an identifier, and not like English.

    An underscore, an inner capital or a digit makes it so. Acronyms (``HTTP``, ``URLs``) are
    English.
    """
    if not _IDENTIFIER.fullmatch(word) or _PLURAL_ACRONYM.fullmatch(word):
        return False
    if "_" in word:
        # Underscores alone are a blank in a form.
        return word.strip("_") != ""
    if not word.isalpha():
        return True
    return _INNER_CAPITAL.search(word) is not None


def is_acronym(word: str) -> bool:
    """Tell whether a word is one of capitals alone, or its plural."""
    return _ACRONYM.fullmatch(word) is not None


def leaked_identifiers(query_text: str, target_ids: Iterable[str]) -> tuple[str, ...]:
    """List the identifiers of the targets that a query gives away.

    An identifier is any part of a target's qualified name. A code-shaped one leaks as a complete
    word in the same case; one that is also English leaks only between code marks, called or dotted.
    """
    code_text = " \n ".join(code_spans(query_text))
    # A dictionary, so that each name comes once and in the order of the targets.
    names: dict[str, None] = {}
    for target_id in target_ids:
        _, qualified_name = split_entity_id(target_id)
        parts = qualified_name.split(".")
        names.update(dict.fromkeys(filter(None, parts)))
    return tuple(name for name in names if _is_leaked(name, query_text, code_text))


def code_spans(text: str) -> Iterator[str]:
    """Yield what stands between code marks: backticks or ``<code>`` tags."""
    for match in CODE_MARKS.finditer(text):
        yield match[BACKTICKS] or match[CODE_TAGS]


def _is_leaked(name: str, query: str, code_text: str) -> bool:
    if name not in query:
        return False
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    if is_code_shaped(name):
        return re.search(word, query) is not None
    if re.search(word, code_text):
        return True
    called_or_dotted = rf"{word}(?:\(|\.\w)"
    behind_dot = rf"(?<=[\w)\]]\.){word}|(?<!\S)\.{word}"
    return re.search(f"{called_or_dotted}|{behind_dot}", query) is not None
