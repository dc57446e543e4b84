"""People at the review page: a batch by keyboard alone, and what must not go wrong on the way."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Request

from effort import first_of
from goldwright.trust_card.catalog import MEASURES
from journeys.browser import (
    CONTRAST,
    REVIEWS,
    Desk,
    Reader,
    ReviewServer,
    make_review_desk,
    review_desk,
)
from journeys.sharing import make_once

RECORDS, SAMPLE_SIZE = 11, 6
# How the program tells that all verdicts on the sample are missing.
NONE_OF_ALL = f"{SAMPLE_SIZE} of {SAMPLE_SIZE} verdicts"
EVERY_KEY = "1234jkxewunpso/?"
NOTING_FOCUS = """
() => {
  window.reached = new Set();
  const isSeen = (one) => {
    const box = one.getBoundingClientRect();
    const x = box.left + Math.min(box.width / 2, 40);
    // Of what is higher than the window, only the part inside can be seen.
    const top = Math.max(box.top, 0);
    const height = Math.min(box.bottom, window.innerHeight) - top;
    const hits = [2, .25 * height, .5 * height, .75 * height, height - 2]
      .map((down) => document.elementFromPoint(x, top + down));
    const isLabel = (hit) => hit.contains(one) && hit.matches('label');
    return hits.some((hit) => hit && (one.contains(hit) || isLabel(hit)));
  };
  document.addEventListener('focusin', (event) => {
    const one = event.target;
    one.dataset.seen = String(isSeen(one));
    window.reached.add(one);
    // A busy browser scrolls there after the event; what counts is what the next frame shows.
    requestAnimationFrame(() => {
      if (document.activeElement === one && isSeen(one)) one.dataset.seen = 'true';
    });
  });
}
"""
KINDS_OF_CONTROLS = 'button, input, textarea, select, summary, [tabindex="0"]'
CONTROLS = f"Array.from(document.querySelectorAll('{KINDS_OF_CONTROLS}'))"
COVERED = """
() => [...document.querySelectorAll('.choices button, .choices input')].filter((one) => {
  if (!one.checkVisibility()) return false;
  const box = one.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return !one.contains(document.elementFromPoint(x, y));
}).map((one) => `covered by something: ${one.outerHTML.slice(0, 60)}`)
"""
UNREACHED = f"""
() => {CONTROLS}.filter((one) => one.checkVisibility() && !window.reached.has(one))
  .map((one) => `not reached: ${{one.outerHTML.slice(0, 90)}}`)
  .concat([...window.reached].filter((one) => one.dataset.seen === 'false')
    .map((one) => `hidden when focused: ${{one.outerHTML.slice(0, 90)}}`))
