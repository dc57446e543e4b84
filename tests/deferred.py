"""Modules that take long to import, for the few tests that need them: every worker collects every
test file, and runs a part of them.
"""

import importlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class DeferredModule:
    """A module that is imported when something of it is asked for."""

    name: str

    def __getattr__(self, attribute: str) -> Any:
        # Collecting looks at special attributes of whatever stands in a test file.
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        return getattr(importlib.import_module(self.name), attribute)
