// The page: it asks for a view, shows it, and sends what the person says. All text is made on the server.

const page = document.getElementById("page");
const heard = document.getElementById("said");
const toast = document.getElementById("toast");
const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("goldwright", { createHTML: (text) => text })
  : { createHTML: (text) => text };

const token = takeToken();
let shownAt = performance.now();
let claim = null;
let isBusy = false;
let leaving = null;
let editing = null;
let opened = null;
let wish = null;

function takeToken() {
  const found = /^#t=([A-Za-z0-9_-]+)$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem("goldwright-token", found[1]);
    sessionStorage.removeItem("goldwright-at");
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("goldwright-token") || "";
}

const record = () => document.getElementById("record");
const all = (selector, root = page) => Array.from(root.querySelectorAll(selector));

// What was done leaves by itself; a problem stays until something else is said. Whoever does not see it hears it.
function say(text, isProblem = false) {
  if (leaving) leaving.cancel();
  leaving = null;
  heard.textContent = text;
  toast.textContent = text;
  toast.classList.toggle("problem", isProblem);
  if (!text || isProblem) return;
  leaving = toast.animate([{ opacity: 1 }, { opacity: 1, offset: 0.75 }, { opacity: 0 }], 2400);
  leaving.onfinish = () => say("");
}

// What stands on the page already is told to those alone who do not see it.
function tell(text) {
  say("");
  heard.textContent = text;
}

async function ask(path, body) {
  const options = { headers: { Authorization: `Bearer ${token}` }, cache: "no-store", redirect: "error" };
  if (body) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options).catch(() => {
    throw new Error("The review server does not answer. Is it still running?");
  });
  const text = await answer.text();
  if (answer.ok) return text;
  let message = `The review server answered ${answer.status}.`;
  if (answer.status === 401) message = `${keyProblem()} Open the address that goldwright review printed.`;
  try { message = JSON.parse(text).message || message; } catch { /* a refusal of the guard says nothing more */ }
  throw Object.assign(new Error(message), { status: answer.status });
}

const keyProblem = () => token
  ? "The key of this page does not fit the review server that is running."
  : "This page has no key.";

function show(text) {
  const before = marks();
  const parsed = new DOMParser().parseFromString(policy.createHTML(text), "text/html");
  page.replaceChildren(...parsed.body.childNodes);
  claim = null;
  editing = null;
  opened = null;
  const current = record();
  document.title = current ? `${current.dataset.query} - Goldwright review` : "Goldwright review";
  // A reload of this tab comes back to the same record.
  if (current) sessionStorage.setItem("goldwright-at", current.dataset.query);
  else sessionStorage.removeItem("goldwright-at");
  measure();
  const heading = page.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
  const isTold = page.querySelector(".feedback") !== null;
  if (before && current && before.query === current.dataset.query && !isTold) remark(before);
  else begin();
}

// A low window gives the record what the footer leaves, and how high the footer is only the browser knows.
function measure() {
  const footer = page.querySelector("footer");
  if (footer) document.documentElement.style.setProperty("--foot", `${footer.offsetHeight}px`);
}

function begin() {
  shownAt = performance.now();
  if (record()) restore();
  if (record()) record().scrollIntoView({ block: "start" });
  else window.scrollTo(0, 0);
  const begun = firstClaim();
  if (begun) choose(begun, false);
  // What changed comes before the lines of the first claim.
  if (page.querySelector(".change:not([data-seen])")) page.querySelector(".source").scrollTop = 0;
}

// Question and tier stand before the answer; who wants to mark them goes up from there.
const firstClaim = () => page.querySelector(".feedback, .group .claim");

// What is typed and marked on a record, and not said yet, waits in this tab until something is said on it.

const drafted = () => `goldwright-draft ${record().dataset.desk} ${record().dataset.query}`;
const disputed = () => all(".claim[data-disputed]").map((one) => one.dataset.claim);

function keep() {
  sessionStorage.setItem(drafted(), JSON.stringify({ note: noted(), disputed: disputed() }));
}

