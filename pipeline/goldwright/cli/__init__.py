"""The command line: collect options, call one use case, print one result."""

import os
import resource
import sys
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NoReturn

import click

from goldwright.cli.catalog import COMPLETE_VARIABLE, PROGRAM, commands_with, goldwright
from goldwright.cli.crashes import CrashDesk, print_error
from goldwright.cli.run_in_progress import RunInProgress
from goldwright.errors import EXIT_BUG, InputError, QualityGateError
from goldwright.process.endings import ending_of
from goldwright.process.signals import end_without_words, stop_in_order
from goldwright.process.streams import hand_on_output, protect_streams
from goldwright.text import shorten

EXIT_USAGE: Final = 2
# In characters. What click quotes of a command line may be as long as the system lets it be.
_LONGEST_QUOTED: Final = 250
# How alike two options are of which one is a slip of the other, from 0 to 1.
_SLIP: Final = 0.85
_OPPOSITE: Final = "--no-"
# So many commands are named that have an option.
_MOST_COMMANDS: Final = 4
# What click calls the numbers that it wants.
_KINDS_OF_NUMBERS: Final = (
    ("is not a valid integer range", "is not a whole number"),
    ("is not a valid float range", "is not a number"),
)
# Bytes that are given back when memory has run out, so that there is some to say so.
_MEMORY_RESERVE: Final = 1 << 20
# What a process that lost a thread has done so far cannot be relied on.
_UNRELIABLE: Final = (0, QualityGateError.exit_code)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and end the process with its exit code.

    Args:
        arguments: The command line without the program's name; that of the process where there is
            none.
    """
    if arguments is None:
        arguments = sys.argv[1:]
    protect_streams()
    desk = CrashDesk(arguments)
    desk.watch_process()
    code = exit_code(arguments, desk)
    if desk.has_reported and code in _UNRELIABLE:
        code = EXIT_BUG
    sys.exit(code)


def exit_code(arguments: Sequence[str], desk: CrashDesk | None = None) -> int:
    """Run the command and give its exit code.

    An error is one line on stderr.

    Args:
        arguments: The command line without the program's name.
        desk: Where crashes are reported; without one, at a desk of their own.
    """
    _silence_process()
    reserve = [bytearray(_MEMORY_RESERVE)]
    run_in_progress = RunInProgress()
    with stop_in_order() as stop:
        try:
            code = _run(arguments, run_in_progress)
        except (KeyboardInterrupt, click.Abort):
            # From here on nothing takes long, so the next signal need not be heeded in order.
            end_without_words()
            print_error(f"stopped; nothing that was written is lost{run_in_progress.hint}")
            hand_on_output()
            return stop.exit_code
        except BaseException as error:  # noqa: BLE001  # the last resort; nothing stands behind it
            end_without_words()
            reserve.clear()
            return _end(error, run_in_progress, desk or CrashDesk(arguments))
        # The review page ends in order at any signal, and so comes to here.
        return code if stop.number is None else stop.exit_code


def _usage_error(error: click.ClickException) -> str:
    """Say what is wrong with a command line, in one line."""
    text = error.format_message()
    if isinstance(error, click.NoSuchOption):
        text = f"No such option: {error.option_name}{_meant_option(error)}"
    for kind, plain_kind in _KINDS_OF_NUMBERS:
        text = text.replace(kind, plain_kind)
    words = f"{text}{_where_to_look(error)}".split()
    return " ".join(shorten(word, _LONGEST_QUOTED) for word in words)


def _meant_option(error: click.NoSuchOption) -> str:
    """Say which option may be meant: nearly the same one, that of another command, or any."""
    # Click lists all that are somehow alike by the alphabet, --help before what was meant.
    bare_name = error.option_name.removeprefix(_OPPOSITE)
    names_alike = error.possibilities or []
    possibilities = [name for name in names_alike if _is_alike(bare_name, name)]
    nearest = get_close_matches(error.option_name, possibilities, n=1, cutoff=0)
    is_slip = get_close_matches(error.option_name, nearest, cutoff=_SLIP) != []
    commands = [] if is_slip else list(commands_with(error.option_name))
    if commands:
        names = ", ".join(commands[:_MOST_COMMANDS])
        more = " and others" if len(commands) > _MOST_COMMANDS else ""
        verb = "has" if len(commands) == 1 else "have"
        return f". {names}{more} {verb} it"
    return f". Did you mean {nearest[0]}?" if nearest else ""


def _is_alike(bare_name: str, option_name: str) -> bool:
    """Find out whether an option may be meant by a name from which ``--no-`` was taken."""
    # What only begins alike, as "--no-" does before every flag, is not alike.
    if not option_name.startswith(_OPPOSITE):
        return True
    bare_option = option_name.removeprefix(_OPPOSITE)
    return get_close_matches(bare_name, [bare_option], n=1) != []


def _where_to_look(error: click.ClickException) -> str:
    """Name the help of the command to which something is missing."""
    if isinstance(error, click.MissingParameter) and error.ctx is not None:
        parameter = error.param
        is_run = parameter is not None and parameter.metavar == "RUN"
        newest = " latest is the newest run with questions;" if is_run else ""
        return f"{newest} {error.ctx.command_path} --help says what it takes."
    return ""


def _run(arguments: Sequence[str], run_in_progress: RunInProgress) -> int:
    stdout = sys.stdout
    _check_arguments(arguments)
    # Not standalone: click would print its errors in its own form and exit by itself.
    try:
        result = goldwright.main(
            args=list(arguments),
            prog_name=PROGRAM,
            complete_var=COMPLETE_VARIABLE,
            standalone_mode=False,
            obj=run_in_progress,
        )
        # Here, so that a stream that fails shows as an error like any other.
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        # The message is the whole help, which must keep its lines.
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except click.ClickException as error:
        print_error(_usage_error(error))
        return EXIT_USAGE
    except SystemExit as error:
        # How click ends where a shell asked what may follow.
        if COMPLETE_VARIABLE in os.environ and error.code in {0, 1}:
            return int(error.code)
        # click makes an exit with 1 of a broken pipe, after it has replaced stdout.
        if sys.stdout is not stdout and isinstance(error.__context__, OSError):
            raise error.__context__ from error
        raise
    return result if isinstance(result, int) else 0


def _check_arguments(arguments: Sequence[str]) -> None:
    """Refuse what can be no name of a file in a record, which is UTF-8.

    Raises:
        InputError: An argument holds bytes that are not UTF-8, or a NUL.
    """
    for number, argument in enumerate(arguments, start=1):
        if "\0" in argument:
            raise InputError(f"argument {number}: holds a NUL character, which no name can")
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"argument {number}: {argument}: is not UTF-8; "
                "for a path, make a link to it with a name that is"
            ) from error


def _end(error: BaseException, run_in_progress: RunInProgress, desk: CrashDesk) -> int:
    """Say how a command ended that raised an error; gives the exit code."""
    ending = ending_of(error)
    hint = run_in_progress.hint
    if ending.exit_code == EXIT_BUG and not ending.text:
        desk.report(error, hint=hint)
    elif ending.text:
        print_error(ending.text + (hint if ending.can_resume else ""))
    hand_on_output()
    return ending.exit_code


def _silence_process() -> None:
    """Write no core dump, which would hold keys, and no warnings of libraries."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard_limit))
    # Whoever asks for warnings, with -W or PYTHONWARNINGS, gets them.
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
