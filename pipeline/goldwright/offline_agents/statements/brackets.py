"""How deep inside brackets a piece of code stands."""

from typing import Final

_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


def depth_change(token: str) -> int:
    """Say how much deeper the code behind a token stands: 1, 0 or -1."""
    return (token in _OPENING) - (token in _CLOSING)
