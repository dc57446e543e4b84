"""What becomes of a caught error, and which raised expression names a class."""

import pytest

from goldwright.code_reading.errors import caught_names, handler_sites, raise_sites
from units.code_reading.sources import read_function


@pytest.mark.parametrize(
    ("body", "outcome", "value", "target"),
    [
        ("pass", "ignored", "", ""),
        ("'''nothing to do'''", "ignored", "", ""),
        ("...", "ignored", "", ""),
        ("logger.warning('lost')", "logged", "", ""),
        ("warnings.warn('lost')", "logged", "", ""),
        ("warn('lost')", "logged", "", ""),
        ("self._log.info('lost')", "logged", "", ""),
        ("logger.warning('lost')\n        pass", "logged", "", ""),
        ("logger.setLevel(3)", "handled", "", ""),
        ("catalog('lost')", "handled", "", ""),
        ("catalog.error('lost')", "handled", "", ""),
        ("continue", "skipped", "", ""),
        ("break", "left", "", ""),
        ("return", "returned", "None", ""),
        ("return pot.lid", "returned", "pot.lid", ""),
        ("log.error('lost')\n        return 1", "returned", "1", ""),
        ("return 1\n        log.error('lost')", "returned", "1", ""),
        ("raise", "reraised", "", ""),
        ("raise KilnError('cold') from error", "translated", "KilnError", ""),
        ("raise kiln.ColdError", "translated", "kiln.ColdError", ""),
        ("raise error", "handled", "", ""),
        ("raise make('cold')", "handled", "", ""),
        ("pot = None", "replaced", "None", "pot"),
        ("pot = lid = None", "handled", "", ""),
        ("pot: int = 3", "handled", "", ""),
        ("pot = None\n        return pot", "handled", "", ""),
        ("fire(pot)", "handled", "", ""),
    ],
)
def test_the_outcome_is_what_the_clause_does_beside_logging(
    body: str, outcome: str, value: str, target: str
) -> None:
    code = (
        "def work(pots):\n    for pot in pots:\n        try:\n            fire(pot)\n"
        f"        except OSError as error:\n            {body.replace('        ', ' ' * 12)}\n"
    )
    (site,) = handler_sites(*read_function(code))
    assert (site.outcome, site.value, site.target) == (outcome, value, target)


CODE = """
def work(pot):
    if pot:
        try:
            self.kiln.fire(pot, size(pot))
            size(pot)
        except (OSError, kiln.ColdError):
            return (
                1
            )
        except:
            pass
"""


def test_a_clause_is_told_with_its_calls_its_lines_and_its_way() -> None:
    first, second = handler_sites(*read_function(CODE))
    assert first.caught == ("OSError", "kiln.ColdError")
    assert second.caught == ("BaseException",)
    assert sorted(first.guarded_calls) == ["self.kiln.fire", "size"]
    assert first.guarded_calls == second.guarded_calls
    assert (first.try_first, first.first, first.last) == (4, 7, 10)
    assert (second.try_first, second.first, second.last) == (4, 11, 12)
    assert [condition.code for condition in first.path or ()] == ["pot"]


def test_each_class_of_a_clause_is_named() -> None:
    module, function = read_function(CODE)
    (first, _) = handler_sites(module, function)
    tries = function.body[0].body[0]  # type: ignore[attr-defined]  # an if with a try inside
    assert [caught_names(handler, module) for handler in tries.handlers] == [
        first.caught,
        ("BaseException",),
    ]


@pytest.mark.parametrize(
    ("raised", "exception", "message"),
    [
        ("KilnError('too cold')", "KilnError", "too cold"),
        ("kiln.ColdError(3, 'too cold')", "kiln.ColdError", "too cold"),
        ("KilnError", "KilnError", ""),
        ("_KilnError('too cold')", "_KilnError", "too cold"),
        ("KilnError(message='too cold')", "KilnError", "too cold"),
        ("KilnError(hint='too cold')", "KilnError", ""),
        ("KilnError('too cold', 'by far')", "KilnError", "too cold"),
        ("KilnError('{pot} is too cold', pot=pot)", "KilnError", "… is too cold"),
        ("KilnError('{pot} is no pot')", "KilnError", "{pot} is no pot"),
        ("error", None, ""),
        ("make_error('too cold')", None, ""),
        ("ERRORS[pot]('too cold')", None, ""),
        ("errors.make('too cold')", None, ""),
    ],
)
def test_a_class_begins_with_a_capital(raised: str, exception: str | None, message: str) -> None:
    sites = raise_sites(*read_function(f"def work(pot):\n    raise {raised}\n"))
    assert [site.exception for site in sites] == ([exception] if exception else [])
    assert [site.message for site in sites] == ([message] if exception else [])


def test_raising_the_same_error_again_is_no_new_error() -> None:
    code = "def work():\n    try:\n        fire()\n    except OSError:\n        raise\n"
    assert raise_sites(*read_function(code)) == ()
