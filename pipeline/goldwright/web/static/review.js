// The page: it asks for a view, shows it, and sends what the person says. All text is made on the server.

const page = document.getElementById("page");
const status = document.getElementById("said");
const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("goldwright", { createHTML: (text) => text })
  : { createHTML: (text) => text };

const token = takeToken();
let shownAt = performance.now();
let claim = null;
let isBusy = false;
let leaving = null;

function takeToken() {
  const found = /^#t=([A-Za-z0-9_-]+)$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem("goldwright-token", found[1]);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("goldwright-token") || "";
}

const record = () => document.getElementById("record");
const all = (selector, root = page) => Array.from(root.querySelectorAll(selector));

// What was done leaves by itself; a problem stays until something else is said.
function say(text, isProblem = false) {
  if (leaving) leaving.cancel();
  leaving = null;
  status.textContent = text;
  status.classList.toggle("problem", isProblem);
  if (!text || isProblem) return;
  leaving = status.animate([{ opacity: 1 }, { opacity: 1, offset: 0.75 }, { opacity: 0 }], 2400);
  leaving.onfinish = () => say("");
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
  if (answer.status === 401) message = "This page has no key. Open the address that goldwright review printed.";
  try { message = JSON.parse(text).message || message; } catch { /* a refusal of the guard says nothing more */ }
  throw Object.assign(new Error(message), { status: answer.status });
}

function show(text) {
  const before = marks();
  const parsed = new DOMParser().parseFromString(policy.createHTML(text), "text/html");
  page.replaceChildren(...parsed.body.childNodes);
  claim = null;
  const current = record();
  document.title = current ? `${current.dataset.query} - Goldwright review` : "Goldwright review";
  const heading = page.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
  if (before && current && before.query === current.dataset.query) remark(before);
  else begin();
}

function begin() {
  shownAt = performance.now();
  window.scrollTo(0, 0);
  const claims = all(".claim");
  if (claims.length) choose(claims[0], false);
}

// What the person marked on a record stays when the same record is drawn again, as after an edit.
function marks() {
  const current = record();
  if (!current) return null;
  const disputed = all(".claim[data-disputed]").map((one) => one.dataset.claim);
  return { query: current.dataset.query, disputed, note: noted(), at: claim && claim.dataset.claim };
}

function remark({ disputed, note, at }) {
  for (const one of all(".claim")) if (disputed.includes(one.dataset.claim)) one.dataset.disputed = "true";
  if (note) document.getElementById("note").value = note;
  const again = all(".claim").find((one) => one.dataset.claim === at) || all(".claim")[0];
  if (again) choose(again);
}

async function go(path, body, said) {
  if (isBusy) return;
  isBusy = true;
  try {
    show(await ask(path, body));
    say(said || "");
  } catch (problem) {
    await complain(problem);
  } finally {
    isBusy = false;
  }
}