"""
# One row with a word of every colour that code can have, plain and where the current claim points.
EVERY_COLOUR = """
() => {
  const names = new Set([...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .flatMap((rule) => (rule.selectorText || '').match(/[.]t-\\w+/g) || [])
    .map((name) => name.slice(1)));
  const rows = [...document.querySelectorAll('.code .row')].slice(0, 3);
  rows[1].classList.add('now');
  rows[2].classList.add('cited', 'now');
  for (const row of rows) {
    for (const name of names) {
      const word = document.createElement('span');
      word.className = name;
      word.textContent = name;
      row.querySelector('.text').append(word);
    }
  }
  return names.size;
}
"""


@pytest.fixture(scope="session")
def untouched_desk(shared: Path) -> Desk:
    """A run that nobody has reviewed; tests copy it and leave it as it is."""
    return review_desk(make_once(shared / "review-desk", make_review_desk))


@pytest.fixture
def workplace(untouched_desk: Desk, tmp_path: Path) -> Desk:
    """A copy of that run."""
    return untouched_desk.copy(tmp_path / "desk")


def judge(reader: Reader, key: str) -> None:
    """Judge the record on screen; what condemns it has a claim marked as at fault."""
    if key in {"3", "4"}:
        reader.press("x")
    reader.turn(key)


def judge_all(reader: Reader, first: str = "1") -> int:
    """Judge the sample by keyboard, the first record with another key; count the records."""
    count = 0
    while reader.data("lane") in {"sample", "adjudication"}:
        judge(reader, "1" if count else first)
        count += 1
    return count


def decide_all(reader: Reader) -> list[str]:
    """Keep, send back and drop what was stopped, and give the lanes it came from."""
    lanes = []
    while lane := reader.data("lane"):
        lanes.append(lane)
        if len(lanes) == 1:
            reader.turn("1")
            continue
        key, wanted, words = "34"[len(lanes) > 2], "Write a hint", "Read the callers as well."
        if key == "4":
            wanted, words = "Write why it goes", "Nobody would ask that."
        reader.press(key)
        assert f"then press Enter and {key} again." in reader.told(wanted)
        reader.page.keyboard.type(words)
        reader.press("Enter")
        reader.turn(key)
        assert (
            reader.told("Written")
            == f"Written: {'drop' if key == '4' else 'try again with a hint'}."
        )
    return lanes


def help_keys(reader: Reader) -> list[str]:
    """The keys that the help names."""
    keys: list[str] = reader.page.locator("#help kbd").all_text_contents()
    return keys


def test_a_whole_batch_is_reviewed_by_keyboard_and_exported(
    browser: Browser, workplace: Desk
) -> None:
    """Two reviewers, decisions on what was stopped, a difference that is settled, and the blessed
    file.
    """
    run = workplace.run.name
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        assert judge_all(reader) == SAMPLE_SIZE
        lanes = decide_all(reader)
        assert (set(lanes), lanes[-1]) == ({"queued", "failed_gate"}, "failed_gate")
        assert reader.see("h1") == "You are done"
        assert f"goldwright review {run} --reviewer NAME --second" in reader.see("#end")
        assert (
            f"One record waits to be tried again with your hint:goldwright resume {run}"
            in reader.see("#end")
        )
    decisions = [event for event in workplace.words if event["event"] == "decision"]
    assert [event["decision"] for event in decisions[:3]] == ["keep", "retry", "drop"]
    assert [event["words"] for event in decisions[:3]] == [
        "",
        "Read the callers as well.",
        "Nobody would ask that.",
    ]
    assert (
        f"{NONE_OF_ALL} of a second, independent reviewer"
        in workplace.goldwright("spot-check", run).stdout
    )

    with (
        ReviewServer(workplace, "Bo", "--second") as server,
        Reader(browser, server.address) as reader,
    ):
        assert judge_all(reader, "2") == SAMPLE_SIZE
        assert "whether the reviewers differ" in reader.see("#end")
        assert "breach" not in reader.see("#end")
    assert (
        "1 record on which the reviewers differ" in workplace.goldwright("spot-check", run).stdout
    )
    refused = workplace.goldwright("export", run, "--version", "1.0")
    assert (refused.returncode, "the reviewers differ" in refused.stderr) == (1, True)

    with (
        ReviewServer(workplace, "Cy", "--adjudicate") as server,
        Reader(browser, server.address) as reader,
    ):
        assert "First reviewer (Adelheid): correct" in reader.see(".why")
        assert help_keys(reader) == [
            "1",
            "2",
            "3",
            "4",
            "n",
            "Enter",
            "j",
            "k",
            "x",
            "e",
            "w",
            "/",
            "u",
            "p",
            "s",
            "?",
            "o",
            "Esc",
        ]
        reader.turn("o")
        assert "First reviewer (Adelheid): correct" in reader.see("#overview li")
        assert "Second reviewer (Bo): minor issue" in reader.see("#overview li")
        reader.turn("s")
        assert judge_all(reader) == 1
        assert reader.see("h1") == "Every difference is settled"
    assert "the batch is blessed" in workplace.goldwright("spot-check", run).stdout
    exported = workplace.goldwright("export", run, "--version", "1.0")
    assert exported.returncode == 0, exported.stderr
    metadata = json.loads((workplace.path / "golden/golden_v1.0.meta.json").read_text())
    assert (metadata["dataset_status"], metadata["query_count"]) == ("human_blessed", RECORDS)
    assert metadata["human_reviewers"] == ["Adelheid", "Bo", "Cy"]
    assert len(json.loads((workplace.path / "golden/golden_v1.0.json").read_text())) == RECORDS


def test_one_key_judges_a_record_and_the_next_one_is_there_at_once(
    browser: Browser, workplace: Desk, record_property: Callable[[str, object], None]
) -> None:
    """At most two key presses and a moment; the bound is wide, for the machine may be busy."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        judge_all(reader)
        brought = reader.records
    times = sorted(one["ms"] for one in brought)
    record_property("milliseconds_median", round(median(times)))
    record_property("milliseconds_95th", round(times[round(0.95 * len(times)) - 1]))
    assert len(brought) == SAMPLE_SIZE
    assert len({one["heading"] for one in brought}) == SAMPLE_SIZE
    assert median(one["keys"] for one in brought) == 1
    assert median(times) < 1000


def test_keys_do_nothing_while_somebody_types(browser: Browser, workplace: Desk) -> None:
    """A note may hold any letter, so may an editor; Escape and Enter lead back."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        shown, query = reader.shown, reader.data("query")
        for leave in ("Escape", "Enter"):
            reader.press("n")
            reader.page.keyboard.type(EVERY_KEY)
            assert reader.page.evaluate("document.activeElement.id") == "note"
            reader.press(leave)
            assert reader.page.evaluate("document.activeElement.id") != "note"
        assert reader.page.input_value("#note") == EVERY_KEY * 2
        for field in ("textarea", ".file", ".start", ".end"):
            reader.press("e")
            reader.page.focus(f".editor {field}")
            reader.press(*EVERY_KEY)
            reader.press("Escape")
            assert reader.page.locator(".editor").count() == 0
        reader.press("?", *"1234uo", "Escape")
        assert not reader.page.evaluate("document.getElementById('help').open")
        reader.press("/")
        reader.page.keyboard.type("redirect")
        reader.press("Escape")
        assert not reader.page.evaluate("document.getElementById('find').open")
        assert (reader.shown, reader.data("query")) == (shown, query)
    assert workplace.words == []


def test_keys_with_a_modifier_belong_to_the_browser(browser: Browser, workplace: Desk) -> None:
    """Ctrl+1 picks a tab and is no verdict."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        query = reader.data("query")
        for modifier in ("Control", "Alt", "Meta"):
            reader.press(f"{modifier}+1", f"{modifier}+4", f"{modifier}+u")
        reader.turn("s")
        assert reader.data("previous") == query
    assert workplace.words == []


def test_a_key_that_is_held_down_decides_once(browser: Browser, workplace: Desk) -> None:
    """The keyboard repeats a held key, and what it would judge nobody has read."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        shown = reader.shown
        reader.page.keyboard.down("1")
        reader.page.wait_for_function("shown => window.reading.shown > shown", arg=shown)
        for _ in range(5):
            reader.page.keyboard.down("1")
            reader.page.wait_for_timeout(40)
        reader.page.keyboard.up("1")
        reader.turn("o")
    assert [event["verdict"] for event in workplace.words] == ["correct"]


@pytest.mark.parametrize("pause_ms", first_of([180, 0], suite=1))
def test_a_double_click_gives_one_verdict(browser: Browser, workplace: Desk, pause_ms: int) -> None:
    """The second half of it must not fall on the record after."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        box = reader.page.locator(".choice.correct").bounding_box()
        assert box is not None
        reader.page.mouse.move(box["x"] + 20, box["y"] + 10)
        for count in (1, 2):
            reader.page.mouse.down(click_count=count)
            reader.page.mouse.up(click_count=count)
            reader.page.wait_for_timeout(pause_ms)
        reader.told("Written")
        reader.turn("o")
    assert [event["verdict"] for event in workplace.words] == ["correct"]


def test_of_two_tabs_on_one_record_the_second_is_told_and_writes_nothing(
    browser: Browser, workplace: Desk
) -> None:
    """It shows the record as it is now, and what was typed there is not taken for a verdict."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        one, query = reader.page, reader.data("query")
        reader.open(server.address)
        assert reader.data("query") == query
        reader.turn("1")
        reader.page = one
        reader.press("x")
        reader.press("4")
        assert "somebody else has spoken on it meanwhile" in reader.told(query)
        assert 409 in reader.statuses
        assert "you said: correct" in reader.see(".place")
        reader.turn("2")
    words = [(event["query_id"], event["verdict"]) for event in workplace.words]
    assert words == [(query, "correct"), (query, "minor_issue")]


def test_a_server_that_ends_loses_nothing(browser: Browser, workplace: Desk) -> None:
    """The page says so; started again at the same port it has another key, which the old page does
    not hold.
    """
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        reader.turn("1")
        query = reader.data("query")
        reader.press("n")
        reader.page.keyboard.type("half a thought")
        reader.press("Escape")
        server.stop()
        reader.press("3")
        assert "does not answer" in reader.told("review server")
        assert reader.page.input_value("#note") == "half a thought"
        with ReviewServer(workplace, "Adelheid", port=server.port) as again:
            reader.press("3")
            assert "does not fit the review server" in reader.told("The key of this page")
            assert (reader.data("query"), reader.page.input_value("#note")) == (
                query,
                "half a thought",
            )
            assert len(workplace.words) == 1
            reader.open(again.address)
            assert reader.data("query") == query
            judge(reader, "3")
    assert [event["verdict"] for event in workplace.words] == ["correct", "major_issue"]


def change(reader: Reader, claim: str, text: str) -> None:
    """Change a claim by keyboard."""
    reader.page.click(f"#{claim} .pick")
    reader.press("e")
    reader.page.fill(".editor textarea", text)
    reader.turn("Control+Enter")


def test_a_changed_record_is_a_minor_issue_and_undo_brings_the_text_back(
    browser: Browser, workplace: Desk
) -> None:
    """Facts and the narrative can be changed, added and taken out; who did what when is kept."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        query, digest, original = (
            reader.data("query"),
            reader.data("content"),
            reader.see(".answer"),
        )
        fact = reader.page.get_attribute("#fact-1", "data-text") or ""
        narrative = reader.page.get_attribute("#narrative", "data-text") or ""
        facts = reader.page.locator("[id^=fact-]").count()
        change(reader, "fact-1", fact + " (read twice)")
        change(reader, "narrative", "It was read twice. " + narrative)
        reader.page.click("#fact-1 .pick")
        reader.page.click("[data-edit=fact-new]")
        reader.page.fill(".editor textarea", "It stands where it stands.")
        reader.turn("Control+Enter")
        assert reader.page.locator("[id^=fact-]").count() == facts + 1
        reader.page.click(f"#fact-{facts} .pick")
        reader.press("e")
        before = reader.shown
        reader.page.click(".editor .remove")
        reader.page.wait_for_function("before => window.reading.shown > before", arg=before)
        assert "It stands where it stands." in reader.see(f"#fact-{facts}")
        reader.press("1")
        assert "a minor issue at the least" in reader.told("so it was not correct as it stood")
        assert reader.data("query") == query
        reader.turn("2")
        assert reader.data("query") != query
        for _ in range(5):
            reader.turn("u")
            assert reader.data("query") == query
        assert (reader.data("content"), reader.see(".answer")) == (digest, original)
        reader.turn("1")
    check_what_was_kept(workplace.words, query, fact, narrative)


