"""Laws of all statements over real functions: both readings agree, and what is false is refuted."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.code_reading.modules import Function, Module, open_module
from goldwright.offline_agents.statements.catalog import STATEMENTS, read_statement
from goldwright.offline_agents.statements.condition_phrases import same_conditions
from goldwright.offline_agents.statements.statement import Finding, Statement, findings_of
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.snapshot import Snapshot, open_snapshot
from journeys.sample_code import LENDING, SHOP

# Found one function at a time; closed sets and relations are found by their inquiries.
OF_FUNCTIONS = tuple(kind for kind in STATEMENTS if not kind.set_field)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root: Path = tmp_path_factory.mktemp("library")
    for path, code in {**LENDING, **SHOP}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(code, encoding="utf-8")
    return open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))


def functions_of(library: Snapshot) -> Iterator[tuple[Module, str, Function]]:
    for path in library.source_files:
        module = open_module(library, path)
        assert module is not None
        for name, node in module.definitions.items():
            if not isinstance(node, ast.ClassDef) and module.function(name) is not None:
                yield module, name, node


Findings = Mapping[str, tuple[Finding, ...]]


@pytest.fixture(scope="module")
def findings(library: Snapshot) -> Mapping[type[Statement], Findings]:
    """All that the trees give, by kind and function."""
    by_kind: dict[type[Statement], dict[str, tuple[Finding, ...]]] = {}
    for kind in OF_FUNCTIONS:
        by_kind[kind] = {}
        for module, name, function in functions_of(library):
            of_function = tuple(findings_of(kind, module, name, function))
            if of_function:
                by_kind[kind][f"{module.path}::{name}"] = of_function
    return by_kind


@pytest.fixture(scope="module")
def codebases(library: Snapshot) -> Mapping[str, TokenCodebase]:
    """The token reading of each function alone."""
    toolset = Toolset(library)
    ids = [f"{module.path}::{name}" for module, name, _ in functions_of(library)]
    return {entity_id: TokenCodebase(library, toolset, [entity_id]) for entity_id in ids}


@pytest.fixture(params=OF_FUNCTIONS, ids=lambda kind: str(kind.kind))
def kind(request: pytest.FixtureRequest) -> type[Statement]:
    chosen: type[Statement] = request.param
    return chosen


def test_what_trees_find_tokens_show_on_the_same_lines(
    library: Snapshot,
    kind: type[Statement],
    findings: Mapping[type[Statement], Findings],
    codebases: Mapping[str, TokenCodebase],
) -> None:
    for entity_id, of_function in findings[kind].items():
        for finding in of_function:
            showing, lines = finding.statement.is_shown(codebases[entity_id])
            sentence = finding.statement.sentence()
            # Below Python 3.12 a formatted string is one token, and no call is seen inside.
            if showing == "refuted":
                assert _is_formatted(library, finding), sentence
            if showing == "shown" and lines is not None:
                places = [finding.lines, *finding.also]
                twins = [twin for twin in of_function if twin.statement == finding.statement]
                places.extend(twin.lines for twin in twins)
                assert any(
                    place.start <= lines.end and lines.start <= place.end for place in places
                ), sentence


def _is_formatted(library: Snapshot, finding: Finding) -> bool:
    lines = library.source(finding.lines.file).lines
    shown = "\n".join(lines[finding.lines.start - 1 : finding.lines.end])
    return re.search(r"\bf['\"]", shown) is not None


def test_a_sentence_means_one_statement(
    kind: type[Statement], findings: Mapping[type[Statement], Findings]
) -> None:
    for of_function in findings[kind].values():
        for finding in of_function:
            statement = read_statement(finding.statement.sentence())
            assert type(statement) is kind
            assert statement.sentence() == finding.statement.sentence()
            assert statement.subject == finding.statement.subject
            assert same_conditions(
                statement.conditions, finding.statement.conditions, normalise=plain_code
            )


def test_what_could_be_said_instead_is_false(
    kind: type[Statement],
    findings: Mapping[type[Statement], Findings],
    codebases: Mapping[str, TokenCodebase],
) -> None:
    for entity_id, of_function in findings[kind].items():
        statements = [finding.statement for finding in of_function]
        for statement in statements[:8]:
            for falsehood in list(statement.falsehoods(statements))[:4]:
                assert falsehood != statement
                if falsehood not in statements:
                    showing, _ = falsehood.is_shown(codebases[entity_id])
                    assert showing != "shown", falsehood.sentence()


def test_what_is_said_of_one_function_is_not_shown_by_another(
    kind: type[Statement],
    findings: Mapping[type[Statement], Findings],
    codebases: Mapping[str, TokenCodebase],
) -> None:
    entity_ids = list(findings[kind])
    for place, entity_id in enumerate(entity_ids):
        finding = findings[kind][entity_id][0]
        neighbour = entity_ids[place - 1]
        is_apart = neighbour.rpartition("::")[2] != entity_id.rpartition("::")[2]
        if is_apart:
            showing, _ = finding.statement.is_shown(codebases[neighbour])
            assert showing != "shown", finding.statement.sentence()
