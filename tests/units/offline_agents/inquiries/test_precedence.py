import pytest

from goldwright.offline_agents.inquiries.precedence import turned_precedence


@pytest.mark.parametrize(
    ("value", "turned"),
    [
        ('command or os.environ.get("GIT_SSH")', 'os.environ.get("GIT_SSH") or command'),
        (
            'os.environ.get("SSH_COMMAND", os.environ.get("SSH"))',
            'os.environ.get("SSH", os.environ.get("SSH_COMMAND"))',
        ),
        ('options.pop("zone", None) or local_zone()', 'local_zone() or options.pop("zone", None)'),
    ],
)
def test_a_fallback_is_taken_for_what_comes_first(value: str, turned: str) -> None:
    assert list(turned_precedence(value)) == [turned]


@pytest.mark.parametrize(
    "value",
    [
        # Of two flags it makes no difference which comes first.
        "is_open or is_new",
        # What always counts leaves nothing to the other.
        'os.environ.get("ZONE") or "UTC"',
        'os.environ.get("DEBUG") or level > 3',
        'options.get("zone", "UTC")',
        "left + right",
        "not code at all",
    ],
)
def test_where_the_order_says_nothing_nothing_is_turned(value: str) -> None:
    assert list(turned_precedence(value)) == []