function restore() {
  const draft = JSON.parse(sessionStorage.getItem(drafted()) || "null");
  if (!draft) return;
  if (document.getElementById("note")) document.getElementById("note").value = draft.note;
  for (const one of all(".claim")) {
    if (draft.disputed.includes(one.dataset.claim)) one.dataset.disputed = "true";
    else delete one.dataset.disputed;
  }
}

// What the person marked on a record stays when the same record is drawn again, as after an edit.
function marks() {
  const current = record();
  if (!current) return null;
  return { query: current.dataset.query, marked: disputed(), note: noted(), at: claim && claim.dataset.claim };
}

function remark({ marked, note, at }) {
  for (const one of all(".claim")) if (marked.includes(one.dataset.claim)) one.dataset.disputed = "true";
  if (note) document.getElementById("note").value = note;
  const again = all(".claim").find((one) => one.dataset.claim === at) || firstClaim();
  if (again) choose(again);
}

async function go(path, body, said = () => "") {
  if (isBusy) return false;
  isBusy = true;
  wish = null;
  try {
    show(await ask(path, body));
    say(said());
  } catch (problem) {
    await complain(problem);
    return false;
  } finally {
    isBusy = false;
  }
  if (wish) run(wish);
  return true;
}

async function complain(problem) {
  const text = problem.message;
  const waiting = document.getElementById("waiting");
  if (waiting) {
    waiting.textContent = text;
    tell(text);
    return;
  }
  // Somebody else spoke on this record meanwhile: show it as it is now, with what is being typed.
  if (problem.status === 409 && record()) {
    const open = editing && isChanged() ? { id: editing.id, values: valuesOf(editing.form) } : null;
    show(await ask(`/view?${new URLSearchParams({ at: record().dataset.query })}`));
    if (open && edit(open.id)) fill(editing.form, open.values);
  }
  say(text, true);
}

function look(at, more = {}) {
  const query = new URLSearchParams(more);
  if (at) query.set("at", at);
  return go(`/view?${query}`);
}

function seen() {
  const { query, content, last } = record().dataset;
  return { key: crypto.randomUUID(), query_id: query, content, last: Number(last) };
}

const noted = () => document.getElementById("note")?.value || "";

async function decide({ choice, label, wants }) {
  // A verdict has its reason in the claims that are marked, too.
  const isMarked = !isDecision() && disputed().length > 0;
  if (wants && !isMarked && !noted().trim()) {
    say(wants);
    document.getElementById("note").focus();
    return;
  }
  const draft = drafted();
  if (isPractice()) {
    const isTold = await go("/practice", { ...seen(), ...judgement(choice) });
    if (isTold) tell(page.querySelector(".feedback .pick").innerText.trim());
    if (isTold) sessionStorage.removeItem(draft);
    return;
  }
  const isWritten = await (isDecision()
    ? go("/decision", { ...seen(), decision: choice, words: noted() }, () => `Written: ${label}.`)
    : go("/verdict", { ...seen(), ...judgement(choice) }, () => `Written: ${label}.`));
  if (isWritten) sessionStorage.removeItem(draft);
}

const isPractice = () => record().dataset.lane === "practice";
const isDecision = () => ["queued", "failed_gate"].includes(record().dataset.lane);

function judgement(verdict) {
  return { verdict, note: noted(), disputed: disputed(), seconds: (performance.now() - shownAt) / 1000 };
}

// Claims and their lines

function choose(one, moves = true) {
  if (claim) claim.removeAttribute("aria-current");
  claim = one;
  claim.setAttribute("aria-current", "true");
  for (const row of all(".row.now")) row.classList.remove("now");
  const rows = linesOf(claim).flatMap(([file, first, last]) => rowsOf(file, first, last));
  for (const row of rows) row.classList.add("now");
  if (moves) reveal(claim);
  if (rows.length) bring(rows[0], rows[rows.length - 1]);
}

