"""Names of the outside world: what sort of name a literal is, and how people say it."""

import pytest

from goldwright.code_reading.literal_uses import PROCESS_ENVIRONMENT
from goldwright.offline_agents.inquiries.outside_names import noun_of, spoken_name


@pytest.mark.parametrize(
    ("literal", "receiver", "noun"),
    [
        ("DATABASE_URL", PROCESS_ENVIRONMENT, "environment variable"),
        ("PATH", PROCESS_ENVIRONMENT, ""),
        ("DATABASE_URL", "rows", ""),
        ("HTTP_HOST", "environ", "WSGI environ key"),
        ("REMOTE_ADDR", "env", "WSGI environ key"),
        ("HTTP_HOST", "rows", ""),
        ("wsgi.input", "environ", ""),
        ("Content-Type", "headers", "header"),
        ("etag", "response_headers", "header"),
        ("Age", "headers", ""),
        ("Content-Type", "rows", ""),
        ("DOWNLOAD_DELAY", "settings", "setting"),
        ("DOWNLOAD_DELAY", "_settings", "setting"),
        ("download_delay", "config", "setting"),
        ("download_delay", "conf", "setting"),
        ("dont_retry", "meta", "meta key"),
        # Without a mark inside, a short word means too many things.
        ("timeouts", "settings", "setting"),
        ("timeout", "settings", ""),
        ("down-load.delay", "settings", ""),
        ("--verbose", "", "option"),
        ("--v", "", ""),
        ("-v", "", ""),
        ("application/json", "", "media type"),
        ("setup.cfg", "", "file"),
        (".bashrc", "", "file"),
        ("plain words", "", ""),
    ],
)
def test_the_noun_of_a_literal(literal: str, receiver: str, noun: str) -> None:
    assert noun_of(literal, receiver) == noun


@pytest.mark.parametrize(
    ("literal", "noun", "words"),
    [
        ("DOWNLOAD_DELAY", "setting", "download delay"),
        ("DATABASE_URL", "environment variable", ""),
        ("dont_retry", "meta key", "dont retry"),
        ("HTTP_USER_AGENT", "WSGI environ key", "User-Agent"),
        ("PATH_INFO", "WSGI environ key", ""),
        ("BACKEND_SETTINGS", "setting", ""),
        ("MAIL_BACKEND_SETTINGS", "setting", "mail backend"),
        ("MAIL_SETTINGS", "environment variable", ""),
        ("DELAY", "setting", ""),
        ("A_DELAY", "setting", ""),
        ("RETRY_2_TIMES", "setting", ""),
        ("ONE_TWO_THREE_FOUR", "setting", "one two three four"),
        ("ONE_TWO_THREE_FOUR_FIVE", "setting", ""),
        ("Content-Type", "header", ""),
        ("--dry-run", "option", ""),
    ],
)
def test_a_name_is_said_as_words_where_people_do(literal: str, noun: str, words: str) -> None:
    assert spoken_name(literal, noun) == words
