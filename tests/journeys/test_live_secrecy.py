"""What must not leave: keys, whatever fails, and the secrets of a code base, whoever reads it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from effort import first_of
from goldwright.snapshot import open_snapshot
from journeys.conftest import Command
from journeys.live import Settings
from journeys.sample_code import LENDING, write_code
from scripted.brain import RolePlayer, role_of
from scripted.server import Fault, serve_in_thread
from scripted.wire import Call, Heard, Say, Turn

CANARY = "sk-canary-" + "7f3a9c51e0"
KEYS = {
    "ANTHROPIC_API_KEY": f"{CANARY}-anthropic",
    "OPENAI_API_KEY": f"{CANARY}-openai",
    "GOOGLE_API_KEY": f"{CANARY}-google",
    "NO_PROXY": "127.0.0.1",
}


def echo_of(heard: Heard) -> dict[str, object]:
    """Make an error body that repeats the key it was given, as careless servers do."""
    names = {"anthropic": "anthropic", "responses": "openai", "chat": "openai", "google": "google"}
    message = f"the key {CANARY}-{names[heard.protocol]} is not good enough"
    return {
        "error": {"type": "some_error", "code": "some_code", "status": "SOME", "message": message}
    }


def status(code: int) -> Callable[[Heard], Fault]:
    """Answer every request with a status and the key in the body."""
    return lambda heard: Fault("status", status=code, body=echo_of(heard))


def kind(name: str, **fields: float) -> Callable[[Heard], Fault]:
    """Answer every request with a fault of the line."""
    return lambda _: Fault(name, **fields)  # type: ignore[arg-type]  # seconds is the only field


STATUSES = (400, 401, 402, 403, 404, 429, 500, 503)
BROKEN_LINES = (
    "reset_before",
    "close_before",
    "cut_body",
    "truncated_json",
    "empty",
    "garbage",
    "wrong_shape",
)
FAILURES: dict[str, Callable[[Heard], Fault]] = {
    **{str(code): status(code) for code in STATUSES},
    **{name: kind(name) for name in BROKEN_LINES},
}


def leaks(*places: Path) -> list[Path]:
    """Find files that hold a trace of the canary."""
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    return [path for path in files if CANARY.encode() in path.read_bytes()]


def command_lines() -> str:
    """Read the command lines of all processes there are."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return "\n".join(found)


@pytest.mark.parametrize("failure", FAILURES)
def test_no_failure_tells_a_key(
    goldwright: Command, workplace: Path, tmp_path: Path, failure: str
) -> None:
    """Three providers fail at once in fifteen ways each: no file, output or process listing has a
    trace of a key.
    """
    listed: list[bool] = []

    def fail(_: int, heard: Heard) -> Fault:
        listed.append(CANARY in command_lines())
        return FAILURES[failure](heard)

    with serve_in_thread(lambda _: Say(text="ready"), faults=fail) as server:
        Settings(server.url).write(workplace)
        done = goldwright("agents", "check", **KEYS, ANTHROPIC_LOG="debug", OPENAI_LOG="debug")
    assert done.returncode == 6, done.stderr
    assert done.stdout.count("FAILED") == 3
    assert CANARY not in done.stdout + done.stderr
    assert listed
    assert not any(listed)
    assert not leaks(workplace, tmp_path)


@pytest.mark.parametrize("failure", first_of(["401", "402", "403", "404"], suite=1))
def test_a_run_that_a_provider_refuses_tells_no_key(
    goldwright: Command, workplace: Path, tmp_path: Path, codebase: Path, failure: str
) -> None:
    """The run stops at the first refusal, can be carried on, and nothing of it holds a trace of a
    key.
    """
    with serve_in_thread(
        lambda _: Say(text="ready"), faults=lambda _, heard: FAILURES[failure](heard)
    ) as server:
        Settings(server.url).write(workplace)
        done = goldwright("run", "small.json", "--repo", codebase, **KEYS)
        assert done.returncode == 6, done.stderr
        assert goldwright("resume", "latest", **KEYS).returncode == 6
    assert CANARY not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not leaks(workplace, tmp_path)


