"""Every error the program raises on purpose, with the exit code it ends in.

::

    GoldwrightError
    ├── InputError              2  a path, plan, config, dataset or flag is wrong
    │   └── MachineLimitError   2  memory, open files or room on a disk do not suffice
    │       └── NoRoomError     2  a disk is full
    ├── OutputError             2  standard output cannot be written
    │   └── ReaderGoneError   141  whoever read standard output has gone
    ├── QualityGateError        1  the work is done and a quality gate rejected it
    ├── BusyError               3  another process holds the run
    ├── DamagedStateError       4  a file of the program's own is not what was written
    ├── BudgetError             5  the next call could pass a ceiling
    ├── ProviderError           6  a model provider is unavailable or refuses; the run stops
    ├── RetrieverError          6  the retriever under evaluation is out of reach or died
    ├── HarnessError           70  what is equal by construction is not; no result is shown
    └── QuarantineError         6  one case cannot be finished now; the others go on
        └── UnansweredError     6  its provider did not answer
            ├── UnreachableError  6  nothing listened at its provider's address
            └── ItemCeilingError  6  its own ceiling is reached

A signal ends in 128 and its number: 129 (SIGHUP), 130 (SIGINT), 131 (SIGQUIT), 143 (SIGTERM). What
else escapes and is no limit of the machine is a bug of ours and ends in 70.
"""

from typing import ClassVar

# EX_SOFTWARE of sysexits.h: an internal software error.
EXIT_BUG = 70


class GoldwrightError(Exception):
    """An expected failure: its text is one line that says what, where and what was expected."""

    exit_code: ClassVar[int] = EXIT_BUG


class HarnessError(GoldwrightError):
    """What must be equal by construction is not: a bug of ours, found before it became a result."""


class InputError(GoldwrightError):
    """Something the user handed over is wrong; nothing was written or paid."""

    exit_code = 2


class MachineLimitError(InputError):
    """The process may not have what it needs; with more of it the same command works."""


class NoRoomError(MachineLimitError):
    """There is no room on a disk."""


class OutputError(GoldwrightError):
    """What a command was to print on standard output cannot be written."""

    exit_code = 2


class ReaderGoneError(OutputError):
    """Whoever read standard output has gone, which is no fault and needs no words."""

    # 128 and the number of SIGPIPE, by which other programs end there.
    exit_code = 141


class QualityGateError(GoldwrightError):
    """The work was done and its result is not good enough."""

    exit_code = 1


class BusyError(GoldwrightError):
    """Another process works on this run."""

    exit_code = 3


class DamagedStateError(GoldwrightError):
    """A stage file, manifest or cache is not what the program wrote."""

    exit_code = 4


class BudgetError(GoldwrightError):
    """A spending ceiling stands in the way of the next call."""

    exit_code = 5


class ProviderError(GoldwrightError):
    """A model provider cannot be reached or refuses; the run stops and can be resumed."""

    exit_code = 6


class RetrieverError(GoldwrightError):
    """The retriever under evaluation is out of reach, died, raised, or does not answer in time."""

    exit_code = 6


class QuarantineError(GoldwrightError):
    """One case was given up with its reason; the others go on, and the next resume retries it."""

    exit_code = 6


class UnansweredError(QuarantineError):
    """One case lacks an answer of its provider; the next resume goes on at that very question."""


class UnreachableError(UnansweredError):
    """One case lacks an answer, for nothing listened at the address of its provider."""


class ItemCeilingError(UnansweredError):
    """One case has used up what one case may cost; with a higher ceiling it goes on where it is."""
