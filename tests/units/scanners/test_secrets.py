import hashlib
import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.scanners.secrets import is_secret_file, mask_secrets

MASKED = re.compile(r"<secret:([a-z0-9-]+):[0-9a-f]{8}>")


def _chance(length: int, alphabet: str = "alnum") -> str:
    """Digits that look drawn at random and are the same on every run."""
    alphabets = {
        "alnum": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "hex": "0123456789abcdef",
        "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "digits": "123456789",
    }
    letters = alphabets[alphabet]
    stream = "".join(
        hashlib.sha256(f"{alphabet}{block}".encode()).hexdigest()
        for block in range(length // 32 + 1)
    )
    return "".join(
        letters[int(stream[2 * place : 2 * place + 2], 16) % len(letters)]
        for place in range(length)
    )


UUID = re.sub(r"(.{8})(.{4})(.{4})(.{4})(.{12})", r"\1-\2-\3-\4-\5", _chance(32, "hex"))

TOKENS = (
    ("aws-access-key-id", "AKIA" + _chance(16, "upper")),
    ("aws-access-key-id", "ASIA" + _chance(16, "upper")),
    ("github-token", "ghp" + "_" + _chance(36)),
    ("github-token", "ghs" + "_" + _chance(36)),
    ("github-fine-grained-token", "github" + "_pat_" + _chance(22) + "_" + _chance(59)),
    ("gitlab-token", "glpat" + "-" + _chance(20)),
    ("slack-token", "xoxb" + "-" + _chance(12, "digits") + "-" + _chance(24)),
    ("slack-app-token", "xapp" + "-1-" + _chance(11, "upper") + "-" + _chance(64, "hex")),
    ("stripe-key", "sk" + "_live_" + _chance(24)),
    ("stripe-key", "rk" + "_live_" + _chance(24)),
    ("stripe-key", "sk" + "_test_" + _chance(24)),
    ("stripe-webhook-secret", "whsec" + "_" + _chance(32)),
    ("google-api-key", "AIza" + _chance(35)),
    ("google-client-secret", "GOCSPX" + "-" + _chance(28)),
    ("google-access-token", "ya29" + "." + _chance(60)),
    ("google-refresh-token", "1//0" + _chance(40)),
    ("anthropic-key", "sk" + "-ant-api03-" + _chance(93)),
    ("openrouter-key", "sk" + "-or-v1-" + _chance(64, "hex")),
    ("openai-key", "sk" + "-proj-" + _chance(48)),
    ("openai-key", "sk" + "-" + _chance(48)),
    ("groq-key", "gsk" + "_" + _chance(52)),
    ("perplexity-key", "pplx" + "-" + _chance(48)),
    ("replicate-token", "r8" + "_" + _chance(37)),
    ("langsmith-key", "lsv2" + "_pt_" + _chance(32, "hex") + "_" + _chance(10, "hex")),
    ("hugging-face-token", "hf" + "_" + _chance(34)),
    ("sendgrid-key", "SG" + "." + _chance(22) + "." + _chance(43)),
    ("sendinblue-key", "xkeysib" + "-" + _chance(64, "hex") + "-" + _chance(16)),
    ("mailgun-key", "key" + "-" + _chance(32, "hex")),
    ("mailchimp-key", _chance(32, "hex") + "-us" + "12"),
    ("twilio-key", "SK" + _chance(32, "hex")),
    ("twilio-key", "AC" + _chance(32, "hex")),
    ("npm-token", "npm" + "_" + _chance(36)),
    ("pypi-token", "pypi" + "-AgEIcHlwaS5vcmc" + _chance(60)),
    ("rubygems-token", "rubygems" + "_" + _chance(48, "hex")),
    ("docker-token", "dckr" + "_pat_" + _chance(27)),
    ("jwt", "eyJ" + _chance(20) + "." + "eyJ" + _chance(40) + "." + _chance(43)),
    ("digitalocean-token", "dop" + "_v1_" + _chance(64, "hex")),
    ("shopify-token", "shpat" + "_" + _chance(32, "hex")),
    ("telegram-token", _chance(10, "digits") + ":AA" + _chance(33)),
    ("discord-token", "MT" + _chance(24) + "." + _chance(6) + "." + _chance(38)),
    ("azure-client-secret", _chance(3) + "8Q" + "~" + _chance(34)),
    ("databricks-token", "dapi" + _chance(32, "hex")),
    ("heroku-token", "HRKU" + "-AA" + _chance(58)),
    ("linear-key", "lin" + "_api_" + _chance(40)),
    ("notion-token", "secret" + "_" + _chance(43)),
    ("notion-token", "ntn" + "_" + _chance(46)),
    ("grafana-token", "glsa" + "_" + _chance(32) + "_" + _chance(8, "hex")),
    ("vault-token", "hvs" + "." + _chance(90)),
    ("terraform-token", _chance(14) + ".atlas" + "v1." + _chance(67)),
    ("doppler-token", "dp" + ".pt." + _chance(43)),
    ("age-key", "AGE-SECRET" + "-KEY-1" + _chance(58, "upper")),
    ("atlassian-token", "ATATT3" + _chance(180)),
    ("postman-key", "PMAK" + "-" + _chance(24, "hex") + "-" + _chance(34, "hex")),
    ("pulumi-token", "pul" + "-" + _chance(40, "hex")),
    ("supabase-token", "sbp" + "_" + _chance(40, "hex")),
    ("dynatrace-token", "dt0c01" + "." + _chance(24, "upper") + "." + _chance(64, "upper")),
)

PHRASES = (
    ("aws-secret-key", "aws_secret_access_key = ", _chance(40), ""),
    ("aws-secret-key", '"SecretAccessKey": "', _chance(40), '",'),
    (
        "slack-webhook",
        "https://hooks.slack.com/services/",
        "T" + _chance(8) + "/B" + _chance(8) + "/" + _chance(24),
        "",
    ),
    ("discord-webhook", "https://discord.com/api/webhooks/123456789/", _chance(68), ""),
    ("google-key-id", '"private_key_id": "', _chance(40, "hex"), '",'),
    ("azure-key", "AccountName=store;AccountKey=", _chance(86) + "==", ";EndpointSuffix=core"),
    ("heroku-key", 'HEROKU_API_KEY = "', UUID, '"'),
    ("basic-auth", "Authorization: Basic ", _chance(24), ""),
    ("bearer-auth", 'headers = {"Authorization": "Bearer ', _chance(40), '"}'),
    ("url-password", "postgres://app:", "p9K" + "x!vQ2", "@db.internal:5432/app"),
    ("url-password", "https://someone:", _chance(20), "@host.internal/path"),
    ("command-password", "curl -s -u someone:", _chance(12), " https://host.internal/"),
    ("assigned-secret", 'password = "', "Tr0ub4" + "dor&3", '"'),
    ("assigned-secret", "'db_passwd': '", "hunter" + "2-Hunter2x9", "',"),
    ("assigned-secret", 'api_key: str = "', _chance(24), '"'),
    ("assigned-secret", 'os.environ["SERVICE_TOKEN"] = "', _chance(24), '"'),
    ("assigned-secret", 'os.getenv("SERVICE_SECRET", "', _chance(24), '")'),
    ("assigned-secret", 'if token == "', _chance(24), '":'),
    ("assigned-secret", 'client_secret="', UUID, '"'),
    ("assigned-secret", "export DEPLOY_TOKEN=", _chance(24), ""),
)

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
    'digest = "' + _chance(64, "hex") + '"',
    'commit = "' + _chance(40, "hex") + '"',
    "from secrets import token_hex",
    'value = "skeleton-loader-animation-class"',
)


