import pytest

from goldwright.code_reading.modules import open_module
from goldwright.offline_agents.statements.module_purpose import ModulePurpose
from units.code_reading.sources import PATH, CodeInMemory


@pytest.mark.parametrize(
    ("docstring", "told"),
    [
        ("Baskets and how they are paid.", ["Baskets and how they are paid"]),
        ("Baskets and how they are paid.\n\nCopyright: us.", ["Baskets and how they are paid"]),
        # A heading and what follows it are no sentence.
        ("HTTP codes\nSee the registry of codes.", []),
        ("Licensed under the Apache License.", []),
        ("A port of what stands at https://example.org/baskets to Python.", []),
        ("Baskets", []),
    ],
)
def test_a_docstring_is_told_where_it_says_what_a_file_is_for(
    docstring: str, told: list[str]
) -> None:
    code = CodeInMemory({PATH: f'"""{docstring}"""\n\n\ndef pay():\n    return 1\n'})
    module = open_module(code, PATH)
    assert module is not None
    findings = ModulePurpose.find_around(module, "pay")
    texts = [
        finding.statement.text
        for finding in findings
        if isinstance(finding.statement, ModulePurpose)
    ]
    assert texts == told
