"""What stands in Base64 or in hexadecimal digits, on one line or on several."""

import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Final

_CODED: Final = re.compile(r"[A-Za-z0-9+/_-]{16,}+={0,2}")
_BETWEEN_CODED: Final = re.compile(r"[\s\"'#*+\\/;,-]{1,40}")


def coded_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each run that may be a code, and the neighbours on consecutive lines as one."""
    run: list[re.Match[str]] = []
    for match in _CODED.finditer(text):
        yield match.start(), match.end(), match[0]
        if run and not _BETWEEN_CODED.fullmatch(text, run[-1].end(), match.start()):
            yield from _joined(run)
            run = []
        run.append(match)
    yield from _joined(run)


def decoded(code: str) -> Iterator[str]:
    """Yield what a code may stand for, if that is text."""
    bare = code.replace("=", "").replace("-", "+").replace("_", "/")
    for decode in (_from_base64, bytes.fromhex):
        try:
            text = decode(bare).decode("utf-8")
        except ValueError:
            continue
        if "".join(text.split()).isprintable():
            yield text


def _joined(run: Sequence[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    if len(run) > 1:
        yield run[0].start(), run[-1].end(), "".join(match[0] for match in run)


def _from_base64(code: str) -> bytes:
    return binascii.a2b_base64(code + "=" * (-len(code) % 4))
