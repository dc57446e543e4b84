"""The options of a session: of the command line, else of ``goldwright.toml``, else the defaults."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from goldwright.app.command_settings import read_command_settings
from goldwright.errors import InputError
from goldwright.pytest_plugin import DEFAULT_EACH

# The default of goldwright eval, whose module belongs to the command line.
DEFAULT_TIMEOUT_SECONDS: Final = 60.0
# By key in the settings: the types that a value may have there, and the word for them.
_TYPES: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "retriever": ((str,), "text"),
    "repo": ((str,), "text"),
    "rev": ((str,), "text"),
    "each": ((str,), "text"),
    "gate": ((str, list), "text, or a list"),
    "without_gate": ((str, list), "text, or a list"),
    "baseline": ((str,), "text"),
    "timeout": ((int, float), "a number"),
    "allow_drift": ((bool,), "true or false"),
    "allow_dirty": ((bool,), "true or false"),
}


class SessionOptions:
    """The options.

    Attributes:
        retriever: Whom to ask.
        repo: The codebase; None where none is named.
        rev: Its commit; None is HEAD.
        each: The rule of every query.
        gates: Further gates.
        gates_left_out: Gates of the profile that do not count.
        baseline: A file of known failures; None where there is none.
        timeout: What a query may take, in seconds.
        allow_drift: Whether to score although cited code changed.
        allow_dirty: Whether to take the work tree as it is.
    """

    def __init__(self, config: pytest.Config) -> None:
        """Read the options.

        Raises:
            UsageError: No retriever is named.
            InputError: The settings are wrong.
        """
        self._config = config
        settings = read_command_settings("pytest", None, root=config.rootpath)
        self._settings = settings.flags
        for key, value in settings.flags.items():
            _check_type(key, value, settings.source)
        retrievers = config.getoption("--retriever") or [self._settings.get("retriever")]
        if retrievers[0] is None:
            raise pytest.UsageError("--golden says what to ask; --retriever SPEC must say whom")
        self.retriever: str = retrievers[0]
        self.repo: str | None = self._value("repo")
        self.rev: str | None = self._value("rev")
        self.each: str = self._value("each") or DEFAULT_EACH
        self.gates = self._texts("gate")
        self.gates_left_out = self._texts("without_gate")
        self.baseline: str | None = self._value("baseline")
        self.timeout = self._timeout()
        self.allow_drift = bool(self._value("allow_drift"))
        self.allow_dirty = bool(self._value("allow_dirty"))

    def _value(self, key: str) -> Any:
        flag = "--golden-" + key.replace("_", "-")
        # Lists and switches that nobody named are empty and off.
        return self._config.getoption(flag) or self._settings.get(key)

    def _texts(self, key: str) -> list[str]:
        value = self._value(key) or []
        return [value] if isinstance(value, str) else value

    def _timeout(self) -> float:
        value = self._config.getoption("--golden-timeout")
        if value is None:
            value = self._settings.get("timeout", DEFAULT_TIMEOUT_SECONDS)
        return float(value)


def _check_type(key: str, value: Any, source: str) -> None:
    """Check the type of a setting.

    Raises:
        InputError: It has another.
    """
    types, wanted_type = _TYPES[key]
    # To Python, true is a number.
    is_right = isinstance(value, types) and (bool in types or not isinstance(value, bool))
    if isinstance(value, list):
        is_right = is_right and all(isinstance(item, str) for item in value)
    if not is_right:
        raise InputError(f"{source}.{key}: wanted {wanted_type}, found {value!r}")