def planted() -> dict[str, str]:
    """Thirty secrets in the shapes that people leave in code, put together here so that none stands
    in this file.
    """
    letters, figures = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD" * 3, "0123456789abcdef" * 4
    return {
        "aws id": "AKIA" + "Q3EGRTZ7PLMWXK2N",
        "github": "ghp_" + letters[:36],
        "github app": "ghs_" + letters[1:37],
        "github fine": "github_pat_" + letters[:22] + "_" + letters[:59],
        "gitlab": "glpat-" + letters[:20],
        "slack bot": "xoxb-" + "123456789012-1234567890123-" + letters[:24],
        "slack user": "xoxp-" + "123456789012-1234567890123-" + letters[:24],
        "stripe": "sk_live_" + letters[:24],
        "stripe restricted": "rk_live_" + letters[:24],
        "google": "AIza" + letters[:35],
        "google oauth": "GOCSPX-" + letters[:28],
        "openai": "sk-proj-" + letters[:48],
        "anthropic": "sk-ant-" + "api03-" + letters[:93] + "AA",
        "sendgrid": "SG." + letters[:22] + "." + letters[:43],
        "npm": "npm_" + letters[:36],
        "pypi": "pypi-AgEIcHlwaS5vcmc" + letters[:60],
        "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + letters[:43],
        "digitalocean": "dop_v1_" + figures,
        "shopify": "shpat_" + figures[:32],
        "hugging face": "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
        "databricks": "dapi" + figures[:32],
        "linear": "lin_api_" + letters[:40],
        "grafana": "glsa_" + letters[:32] + "_" + figures[:8],
        "vault": "hvs." + letters[:90],
        "telegram": "123456789:" + "AA" + letters[:33],
        "mailgun": "key-" + figures[:32],
        "twilio": "SK" + figures[:32],
        "database": "postgres://app:" + "s3cr3tPassw0rd" + "@db.internal/shop",
        "assigned": "tr0ub4dor" + "&3xKq9Z!",
        "slack hook": "https://hooks.slack.com/services/" + "T00000000/B00000000/" + letters[:24],
    }


def test_secrets_of_a_code_base_are_masked_before_they_reach_a_provider(
    goldwright: Command, workplace: Path, tmp_path: Path
) -> None:
    """A model that reads and searches all there is gets to see none of them, and no file of the run
    holds one.
    """
    code = write_code(tmp_path / "code", LENDING)
    secrets = planted()
    settings = []
    for number, (name, value) in enumerate(secrets.items()):
        is_bare = name == "assigned"
        settings.append(f'password = "{value}"' if is_bare else f'S{number} = "{value}"  # {name}')
    (code / "lending" / "settings.py").write_text("\n".join(settings) + "\n")
    variables = (f"S{number}={value}" for number, value in enumerate(secrets.values()))
    (code / ".env").write_text("\n".join(variables))
    (code / "lending" / "pem.py").write_text(f'KEY = """{private_key()}"""\n')
    snapshot = open_snapshot(code, rev=None, cache=tmp_path / "cache", allow_dirty=True)
    player = RolePlayer(snapshot)
    sent: list[str] = []

    def brain(heard: Heard) -> Say:
        sent.append(json.dumps(heard.body))
        if role_of(heard.system) == "oracle" and len(heard.turns) == 1:
            return Say(calls=CURIOUS_CALLS)
        turns = tuple(turn for turn in heard.turns if not is_curious(turn))
        return player(Heard(**{**vars(heard), "turns": turns}))

    with serve_in_thread(brain) as server:
        Settings(server.url).write(workplace)
        result = goldwright("run", "small.json", "--repo", code, **KEYS)
    assert result.returncode == 0, result.stderr
    assert any("lending/settings.py" in body for body in sent)
    # Of a database address the password is the secret.
    cores = {name: value.split("app:")[-1].split("@db")[0] for name, value in secrets.items()}
    cores["pem"] = KEY_MATERIAL
    everything_sent = "\n".join(sent)
    assert [name for name, core in cores.items() if core in everything_sent] == []
    files = [path for path in (workplace / "runs").rglob("*") if path.is_file()]
    written = "\n".join(path.read_text(errors="replace") for path in files)
    assert [name for name, core in cores.items() if core in written] == []
    assert "<secret:" in written


KEY_MATERIAL = "MIIEpAIBAAKCAQEA7bq"
CURIOUS_CALLS = (
    Call("x1", "read", {"path": "lending/settings.py", "first": None, "last": None}),
    Call("x2", "read", {"path": ".env", "first": None, "last": None}),
    Call("x3", "read", {"path": "lending/pem.py", "first": 3, "last": 5}),
    Call("x4", "search", {"pattern": ".", "path": "", "literal": False, "ignore_case": False}),
    Call(
        "x5",
        "search",
        {"pattern": "S1", "path": "lending", "literal": True, "ignore_case": False},
    ),
)


def private_key() -> str:
    """A key in the form that tools write, put together here for the same reason."""
    begin, end = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
    return "\n".join([begin, *[KEY_MATERIAL * 3] * 6, end])


def is_curious(turn: Turn) -> bool:
    """Whether a turn holds the curious calls or their results."""
    ids = [call.call_id for call in turn.calls] + [result.call_id for result in turn.results]
    return any(call_id.startswith("x") for call_id in ids)


def test_a_redirect_is_not_followed(goldwright: Command, workplace: Path) -> None:
    """Neither key nor prompt goes to where a server points."""
    with serve_in_thread(lambda _: Say(text="ready")) as elsewhere:

        def point(_: int, heard: Heard) -> Fault:
            return Fault(
                "status",
                status=307,
                headers={"location": f"{elsewhere.url}/v1/messages"},
                body=echo_of(heard),
            )

        with serve_in_thread(lambda _: Say(text="ready"), faults=point) as server:
            Settings(server.url).write(workplace)
            done = goldwright("agents", "check", **KEYS)
        assert done.stdout.count("FAILED") == 3
        assert len(server.log) == 3
    assert not elsewhere.log