def check_what_was_kept(words: list[dict[str, Any]], query: str, fact: str, narrative: str) -> None:
    """Every change stands there with before, after, who and when, and nothing that was undone is
    gone.
    """
    edits = [event for event in words if event["event"] == "edit"]
    assert [event["event"] for event in words] == ["edit"] * 4 + ["verdict"] + ["undo"] * 5 + [
        "verdict"
    ]
    assert {event["query_id"] for event in edits} == {query}
    assert {event["reviewer"] for event in words} == {"Adelheid"}
    assert all(
        re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", event["reviewed_at"]) for event in words
    )
    assert (edits[0]["before"][0], edits[0]["after"][0]) == (fact, fact + " (read twice)")
    assert (edits[1]["before"], edits[1]["after"]) == (narrative, "It was read twice. " + narrative)
    assert edits[2]["after"] == [*edits[2]["before"], "It stands where it stands."]
    assert edits[3]["after"] == [*edits[3]["before"][:-2], "It stands where it stands."]
    assert (words[4]["verdict"], words[-1]["verdict"]) == ("minor_issue", "correct")


def nameless(snapshot: str) -> list[str]:
    """The controls of an accessibility tree that have no name."""
    controls = "button|textbox|combobox|spinbutton|dialog"
    others = "region|navigation|progressbar|img|group"
    role_alone = re.compile(rf"- ({controls}|{others})( \[.*\])?:?")
    return [line.strip() for line in snapshot.splitlines() if role_alone.fullmatch(line.strip())]


