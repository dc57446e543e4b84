"""What a function goes on to do where the test before an error comes out the other way."""

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.catalog import DEEDS
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.path_conditions import TESTS, Path, names_in, names_of_code, split_last_test


def when_it_passes(code: CodeContext, finding: Finding) -> Finding | None:
    """Find what a function does where the last test before an error comes out the other way.

    What it returns then says most; else it is the first thing that it does with what was tested.
    That a value is kept in a name, or noted in the log, says nothing of what happens: that is no
    answer.
    """
    all_effects = find_statements(code, finding.entity_id, DEEDS)
    effects = [effect for effect in all_effects if _comes_instead(effect, finding)]
    effects.sort(
        key=lambda effect: (not isinstance(effect.statement, Returned), effect.lines.start)
    )
    return effects[0] if effects else None


def _comes_instead(effect: Finding, finding: Finding) -> bool:
    """Find out whether an effect tells what a function does instead of raising an error."""
    statement = effect.statement
    conditions = statement.conditions
    if _says_little(statement) or not _is_other_way(conditions, finding.statement.conditions):
        return False
    if not is_easily_said(conditions):
        return False
    return isinstance(statement, Returned) or _speaks_of(effect, finding)


def _says_little(statement: Statement) -> bool:
    """Find out whether a statement is only the next line, and no effect that anybody asks for."""
    is_note = isinstance(statement, Logs) and statement.level == "debug"
    return is_note or isinstance(statement, Assigned)


def _speaks_of(effect: Finding, checked: Finding) -> bool:
    """Find out whether an effect deals with a name of the test, or of what was tried."""
    _, tests = split_last_test(checked.statement.conditions)
    if tests[0].kind not in TESTS:
        return True
    deed = predicate_of(effect.statement)
    tested_names = set(names_in(tests))
    return not tested_names.isdisjoint(names_of_code(deed))


def _is_other_way(path: Path, failing_path: Path) -> bool:
    """Find out whether a path is another one up to a test, and goes on the other way there."""
    before, tests = split_last_test(failing_path)
    if not tests or len(path) != len(before) + 1 or path[:-1] != before:
        return False
    way = path[-1]
    test = tests[0]
    place = (way.first, way.last)
    is_same_place = place == (test.first, test.last)
    return is_same_place and way not in tests
