"""Small pieces of text that several commands print."""


def number_or_dash(number: float | None, number_format: str) -> str:
    """Write a number in a format such as ``.3f``, or a dash where there is none."""
    if number is None:
        return "-"
    return format(number, number_format)
