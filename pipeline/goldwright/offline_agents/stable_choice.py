"""Choices that look free and are not: the same words always fall the same way."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def number(*words: str) -> int:
    """Turn words into a number below 2**32, the same on every machine."""
    return int.from_bytes(
        hashlib.blake2b("\x00".join(words).encode(errors="replace"), digest_size=4).digest(), "big"
    )


def pick(items: Sequence[Item], *words: str) -> Item:
    """Choose one item by words."""
    return items[number(*words) % len(items)]
