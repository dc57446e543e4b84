"""What a reader stumbles over in an answer: of two answers, the plainer one is worth asking for."""

from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.module_purpose import ModulePurpose
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.path_conditions import Condition
from goldwright.snapshot.product_code import is_product_code

# The costs are on the scale of misfits: one is as bad as a target at twice the wanted rank.
# What is told for want of anything else, and two deeds beside the answer are one such.
_FILLER: Final = 1.0
_DEED_BESIDE: Final = 0.5
# One test more than is kept in mind at once.
_FURTHER_TEST: Final = 0.5
_PLAIN_TESTS: Final = 2
# A joined test is read twice.
_JOINED_TEST: Final = 0.5
_LONG_TEST: Final = 50
# More facts are a list.
_FURTHER_FACT: Final = 0.4
_PLAIN_FACTS: Final = 4
# That a value is kept under a name is code read aloud.
_ASSIGNMENT: Final = 0.3
# That a parameter must be given is seen from its signature.
_NO_DEFAULT: Final = 1.0
# A must-not that only misreads a test, or names what stands nearby, few would say: another question
# at four times the wanted rank is better.
_WEAK_FALSEHOOD: Final = 2.0
# A fact names no file, so of two such functions nobody knows which is meant before he looks.
_NAMESAKE: Final = 1.5


def reading_cost(
    facts: Sequence[Finding], falsehoods: Sequence[Finding], beside: Sequence[Finding]
) -> float:
    """Weigh what makes an answer hard to read, or its must-nots easy; 0 for nothing.

    Args:
        facts: The answer key.
        falsehoods: What must not be said.
        beside: What the narrative tells beside the facts.
    """
    cost = sum(map(_cost_beside, beside))
    cost += sum(map(_cost_of_conditions, facts))
    further_facts = max(0, len(facts) - _PLAIN_FACTS)
    cost += _FURTHER_FACT * further_facts
    cost += _NO_DEFAULT * sum(map(_has_no_default, facts))
    cost += _ASSIGNMENT * sum(map(_is_assignment, facts))
    are_all_unlikely = all(falsehood.is_unlikely for falsehood in falsehoods)
    return cost + _WEAK_FALSEHOOD * are_all_unlikely


def cost_of_namesakes(targets: Sequence[str], code: CodeContext) -> float:
    """Weigh that another file has a definition of the same qualified name; 0 where none has."""
    has_namesake = any(_has_namesake(target, code) for target in targets)
    return _NAMESAKE * has_namesake


def _has_namesake(entity_id: str, code: CodeContext) -> bool:
    name, own_path = name_of(entity_id), path_of(entity_id)
    simple_name = name.rpartition(".")[2]
    entities = code.snapshot.named(simple_name)
    paths = (entity.path for entity in entities if entity.name == name)
    return any(path != own_path and is_product_code(code.snapshot, path) for path in paths)


def _is_assignment(fact: Finding) -> bool:
    return isinstance(fact.statement, Assigned)


def _has_no_default(fact: Finding) -> bool:
    return isinstance(fact.statement, ParameterDefault) and not fact.statement.default


def _cost_beside(finding: Finding) -> float:
    if isinstance(finding.statement, Described):
        return 0.0
    return _FILLER if isinstance(finding.statement, ModulePurpose | Takes) else _DEED_BESIDE


def _cost_of_conditions(fact: Finding) -> float:
    conditions = fact.statement.conditions
    further = max(0, len(conditions) - _PLAIN_TESTS)
    joined_tests = sum(map(_is_joined, conditions))
    return _FURTHER_TEST * further + _JOINED_TEST * joined_tests


def _is_joined(condition: Condition) -> bool:
    is_list = " and " in condition.code or " or " in condition.code
    return is_list or len(condition.code) > _LONG_TEST