// A record whose code changed is kept only after a look at each changed claim, confirmed one by one.
function confirmLook(id) {
  const next = all(".change").find((one) => !one.dataset.seen);
  const claimId = id || (next && next.dataset.change);
  if (!claimId) { say("Every changed claim was looked at."); return; }
  const shown = document.getElementById("changes");
  const ask = { key: crypto.randomUUID(), query_id: record().dataset.query, claims: [claimId] };
  shown.scrollIntoView({ block: "nearest" });
  go("/look", ask, () => {
    const open = all(".change").filter((one) => !one.dataset.seen);
    if (open.length) open[0].scrollIntoView({ block: "nearest" });
    return open.length ? `Looked at ${claimId}; ${open.length} to go.` : `Looked at ${claimId}, the last one.`;
  });
}

function linesOf(one) {
  return one.dataset.lines.split("\n").filter((line) => line.trim()).map((line) => {
    const [file, first, last] = line.trim().split("\t");
    return [file, Number(first), Number(last)];
  });
}

function rowsOf(file, first, last) {
  const pane = all(".pane").find((one) => one.dataset.file === file);
  if (!pane) return [];
  return all(".row", pane).filter((row) => Number(row.dataset.line) >= first && Number(row.dataset.line) <= last);
}

function reveal(one) {
  record().scrollIntoView({ block: "start" });
  const answer = page.querySelector(".answer");
  const pane = answer.getBoundingClientRect();
  const box = one.getBoundingClientRect();
  if (box.top >= pane.top && box.bottom <= pane.bottom) return;
  answer.scrollTop += box.top - pane.top - Math.max((pane.height - box.height) / 2, 0);
}

function bring(first, last) {
  const source = page.querySelector(".source");
  const box = source.getBoundingClientRect();
  const top = first.getBoundingClientRect().top;
  const bottom = last.getBoundingClientRect().bottom;
  const end = Math.min(box.bottom, page.querySelector("footer").getBoundingClientRect().top);
  if (top >= box.top + 40 && bottom <= end - 20) return;
  source.scrollTop += top - box.top - Math.max(40, Math.min(box.height / 4, 160));
}

function step(by) {
  const claims = all(".claim");
  if (!claims.length) return;
  const place = claims.indexOf(claim) + by;
  choose(claims[Math.max(0, Math.min(place, claims.length - 1))]);
  tell(claim.querySelector(".pick").innerText.trim());
}

function dispute() {
  if (!claim) return;
  if (claim.dataset.disputed) delete claim.dataset.disputed;
  else claim.dataset.disputed = "true";
  keep();
  say(claim.dataset.disputed ? "Marked as at fault." : "No longer marked.");
}

// Editing

// What of the editor each kind of claim needs: a text, lines, a role, and whether it can be taken out.
const KINDS = {
  question: { name: "Question", text: true },
  narrative: { name: "Narrative", text: true },
  fact: { name: "Fact", text: true, lines: true, out: true },
  "not-fact": { name: "What an answer must not say", text: true, lines: true, out: true },
  entity: { name: "Why it is expected", text: true, role: true, out: true },
  range: { name: "Lines", lines: true, out: true },
};

const kindOf = (id) => KINDS[id] || KINDS[id.slice(0, id.lastIndexOf("-"))];

function edit(what, entity = "", reason = "") {
  if (!what && claim && claim.dataset.claim === "tier") {
    say("The tier cannot be changed here; mark it (x) and say why in a note.", true);
    return false;
  }
  const id = what || (claim && claim.dataset.text !== undefined ? claim.dataset.claim : "narrative");
  const isNew = id.endsWith("-new");
  const place = isNew ? placeForNew(id) : document.getElementById(id);
  if (!place) return false;
  const kind = kindOf(id);
  const form = document.getElementById("editor").content.firstElementChild.cloneNode(true);
  form.querySelector(".what").textContent = `${isNew ? "One more" : id}: ${entity || kind.name}`;
  form.querySelector(".wording").hidden = !kind.text;
  form.querySelector(".where").hidden = !kind.lines;
  form.querySelector(".part").hidden = !kind.role;
  form.querySelector(".remove").hidden = !kind.out || isNew;
  fill(form, { text: isNew ? reason : place.dataset.text, ...(kind.lines && linesFor(form, isNew)), ...(place.dataset.role && { role: place.dataset.role }) });
  editing = { form, id, isNew, kind, entity, before: valuesOf(form) };
  form.addEventListener("submit", (event) => { event.preventDefault(); save(); });
  form.addEventListener("change", () => bound(form));
  form.querySelector(".cancel").addEventListener("click", () => closeEditor());
  form.querySelector(".remove").addEventListener("click", () => send("", true));
  place.append(form);
  form.querySelector(kind.text ? "textarea" : ".start").focus({ preventScroll: true });
  showEditor();
  return true;
}

