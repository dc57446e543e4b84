r"""What a provider must not be shown of a repository: files full of secrets, and secrets in files.

A secret gives way to ``<secret:KIND:8 hex digits>``; the digits are the start of its SHA-256, so
that two places with the same secret can still be told to be the same. The rules follow the
published ones of gitleaks and of the providers' own pages on their token formats. A pattern names
what it hides ``secret`` when that is less than all it matches, never crosses a line, and no part of
it repeats within a part that repeats: a hostile line costs no more than a long one.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

LEAST_ENTROPY: Final = 3.0
SHORTEST_KEY_LINE: Final = 20
SHORTEST_LAST_PART: Final = 6

_PRIVATE_NAMES: Final = frozenset(
    """.env .envrc .npmrc .yarnrc.yml .pypirc .netrc _netrc .git-credentials .dockercfg .htpasswd .pgpass .my.cnf
    .mylogin.cnf .s3cfg .boto .vault-token .vault-pass .terraformrc id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk
    id_ed25519_sk identity.age ssh_host_rsa_key ssh_host_ecdsa_key ssh_host_ed25519_key wp-config.php
    htpasswd shadow terraform.rc accesstokens.json azureprofile.json hub.yml""".split()
)
_PRIVATE_SUFFIXES: Final = (
    *(
        ".pem .key .p12 .pfx .keystore .jks .bks .ppk .kdbx .kdb .pkcs12 .p8 .pvk .gpg .pgp .agekey".split()
    ),
    *(
        ".ovpn .tfstate .tfstate.backup .tfvars .auto.tfvars.json .env .mobileprovision .keytab .asc.key".split()
    ),
)
_PRIVATE_PLACES: Final = frozenset(
    {".aws/credentials", ".aws/config", ".docker/config.json", ".kube/config"}
)
_PRIVATE_FOLDERS: Final = frozenset({".ssh", ".gnupg"})
_PRIVATE_STEM: Final = re.compile(
    r"(?:secrets?|client[_-]?secrets?|service[_-]?account|gcp[_-]?key|passwords?)(?:[._-][a-z0-9_.-]{0,60})?"
)
_DATA_SUFFIXES: Final = frozenset(
    {".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".txt", ".enc", ".csv"}
)
_CODE_SUFFIXES: Final = frozenset(
    """.py .pyi .pyx .ipynb .js .mjs .cjs .jsx .ts .tsx .go .rs .java .kt .scala .c .h .cc .cpp .hpp .cs .rb .php
    .swift .ex .exs .sh .bash .ps1 .lua .sql .proto .graphql .vue .svelte .html .htm .css .scss .md .mdx .rst
    .adoc .svg .png .gif .tf""".split()
)
_SAMPLE: Final = re.compile(r"\.(?:example|sample|template|tmpl|tpl|dist|defaults?)(?:\.|$)")
_COPY: Final = re.compile(r"(?:\.(?:bak|old|orig|save|backup|copy|swp)|~)$")


def is_secret_file(path: str) -> bool:
    """Tell whether a file of the repository holds secrets by its name, whatever stands in it.

    Samples such as ``.env.example`` and source files such as ``credentials.py`` are not private.
    """
    place = PurePosixPath(path.replace("\\", "/").casefold())
    name = _COPY.sub("", place.name)
    if _SAMPLE.search(name):
        return False
    if name in _PRIVATE_NAMES or name.startswith(".env.") or name.endswith(_PRIVATE_SUFFIXES):
        return True
    if _stands_in_a_private_place(place, name):
        return True
    suffix = PurePosixPath(name).suffix
    if name.startswith(("credentials", ".credentials")):
        return suffix not in _CODE_SUFFIXES
    return (
        suffix in _DATA_SUFFIXES and _PRIVATE_STEM.fullmatch(name.removesuffix(suffix)) is not None
    )


def _stands_in_a_private_place(place: PurePosixPath, name: str) -> bool:
    if any(folder in _PRIVATE_FOLDERS for folder in place.parts[:-1]):
        return not name.endswith(".pub")
    return f"{place.parent.name}/{name}" in _PRIVATE_PLACES


@dataclass(frozen=True, slots=True)
class _SecretRule:
    kind: str
    hints: tuple[str, ...]  # in lower case: without one of them the pattern need not be tried
    pattern: re.Pattern[str]


def _token(kind: str, hints: str, body: str) -> _SecretRule:
    pattern = rf"(?<![A-Za-z0-9])(?:{body})(?![A-Za-z0-9])"
    return _SecretRule(kind, tuple(hints.split()), re.compile(pattern, re.ASCII))


def _phrase(kind: str, hints: str, pattern: str) -> _SecretRule:
    return _SecretRule(kind, tuple(hints.split()), re.compile(pattern, re.ASCII | re.IGNORECASE))


_UUID: Final = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_IS: Final = r"['\"]?\]?\s{0,3}(?::=|=>|==?|:)\s{0,3}[bruf]{0,2}['\"]?"

_RULES: Final = (
    _token("aws-access-key-id", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    _phrase(
        "aws-secret-key",
        "secret",
        rf"(?:secret_?access_?key|aws_?secret(?:_?key)?){_IS}(?P<secret>[A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+=])",
    ),
    _phrase(
        "aws-session-token",
        "session",
        rf"(?:aws|security)?_?session_?token{_IS}(?P<secret>[A-Za-z0-9/+=]{{100,2000}})",
    ),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _token("github-fine-grained-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _token(
        "gitlab-token",
        "gl",
        r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas|ffct)-[A-Za-z0-9_.-]{20,300}",
    ),
    _token("slack-token", "xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,300}"),
    _token("slack-app-token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{20,300}"),
    _phrase(
        "slack-webhook",
        "slack.com",
        r"slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/+-]{20,200})",
    ),
    _phrase(
        "discord-webhook",
        "webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{1,25}/(?P<secret>[\w-]{40,100})",
    ),
    _phrase(
        "teams-webhook",
        "webhook",
        r"webhook\.office\.com/webhookb2/(?P<secret>[\w@-]{36,80}/[\w/-]{36,200})",
    ),
    _token("stripe-key", "sk_ rk_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}"),
    _token("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,100}={0,2}"),
    _token("google-api-key", "aiza", r"AIza[A-Za-z0-9_-]{35}"),
    _token("google-client-secret", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{20,60}"),
    _token("google-access-token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,2000}"),
    _token("google-refresh-token", "1//0", r"1//0[A-Za-z0-9_-]{30,300}"),
    _phrase("google-key-id", "private_key_id", rf"private_key_id{_IS}(?P<secret>[0-9a-f]{{40}})"),
    _token("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,300}"),
    _token("openrouter-key", "sk-or-", r"sk-or-(?:v1-)?[A-Za-z0-9]{32,100}"),
    _token(
        "openai-key",
        "sk-",
        r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}|sk-[A-Za-z0-9]{20,200}",
    ),
    _token("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,80}"),
    _token("xai-key", "xai-", r"xai-[A-Za-z0-9]{60,100}"),
    _token("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,64}"),
    _token("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37,40}"),
    _token("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _token("hugging-face-token", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{30,60}"),
    _token("sendgrid-key", "sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}"),
    _token("sendinblue-key", "xkeysib-", r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _token(
        "mailgun-key",
        "key- pubkey-",
        r"(?:pub)?key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}",
    ),
    _token("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}"),
    _token("twilio-key", "sk ac ap", r"(?:SK|AC|AP)(?:[0-9a-f]{32}|[0-9A-F]{32})"),
    _token("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _token("pypi-token", "pypi-age", r"pypi-AgE[A-Za-z0-9_-]{30,1000}"),
    _token("rubygems-token", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _token("docker-token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}"),
    _SecretRule(
        "jwt",
        ("eyj",),
        re.compile(r"(?<![\w-])eyJ[\w-]{10,4000}\.[\w-]{10,8000}\.[\w-]{10,2000}", re.ASCII),
    ),
    _token("digitalocean-token", "do", r"do[opr]_v1_[0-9a-f]{64}"),
    _token("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}"),
    _token("telegram-token", ":aa", r"\d{8,10}:AA[A-Za-z0-9_-]{33}"),
    _token(
        "discord-token", ".", r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"
    ),
    _phrase(
        "azure-key",
        "key=",
        r"(?:Account|SharedAccess|Access)Key=(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})",
    ),
    _phrase("azure-signature", "sig=", r"[?&;]sig=(?P<secret>[A-Za-z0-9%+/]{30,120}={0,2})"),
    _token("azure-client-secret", "q~", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    _token("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _phrase("heroku-key", "heroku", rf"heroku[\w. -]{{0,30}}{_IS}(?P<secret>{_UUID})"),
    _token("heroku-token", "hrku-", r"HRKU-[A-Za-z0-9_-]{30,80}"),
    _token("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{40,64}"),
    _token("notion-token", "secret_ ntn_", r"secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60}"),
    _token(
        "grafana-token",
        "glsa_ glc_",
        r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2}",
    ),
    _token("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,300}"),
    _token("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    _token("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,100}"),
    _token("age-key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    _token("atlassian-token", "atatt3", r"ATATT3[A-Za-z0-9_=-]{50,300}"),
    _token("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{40,60}"),
    _token("postman-key", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("square-token", "sq0 eaaa", r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{60}"),
    _token("facebook-token", "eaac", r"EAAC[A-Za-z0-9]{60,300}"),
    _token("new-relic-key", "nrak- nrjs- nrii-", r"NR(?:AK|JS|II)-[A-Za-z0-9_-]{19,40}"),
    _token("sentry-token", "sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    _token("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
    _token("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    _token("supabase-token", "sbp_", r"sbp_[0-9a-f]{40}"),
    _token("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{36,60}"),
    _token("dynatrace-token", "dt0c01.", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("mapbox-token", "sk.ey", r"sk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20,40}"),
    _token("easypost-key", "ez", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _token("artifactory-key", "akcp", r"AKCp[A-Za-z0-9]{60,80}"),
    _token("one-password-token", "ops_eyj", r"ops_eyJ[A-Za-z0-9+/]{100,2000}={0,2}"),
    _phrase(
        "basic-auth",
        "basic",
        r"authorization['\"]?\s{0,3}[:=,]\s{0,3}['\"]?basic\s{1,3}(?P<secret>[\w+/=-]{8,500})",
    ),
    _phrase("bearer-auth", "bearer", r"['\":=,\s]bearer\s{1,3}(?P<secret>[\w.~+/=-]{16,2000})"),
    _phrase(
        "url-password",
        "://",
        r"://[^\s/:@'\"<>`]{0,80}:(?P<secret>[^\s/'\"<>`]{3,200})@(?=[\w\[{$%])",
    ),
    _phrase(
        "command-password",
        "curl",
        r"\bcurl\s[^\n]{0,200}?\s(?:-u|--user)[\s=]?['\"]?[\w.@-]{1,60}:(?P<secret>[^\s'\"]{4,200})",
    ),
    _phrase(
        "assigned-secret",
        "passw passphrase pwd secret token api_key apikey api-key access_key accesskey access-key private_key "
        "privatekey auth_key authkey credential encryption_key encryptionkey signing_key signingkey",
        r"(?P<name>passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key"
        r"|credential|encryption[_-]?key|signing[_-]?key)(?P<rest>[\w.-]{0,40})"
        r"['\"]?\]?[ \t]{0,3}(?::[ \t]{0,3}[\w.\[\], |]{1,40}=|:=|=>|[=!]=|=|:)[ \t]{0,20}"
        r"[bru]{0,2}(?P<quote>['\"])(?P<secret>(?:(?!(?P=quote))[^\\\s]|\\\S){8,400}+)(?P=quote)",
    ),
    _phrase(
        "assigned-secret",
        "getenv get( setdefault",
        r"(?:getenv|get|setdefault)\(['\"][\w.-]{0,40}?(?P<name>passw(?:or)?d|secret|token|api[_-]?key|access[_-]?key)"
        r"(?P<rest>[\w.-]{0,40})['\"],[ \t]{0,3}(?P<quote>['\"])(?P<secret>[^\s'\"\\]{8,400}+)(?P=quote)",
    ),
    _SecretRule(
        "assigned-secret",
        ("passw", "secret", "token", "key"),
        re.compile(
            r"(?m)^[ \t]{0,40}(?:(?:export|ENV|ARG|set|-)[ \t]{1,3})?[A-Z0-9_]{0,60}?"
            r"(?P<name>PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)(?P<rest>[A-Z0-9_]{0,40})"
            r"=(?P<secret>[^\s'\"`$(){}\[\]<>,;]{8,400})[ \t]{0,20}$",
            re.ASCII,
        ),
    ),
)

_WEIGHED: Final = frozenset(
    {"assigned-secret", "url-password", "basic-auth", "bearer-auth", "command-password"}
)
_NAMES_NO_SECRET: Final = re.compile(
    r"(?:iz|s?_?per_)|.*(?:url|uri|name|names|path|file|filename|dir|type|types|field|header|endpoint|prefix|suffix|format|regex"
    r"|pattern|re|env|var|label|hint|help|message|msg|error|class|method|policy|scope|scopes|mode|kind|key_?id|info"
    r"|description|doc|style|map|set|list|cls|alg|algorithm|provider|input|title|text|placeholder|validators?|end|start|begin|sep|separator)",
    re.IGNORECASE,
)
_STAND_IN: Final = re.compile(
    r"[<>{]|\$\(|^\$|%\(|%[sdr]|\.{3}|[xX]{4}|\*{3}|://|0{6}|\(\?|\[\^|(?<![a-z])(?:your|change|example|placeholder|dummy|fake|sample"
    r"|redacted|insert|replace|todo|fixme|foo|bar|baz|test|tests|testing|none|null|undefined|default|mock)(?![a-z])"
    r"|^(?:your|change|example|dummy|fake|test|mock|redacted|replace|insert)",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(
    r"[_./:,|?=&\\-]*(?:(?:[A-Za-z][a-z]+|[A-Z]{2,}s?|[A-Za-z])(?:\d{0,3}(?:[_./:,|?=&\\-]|(?=[A-Z]))|\d?$)"
    r"|\d{1,3}[a-z]?(?:[_./:,|?=&\\-]|$))"
)
_OBVIOUS: Final = frozenset(
    "password passwd pass pwd secret token key user username xxx pw admin guest anonymous".split()
)


def mask_secrets(text: str) -> str:
    """Write a text with its secrets hidden; it keeps the number of its lines.

    A whole file is safer to mask than a part of it: the part of a key that lost its first line
    looks like any data.
    """
    shown = _without_keys(text) if "PRIVATE KEY" in text else text
    lowered = shown.lower()
    for rule in _RULES:
        if any(hint in lowered for hint in rule.hints):
            shown = _without(rule, shown)
    return shown


def _without(rule: _SecretRule, text: str) -> str:
    def hide(match: re.Match[str]) -> str:
        part = "secret" if "secret" in match.re.groupindex else 0
        if "<secret:" in match[part] or (rule.kind in _WEIGHED and not _has_weight(match)):
            return match[0]
        start, end = match.span(part)
        return f"{text[match.start() : start]}{_hidden(rule.kind, match[part])}{text[end : match.end()]}"

    return rule.pattern.sub(hide, text)


def _hidden(kind: str, secret: str) -> str:
    digest = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    return f"<secret:{kind}:{digest[:8]}>"


def _has_weight(match: re.Match[str]) -> bool:
    named = match.groupdict()
    secret = named.get("secret") or match[0]
    if _STAND_IN.search(secret) or secret.casefold() in _OBVIOUS:
        return False
    if "name" not in named:
        return "quote" in named or not _is_made_of_words(secret) or "://" in match[0]
    if _NAMES_NO_SECRET.fullmatch(named["rest"] or ""):
        return False
    return (
        _classes(secret) >= 2
        and _entropy(secret) >= LEAST_ENTROPY
        and not _is_made_of_words(secret)
    )


def _is_made_of_words(text: str) -> bool:
    """Tell whether a text reads like a name, a path or a title rather than like chance."""
    return not _WORDS.sub("", text)


def _classes(text: str) -> int:
    digits = any(character.isdigit() for character in text)
    lower = any(character.islower() for character in text)
    upper = any(character.isupper() for character in text)
    return digits + lower + upper + (not text.isalnum())


def _entropy(text: str) -> float:
    """Shannon's entropy of the characters, in bits per character."""
    return -sum(
        count / len(text) * math.log2(count / len(text)) for count in Counter(text).values()
    )