def misshapen(reader: Reader) -> Iterator[str]:
    """Scrolling sideways, landmarks or first headings that are not there once, and controls without
    a name.
    """
    if not reader.page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    ):
        yield "scrolls sideways"
    overflowing = reader.page.evaluate(
        "[...document.querySelectorAll('.claim')].filter("
        "(claim) => claim.scrollWidth > claim.clientWidth).length"
    )
    if overflowing:
        yield f"{overflowing} claims wider than their cards"
    tree = reader.page.locator("body").aria_snapshot()
    for role in ("main", "banner", "contentinfo", "navigation", "status"):
        if (count := len(re.findall(rf"^ *- {role}\b", tree, re.MULTILINE))) != 1:
            yield f"{role}: {count} times"
    levels = reader.page.evaluate(
        "[...document.querySelectorAll('#page :is(h1, main h2)')].map((one) => one.tagName)"
    )
    if levels[0] != "H1" or levels.count("H1") != 1:
        yield f"headings: {levels}"
    yield from (f"no name: {one}" for one in nameless(tree))
    yield from reader.page.evaluate(COVERED)


def unreached(reader: Reader) -> list[str]:
    """The controls that Tab does not come to, or that something hides when it does."""
    reader.page.evaluate(NOTING_FOCUS)
    count = int(reader.page.evaluate(f"{CONTROLS}.length"))
    reader.press(*["Tab"] * (count + 3))
    found: list[str] = reader.page.evaluate(UNREACHED)
    return found


def test_the_page_works_at_200_percent_and_without_a_mouse(
    browser: Browser, workplace: Desk
) -> None:
    """A window of 1440 by 900 pixels holds 720 by 450 then; every control can be reached, seen and
    named.
    """
    with (
        ReviewServer(workplace, "Adelheid") as server,
        Reader(browser, server.address, width=720, height=450) as reader,
    ):
        problems = {}
        for view in ("record", "editor", "overview"):
            if view == "editor":
                reader.press("e")
            if view == "overview":
                reader.press("Escape")
                reader.turn("o")
            problems[view] = [*misshapen(reader), *unreached(reader)]
        assert problems == {"record": [], "editor": [], "overview": []}


def test_what_was_done_is_said_in_the_live_region(browser: Browser, workplace: Desk) -> None:
    """Whoever does not see the page hears it, and the new record has the focus on its heading."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        assert reader.page.get_attribute("#said", "aria-live") == "polite"
        reader.turn("1")
        assert reader.told("Written") == "Written: correct."
        assert reader.page.evaluate("document.activeElement.tagName") == "H1"
        reader.turn("u")
        assert reader.told("Taken") == "Taken back."
        reader.press("j", "x")
        assert reader.told("Marked") == "Marked as at fault."


def test_a_claim_is_said_to_be_at_fault_only_when_it_is(browser: Browser, workplace: Desk) -> None:
    """What moving to a claim says is what stands there to be seen."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        reader.press("j")
        text = reader.page.locator(".claim[aria-current] .pick").inner_text()
        assert " ".join(reader.see("#said").split()) == " ".join(text.split())
        assert reader.see("#toast") == ""
        assert (
            reader.page.evaluate("document.getElementById('said').getBoundingClientRect().width")
            == 1
        )