def _key(kind: str, length: int = 5) -> list[str]:
    lines = [_chance(64) for _ in range(length)]
    return [
        f"-----BEGIN {kind}PRIVATE " + "KEY-----",
        *lines,
        _chance(10) + "==",
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


@pytest.mark.parametrize(
    ("kind", "before", "secret", "after"), PHRASES, ids=[phrase[0] for phrase in PHRASES]
)
def test_a_secret_is_hidden_and_what_stands_around_it_is_not(
    kind: str, before: str, secret: str, after: str
) -> None:
    digits = hashlib.sha256(secret.encode()).hexdigest()[:8]
    assert mask_secrets(f"{before}{secret}{after}") == f"{before}<secret:{kind}:{digits}>{after}"


def test_at_least_thirty_kinds_are_known() -> None:
    assert len({kind for kind, _ in TOKENS} | {phrase[0] for phrase in PHRASES}) >= 30


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
    body = [_chance(64), _chance(64), "=aB3d"]
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
    code = f'if text.startswith("{begin}"):\n    return\nelif text.endswith("{end}"):\n    check(text)\n'
    assert mask_secrets(code) == code


def test_the_same_secret_has_the_same_mark_and_another_has_another() -> None:
    first, second = "ghp" + "_" + _chance(36), "ghp" + "_" + _chance(36)[::-1]
    marks = re.findall(r"<[^>]+>", mask_secrets(f"{first} {second} {first}"))
    assert marks[0] == marks[2] != marks[1]


@given(
    st.lists(
        st.one_of(st.sampled_from([token for _, token in TOKENS]), st.text(max_size=20)),
        max_size=12,
    )
)
def test_lines_are_kept_and_a_second_mask_changes_nothing(role_models: list[str]) -> None:
    text = "\n".join(role_models)
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
