"""The command line: collect options, call one use case, print one result."""

import resource
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final, NoReturn

import click

from goldwright.cli.catalog import goldwright
from goldwright.errors import GoldwrightError
from goldwright.text import make_visible

EXIT_USAGE: Final = 2
# 128 and the number of the signal, as shells have it.
EXIT_INTERRUPTED: Final = 130
EXIT_PIPE_CLOSED: Final = 141
EXIT_TERMINATED: Final = 143

# After any other command there is nothing that resume could take up.
RESUMABLE_COMMANDS: Final = frozenset({"run", "resume"})


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and end the process with its exit code."""
    sys.exit(exit_code(arguments))


def exit_code(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code.

    An error of the input is one line on stderr.

    Args:
        arguments: The command line without the program's name; that of the process where there is
            none.
    """
    _silence_process()
    with _orderly_signals() as termination:
        try:
            return _run(arguments)
        except (KeyboardInterrupt, click.Abort):
            _print_error(_stop_message(arguments))
            return EXIT_TERMINATED if termination.was_requested else EXIT_INTERRUPTED
        except BrokenPipeError:
            # Python would fail once more when it flushes stdout at the end.
            sys.stdout = None
            return EXIT_PIPE_CLOSED


@dataclass
class _Termination:
    """Whether the process was asked to terminate."""

    was_requested: bool = False


@contextmanager
def _orderly_signals() -> Iterator[_Termination]:
    """Let SIGTERM take the way of SIGINT, which asyncio turns into an orderly cancellation."""
    termination = _Termination()

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        termination.was_requested = True
        signal.raise_signal(signal.SIGINT)

    # The background job of a script ignores SIGINT from birth; asyncio needs the usual handler.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    previous_handler = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield termination
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _run(arguments: Sequence[str] | None) -> int:
    stdout = sys.stdout
    # Not standalone: click would print its errors in its own form and exit by itself.
    try:
        result = goldwright.main(args=arguments, prog_name="goldwright", standalone_mode=False)
        # Here, so that a reader who has gone shows as an error that is caught below.
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        # The message is the whole help, which must keep its lines.
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except click.ClickException as error:
        _print_error(error.format_message())
        return EXIT_USAGE
    except GoldwrightError as error:
        _print_error(str(error))
        return error.exit_code
    except SystemExit as error:
        # Where nobody reads on, click replaces stdout and exits with 1, which is the exit code of
        # a quality gate here.
        if sys.stdout is not stdout:
            raise BrokenPipeError from error
        raise
    return result if isinstance(result, int) else 0


def _silence_process() -> None:
    """Write no core dump, which would hold keys, and no warnings of libraries."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard_limit))
    # Whoever asks for warnings, with -W or PYTHONWARNINGS, gets them.
    if not sys.warnoptions:
        warnings.simplefilter("ignore")


def _stop_message(arguments: Sequence[str] | None) -> str:
    if arguments is None:
        arguments = sys.argv[1:]
    message = "stopped; nothing that was written is lost"
    if arguments and arguments[0] in RESUMABLE_COMMANDS:
        return f"{message} (carry on with: goldwright resume latest)"
    return message


def _print_error(text: str) -> None:
    # One line without control characters: names in it may come from a hostile repository.
    line = make_visible(" ".join(text.split()))
    click.echo(f"goldwright: {line}", err=True)