_KEY_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_EDGE: Final = re.compile(
    r"-----(?P<edge>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
)
_KEY_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_PART: Final = re.compile(
    r"<secret:[a-z-]{1,40}:[0-9a-f]{8}>|\\+[nrt]|(?P<part>[A-Za-z0-9+/=]{2,}+)"
)
_KEY_LINE: Final = re.compile(
    r"""[\s"'`#*+,:;|>()\\/-]{0,40}(?:\d{1,6}[:|\s]\s{0,8})?(?P<part>[A-Za-z0-9+/=]++)(?:\\+[nr]){0,4}[\s"'`,;+)\\]{0,40}"""
)
_KEY_HEADER: Final = re.compile(
    r"""[\s"'#*+]*+(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\\"']*+)?(?:\\n)?[\s"']{0,9}"""
)


def _without_keys(text: str) -> str:
    """Hide the body of each private key, line by line; the lines that open and close it stay."""
    lines = text.split("\n")
    kept = list(lines)
    for place, line in enumerate(lines):
        if _KEY_BEGIN.search(line):
            kept[place] = _without_inline_keys(line)
            going_on = _key_lines(lines, range(place + 1, len(lines)))
        elif _KEY_END.search(line):
            going_on = _key_lines(lines, range(place - 1, -1, -1))
        else:
            continue
        for inner, part in going_on:
            kept[inner] = lines[inner].replace(part, _hidden("private-key", part), 1)
    return "\n".join(kept)


