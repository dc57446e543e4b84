"""Brackets of code: how deep inside them a piece of it stands, and how it reads without them."""

from typing import Final

from goldwright.offline_agents.token_reading.code_text import plain_code

_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


def depth_change(token: str) -> int:
    """Say how much deeper the code behind a token stands: 1, 0 or -1."""
    return (token in _OPENING) - (token in _CLOSING)


def without_brackets(caught: str) -> str:
    """Write what a clause catches: the brackets around several classes mean nothing more."""
    classes = caught.replace("(", "").replace(")", "")
    return plain_code(classes)