function placeForNew(id) {
  const button = page.querySelector(`[data-edit="${id}"]`) || page.querySelector(".add[data-do=find]");
  return button && button.closest(".group");
}

const FIELDS = { text: "textarea", file: ".file", start: ".start", end: ".end", role: ".role" };

function valuesOf(form) {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, form.querySelector(field).value]));
}

function fill(form, values) {
  for (const [name, value] of Object.entries(values)) form.querySelector(FIELDS[name]).value = value;
  bound(form);
}

// A new fact or range begins at what a search led to, else at the lines of the current claim.
function linesFor(form, isNew) {
  const [file, start, end] = (isNew && opened) || (claim && linesOf(claim)[0]) || [];
  const option = Array.from(form.querySelector(".file").options).find((one) => one.textContent === file);
  return option ? { file: option.value, start, end } : {};
}

const countIn = (form) => Number(form.querySelector(".file").selectedOptions[0]?.dataset.count || 0);

function bound(form) {
  for (const field of [".start", ".end"]) form.querySelector(field).max = countIn(form);
}

function showEditor() {
  record().scrollIntoView({ block: "start" });
  editing.form.scrollIntoView({ block: "nearest" });
  editing.form.querySelector(".buttons").scrollIntoView({ block: "nearest" });
  const rows = all(".row.now");
  if (rows.length) bring(rows[0], rows[rows.length - 1]);
}

const differs = (names, now = valuesOf(editing.form)) => names.some((name) => now[name] !== editing.before[name]);
const isChanged = () => differs(Object.keys(FIELDS));
const hasLines = () => editing.kind.lines && (editing.isNew || !editing.kind.text || differs(["file", "start", "end"]));

// What is wrong with what stands in the editor, and the field to mend it in.
function problem() {
  const { text, start, end } = valuesOf(editing.form);
  const [first, last, count] = [Number(start), Number(end), countIn(editing.form)];
  if (editing.kind.text && !text.trim()) return [emptyText(), "textarea"];
  if (!hasLines()) return null;
  if (!Number.isInteger(first) || first < 1) return ["Say the first line, a number from 1.", ".start"];
  if (!Number.isInteger(last) || last < 1) return ["Say the last line, a number from 1.", ".end"];
  if (last < first) return ["The last line comes before the first.", ".end"];
  if (last > count) return [`The file has ${count} lines.`, first > count ? ".start" : ".end"];
  return null;
}

function emptyText() {
  if (editing.kind.role) return "Write why it is expected.";
  if (editing.isNew) return "Write the fact first.";
  if (!editing.kind.out) return `An empty ${editing.id} says nothing.`;
  return "An empty fact says nothing; use \"Take it out\".";
}

function save() {
  const found = problem();
  if (!found) { send(editing.form.querySelector("textarea").value); return; }
  say(found[0], true);
  editing.form.querySelector(found[1]).focus();
}

function send(text, isTakenOut = false) {
  const body = { ...seen(), claim_id: editing.id, text };
  const { file, start, end, role } = valuesOf(editing.form);
  if (!isTakenOut && hasLines()) body.lines = { file, start: Number(start), end: Number(end) };
  if (!isTakenOut && editing.kind.role) body.role = role;
  if (editing.entity) body.entity_id = editing.entity;
  const hadWord = isJudged();
  const again = isDecision() ? "Decide on the record again." : "Judge the record again.";
  go("/edit", body, () => `The change is written. ${gateSays()}${hadWord && !isJudged() ? ` ${again}` : ""}`);
}