def _key_lines(lines: list[str], places: range) -> Iterator[tuple[int, str]]:
    """Yield the lines that go on with a key, each with its part of the key, up to the first that
    does not.
    """
    for place in places:
        if _KEY_HEADER.fullmatch(lines[place]):
            continue
        match = _KEY_LINE.fullmatch(lines[place])
        if match is None:
            return
        if len(match["part"]) < SHORTEST_KEY_LINE and not _is_long_key_line(
            lines[place - 1] if place else ""
        ):
            return
        yield place, match["part"]


def _is_long_key_line(line: str) -> bool:
    match = _KEY_LINE.fullmatch(line)
    return match is not None and len(match["part"]) >= SHORTEST_KEY_LINE


def _without_inline_keys(line: str) -> str:
    """Hide keys that stand on the line that opens them, as in a string with its line ends escaped."""
    shown: list[str] = []
    done = 0
    shortest: int | None = None
    for edge in _KEY_EDGE.finditer(line):
        is_end = edge["edge"] == "END"
        body = line[done : edge.start()]
        shown += (
            body
            if shortest is None
            else _without_key_parts(body, SHORTEST_LAST_PART if is_end else shortest),
            edge[0],
        )
        shortest = None if is_end else SHORTEST_KEY_LINE
        done = edge.end()
    rest = line[done:]
    return "".join((*shown, rest if shortest is None else _without_key_parts(rest, shortest)))


def _without_key_parts(text: str, shortest: int) -> str:
    def hide(match: re.Match[str]) -> str:
        part = match["part"]
        return _hidden("private-key", part) if part and len(part) >= shortest else match[0]

    return _KEY_PART.sub(hide, text)
