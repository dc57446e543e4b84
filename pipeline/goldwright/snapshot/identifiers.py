"""Which words are code by their shape, and which give an answer away."""

import re
from collections.abc import Iterable, Iterator

from goldwright.snapshot.entities import split_entity_id

CODE_MARKS = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]+)\1(?!`)|(?<=<code>)()([^<]+)(?=</code>)")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")
_DUNDER = re.compile(r"__[a-z0-9]+(?:_[a-z0-9]+)*__")

BRANDS: frozenset[str] = frozenset(
    "amd64 arm64 base16 base32 base64 base85 crc32 github gitlab graphql http2 http3 ios ipv4 ipv6 iso8601 javascript"
    " linkedin macos md5 mongodb mypy mysql nodejs nosql numpy oauth oauth1 oauth2 openssl postgresql"
    " pypi pypy python2 python3 pytorch sha1 sha224 sha256 sha384 sha512 sqlalchemy sqlite sqlite3 typescript utf16"
    " utf32 utf8 webhook webhooks websocket websockets wifi win32 x86 x64 youtube".split()
)


def is_code_shaped(word: str) -> bool:
    """Tell whether a word looks like an identifier and like no English: underscore, inner capital
    or digit.

    Acronyms (``HTTP``, ``URLs``) are English.
    """
    if not _IDENTIFIER.fullmatch(word) or _ACRONYMS.fullmatch(word):
        return False
    if "_" in word:
        return word.strip("_") != ""
    return not word.isalpha() or _INNER_CAPITAL.search(word) is not None


def is_dunder(word: str) -> bool:
    """Tell whether a word is one of Python's own double-underscore names."""
    return _DUNDER.fullmatch(word) is not None


def leaked_identifiers(query_text: str, target_ids: Iterable[str]) -> tuple[str, ...]:
    """List the identifiers of the targets that a query gives away.

    An identifier is any part of a target's qualified name. A code-shaped one leaks as a whole word
    in the same case; one that is also English leaks only between code marks, called or dotted.
    """
    marked = " \n ".join(code_spans(query_text))
    names = dict.fromkeys(
        part for target in target_ids for part in split_entity_id(target)[1].split(".") if part
    )
    return tuple(name for name in names if _leaks(name, query_text, marked))


def code_spans(text: str) -> Iterator[str]:
    """Yield what stands between code marks: backticks or ``<code>`` tags."""
    for match in CODE_MARKS.finditer(text):
        yield match[2] or match[4]


def _leaks(name: str, query: str, marked: str) -> bool:
    if name not in query:
        return False
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    if is_code_shaped(name):
        return re.search(word, query) is not None
    if re.search(word, marked):
        return True
    return re.search(rf"{word}(?:\(|\.\w)|(?<=[\w)\]]\.){word}|(?<!\S)\.{word}", query) is not None
