"""Small pieces of text that several commands print."""


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, as in ``1 run`` and ``3 runs``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun}s"


def number_or_dash(number: float | None, number_format: str) -> str:
    """Write a number in a format such as ``.3f``, or a dash where there is none."""
    if number is None:
        return "-"
    return format(number, number_format)
