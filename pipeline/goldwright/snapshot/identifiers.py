"""Which words are code by their shape or by their marks."""

import re
from collections.abc import Iterator

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
    """Return whether a word is shaped like an identifier, and not like English.

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
    """Return whether a word is one of capitals alone, or its plural."""
    return _ACRONYM.fullmatch(word) is not None


def code_spans(text: str) -> Iterator[str]:
    """Yield what stands between code marks: backticks or ``<code>`` tags."""
    for match in CODE_MARKS.finditer(text):
        yield match[BACKTICKS] or match[CODE_TAGS]
