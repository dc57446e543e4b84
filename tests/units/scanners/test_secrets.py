import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.scanners.secrets import is_secret_file, mask_secrets
from goldwright.scanners.secrets.rules import load_rules
from units.scanners.secret_examples import draw, read_example

MASKED = re.compile(r"<secret:([a-z0-9-]+):[0-9a-f]{8}>")


def _token_examples() -> Iterator[tuple[str, str]]:
    """The examples of every rule for tokens, which are known wherever they stand."""
    for rule in load_rules():
        for example in map(read_example, rule.catches):
            if not example.before and not example.after:
                yield rule.kind, example.secret


TOKENS = tuple(_token_examples())

PLACEHOLDERS = (
    'password = "changeme"',
    'api_key = "your-api-key-here"',
    'token = "<token>"',
    'token = "${TOKEN}"',
    'secret = "{{ secret }}"',
    'password = "example-password-1"',
    'api_key = "xxxxxxxxxxxx1A"',
    'password = "test-password-22"',
    'secret = "several words with 1 space"',
    'password = "short1"',
    'token = "aaaaaaaaaaaa1"',
    'token_url = "https://example.org/oauth2/token"',
    'PASSWORD_FIELD_NAME = "user_password2"',
    "password_hash = hash_of(password)",
    "token: Optional[str] = None",
    'secret = settings.secret_of("service")',
    'tokenizer = "gpt2-medium-v1"',
    'SECRET_TYPE = "SecretStrField"',
    'url = "http://user:password@host/"',
    'url = f"http://{user}:{password}@host/"',
    "git@github.com:someone/project.git",
    'digest = "' + draw(64, "hex") + '"',
    'commit = "' + draw(40, "hex") + '"',
    "from secrets import token_hex",
    'value = "skeleton-loader-animation-class"',
)


def _key(kind: str, length: int = 5) -> list[str]:
    lines = [draw(64) for _ in range(length)]
    return [
        f"-----BEGIN {kind}PRIVATE " + "KEY-----",
        *lines,
        draw(10) + "==",
        f"-----END {kind}PRIVATE " + "KEY-----",
    ]


def _kinds(text: str) -> list[str]:
    return MASKED.findall(text)


@pytest.mark.parametrize(("kind", "token"), TOKENS, ids=[kind for kind, _ in TOKENS])
@pytest.mark.parametrize(
    "frame", ["{}", 'value = "{}"', "see {} there", "a: {}\nb: 1\n", "f('{}',)"]
)
def test_a_token_is_hidden_wherever_it_stands(kind: str, token: str, frame: str) -> None:
    before, after = frame.split("{}")
    shown = mask_secrets(frame.replace("{}", token))
    assert token not in shown
    assert _kinds(shown) == [kind]
    assert shown.startswith(before)
    assert shown.endswith(after)


def test_at_least_thirty_kinds_of_tokens_are_known() -> None:
    assert len({kind for kind, _ in TOKENS}) >= 30


@pytest.mark.parametrize("line", PLACEHOLDERS)
def test_a_stand_in_for_a_secret_and_plain_code_stay(line: str) -> None:
    assert mask_secrets(line) == line


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("mark", ["", "    ", "# ", "+", "12: "])
def test_each_line_of_a_private_key_is_hidden_by_itself(kind: str, mark: str) -> None:
    lines = [mark + line for line in _key(kind)]
    shown = mask_secrets("\n".join(("start = 1", *lines, "end = 2"))).split("\n")
    assert len(shown) == len(lines) + 2
    assert shown[:2] == ["start = 1", lines[0]]
    assert shown[-2:] == [lines[-1], "end = 2"]
    assert all(_kinds(line) == ["private-key"] for line in shown[2:-2])


