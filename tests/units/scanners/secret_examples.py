"""Examples of secrets as the rule tables write them, filled in with characters drawn by chance.

The tables hold no secrets, lest every scanner of repositories stop at them.
"""

import hashlib
import re
from dataclasses import dataclass

ALPHABETS = {
    "alnum": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "hex": "0123456789abcdef",
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "digits": "123456789",
}
BLANK = re.compile(r"\{(alnum|hex|upper|digits|uuid):(\d+)\}")
HIDDEN = re.compile("«([^»]*)»")


@dataclass(frozen=True)
class SecretExample:
    """A line that holds one secret."""

    before: str
    secret: str
    after: str

    @property
    def line(self) -> str:
        return f"{self.before}{self.secret}{self.after}"

    def masked(self, kind: str) -> str:
        """The line as it must be shown."""
        digits = hashlib.sha256(self.secret.encode()).hexdigest()[:8]
        return f"{self.before}<secret:{kind}:{digits}>{self.after}"


def draw(length: int, alphabet: str = "alnum") -> str:
    """Characters that look drawn at random and are the same on every run."""
    letters = ALPHABETS[alphabet]
    blocks = range(length // 32 + 1)
    stream = b"".join(hashlib.sha256(f"{alphabet}{block}".encode()).digest() for block in blocks)
    return "".join(letters[byte % len(letters)] for byte in stream[:length])


def fill(template: str) -> str:
    """Put characters into the blanks of an example, such as ``{alnum:36}``."""
    return BLANK.sub(_draw_blank, template)


def read_example(template: str) -> SecretExample:
    """Read an example whose secret stands between ``«`` and ``»``."""
    before, secret, after = HIDDEN.split(fill(template))
    return SecretExample(before, secret, after)


def _draw_blank(blank: re.Match[str]) -> str:
    alphabet, number = blank[1], int(blank[2])
    if alphabet == "uuid":
        digits = draw(32 * number, "hex")[-32:]
        return re.sub(r"(.{8})(.{4})(.{4})(.{4})(.{12})", r"\1-\2-\3-\4-\5", digits)
    return draw(number, alphabet)
