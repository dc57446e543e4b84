"""What is written is also listed: a forgotten line of a catalog is named here, and not at run time.

Catalogs are plain tuples, so whatever is missing from one is just never used.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

import goldwright.engine
import goldwright.task_types
from goldwright.app.piece_executors import PIECE_EXECUTORS
from goldwright.app.runs import execution
from goldwright.code_reading.requirements import REQUIREMENTS
from goldwright.config import BUILT_IN_PROVIDERS
from goldwright.llm.catalog import PROVIDERS
from goldwright.llm.model_families import OWN_FAMILY
from goldwright.offline_agents import inquiries, statements
from goldwright.offline_agents.completeness import RULES
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Inquiry
from goldwright.offline_agents.questions.kind_readings import KIND_READINGS
from goldwright.offline_agents.statements.catalog import STATEMENTS
from goldwright.offline_agents.statements.statement import Statement
from goldwright.records import TASK_TYPES, IntentKind
from goldwright.records.intent import INTENT_MEANINGS
from goldwright.snapshot import languages
from goldwright.snapshot.languages.language_catalog import ALL_LANGUAGES
from goldwright.task_types import TASK_TYPE_DEFINITIONS, TaskTypeDefinition
from goldwright.trust_card import figures
from goldwright.trust_card.catalog import MEASURES
from units.engine.test_interrupts import CASE_EXECUTORS
from units.engine.test_shards import TRIED_PIECE_EXECUTORS

PROMPTS = Path(__file__).parents[2] / "prompts"


def modules_of(package: ModuleType) -> Iterator[ModuleType]:
    """Import every module that lies in a package."""
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(info.name)


def subclasses_in(package: ModuleType, base: type) -> Iterator[type]:
    """Yield the classes in a package that can be made, and are of a kind."""
    for module in modules_of(package):
        for _, kind in inspect.getmembers(module, inspect.isclass):
            is_written_here = kind.__module__ == module.__name__
            if is_written_here and issubclass(kind, base) and not inspect.isabstract(kind):
                yield kind


def test_every_inquiry_stands_in_the_catalog_of_inquiries() -> None:
    listed = {type(inquiry) for inquiry in INQUIRIES}
    forgotten = [kind for kind in subclasses_in(inquiries, Inquiry) if kind not in listed]
    assert forgotten == [], "list them in offline_agents/inquiries/catalog.py"


def test_every_kind_of_inquiry_has_a_meaning() -> None:
    kinds = {inquiry.kind for inquiry in INQUIRIES}
    assert kinds - set(INTENT_MEANINGS) == set(), "add them to records/intent.py"


@pytest.mark.parametrize(
    ("table", "place"),
    [
        (REQUIREMENTS, "code_reading/requirements.py: what an answer must settle, or None"),
        (RULES, "offline_agents/completeness.py: what belongs to an answer, or None"),
        (KIND_READINGS, "offline_agents/questions/kind_readings.py: how it is read"),
    ],
    ids=["requirements", "completeness", "readings"],
)
def test_every_table_by_kinds_of_intents_decides_on_each(
    table: Mapping[IntentKind, object], place: str
) -> None:
    """A kind that a table is silent about would be checked less, and nobody would know."""
    undecided = [kind for kind in INTENT_MEANINGS if kind not in table]
    assert undecided == [], f"say it in {place}"


def test_every_task_type_has_its_prompt() -> None:
    missing = [
        definition.prompt
        for definition in TASK_TYPE_DEFINITIONS
        if not (PROMPTS / f"{definition.prompt}.md").is_file()
    ]
    assert missing == [], "write them in prompts/, as the others are"


def test_every_kind_of_statement_stands_in_the_catalog_of_statements() -> None:
    # Whatever is built on by other kinds has no word of its own to be read by.
    kinds = [kind for kind in subclasses_in(statements, Statement) if hasattr(kind, "kind")]
    forgotten = [kind for kind in kinds if kind not in STATEMENTS]
    assert forgotten == [], "list them in offline_agents/statements/catalog.py"


def test_every_task_type_has_a_definition_and_every_definition_is_listed() -> None:
    listed = [task_type.name for task_type in TASK_TYPE_DEFINITIONS]
    written = []
    for module in modules_of(goldwright.task_types):
        values = vars(module).values()
        written += [value.name for value in values if isinstance(value, TaskTypeDefinition)]
    assert set(written) == set(listed), "list them in task_types/catalog.py"
    assert listed == list(TASK_TYPES), "the order and names are those of records/base.py"


def test_every_task_type_has_an_inquiry() -> None:
    asked = {cell.task_type for inquiry in INQUIRIES for cell in inquiry.cells}
    unasked = [task_type for task_type in TASK_TYPES if task_type not in asked]
    assert unasked == [], "the offline Author asks none: name its cells in offline_agents/inquiries"


def test_every_figure_of_the_trust_card_is_measured() -> None:
    written = [measure for module in modules_of(figures) for measure in module.MEASURES]
    forgotten = [measure for measure in written if measure not in MEASURES]
    assert forgotten == [], "list their module in trust_card/catalog.py"


def test_every_language_stands_in_the_catalog_of_languages() -> None:
    packages = [info for info in pkgutil.iter_modules(languages.__path__) if info.ispkg]
    listed = {type(language).__module__ for language in ALL_LANGUAGES}
    written = {f"{languages.__name__}.{info.name}.language" for info in packages}
    assert written - listed == set(), "list them in snapshot/languages/language_catalog.py"


def executors_with(method: str) -> set[str]:
    """The names of the executors in the engine that have a method; protocols are none."""
    kinds = subclasses_in(goldwright.engine, object)
    names = {kind.__name__ for kind in kinds if hasattr(kind, method)}
    return {name for name in names if name.endswith("Executor")} - {"Executor", "PieceExecutor"}


def test_every_executor_of_pieces_can_be_asked_for_by_its_name() -> None:
    makers = [entry.make for entry in PIECE_EXECUTORS]
    made = " ".join(str(inspect.signature(make).return_annotation) for make in makers)
    forgotten = {name for name in executors_with("settle") if name not in made}
    assert forgotten == set(), "name them in PIECE_EXECUTORS in app/piece_executors.py"


def test_every_executor_of_pieces_keeps_an_error_to_its_piece() -> None:
    tried = {type(executor).__name__ for executor in TRIED_PIECE_EXECUTORS}
    # A cluster is started by ``make campaign-ray``.
    untried = executors_with("settle") - tried - {"RayExecutor"}
    message = "add them to TRIED_PIECE_EXECUTORS in tests/units/engine/test_shards.py"
    assert untried == set(), message


def test_every_executor_of_cases_is_used_and_tried_with_an_interrupt() -> None:
    written = executors_with("compute")
    assert written - vars(execution).keys() == set(), "use them in app/runs/execution.py"
    tried = {type(executor).__name__ for executor in CASE_EXECUTORS}
    assert written - tried == set(), "add them to CASE_EXECUTORS in units/engine/test_interrupts.py"


def test_every_provider_that_needs_no_address_has_a_definition_and_a_family() -> None:
    assert set(BUILT_IN_PROVIDERS) == PROVIDERS.keys(), "define them in llm/catalog.py"
    assert PROVIDERS.keys() == OWN_FAMILY.keys(), "say whose models they serve by default"
