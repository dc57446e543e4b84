"""Messages: what stands in every one of them, with gaps for the rest."""

import ast

import pytest

from goldwright.code_reading.log_calls import log_sites
from goldwright.code_reading.messages import fixed_parts, log_template, message_template
from units.code_reading.sources import read_function


def _expression(code: str) -> ast.expr:
    return ast.parse(code, mode="eval").body


@pytest.mark.parametrize(
    ("code", "template"),
    [
        ("'Nothing  left\\n to do'", "Nothing left to do"),
        ("f'{count} items of {shop!r} left'", "… items of … left"),
        ("f'{a}{b} {c}: none'", "…: none"),
        ("'%s of %(all)05.2f, 100%%' % both", "… of …, 100%"),
        ("'{} of {all:>9}, {{kept}}'.format(1, all=2)", "… of …, {{kept}}"),
        ("'Found ' + name + '.'", "Found …."),
        ("_('No more')", "No more"),
        ("gettext('No more')", "No more"),
        ("ngettext('One left', 'Many left', n)", "One left"),
        ("''", None),
        ("name", None),
        ("first + second", None),
        ("str('text')", None),
        ("7", None),
        ("text.format(1)", None),
        ("count % 2", None),
    ],
)
def test_what_changes_from_message_to_message_is_a_gap(code: str, template: str | None) -> None:
    assert message_template(_expression(code)) == template


def test_a_sum_may_be_as_long_as_a_page() -> None:
    """Longer than a recursion is deep; the tree itself is built here, as parsers refuse it."""
    page: ast.expr = ast.Constant("Page:")
    for _ in range(5_000):
        page = ast.BinOp(page, ast.Add(), ast.Constant(" word"))
    assert message_template(page) == "Page:" + " word" * 5_000


@pytest.mark.parametrize(
    ("code", "template"),
    [
        ("log.info('%s left of %d%%')", "… left of …%"),
        ("log.info(f'{shop}: %s left')", "…: … left"),
        ("log.info('{0.name}: {} left', shop, count)", "…: … left"),
        ("log.info('{name} is no %s', kind)", "{name} is no …"),
        ("log.info('a set is {1, 2}')", "a set is {1, 2}"),
        ("log.info(message)", None),
        ("log.info()", None),
    ],
)
def test_a_logger_puts_values_in_by_itself(code: str, template: str | None) -> None:
    call = _expression(code)
    assert isinstance(call, ast.Call)
    assert log_template(call) == template


def test_the_fixed_parts_of_a_message_stand_between_its_gaps() -> None:
    assert fixed_parts("… items of … left") == ("items of", "left")
    assert fixed_parts("…") == ()


LOGGING = """
def work(self, shop):
    logger.warning("Shop %s is closed", shop)
    if shop:
        self._log.debug(
            "It is open",
        )
    logging.getLogger().info("no logger by its name")
    LOG.exception("It broke")
    shop.info("no logger")
    logger.shout("no level")
    logger.error()
    logger.error(shop)
    text = logger.info("not by itself")
    catalog.info("its name only ends so")
    current_logger().info("Called")
"""


def test_messages_of_loggers_are_found_with_their_levels_lines_and_conditions() -> None:
    sites = log_sites(*read_function(LOGGING))
    found = [(site.level, site.message, site.first, site.last) for site in sites]
    assert found == [
        ("warning", "Shop … is closed", 3, 3),
        ("debug", "It is open", 5, 7),
        ("exception", "It broke", 9, 9),
        ("info", "Called", 16, 16),
    ]
    paths = [[condition.code for condition in site.path or ()] for site in sites]
    assert paths == [[], ["shop"], [], []]