def test_every_message_can_be_seen_also_after_an_earlier_one_has_faded(
    browser: Browser, workplace: Desk
) -> None:
    """A message that stays hidden tells nobody to write a hint."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        reader.turn("1")
        reader.page.evaluate(
            "document.getElementById('toast').getAnimations().map((one) => one.finish())"
        )
        reader.page.wait_for_selector("#toast", state="hidden")
        reader.turn("1")
        assert reader.page.is_visible("#toast")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(
    browser: Browser, workplace: Desk, scheme: Any
) -> None:
    """4.5 to 1 in both colour schemes: texts, soft texts, claims, code, buttons, messages."""
    with (
        ReviewServer(workplace, "Adelheid") as server,
        Reader(browser, server.address, scheme=scheme) as reader,
    ):
        assert reader.page.evaluate(EVERY_COLOUR) > 25
        reader.press("x", "j", "x", "e")
        found = set(reader.page.evaluate(CONTRAST))
        reader.press("Escape", "?")
        found |= set(reader.page.evaluate(CONTRAST))
        reader.press("Escape")
        for key in "1234":
            judge(reader, key)
        reader.turn("o")
        found |= set(reader.page.evaluate(CONTRAST))
        reader.page.get_by_role("button", name="Failed the gate").click()
        reader.page.wait_for_selector("#record[data-lane=failed_gate]")
        change(reader, "narrative", "It was changed.")
        reader.press("1")
        reader.told("the gate stops it")
        found |= set(reader.page.evaluate(CONTRAST))
    assert "\n".join(sorted(found)) == ""


def open_editor(reader: Reader, claim: str = "fact-1") -> None:
    """Open the editor on a claim."""
    reader.page.click(f"#{claim} .pick")
    reader.press("e")


@pytest.mark.parametrize(
    "way",
    first_of(
        [
            ".choice.correct",
            "[data-do=overview]",
            "[data-edit]",
            "[data-do=following]",
            "[data-do=undo]",
            ".lane[data-at]",
        ],
        suite=1,
    ),
)
def test_a_change_that_is_not_saved_is_not_thrown_away(
    browser: Browser, workplace: Desk, way: str
) -> None:
    """Whatever leads elsewhere waits until it is saved or cancelled; an editor without a change
    just closes.
    """
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        shown = reader.shown
        for field, text in (("textarea", "half a thought"), (".start", "1")):
            open_editor(reader)
            reader.page.fill(f".editor {field}", text)
            reader.page.click(way)
            assert reader.told("the change") == "Save or cancel the change first."
            assert reader.page.is_visible("#toast.problem")
            assert reader.page.evaluate("document.activeElement.closest('.editor') !== null")
            assert (reader.page.input_value(f".editor {field}"), reader.shown) == (text, shown)
            reader.press("Escape")
            assert reader.page.locator(".editor").count() == 0
        assert workplace.words == []
        open_editor(reader)
        reader.page.click(way)
        reader.page.wait_for_function("() => !document.querySelector('#fact-1 .editor')")


def test_what_is_being_typed_stays_when_another_tab_spoke_first(
    browser: Browser, workplace: Desk
) -> None:
    """The record is shown as it is now, and the editor stands open on it with the text."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        one, query = reader.page, reader.data("query")
        reader.open(server.address)
        change(reader, "narrative", "Changed in the other tab.")
        reader.page = one
        change(reader, "fact-1", "half a thought")
        reader.told("somebody else has spoken on it meanwhile")
        assert reader.see("#narrative .pick").startswith("narrative Changed in the other tab.")
        assert reader.page.input_value("#fact-1 .editor textarea") == "half a thought"
        reader.turn("Control+Enter")
        assert reader.see("#fact-1 .pick").startswith("fact-1 half a thought")
    assert [(event["query_id"], event["field"]) for event in workplace.words] == [
        (query, "canonical_narrative"),
        (query, "must_mention_facts"),
    ]


def test_a_note_and_marks_wait_until_something_is_said(browser: Browser, workplace: Desk) -> None:
    """They are there again after a skip and in the same tab after a reload, and go out with the
    verdict.
    """
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        query = reader.data("query")
        reader.press("j", "x", "n")
        reader.page.keyboard.type("cites too much")
        reader.press("Escape")
        reader.turn("s")
        assert (
            reader.page.input_value("#note"),
            reader.page.locator("[data-disputed]").count(),
        ) == ("", 0)
        reader.turn("p")
        assert reader.page.input_value("#note") == "cites too much"
        reader.page.reload()
        reader.page.wait_for_selector("#record .claim[data-disputed]")
        assert reader.page.get_attribute("[data-disputed]", "id") == "fact-2"
        reader.turn("2")
        reader.turn("u")
        assert (reader.data("query"), reader.page.input_value("#note")) == (query, "")
    (said,) = (event for event in workplace.words if event["event"] == "verdict")
    assert (said["note"], said["disputed"]) == ("cites too much", ["fact-2"])


def test_what_waits_in_a_tab_is_not_shown_to_the_next_reviewer_there(
    browser: Browser, workplace: Desk
) -> None:
    """One machine, one port, one tab, two people."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        query = reader.data("query")
        reader.page.fill("#note", "cites too much")
        reader.press("Escape", "x")
        server.stop()
        with ReviewServer(workplace, "Bo", "--second", port=server.port) as second:
            reader.page.goto(second.address)
            reader.page.wait_for_selector(".reviewer:has-text('Bo')")
            assert reader.data("query") == query
            assert (
                reader.page.input_value("#note"),
                reader.page.locator("[data-disputed]").count(),
            ) == ("", 0)


def test_changing_a_judged_record_asks_for_another_verdict(
    browser: Browser, workplace: Desk
) -> None:
    """The verdict was on the text as it was; one that is not judged yet is only changed."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        change(reader, "fact-1", "It stands.")
        assert reader.told("written") == "The change is written. The gate passes it."
        reader.turn("2")
        reader.turn("p")
        change(reader, "fact-1", "It stands where it stands.")
        assert (
            reader.told("written")
            == "The change is written. The gate passes it. Judge the record again."
        )


