"""Python source as text, in the encoding that it declares."""

import codecs
import io
import re
import tokenize
from typing import Final

# Codecs of names, not of texts: they know no replacement, take quadratic time, or always fail.
_OF_NAMES: Final = frozenset({"idna", "punycode", "undefined"})
# Halves of characters, which some encodings can express and neither records nor tokens can hold.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def decode_source(data: bytes) -> str:
    """Decode a file by its byte order mark and its coding line (PEP 263), else as UTF-8.

    Bytes that do not fit are replaced, halves of characters as well, and an encoding that does not
    exist is read as UTF-8.
    """
    try:
        return _SURROGATE.sub("\ufffd", data.decode(_declared_encoding(data), "replace"))
    except LookupError:
        return data.decode("utf-8-sig", "replace")


def decode_strictly(data: bytes) -> str:
    """Decode a file as Python itself would.

    Raises:
        UnicodeDecodeError: Bytes do not fit the encoding.
        LookupError: The encoding does not exist.
        SyntaxError: The coding line is wrong.
    """
    stream = io.BytesIO(data)
    encoding, _ = tokenize.detect_encoding(stream.readline)
    if codecs.lookup(encoding).name in _OF_NAMES:
        raise LookupError(f"no encoding of texts: {encoding}")
    return data.decode(encoding)


def _declared_encoding(data: bytes) -> str:
    stream = io.BytesIO(data)
    try:
        encoding, _ = tokenize.detect_encoding(stream.readline)
    except (SyntaxError, UnicodeDecodeError):
        return "utf-8-sig"
    is_of_names = codecs.lookup(encoding).name in _OF_NAMES
    return "utf-8-sig" if is_of_names else encoding