// What the gate says of the record as it is after a change, in one line.
function gateSays() {
  const failures = all(".failures li").map((one) => one.innerText.trim());
  if (!failures.length) return "The gate passes it.";
  return `The gate stops it: ${failures[0]}${failures.length > 1 ? ` (and ${failures.length - 1} more)` : ""}`;
}

const isJudged = () => page.querySelector(".place .said") !== null;

function closeEditor() {
  if (editing) editing.form.remove();
  editing = null;
  const heading = page.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
}

// Whatever shows something else must not throw away what somebody is typing.
function mayLeave() {
  if (!editing) return true;
  if (!isChanged()) { closeEditor(); return true; }
  showEditor();
  editing.form.querySelector("textarea").focus({ preventScroll: true });
  say("Save or cancel the change first.", true);
  return false;
}

// Searching the codebase, and opening any file of it

function openSearch() {
  if (!record()) return;
  document.getElementById("find").showModal();
  document.getElementById("sought").focus();
}

async function search() {
  const text = document.getElementById("sought").value;
  try {
    const found = await ask(`/find?${new URLSearchParams({ text })}`);
    const parsed = new DOMParser().parseFromString(policy.createHTML(found), "text/html");
    document.getElementById("hits").replaceWith(parsed.getElementById("hits"));
  } catch (problem) {
    document.getElementById("find").close();
    complain(problem);
  }
}

async function openFile(file, line) {
  document.getElementById("find")?.close();
  if (!await look(record().dataset.query, { whole: file, line })) return;
  opened = [file, line, line];
  const [row] = rowsOf(file, Number(line), Number(line));
  if (row) { row.classList.add("now"); bring(row, row); }
}

// Comparing what people say while they say it

// The view is brought up to date behind whoever reads it, who keeps their place.
async function follow() {
  const view = document.getElementById("agreement");
  if (!view || isBusy || document.hidden || page.querySelector("dialog[open]")) return;
  const { state, opened } = view.dataset;
  const text = await ask(`/agreement?${new URLSearchParams({ state, opened })}`).catch(() => "");
  if (!text || isBusy || document.getElementById("agreement") !== view) return;
  const at = document.activeElement.dataset.at;
  const top = window.scrollY;
  const parsed = new DOMParser().parseFromString(policy.createHTML(text), "text/html");
  page.replaceChildren(...parsed.body.childNodes);
  measure();
  const again = at && all("[data-at]").find((one) => one.dataset.at === at);
  (again || page.querySelector("h1")).focus({ preventScroll: true });
  window.scrollTo(0, top);
  tell((document.getElementById("changed") || page.querySelector("h1")).innerText);
}

// Keys and buttons

const doings = {
  "next-claim": () => step(1),
  "previous-claim": () => step(-1),
  dispute,
  edit: () => edit(),
  undo: () => go("/undo", { key: crypto.randomUUID() }, () => "Taken back."),
  previous: () => record() && record().dataset.previous && look(record().dataset.previous),
  following: () => record() && record().dataset.following && look(record().dataset.following),
  overview: () => page.querySelector(".lane.practice") || go("/overview"),
  agreement: () => page.querySelector(".lane.practice") || go("/agreement"),
  resume: () => look(),
  "confirm-look": () => record() && confirmLook(),
  help: () => {
    const help = document.getElementById("help");
    help.showModal();
    help.scrollTop = 0;
  },
  unfold: () => {
    const footer = page.querySelector("footer");
    const isOpen = footer.classList.toggle("unfolded");
    footer.querySelector(".unfold").setAttribute("aria-expanded", String(isOpen));
    measure();
  },
  find: openSearch,
  "close-find": () => document.getElementById("find").close(),
  note: () => document.getElementById("note")?.focus(),
  reword: () => record() && edit("question"),
  "also-right": () => {
    const first = page.querySelector(".found [data-expect]");
    if (!first) return;
    first.closest("details").open = true;
    edit("entity-new", first.dataset.expect, first.dataset.reason);
  },
  "begin-training": () => train("begin"),
  "skip-training": () => train("skip"),
  "training-summary": () => go("/practised"),
  "close-help": () => document.getElementById("help").close(),
};