REFUSED_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "The last line comes before the first.": {".start": "900", ".end": "2"},
    "Say the first line, a number from 1.": {".start": "0"},
    "Say the last line, a number from 1.": {".end": ""},
    "The file has ": {".end": "1000000"},
    'An empty fact says nothing; use "Take it out".': {"textarea": "  "},
}


def test_an_editor_refuses_what_cannot_be(browser: Browser, workplace: Desk) -> None:
    """By keyboard as by mouse; what was typed stays, and nothing is written."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        for message, fields in REFUSED_FIELDS.items():
            open_editor(reader)
            for field, text in fields.items():
                reader.page.fill(f".editor {field}", text)
            reader.press("Control+Enter")
            assert reader.told(message).startswith(message)
            reader.page.fill("#note", "seen")
            reader.page.click(".editor .save")
            reader.told(message)
            typed = {field: reader.page.input_value(f".editor {field}") for field in fields}
            assert typed == fields
            reader.press("Escape")
            reader.press("Escape")
            assert reader.page.locator(".editor").count() == 0
    assert workplace.words == []


EDIT_BEHIND_THE_PAGE = """
async ([file, start, end]) => {
  const {query, content, last} = document.getElementById('record').dataset;
  const body = {key: crypto.randomUUID(), query_id: query, content, last: Number(last),
    claim_id: 'fact-1', text: 'It stands.', lines: {file, start, end}};
  const headers = {Authorization: `Bearer ${sessionStorage.getItem('goldwright-token')}`,
    'Content-Type': 'application/json'};
  const answer = await fetch('/edit', {method: 'POST', headers, body: JSON.stringify(body)});
  return [answer.status, (await answer.json()).message];
}
"""


def test_the_server_refuses_lines_that_are_not_there(browser: Browser, workplace: Desk) -> None:
    """A page is not the only one who may ask."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        open_editor(reader)
        file = reader.page.input_value(".editor .file")
        count = reader.see(".pane .size").removesuffix(" lines")
        asked = [[file, 900, 2], [file, 1, 10**6], ["no/such.py", 1, 1]]
        answers = [reader.page.evaluate(EDIT_BEHIND_THE_PAGE, one) for one in asked]
    assert answers == [
        [422, "the request: lines: the last line comes before the first, found 900 to 2"],
        [422, f"{file}: has {count} lines; wanted lines from 1 to {count}, found 1000000"],
        [422, "no/such.py: is no file of the snapshot; wanted one that is"],
    ]
    assert workplace.words == []


