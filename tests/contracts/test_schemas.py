"""The JSON Schemas of all records are our interface: they change only on purpose."""

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from goldwright import records
from goldwright.app.benefit.benefit_outputs import BenefitReport
from goldwright.manifest import RunManifest
from goldwright.plan import Plan
from goldwright.records import CellRecord, QueryRecord, Record, WorkStamp

SCHEMAS = Path(__file__).parents[2] / "schemas"
PARTS: tuple[type[Record], ...] = (Record, QueryRecord, CellRecord, WorkStamp)
MODELS: tuple[type[Record], ...] = (
    *(
        model
        for model in (getattr(records, name) for name in sorted(records.__all__))
        if isinstance(model, type) and issubclass(model, Record) and model not in PARTS
    ),
    Plan,
    RunManifest,
    BenefitReport,
)


def file_name(model: type[Record]) -> str:
    """The schema's file name: the model's name in snake case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", model.__name__).lower() + ".json"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_record_has_the_schema_that_is_committed(
    model: type[Record], check_golden: Callable[[Path, str], None]
) -> None:
    """A field cannot appear, vanish or change its type unseen."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(),
    }
    check_golden(SCHEMAS / file_name(model), json.dumps(schema, indent=2, ensure_ascii=True) + "\n")


def test_every_record_is_exported_by_its_package() -> None:
    """What is not would have no schema, and nobody would see its fields change."""
    exported = set(records.__all__)
    forgotten = []
    for info in pkgutil.iter_modules(records.__path__, f"{records.__name__}."):
        module = importlib.import_module(info.name)
        for name, model in inspect.getmembers(module, inspect.isclass):
            is_written_here = model.__module__ == info.name and issubclass(model, Record)
            if is_written_here and not name.startswith("_") and name not in exported:
                forgotten.append(f"{info.name}: {name}")
    assert forgotten == [], "name them in records/__init__.py"


def test_no_schema_outlives_its_record() -> None:
    """The directory holds the schemas of today's records and nothing else."""
    assert sorted(path.name for path in SCHEMAS.iterdir()) == sorted(
        file_name(model) for model in MODELS
    )
