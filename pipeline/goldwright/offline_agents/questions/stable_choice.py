"""Choices that look free and are not: the same words always fall the same way."""

import hashlib


def number(*words: str) -> int:
    """Turn words into a number below 2**32, the same on every machine."""
    data = "\x00".join(words).encode(errors="replace")
    digest = hashlib.blake2b(data, digest_size=4).digest()
    return int.from_bytes(digest, "big")
