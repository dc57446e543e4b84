"""``goldwright.toml``: its sections, and what may stand in them."""

from goldwright.config.settable_flags import COMMAND_KEYS
from goldwright.config.settings import (
    BUILT_IN_PROVIDERS,
    FILE_NAME,
    LARGEST_BUDGET,
    OFFLINE,
    SMALLEST_BUDGET,
    Config,
    ProviderSettings,
    RunSettings,
    read_config,
    read_settings,
)

__all__ = [
    "BUILT_IN_PROVIDERS",
    "COMMAND_KEYS",
    "FILE_NAME",
    "LARGEST_BUDGET",
    "OFFLINE",
    "SMALLEST_BUDGET",
    "Config",
    "ProviderSettings",
    "RunSettings",
    "read_config",
    "read_settings",
]
