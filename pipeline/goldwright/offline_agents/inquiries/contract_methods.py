"""Which methods a class leaves to its subclasses, and which duties nobody has written down."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.contracts import abstract_reason, does_nothing, methods_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.surroundings import opened_classes
from goldwright.offline_agents.statements.declared_result import DeclaredResult
from goldwright.offline_agents.statements.empty_method import EmptyMethod
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.set_by_subclasses import SetBySubclasses
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.records import Intent

# What one alone does is no habit.
_FEWEST_SUBCLASSES: Final = 2


@dataclass(frozen=True, slots=True)
class ContractMethods:
    """The methods of a class.

    Attributes:
        left_open: Those that it leaves to its subclasses.
        signatures: What these take and give back.
        ready: The others, but for what is private or an empty hook.
        hooks: The empty hooks.
    """

    left_open: list[Finding]
    signatures: list[Finding]
    ready: list[Finding]
    hooks: list[Finding]

    @property
    def names(self) -> list[str]:
        """The simple names of the open ones."""
        statements = [finding.statement for finding in self.left_open]
        return [statement.method for statement in statements if isinstance(statement, MustDefine)]


def read_contract_methods(module: Module, base: str) -> ContractMethods:
    """Sort the methods that a class defines itself by what they ask of its subclasses.

    Args:
        module: The file of the class.
        base: The qualified name of the class.
    """
    methods = ContractMethods([], [], [], [])
    for method, function in methods_of(module, base).items():
        name = f"{base}.{method}"
        demands = list(MustDefine.find(module, name, function))
        methods.left_open.extend(demands)
        if demands:
            methods.signatures.extend(Takes.find(module, name, function))
            methods.signatures.extend(DeclaredResult.find(module, name, function))
        if not method.startswith("_") and not does_nothing(function):
            methods.ready.extend(MayDefine.find(module, name, function))
        methods.hooks.extend(EmptyMethod.find(module, name, function))
    return methods


def unwritten_duties(intent: Intent, family: Sequence[str], code: CodeContext) -> Iterator[Finding]:
    """State what no class demands and all subclasses do: attributes set, and methods defined."""
    module = code.module(path_of(intent.subject))
    base = name_of(intent.subject)
    if module is None or len(family) < _FEWEST_SUBCLASSES:
        return
    subclasses = opened_classes(code, family)
    if len(subclasses) < len(family):
        return
    yield from SetBySubclasses.find_in(module, base, subclasses)
    defined = [set(methods_of(defining, name)) for defining, name in subclasses]
    for method, function in methods_of(module, base).items():
        is_hook = not abstract_reason(function) and not method.startswith("__")
        if is_hook and all(method in names for names in defined):
            names = tuple(name for _, name in subclasses)
            statement = OverriddenBy(base, method, names, is_every=True)
            yield Finding(statement, intent.subject, intent.lines)
