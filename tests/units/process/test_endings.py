"""Every error has one exit code, and only what nobody foresaw is a bug."""

import errno
import os

import pytest

from goldwright.errors import BudgetError, ProviderError, QualityGateError, ReaderGoneError
from goldwright.process.endings import ending_of


@pytest.mark.parametrize(
    ("error", "code", "can_resume"),
    [
        (QualityGateError("no"), 1, False),
        (BudgetError("too dear"), 5, False),
        (ProviderError("down"), 6, True),
        (ReaderGoneError("gone"), 141, False),
        (MemoryError(), 2, True),
        (OSError(errno.ENOSPC, "full", "/x"), 2, True),
        (OSError(errno.EDQUOT, "full"), 2, True),
        (OSError(errno.EMFILE, "many", "/x"), 2, True),
        (OSError(errno.ENAMETOOLONG, "long", "/x"), 2, False),
        (OSError(errno.EACCES, "denied", "/x"), 2, False),
        (OSError(errno.EIO, "broken", "/x"), 4, False),
        (OSError(errno.EBADF, "bad"), 70, False),
        (FileNotFoundError(errno.ENOENT, "none", "/x"), 70, False),
        (ImportError(f"libx.so: {os.strerror(errno.EMFILE)}"), 2, True),
        (ImportError("libx.so: failed to map segment from shared object"), 2, True),
        (ImportError("no such name"), 70, False),
        (RecursionError(), 70, False),
        (SystemExit(0), 70, False),
        (GeneratorExit(), 70, False),
        (
            BaseExceptionGroup("two", [ExceptionGroup("one", [BudgetError("x")]), KeyError()]),
            5,
            False,
        ),
    ],
)
def test_the_exit_code_of_an_error(error: BaseException, code: int, can_resume: bool) -> None:
    ending = ending_of(error)
    assert (ending.exit_code, ending.can_resume) == (code, can_resume)
    # A bug has its line from the report, and a reader who has gone reads none.
    assert bool(ending.text) == (code not in {70, 141})
