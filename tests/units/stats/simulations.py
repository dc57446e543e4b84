"""The simulation campaign of calibration, for tests that run a small part of it."""

import importlib.util
from pathlib import Path
from types import ModuleType

CAMPAIGN = Path(__file__).parents[2] / "benchmarks" / "calibration_simulations.py"


def load_simulations() -> ModuleType:
    """Import the campaign, which is a script and no package."""
    spec = importlib.util.spec_from_file_location("calibration_simulations", CAMPAIGN)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