async function complain(problem) {
  const text = problem.message;
  const waiting = document.getElementById("waiting");
  if (waiting) waiting.textContent = text;
  // Somebody else spoke on this record meanwhile: show it as it is now.
  if (problem.status === 409 && record()) show(await ask(`/view?${new URLSearchParams({ at: record().dataset.query })}`));
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

const noted = () => document.getElementById("note").value;

function decide(word) {
  if (record().dataset.lane === "queued" || record().dataset.lane === "failed_gate") {
    if (word === "retry" && !noted().trim()) {
      say("Write a hint for the Oracle first, then press 3 again.");
      document.getElementById("note").focus();
      return;
    }
    go("/decision", { ...seen(), decision: word, words: noted() }, `Written: ${word}.`);
    return;
  }
  const disputed = all(".claim[data-disputed]").map((one) => one.dataset.claim);
  const seconds = (performance.now() - shownAt) / 1000;
  const body = { ...seen(), verdict: word, note: noted(), disputed, seconds };
  go("/verdict", body, `Written: ${word.replace("_", " ")}.`);
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
  const box = one.getBoundingClientRect();
  const answer = page.querySelector(".answer").getBoundingClientRect();
  const footer = page.querySelector("footer").getBoundingClientRect();
  if (box.top < Math.max(answer.top, 0) || box.bottom > footer.top) one.scrollIntoView({ block: "center" });
}

function bring(first, last) {
  const source = page.querySelector(".source");
  const box = source.getBoundingClientRect();
  const top = first.getBoundingClientRect().top;
  const bottom = last.getBoundingClientRect().bottom;
  if (top >= box.top + 40 && bottom <= box.bottom - 20) return;
  source.scrollTop += top - box.top - Math.min(box.height / 4, 160);
}

function step(by) {
  const claims = all(".claim");
  if (!claims.length) return;
  const place = claims.indexOf(claim) + by;
  choose(claims[Math.max(0, Math.min(place, claims.length - 1))]);
  say(claim.querySelector(".pick").innerText.trim());
}

function dispute() {
  if (!claim) return;
  if (claim.dataset.disputed) delete claim.dataset.disputed;
  else claim.dataset.disputed = "true";
  say(claim.dataset.disputed ? "Marked as at fault." : "No longer marked.");
}

// Editing

function edit(what) {
  const id = what || (claim && claim.dataset.text !== undefined ? claim.dataset.claim : "narrative");
  const old = page.querySelector(".editor");
  if (old) old.remove();
  const form = document.getElementById("editor").content.firstElementChild.cloneNode(true);
  const isNew = id.endsWith("-new");
  const place = isNew ? page.querySelector(`[data-edit="${id}"]`).closest(".group") : document.getElementById(id);
  const isFact = id !== "narrative";
  form.querySelector(".what").textContent = isNew ? "One more" : isFact ? "Fact" : "Narrative";
  form.querySelector("textarea").value = isNew ? "" : place.dataset.text;
  form.querySelector(".where").hidden = !isFact;
  form.querySelector(".remove").hidden = !isFact || isNew;
  const [file, first, last] = (claim && linesOf(claim)[0]) || [];
  if (isFact && file) fillLines(form, file, first, last);
  form.addEventListener("submit", (event) => { event.preventDefault(); save(form, id, form.querySelector("textarea").value); });
  form.querySelector(".cancel").addEventListener("click", () => closeEditor(form));
  form.querySelector(".remove").addEventListener("click", () => save(form, id, ""));
  place.append(form);
  form.querySelector("textarea").focus();
  form.scrollIntoView({ block: "nearest" });
}

function fillLines(form, file, first, last) {
  const options = Array.from(form.querySelector(".file").options);
  const option = options.find((one) => one.textContent === file);
  if (option) option.selected = true;
  form.querySelector(".start").value = first;
  form.querySelector(".end").value = last;
}

function save(form, id, text) {
  if (text === "" && !form.querySelector(".remove").hidden && document.activeElement.className === "save") {
    say("An empty fact says nothing; use \"Take it out\".", true);
    return;
  }
  const body = { ...seen(), claim_id: id, text };
  const [file, start, end] = [".file", ".start", ".end"].map((name) => form.querySelector(name).value);
  if (id !== "narrative" && file && start && end) body.lines = { file, start: Number(start), end: Number(end) };
  go("/edit", body, "The change is written.");
}

function closeEditor(form) {
  form.remove();
  const heading = page.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
}

// Keys and buttons

const doings = {
  "next-claim": () => step(1),
  "previous-claim": () => step(-1),
  dispute,
  edit: () => edit(),
  undo: () => go("/undo", { key: crypto.randomUUID() }, "Taken back."),
  previous: () => record() && record().dataset.previous && look(record().dataset.previous),
  following: () => record() && record().dataset.following && look(record().dataset.following),
  overview: () => go("/overview"),
  resume: () => look(),
  help: () => document.getElementById("help").showModal(),
  "close-help": () => document.getElementById("help").close(),
};

const keys = { o: "overview", ArrowDown: "next-claim", ArrowUp: "previous-claim" };

function press(button) {
  const { at, choice, version, whole, edit: what, do: doing } = button.dataset;
  if (at) look(at);
  else if (choice) decide(choice);
  else if (version) look(record().dataset.query, { version });
  else if (whole) look(record().dataset.query, { whole });
  else if (what) edit(what);
  else if (doing) doings[doing]();
  else if (button.classList.contains("pick")) choose(button.closest(".claim"), false);
}

function isTyping(target) {
  return target.matches("input, textarea, select, [contenteditable]");
}

function onKeyWhileTyping(event) {
  const form = event.target.closest(".editor");
  if (event.key === "Escape" && form) closeEditor(form);
  else if (event.key === "Escape" || (event.key === "Enter" && event.target.id === "note")) event.target.blur();
  else if (event.key === "Enter" && form && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (isTyping(event.target)) { onKeyWhileTyping(event); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help")?.open) return;
  if (event.key === "n" && document.getElementById("note")) {
    event.preventDefault();
    document.getElementById("note").focus();
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
  else if (!event.key.startsWith("Arrow") || record()) doings[named]();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  // The second half of a double click would fall on what nobody has read yet.
  if (event.detail > 1 && button && (button.dataset.choice || button.dataset.do === "undo")) return;
  if (button && page.contains(button) && !button.closest(".editor")) press(button);
});

window.addEventListener("hashchange", () => location.reload());
look();
