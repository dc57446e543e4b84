"""What the parser of Python files refuses, beyond what is no Python."""

import pytest

from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_strictly


@pytest.mark.parametrize("as_bytes", [False, True])
@pytest.mark.parametrize(
    ("code", "is_read"),
    [
        (f"x = 0x{'f' * 4000}", False),
        (f"x = 1 + 0b{'1' * 20000}", False),
        (f"x = 0x{'f' * 3500}", True),
        # A row of digits in a string is no number.
        (f"x = '0x{'f' * 4000}'", True),
    ],
)
def test_a_number_that_python_would_not_write_is_refused_before_anybody_meets_it(
    code: str, is_read: bool, as_bytes: bool
) -> None:
    source = code.encode() if as_bytes else code
    if is_read:
        parse_strictly(source)
    else:
        with pytest.raises(UnparsableError, match="line 1: a number of too many digits"):
            parse_strictly(source)