def test_a_change_of_text_keeps_every_line_that_bears_the_fact(
    browser: Browser, workplace: Desk
) -> None:
    """The editor shows the first lines only, so it sends lines only when somebody changed them."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        bodies: list[dict[str, Any]] = []

        def note(request: Request) -> None:
            if request.method == "POST":
                bodies.append(request.post_data_json or {})

        reader.page.on("request", note)
        change(reader, "fact-1", "It stands.")
        open_editor(reader)
        reader.page.fill(".editor .start", "1")
        reader.turn("Control+Enter")
    assert [one.get("lines", {}).get("start") for one in bodies] == [None, 1]


# What is higher than the window cannot be seen to its end, so its beginning is looked at.
VISIBLE = """
(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const box = one.getBoundingClientRect();
  const hits = [2, Math.min(box.height, 100) - 2]
    .map((down) => document.elementFromPoint(box.left + 30, box.top + down));
  return hits.every((hit) => one.contains(hit));
}).length
"""


@pytest.mark.parametrize(
    ("width", "height"), first_of([(720, 450), (1440, 900), (1024, 768)], suite=1)
)
def test_the_current_claim_and_its_lines_are_seen_together(
    browser: Browser, workplace: Desk, width: int, height: int
) -> None:
    """Whichever claim it is, wherever the window ends, and so are the buttons of an editor."""
    with (
        ReviewServer(workplace, "Adelheid") as server,
        Reader(browser, server.address, width=width, height=height) as reader,
    ):
        # A question of three lines leaves room for four rows in the smallest window.
        assert reader.page.evaluate(VISIBLE, ".code .row") >= 4
        for _ in range(reader.page.locator(".claim").count()):
            reader.press("j")
            assert reader.page.evaluate(VISIBLE, ".claim[aria-current] .pick") == 1
            assert reader.page.evaluate(VISIBLE, ".code .row") >= 4
            assert reader.page.evaluate(VISIBLE, ".code .row.now") >= 1
        for claim in ("fact-1", "narrative"):
            open_editor(reader, claim)
            assert reader.page.evaluate(VISIBLE, ".editor .save") == 1
            assert reader.page.evaluate(VISIBLE, ".editor .cancel") == 1
            reader.press("Escape")


def test_a_long_line_of_code_is_seen_whole_where_the_window_is_narrow(
    browser: Browser, workplace: Desk
) -> None:
    """It goes on below itself, in the source as in what an answer quotes."""
    with (
        ReviewServer(workplace, "Adelheid") as server,
        Reader(browser, server.address, width=340, height=900) as reader,
    ):
        widths = reader.page.evaluate(
            "[...document.querySelectorAll('.code, code.block')].map("
            "(code) => [code.scrollWidth, code.clientWidth])"
        )
        assert widths
        assert [width for width in widths if width[0] > width[1]] == []


def test_the_hint_in_the_note_is_not_cut(browser: Browser, workplace: Desk) -> None:
    """It fits its field where the footer is one line."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        fits = """() => {
          const field = document.getElementById('note');
          const brush = new OffscreenCanvas(1, 1).getContext('2d');
          brush.font = getComputedStyle(field).font;
          return brush.measureText(field.placeholder).width <= field.clientWidth - 18;
        }"""
        assert reader.page.evaluate(fits)
        reader.turn("o")
        reader.page.get_by_role("button", name="Failed the gate").click()
        reader.page.wait_for_selector("#record[data-lane=failed_gate]")
        assert reader.page.evaluate(fits)
        assert help_keys(reader) == [
            "1",
            "3",
            "4",
            "n",
            "Enter",
            "j",
            "k",
            "e",
            "w",
            "/",
            "u",
            "p",
            "s",
            "?",
            "o",
            "Esc",
        ]


def test_the_overview_tells_the_questions(browser: Browser, workplace: Desk) -> None:
    """Each in one line, however long it is, and how much of the run is to be reviewed."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        question = reader.see("h1")
        for key in "1234":
            judge(reader, key)
        reader.turn("o")
        told = re.fullmatch(
            r"Records to review (\d+) of the \d+ records of this run", reader.see("h1")
        )
        assert told
        assert reader.page.locator("#overview li .question").count() == int(told[1])
        assert reader.see("#overview li .question") == question
        tall = "(all) => all.filter((one) => one.getBoundingClientRect().height > 30).length"
        assert (
            reader.page.locator("#overview li :is(.said, .cell, .question)").evaluate_all(tall) == 0
        )


def test_the_overview_holds_the_trust_card_and_keeps_it_closed(
    browser: Browser, workplace: Desk
) -> None:
    """It is about the dataset as a whole, so it does not stand in the way of a reviewer."""
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        reader.turn("o")
        card = reader.page.locator("#overview details.trust")
        assert card.get_attribute("open") is None
        assert "reach what is wanted" in reader.see("#overview details.trust summary")
        card.locator("summary").click()
        assert card.locator("tbody tr").count() == len(MEASURES)
        assert card.locator("tbody th").first.text_content() == MEASURES[0].text.title


@pytest.mark.thorough
def test_a_breach_is_said_at_the_end(browser: Browser, workplace: Desk) -> None:
    """One finding is the second reviewer's to overturn; what both found sends nobody on."""
    run = workplace.run.name
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        judge_all(reader, "4")
        decide_all(reader)
        said = reader.see("#end")
        assert "breaches" not in said
        assert "--second" in said
    with (
        ReviewServer(workplace, "Bo", "--second") as server,
        Reader(browser, server.address) as reader,
    ):
        assert "breaches" not in "".join(views(server).values())
        assert "this is the agents' text, without what the first one said" in reader.see(
            ".reviewer"
        )
        judge_all(reader, "4")
        said = reader.see("#end")
        assert "This batch breaches a ceiling" in said
        assert "wrong on an easy query: 1 found, at most 0 pass" in said
        assert f"goldwright spot-check {run}" in said
        assert f"goldwright requeue {run}" in said


@pytest.mark.thorough
def test_an_adjudicator_is_told_the_keys_of_the_texts(browser: Browser, workplace: Desk) -> None:
    """They are named while there is more than one text, and a change that is not saved stays there
    as well.
    """
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        original = reader.see("#fact-1 .pick")
        change(reader, "fact-1", "It stands.")
        judge_all(reader, "2")
    with (
        ReviewServer(workplace, "Bo", "--second") as server,
        Reader(browser, server.address) as reader,
    ):
        judge_all(reader, "3")
    with (
        ReviewServer(workplace, "Cy", "--adjudicate") as server,
        Reader(browser, server.address) as reader,
    ):
        assert help_keys(reader)[:7] == ["1", "2", "3", "4", "a", "b", "n"]
        assert "First reviewer (Adelheid): minor issue; edits: 1" in reader.see(".why")
        texts = reader.see(".versions")
        assert "First reviewer's text (Adelheid)" in texts
        assert reader.see("#fact-1 .pick").startswith("fact-1 It stands.")
        open_editor(reader)
        reader.page.fill(".editor textarea", "half a thought")
        reader.page.click("[data-version][data-key=b]")
        assert reader.told("the change") == "Save or cancel the change first."
        reader.press("Escape")
        reader.turn("b")
        assert reader.see("#fact-1 .pick") == original