function train(what) {
  const told = { begin: "", skip: "Written: the practice records are skipped." };
  return go("/training", { key: crypto.randomUUID(), what }, () => told[what]);
}

const staying = ["next-claim", "previous-claim", "dispute", "note", "help", "close-help", "close-find", "unfold"];
// What is opened while an answer is on its way would go with the old view, so it opens on the new one.
const opening = ["find", "edit", "reword", "also-right", "note", "help"];
const keys = { o: "overview", g: "agreement", ArrowDown: "next-claim", ArrowUp: "previous-claim" };

function run(doing) {
  if (isBusy && opening.includes(doing)) wish = wish || doing;
  else if (staying.includes(doing) || mayLeave()) doings[doing]();
}

function press(button) {
  const { at, choice, version, whole, edit: what, look: seenClaim, open, expect, line, do: doing } = button.dataset;
  if (button.disabled) say(`Not yet: ${button.title}.`, true);
  else if (doing) run(doing);
  else if (button.classList.contains("pick")) {
    choose(button.closest(".claim"), false);
    }
  else if (isBusy || !mayLeave()) return;
  else if (at) look(at);
  else if (choice) decide(button.dataset);
  else if (version) look(record().dataset.query, { version });
  else if (whole) look(record().dataset.query, { whole });
  else if (what) edit(what);
  else if (seenClaim) confirmLook(seenClaim);
  else if (open) openFile(open, line);
  else if (expect) { document.getElementById("find").close(); edit("entity-new", expect, button.dataset.reason); }
}

function isTyping(target) {
  return target.matches("input, textarea, select, [contenteditable]");
}

function onKeyWhileTyping(event) {
  const form = event.target.closest(".editor");
  if (event.target.id === "sought" && event.key !== "Escape") return;
  // A browser empties a field of searches first, and would close the dialog with a second Escape.
  if (event.target.id === "sought") run("close-find");
  else if (event.key === "Escape" && form) closeEditor();
  else if (event.key === "Escape" || (event.key === "Enter" && event.target.id === "note")) event.target.blur();
  else if (event.key === "Enter" && form && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (isTyping(event.target)) { onKeyWhileTyping(event); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || page.querySelector("dialog[open]")) return;
  if (event.key === "n" && document.getElementById("note")) {
    event.preventDefault();
    run("note");
    return;
  }
  const named = keys[event.key];
  const inCode = event.target.matches(".code") && event.key.startsWith("Arrow");
  const button = all("button[data-key]").find((one) => one.dataset.key === event.key);
  if (inCode || (!named && !button)) return;
  event.preventDefault();
  // A key that is held down walks the claims, and decides once.
  if (event.repeat && !["next-claim", "previous-claim"].includes(named || button.dataset.do)) return;
  if (button) press(button);
  else if (!event.key.startsWith("Arrow") || record()) run(named);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  // The second half of a double click would fall on what nobody has read yet.
  if (event.detail > 1 && button && (button.dataset.choice || button.dataset.do === "undo")) return;
  if (button && page.contains(button) && !button.closest(".editor")) press(button);
});

document.addEventListener("submit", (event) => {
  if (event.target.id !== "search") return;
  event.preventDefault();
  search();
});

document.addEventListener("input", (event) => {
  if (event.target.id === "note") keep();
});

window.addEventListener("resize", measure);
document.addEventListener("visibilitychange", follow);
setInterval(follow, 5000);
window.addEventListener("hashchange", () => location.reload());
const last = sessionStorage.getItem("goldwright-at");
// The record may be in no queue any more; then the next open one is shown.
if (last) look(last).then((isShown) => isShown || look());
else look();