def test_a_key_with_headers_keeps_the_headers() -> None:
    begin, *inner, end = _key("RSA ")
    shown = mask_secrets(
        "\n".join((begin, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,00", "", *inner, end))
    ).split("\n")
    assert shown[1:4] == ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,00", ""]
    assert all(_kinds(line) for line in shown[4:-1])


def test_a_pgp_key_is_hidden() -> None:
    body = [draw(64), draw(64), "=aB3d"]
    begin = "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----"
    shown = mask_secrets("\n".join((begin, "", *body, begin.replace("BEGIN", "END"))))
    assert len(_kinds(shown)) == 3


@pytest.mark.parametrize("line_end", ["\\n", "\\\\n", "\\r\\n"])
def test_a_key_on_one_line_with_escaped_line_ends_is_hidden(line_end: str) -> None:
    lines = _key("")
    shown = mask_secrets(
        '{"private_key": "' + line_end.join(lines) + '", "type": "service_account"}'
    )
    assert not any(line in shown for line in lines[1:-1])
    assert shown.endswith('", "type": "service_account"}')


def test_a_key_of_joined_strings_is_hidden() -> None:
    lines = _key("EC ")
    shown = mask_secrets("KEY = (\n" + "\n".join(f'    "{line}\\n"' for line in lines) + "\n)\n")
    assert not any(line in shown for line in lines[1:-1])


def test_a_key_whose_first_or_last_line_was_cut_off_is_hidden() -> None:
    lines = _key("RSA ")
    assert len(_kinds(mask_secrets("\n".join(lines[2:])))) == 5
    assert len(_kinds(mask_secrets("\n".join(lines[:4])))) == 3


def test_code_about_private_keys_stays() -> None:
    begin, *_, end = _key("RSA ")
    code = (
        f'if text.startswith("{begin}"):\n    return\n'
        f'elif text.endswith("{end}"):\n    check(text)\n'
    )
    assert mask_secrets(code) == code


def test_the_same_secret_has_the_same_mark_and_another_has_another() -> None:
    first, second = "ghp" + "_" + draw(36), "ghp" + "_" + draw(36)[::-1]
    marks = re.findall(r"<[^>]+>", mask_secrets(f"{first} {second} {first}"))
    assert marks[0] == marks[2] != marks[1]


@given(
    st.lists(
        st.one_of(st.sampled_from([token for _, token in TOKENS]), st.text(max_size=20)),
        max_size=12,
    )
)
def test_lines_are_kept_and_a_second_mask_changes_nothing(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    shown = mask_secrets(text)
    assert shown.count("\n") == text.count("\n")
    assert len(shown.splitlines()) == len(text.splitlines())
    assert mask_secrets(shown) == shown


@given(st.lists(st.sampled_from([*_key("RSA "), "", "x = 1", "# note", "Version: 1"]), max_size=30))
def test_keys_in_any_order_keep_the_number_of_lines(lines: list[str]) -> None:
    text = "\n".join(lines)
    shown = mask_secrets(text)
    assert shown.count("\n") == text.count("\n")
    assert mask_secrets(shown) == shown


def _hostile() -> Iterator[str]:
    pieces = (
        *(
            "AKIA",
            "ghp_",
            "github_pat_",
            "xoxb-",
            "sk-",
            "sk-ant-",
            "sk-proj-",
            "SG.aaaaaaaaaaaaaaaa.",
            "eyJ",
            "eyJaaaaaaaaaa.",
        ),
        *(
            "password",
            "password=",
            "password='",
            "password: a = '",
            "token.token-",
            "getenv('token",
            "://",
            "://a:",
            "://a:b@",
        ),
        *(
            "authorization: basic ",
            "bearer aaaaaaaaaaaaaaa ",
            "curl ",
            "curl -u a:",
            "heroku ",
            "AccountKey=",
            "?sig=",
            "key-",
        ),
        *(
            "1",
            "a",
            "A",
            "+",
            "/",
            "=",
            " ",
            "\\n",
            "-",
            "_",
            ".",
            "M",
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "dp.pt.",
            "hvs.",
        ),
        *(
            "secret_access_key",
            "aws_session_token=",
            "AGE-SECRET-KEY-1",
            "ops_eyJ",
            "0123456789abcdef",
            ".atlasv1.",
            "8Q~",
        ),
        *(
            "xapp-1-",
            "EZAK",
            "whsec_",
            "glc_",
            "slack.com/services/",
            "webhook.office.com/webhookb2/",
            "api_key\\",
            "'\\",
        ),
        "-----BEGIN RSA PRIVATE " + "KEY-----",
        "-----END RSA PRIVATE " + "KEY-----",
    )
    for piece in pieces:
        yield (piece * (100_000 // len(piece) + 1))[:100_000]
        yield "-----BEGIN PRIVATE " + "KEY-----\n" + (piece * (100_000 // len(piece) + 1))[:100_000]


@pytest.mark.parametrize("hostile", tuple(_hostile()), ids=lambda text: repr(text[-200:][:12]))
def test_a_hostile_line_of_a_hundred_thousand_characters_takes_less_than_a_second(
    hostile: str,
) -> None:
    started = time.process_time()
    mask_secrets(hostile)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "app/.env",
        ".env.local",
        ".env.production",
        "prod.env",
        ".envrc",
        "server.pem",
        "certs/server.key",
        "id_rsa",
        "deploy/id_ed25519",
        "id_rsa.bak",
        "keys/store.p12",
        "keys/store.PFX",
        "android/release.keystore",
        "trust.jks",
        ".npmrc",
        ".pypirc",
        "home/.netrc",
        ".git-credentials",
        "credentials",
        "credentials.json",
        "credentials-prod.yml",
        ".aws/credentials",
        "secrets.json",
        "config/secrets.yaml",
        "secrets.yml",
        "SECRETS.TOML",
        "client_secret_123.json",
        "service-account.json",
        "infra/terraform.tfstate",
        "terraform.tfstate.backup",
        "prod.tfvars",
        ".docker/config.json",
        ".kube/config",
        ".ssh/known",
        "windows\\style\\.env",
    ],
)
def test_a_file_of_secrets_is_private(path: str) -> None:
    assert is_secret_file(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "credentials.py",
        "app/secrets.py",
        "secrets/__init__.py",
        "credentials/store.py",
        "google/auth/credentials.pyi",
        "credentials.md",
        "Credentials.java",
        ".env.example",
        ".env.sample",
        ".env.template",
        ".env.prod.example",
        "secrets.example.yaml",
        "terraform.tfvars.example",
        "environment.py",
        "env.py",
        "keys.py",
        "keyboard.json",
        "config.json",
        "tokens.json",
        "id_rsa.pub",
        ".ssh/id_rsa.pub",
        "test_secrets.py",
        "README.md",
        "secretary.json",
    ],
)
def test_source_samples_and_plain_files_are_not_private(path: str) -> None:
    assert not is_secret_file(path)
