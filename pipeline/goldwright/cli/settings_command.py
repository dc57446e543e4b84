"""Commands whose flags ``goldwright.toml`` can set."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from goldwright.app.command_settings import (
    CommandSettings,
    has_settings,
    read_command_settings,
)
from goldwright.app.environment import current_environment
from goldwright.errors import InputError

_NUMBERS: Final = (click.types.IntParamType, click.types.FloatParamType)


class SettingsCommand(click.Command):
    """A command whose flags have the values of the settings, unless the command line has others.

    It has ``--config``, and a hidden ``--no-FLAG`` for every flag that the file may have set.
    """

    def __init__(self, *args: Any, section: str | None = None, **attributes: Any) -> None:
        """Make a command.

        Args:
            args: As for any command.
            section: The section of the file; the command's name where there is none.
            attributes: As for any command.
        """
        super().__init__(*args, **attributes)
        self.section = section or self.name or ""
        if not any(param.name == "config" for param in self.params):
            self.params.append(_unexposed_config())

    def make_parser(self, ctx: click.Context) -> Any:
        """Make the parser, which takes ``--no-FLAG`` as well."""
        parser = super().make_parser(ctx)
        for key, option in settable_options(self).items():
            if option.required or option.secondary_opts:
                continue
            opposite = "--no-" + key.replace("_", "-")
            parser.add_option(
                option,
                [opposite],
                dest=option.name,
                action="store_const",
                const=_value_of_none(option),
            )
        return parser


def take_settings(
    context: click.Context, _parameter: click.Parameter, path: Path | None
) -> Path | None:
    """Make what the settings say the defaults of a command, before its other options are read.

    Raises:
        InputError: The settings cannot be read, or hold a value that a flag does not take.
    """
    command = context.command
    if isinstance(command, SettingsCommand) and has_settings(command.section):
        root = current_environment().root
        settings = read_command_settings(command.section, path, root=root)
        context.default_map = _defaults(context, command, settings)
    return path


def typed_or_default(context: click.Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """Take back what the settings say: their values become None, and the others stay.

    For a command that does one of two things, of which the settings concern the other.
    """
    taken_back: dict[str, Any] = dict(values)
    for name in values:
        if context.get_parameter_source(name) is ParameterSource.DEFAULT_MAP:
            taken_back[name] = None
    return taken_back


def settable_options(command: click.Command) -> dict[str, click.Option]:
    """Give the options of a command by the key that each would have in the settings."""
    options = {}
    for param in command.params:
        if isinstance(param, click.Option):
            options[settings_key(param)] = param
    return options


def settings_key(option: click.Option) -> str:
    """Give the key of an option: its long flag, with underscores."""
    bare_name = option.opts[-1].removeprefix("--")
    return bare_name.replace("-", "_")


def _value_of_none(option: click.Option) -> Any:
    """Give the value of an option that nobody set."""
    if option.is_flag:
        return False
    if option.multiple:
        return ()
    # click's mark for an option without a default is no value that a type could read.
    return option.to_info_dict()["default"]


def _unexposed_config() -> click.Option:
    return click.Option(
        ["--config"],
        type=click.Path(path_type=Path),
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=take_settings,
        help="Settings.  [default: goldwright.toml, if there]",
    )


def _defaults(
    context: click.Context, command: SettingsCommand, settings: CommandSettings
) -> dict[str, Any]:
    options = settable_options(command)
    defaults: dict[str, Any] = {}
    for key, value in settings.flags.items():
        option = options.get(key)
        # One section holds for all commands of a group, and each takes the flags that it has.
        if option is None or option.name is None:
            continue
        place = f"{settings.source}.{key}"
        defaults[option.name] = _checked(value, option, context, place)
    return defaults


def _checked(value: Any, option: click.Option, context: click.Context, place: str) -> Any:
    """Check a value, so that a message names the file and not a flag that nobody typed.

    Raises:
        InputError: The flag does not take it.
    """
    is_list = isinstance(value, list)
    if option.multiple and not is_list:
        # One value of a list may stand alone.
        value = [value]
    for item in value if option.multiple else [value]:
        _check_type(item, option, place)
    try:
        option.type_cast_value(context, value)
    except click.BadParameter as error:
        raise InputError(f"{place}: {error.message}") from error
    return value


def _check_type(value: Any, option: click.Option, place: str) -> None:
    if option.is_flag:
        wanted_type, is_right = "true or false", isinstance(value, bool)
    elif isinstance(option.type, _NUMBERS):
        # To Python, true is a number.
        is_right = isinstance(value, int | float) and not isinstance(value, bool)
        wanted_type = "a number"
    else:
        wanted_type, is_right = "text", isinstance(value, str)
    if not is_right:
        raise InputError(f"{place}: wanted {wanted_type}, found {value!r}")
