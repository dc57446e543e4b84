"""The command line: collect options, call one function of the app, print one result."""

import resource
import signal
import sys
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from goldwright.cli.catalog import goldwright
from goldwright.errors import GoldwrightError
from goldwright.text import make_visible

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
EXIT_PIPE_CLOSED = 141


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and end the process with its exit code."""
    sys.exit(exit_code(arguments))


def exit_code(arguments: Sequence[str] | None = None) -> int:
    """Run the command and say how it ended; what is wrong with the input is one line on stderr."""
    _keep_quiet()
    ended_by: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        # SIGTERM takes the way of SIGINT, which asyncio turns into an orderly cancellation.
        ended_by.append(number)
        signal.raise_signal(signal.SIGINT)

    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # The background job of a script is born deaf to it; asyncio needs the usual handler to
        # cancel in order.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    previous = signal.signal(signal.SIGTERM, end)
    try:
        return _ended(arguments)
    except (KeyboardInterrupt, click.Abort):
        given = sys.argv[1:] if arguments is None else list(arguments)
        resumed = given[:1] in (["run"], ["resume"])
        more = " (carry on with: goldwright resume latest)" if resumed else ""
        _complain(f"stopped; nothing that was written is lost{more}")
        return EXIT_TERMINATED if ended_by else EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stdout = None
        return EXIT_PIPE_CLOSED
    finally:
        signal.signal(signal.SIGTERM, previous)


def _ended(arguments: Sequence[str] | None) -> int:
    stdout = sys.stdout
    try:
        result = goldwright.main(args=arguments, prog_name="goldwright", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except click.ClickException as error:
        _complain(error.format_message())
        return EXIT_USAGE
    except GoldwrightError as error:
        _complain(str(error))
        return error.exit_code
    except SystemExit as error:
        # Where nobody reads what it writes, click takes stdout away and ends with the code of a
        # quality gate.
        if sys.stdout is not stdout:
            raise BrokenPipeError from error
        raise
    return result if isinstance(result, int) else 0


def _keep_quiet() -> None:
    """Let nothing but ourselves speak: no core dump, which would hold keys, and no warnings of
    libraries.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if not sys.warnoptions:
        warnings.simplefilter("ignore")


def _complain(text: str) -> None:
    line = make_visible(" ".join(text.split()))
    click.echo(f"goldwright: {line}", err=True)