def test_there_is_nothing_to_settle_before_both_have_judged(
    browser: Browser, workplace: Desk
) -> None:
    """The terminal says whose verdicts are missing and ends; with two begun the page says it."""
    command = ("review", workplace.run.name, "--reviewer", "Cy", "--adjudicate")
    for place in ((), ("--terminal", "--scripted")):
        refused = workplace.goldwright(*command, *place)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "there is nothing to settle yet: no sample was drawn yet" in refused.stderr
        assert f"goldwright review {workplace.run.name} --reviewer NAME" in refused.stderr
        assert refused.stderr.count("goldwright: ") == 1
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        refused = workplace.goldwright(*command)
        assert f"{NONE_OF_ALL} of a first reviewer on the sample; {NONE_OF_ALL}" in refused.stderr
        reader.turn("1")
    assert len(workplace.words) == 1
    refused = workplace.goldwright(*command)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert f"{workplace.run.name} --reviewer NAME --second" in refused.stderr
    with ReviewServer(workplace, "Bo", "--second") as server:
        server.judge(workplace.words[0]["query_id"], "correct")
    with (
        ReviewServer(workplace, "Cy", "--adjudicate") as server,
        Reader(browser, server.address) as reader,
    ):
        assert reader.see("h1") == "There is nothing to settle yet"
        missing = reader.see("#end")
        assert f"{SAMPLE_SIZE - 1} of {SAMPLE_SIZE} verdicts of a first reviewer" in missing
        assert f"{SAMPLE_SIZE - 1} of {SAMPLE_SIZE} verdicts of a second, independent" in missing


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("", "This page has no key."),
        ("#t=wrong", "The key of this page does not fit the review server"),
    ],
)
def test_a_page_that_may_not_read_says_why_once(
    browser: Browser, workplace: Desk, address: str, message: str
) -> None:
    """No key and a wrong key are two things."""
    with ReviewServer(workplace, "Adelheid") as server, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{server.origin}/{address}")
        page.wait_for_function(
            "message => document.getElementById('waiting').textContent.includes(message)",
            arg=message,
        )
        assert page.text_content("#toast") == ""


def views(server: ReviewServer) -> dict[str, str]:
    """The raw text of every view of a sitting."""
    overview = server.html("/overview")
    ids = sorted(set(re.findall(r"q_\d+", overview)))
    pages = {one: server.html(f"/view?at={one}") for one in ids}
    return {
        "overview": overview,
        "agreement": server.html("/agreement"),
        "next": server.html("/view"),
        **pages,
    }


def test_the_second_reviewer_is_shown_nothing_of_the_first(
    browser: Browser, workplace: Desk, tmp_path: Path
) -> None:
    """Every view is the same to the last byte as where the first reviewer has said nothing."""
    with ReviewServer(workplace, "Adelheid"):
        untouched = workplace.copy(tmp_path / "untouched")
    with ReviewServer(workplace, "Adelheid") as server, Reader(browser, server.address) as reader:
        change(reader, "fact-1", "Zanzibar was changed by the first.")
        reader.page.fill("#note", "Zanzibar was noted by the first.")
        reader.press("Escape", "x")
        reader.turn("2")
        judge_all(reader, "3")
    assert "Zanzibar" in (workplace.run / REVIEWS).read_text()
    with (
        ReviewServer(untouched, "Bo", "--second") as blind,
        ReviewServer(workplace, "Bo", "--second") as second,
    ):
        seen = views(second)
        assert len(seen) == SAMPLE_SIZE + 3
        assert seen == views(blind)
    assert [
        word for word in ("Zanzibar", "Adelheid", "you said:") if word in "".join(seen.values())
    ] == []


def test_verdicts_are_compared_by_nobody_in_a_blind_pass_and_by_everybody_after_both(
    browser: Browser, workplace: Desk
) -> None:
    """A direct address shows no more than the page does, and nothing of it is kept by a browser."""
    with (
        ReviewServer(workplace, "Adelheid") as first,
        ReviewServer(workplace, "Bo", "--second") as second,
    ):
        with Reader(browser, first.address) as reader:
            reader.page.fill("#note", "Zanzibar")
            reader.press("Escape", "x")
            reader.turn("3")
            judge_all(reader)
            reader.turn("g")
            assert "once both reviewers have judged" in reader.see("#agreement")
        with Reader(browser, second.address) as reader:
            judge_all(reader)
            first_page = first.html("/agreement")
            reader.turn("g")
            assert "1 record" in reader.see("section[aria-label=Differences]")
            assert "settled" not in reader.see(".differing")
            reader.turn("s")
            reader.turn("u")  # the last record of the second is open again
        closed = [server.html("/agreement") for server in (first, second)]
        with ReviewServer(workplace, "bo", "--adjudicate") as own:
            closed.append(own.html("/agreement"))
        with ReviewServer(workplace, "Cyd", "--adjudicate") as other:
            partial = other.html("/agreement")
    assert "Cohen" in first_page
    assert "A pass is still open" in partial
    assert [word for word in ("Cohen", "against", "median") if word in "".join(closed[:1])] == []
    assert [word for word in ("Cohen", "against", "Adelheid") if word in "".join(closed[1:])] == []
