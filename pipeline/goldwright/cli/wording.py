"""Small pieces of English that several commands print."""


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, as in ``1 run`` and ``3 runs``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun}s"
