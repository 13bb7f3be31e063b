// A phone as a pad: shows what its seat may see, and says what its player wants. It decides nothing.

import { button, focusAgain, lineOf, made, newTheme, picture, press as pressed, reachable, refill, sentences } from "/drawing.js";
import { Link } from "/link.js";
import { boxWords, Talking } from "/talking.js";
import { Show } from "/show.js";

const THEMES = ["", "dark", "light", "contrast"];
const NOTICE_MS = 6000;
const SLOW_MS = 120; // an answer that comes sooner needs no "sending"
const at = (id) => document.getElementById(id);

function stored(where) {
  const kept = {}; // where a browser stores nothing: for this time only
  return {
    get(name) { try { return window[where].getItem(name) ?? ""; } catch { return kept[name] ?? ""; } },
    set(name, value) { try { window[where].setItem(name, value); } catch { kept[name] = value; } },
  };
}
const memory = stored("localStorage"), tab = stored("sessionStorage");

let catalogues = {};
let language = "en";
let view = null;
let pending = null; // what was said and is not answered yet: { id, send, entry, label, socket, slow }
let menu = null; // the path of the menu that is open
let notice = "", noticeTimer = 0, state = "";
let talking = null, reading = null;
let show = null, seenShow = null; // the show that is running; the number of the newest that is known
const shown = {}; // what each part of the page was drawn from: what is the same is left alone

const words = (name, facts = {}) =>
  Object.entries(facts).reduce((text, [key, value]) => text.replace(`{${key}}`, value), catalogues[language]?.[name] ?? name);

// --- Drawing ---------------------------------------------------------------------------------------------------

function part(name, source, draw) {
  const key = JSON.stringify([source, language, document.documentElement.dataset.theme ?? ""]);
  if (shown[name] === key) return;
  shown[name] = key;
  const focused = document.activeElement, label = focused?.closest?.(`#${name}`) ? labelOf(focused) : null;
  draw(at(name));
  if (label !== null) focusAgain(buttonNamed(at(name), label) ?? at("headline"));
}

const labelOf = (element) => element?.ariaLabel ?? element?.textContent;
const buttonNamed = (root, label) => [...root.querySelectorAll("button")].find((each) => labelOf(each) === label);

function fill(element, blocks) { element.replaceChildren(...blocks); }

// One child for each item; those that are the same as before stay where they are.
const sources = new WeakMap();
function fillSame(element, items, make) {
  const before = new Map([...element.children].map((child) => [sources.get(child), child]));
  const look = `${language} ${document.documentElement.dataset.theme ?? ""}`;
  const children = items.map((item) => {
    const key = look + JSON.stringify(item);
    const child = before.get(key) ?? make(item);
    before.delete(key);
    sources.set(child, key);
    return child;
  });
  const kept = new Set(children);
  for (const child of [...element.children]) if (!kept.has(child)) child.remove();
  children.forEach((child, place) => { if (element.children[place] !== child) element.insertBefore(child, element.children[place] ?? null); });
}

// Of a picture that changes only the lines that do are drawn again.
function drawPanels(element, panels) {
  while (element.children.length > panels.length) element.lastElementChild.remove();
  while (element.children.length < panels.length) element.append(document.createElement("pre"));
  panels.forEach((panel, place) => fillSame(element.children[place], panel, (line) => lineOf(line)));
}

function draw() {
  if (!view) return;
  document.documentElement.lang = view.language;
  document.title = `${view.name || "Companion"} · ${view.title}`;
  at("who").textContent = view.name ? words("you are", { name: view.name }) : words("watching");
  const untold = view.show < 0 && (show || newsOfShow()); // the scoring does not tell its end before its steps
  const headline = untold ? show?.told.title ?? at("headline").textContent : view.asked ? `${words("your turn")}: ${view.headline}` : view.headline;
  at("headline").textContent = headline;
  at("headline").classList.toggle("asked", Boolean(view.asked));
  drawBox();
  part("moves", view.moves ?? [], (section) => {
    section.hidden = !view.moves?.length;
    at("moves-title").textContent = words("put back");
    fill(at("moves-list"), (view.moves ?? []).map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  });
  drawHand();
  part("table", view.panels ?? [], (section) => {
    section.hidden = !view.panels?.length;
    at("table-title").textContent = words("table");
    drawPanels(at("panels"), view.panels ?? []);
    // After the frame: to ask for a width before it would lay the page out twice.
    requestAnimationFrame(() => setTimeout(() => { for (const block of at("panels").children) reachable(block, words("table")); }));
  });
  part("past", view.lines ?? [], (section) => {
    section.hidden = !view.lines?.length;
    at("past-title").textContent = words("happened");
    fillSame(at("lines"), [...(view.lines ?? []), null], (line) => (line ? lineItem(line) : allItem()));
  });
  part("foot", view.foot ?? [], (foot) => fill(foot, view.foot?.length ? [picture(view.foot, "$background")] : []));
  at("results").textContent = words("results");
  at("results").href = `/results?language=${language}`;
  drawActions();
  drawStatus();
  at("talking").hidden = !view.name;
  at("reading").hidden = !view.name || view.dealt;
  talking.seen(view, view.asked ? `${words("your turn")}: ${view.headline}` : view.headline); // a show is for eyes
  if (reading) reading.seen(view); else if (view.centre && tab.get("centre")) loadReading();
  document.documentElement.dataset.entry = view.entry;
}

// --- Shows: in the page itself, so that a player who is asked can answer at once.

function showChanged(over) {
  at("show").hidden = over;
  if (over) { show = null; draw(); return; }
  const running = this ?? show;
  at("show-title").textContent = running.title;
  const buttons = [lastButton("back", () => running.go(-1)), lastButton(running.last ? "close" : "next", () => running.go(1), "primary"), lastButton("skip", () => running.end())];
  buttons[0].disabled = running.at === 0;
  const focused = [...at("show-buttons").children].indexOf(document.activeElement);
  fill(at("show-buttons"), buttons);
  focusAgain(buttons[focused]);
  for (const block of at("show-step").querySelectorAll("pre")) reachable(block, running.title);
}

function startShow(told) {
  seenShow = told.number;
  show = new Show(told, at("show-step"), function changed(over) { showChanged.call(this, over); });
  draw();
  at("show").scrollIntoView({ block: "nearest" });
}

// A show that is new is asked for, once; what was over before this page came is not shown unasked.
const newsOfShow = () => seenShow !== null && Boolean(view.show) && view.show !== seenShow;
function newShow() {
  if (newsOfShow()) link.say({ is: "show" });
  seenShow = view.show ?? 0;
}

// This phone no longer has a seat: it says so, and keeps nothing on its screen.
function drawRemoved() {
  const removed = state === "scan" && Boolean(view || memory.get("joined"));
  document.body.classList.toggle("removed", removed);
  if (!removed) return;
  view = null;
  show?.end();
  closeDialog();
  for (const name in shown) delete shown[name];
  for (const id of ["hand-text", "panels", "lines", "choices", "evening", "foot", "box-text", "moves-list"]) fill(at(id), []);
  for (const id of ["hand", "table", "past", "actions", "box", "moves", "show", "talking", "reading"]) at(id).hidden = true;
  at("who").textContent = at("results").textContent = "";
  at("results").removeAttribute("href");
  at("headline").textContent = words("removed");
  talking.forget();
  reading?.forget();
  talking.announce(words("removed"));
  at("headline").focus();
}

function drawBox() {
  part("box", view.box ?? null, (section) => {
    section.hidden = !view.box;
    if (!view.box) return;
    at("box-title").textContent = view.box.title;
    fill(at("box-text"), [picture(view.box.text)]);
  });
}

function drawHand() {
  const hidden = memory.get("hide") === "yes";
  part("hand", [view.hand ?? [], hidden], (section) => {
    section.hidden = !view.hand?.length;
    at("hand-title").textContent = words("hand");
    at("hide").textContent = words(hidden ? "show" : "hide");
    at("hide").setAttribute("aria-expanded", String(!hidden));
    at("hand-text").hidden = hidden;
    fill(at("hand-text"), view.hand?.length ? [picture(view.hand)] : []);
  });
}

function drawActions() {
  const evening = view.evening ?? [];
  const first = evening.filter((each) => each.variant === "primary");
  const choices = view.box ? view.box.buttons : [...(view.menu?.buttons ?? view.buttons ?? []), ...first];
  const question = view.box ? view.box.title : view.menu ? view.menu.title : choices.length ? words("choices") : "";
  const blocked = Boolean(pending?.slow) || state !== "up" || view.up === false;
  part("actions", [choices, view.menu?.picture, question], (nav) => {
    nav.hidden = !choices.length;
    at("question").textContent = question;
    fill(at("choices"), choices.map((each) => button(each, press)));
    if (!view.box && view.menu?.picture) at("choices").prepend(picture(view.menu.picture));
  });
  part("evening", [evening, Boolean(show)], (row) => {
    fill(row, evening.filter((each) => !first.includes(each) && !(show && each.send.is === "show")).map((each) => button(each, press)));
  });
  for (const each of document.querySelectorAll("#actions button, #evening button")) if (each.disabled !== blocked) each.disabled = blocked;
}

function lineItem(line) {
  const item = document.createElement("li");
  const why = document.createElement("button");
  why.type = "button";
  why.append(`${line.mark ? `${line.mark} ` : ""}${line.text}`);
  if (line.rule) why.append(Object.assign(document.createElement("span"), { className: "rule", textContent: line.rule }));
  why.addEventListener("click", () => link.say({ is: "why", line: line.number }));
  item.append(why);
  return item;
}

function allItem() {
  const item = document.createElement("li");
  const all = document.createElement("button");
  all.type = "button";
  all.textContent = words("all");
  all.addEventListener("click", () => link.say({ is: "why", line: -1 }));
  item.append(all);
  return item;
}

function connection() {
  if (state === "scan") return document.body.classList.contains("removed") ? "" : words("scan");
  if (state === "busy") return words("busy");
  if (state !== "up") return words(view ? "lost" : "connecting");
  return view && view.up === false ? words("waiting") : "";
}

function drawStatus() {
  const trouble = connection(), lines = trouble ? [trouble] : [];
  if (trouble !== shown.trouble) {
    talking?.announce(trouble || ([words("lost"), words("waiting")].includes(shown.trouble) ? words("back again") : ""));
    shown.trouble = trouble;
  }
  if (pending?.slow) lines.push(words("sending", { what: pending.label }));
  if (notice) lines.push(notice);
  const text = lines.join("\n");
  if (at("status").textContent !== text) at("status").textContent = text;
}

function drawTools() {
  const codes = Object.keys(catalogues);
  const next = codes[(codes.indexOf(language) + 1) % codes.length];
  at("language").textContent = next.toUpperCase();
  at("language").setAttribute("aria-label", catalogues[next].language);
  at("language").lang = next;
  at("theme").textContent = "◐";
  at("theme").setAttribute("aria-label", words("theme"));
  at("help").setAttribute("aria-label", words("help"));
  talking.draw();
  drawReading();
}

// Not aloud: what the lines of the evening say as well.
function tell(text, aloud = true) {
  if (aloud) talking.announce(text);
  notice = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice = ""; drawStatus(); }, NOTICE_MS);
  drawStatus();
}

// --- The dialog: menus, reasons, questions ------------------------------------------------------------------------

function lastButton(name, pressed, variant = "") {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = words(name);
  if (variant) element.classList.add(variant);
  element.addEventListener("click", pressed);
  return element;
}

function openDialog(title, text, choices, last) {
  const before = at("dialog").open ? at("dialog-title").textContent : null, name = labelOf(document.activeElement);
  at("dialog-title").textContent = title;
  fill(at("dialog-text"), text);
  fill(at("dialog-choices"), choices);
  fill(at("dialog-last"), last);
  if (before === null) { fill(at("said-here"), []); at("dialog").showModal(); }
  else if (before !== title) at("dialog-title").focus(); // the next step
  else focusAgain(buttonNamed(at("dialog"), name) ?? at("dialog-title"));
  for (const block of at("dialog-text").querySelectorAll("pre")) reachable(block, title);
}

function closeDialog() { if (at("dialog").open) at("dialog").close(); }

function showMenu(found) {
  if (!found) { if (menu) closeDialog(); menu = null; return; }
  const key = JSON.stringify([found, language]);
  const same = at("dialog").open && menu && shown.menu === key;
  menu = found.path;
  at("dialog").dataset.path = menu.join(".");
  if (same) return;
  shown.menu = key;
  const last = [lastButton("cancel", closeDialog)];
  if (found.path.length > 1) last.unshift(lastButton("back", () => link.say({ is: "open", path: found.path.slice(0, -1) })));
  at("dialog-text").className = "";
  openDialog(found.title, found.picture?.length ? [picture(found.picture)] : [], found.buttons.map((each) => button(each, press)), last);
}

function showText(title, blocks) {
  menu = null;
  at("dialog-text").className = "text";
  openDialog(title, blocks, [], [lastButton("close", closeDialog, "primary")]);
}

function ask(question, agreed) {
  menu = null;
  at("dialog-text").className = "text";
  const [title, ...rest] = question.split("\n");
  openDialog(title, [picture(rest.map((line) => [[line]]))], [],
    [lastButton("yes", () => { closeDialog(); agreed(); }, "warning"), lastButton("cancel", closeDialog)]);
}

// --- Saying something ------------------------------------------------------------------------------------------------

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function press(known) {
  if (known.send.is === "open" || known.send.is === "show") { link.say(known.send); return; }
  if (known.confirm) { ask(known.confirm, () => say(known)); return; }
  say(known);
}

// Said once, whatever becomes of the line: it is sent again only if nothing has happened at the table since.
function say(known) {
  if (pending || !view) return;
  const label = known.label.map((line) => line.map((run) => run[0]).join("")).join(" ").replace(/\s+/g, " ").trim();
  pending = { id: newId(), send: known.send, entry: view.entry, label, socket: link.socket };
  menu = null;
  closeDialog();
  link.say({ ...pending.send, id: pending.id });
  const said = pending;
  setTimeout(() => { if (pending === said) tellSlow(); }, SLOW_MS);
}

function tellSlow() {
  if (!pending) return;
  pending.slow = true;
  drawActions();
  drawStatus();
}

function afterAbsence() {
  if (!pending || pending.socket === link.socket) return;
  if (pending.entry === view.entry) {
    pending.socket = link.socket;
    link.say({ ...pending.send, id: pending.id });
  } else {
    pending = null;
    tell(words("unsure"));
  }
}

function heard(message) {
  if (message.is === "view") {
    view = message;
    if (language !== view.language) { language = view.language; drawTools(); }
    document.body.classList.remove("removed");
    afterAbsence();
    draw();
    newShow();
    if (menu) link.say({ is: "open", path: menu });
  } else if (message.is === "news") {
    talking.news(message.lines);
    tab.set("mark", JSON.stringify(message.mark)); // from here on after a break, even if the browser forgets the page
  }
  else if (message.is === "words") talking.heard(message);
  else if (message.is === "answer" && reading?.answered(message)) drawStatus();
  else if (message.is === "answer" && pending?.id === message.id) {
    pending = null;
    if (message.text) tell(message.text, !message.line);
    drawActions();
    drawStatus();
  } else if (message.is === "menu") showMenu(message.menu);
  else if (message.is === "show") startShow(message);
  else if (message.is === "why") {
    const asked = talking.takesWhy(), said = sentences(message.text);
    if (asked) tell(said.join(" "), false); else showText(message.title, [picture(message.text)]);
    if (talking.on) talking.answer(said);
  }
  else if (message.is === "lines") {
    const list = document.createElement("ol");
    fill(list, message.lines.map(lineItem));
    showText(words("happened"), [list]);
    list.lastElementChild?.scrollIntoView();
  } else if (message.is === "problem") {
    talking.takesWhy();
    tell(message.text);
  }
}

// --- Coming in -----------------------------------------------------------------------------------------------------

function cells() {
  const ruler = at("ruler");
  if (!ruler.textContent) ruler.textContent = "0".repeat(100);
  const letter = ruler.getBoundingClientRect().width / 100 || ruler.scrollWidth / 100;
  const room = document.querySelector("main").clientWidth - 32;
  return Math.max(1, Math.floor(room / letter));
}

function hello() {
  const chosen = memory.get("language");
  return { is: "hello", language: chosen || navigator.languages?.join(",")?.slice(0, 40) || navigator.language || "", cells: cells(), chosen: Boolean(chosen), mark: JSON.parse(tab.get("mark") || null) };
}

function wear(theme) {
  newTheme();
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

async function join() {
  if (location.pathname === "/t") {
    const token = location.hash.slice(1, 65);
    history.replaceState(null, "", "/");
    if (token) { (await loadReading())?.open(token); return; }
  }
  const code = location.hash.slice(1);
  if (!code) return;
  const game = /^\?(\d+)$/.exec(location.search)?.[1]; // the code of a result
  if (game && (await fetch("/seat")).status !== 401) { showResult(game); return; } // a phone that plays keeps its seat
  const answer = await fetch("/join", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
  if (answer.ok) memory.set("joined", "yes");
  if (answer.ok && game) showResult(game);
  else if (answer.ok || answer.status === 403) history.replaceState(null, "", "/");
}

function showResult(game) { location.replace(`/results?language=${language}#game-${game}`); }

const link = new Link(heard, (now) => { state = now; drawRemoved(); tellSlow(); drawStatus(); if (view) drawActions(); }, hello);

const ready = () => state === "up" && Boolean(view?.name);
const sections = (name) => {
  const section = made("section", { id: name, hidden: true });
  section.setAttribute("aria-labelledby", `${name}-title`);
  at("evening").before(section);
  return section;
};
function choices() {
  const open = at("dialog").open;
  const asked = open ? [at("dialog-title").textContent] : view?.box ? boxWords(view.box) : [at("question").textContent || at("headline").textContent];
  const rows = open ? ["dialog-choices", "dialog-last"] : ["choices", "evening"];
  return [...asked, ...rows.flatMap((row) => [...at(row).querySelectorAll("button")]).map(labelOf)];
}
// An open dialog hides the rest of the page from screen readers: what is said meanwhile is said in it.
const log = () => at(at("dialog").open ? "said-here" : "said");
talking = new Talking({ words, send: (message) => link.say(message), memory, ask, choices, log, logs: [at("said"), at("said-here")], section: sections("talking"), pictures: [at("panels"), at("hand-text")] });

// Reading pieces is loaded when it is asked for: by a button, or by a sticker's link in this tab or another.
const readingSection = sections("reading");
const channel = "BroadcastChannel" in window ? new BroadcastChannel("companion taps") : null;
let failures = 0;
async function loadReading() {
  if (reading) return reading;
  try {
    const [{ Reading }, said] = await Promise.all([import(`/reading.js?${failures}`), fetch("/reading.json").then((answer) => answer.json())]);
    for (const code in said) Object.assign(catalogues[code], said[code]);
    reading ??= new Reading({ words, send: (message) => link.say(message), line: () => link.socket, memory, tab, tell, announce: (text) => talking.announce(text), newId, ready, section: readingSection, channel });
    if (view) reading.seen(view);
  } catch {
    failures += 1; // a browser remembers that this address failed
    tell(words("lost"));
  }
  return reading;
}
function drawReading() {
  if (reading) { reading.draw(); return; }
  const row = made("div"), later = (act) => async () => { const loaded = await loadReading(); if (loaded) act(loaded); };
  row.append(
    pressed(words("read pieces"), later((loaded) => loaded.begin())),
    pressed(words("be centre"), later((loaded) => loaded.takeCentre(true)), false),
    pressed(words("only tell"), later((loaded) => loaded.onlyTell()), memory.get("only tell") === "yes"),
  );
  refill(readingSection, row, [made("h2", { id: "reading-title", textContent: words("pieces") }), made("p", { id: "read" })]);
}
if (channel) channel.onmessage = async ({ data }) => { if (reading || data.token) (await loadReading())?.heardOtherTab(data); };

at("dialog").addEventListener("close", () => { menu = null; });
at("hide").addEventListener("click", () => { memory.set("hide", memory.get("hide") === "yes" ? "" : "yes"); drawHand(); });
at("help").addEventListener("click", () => link.say({ is: "help" }));
at("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(memory.get("theme")) + 1) % THEMES.length];
  memory.set("theme", next);
  wear(next);
  drawTools();
  draw();
});
at("language").addEventListener("click", () => {
  const codes = Object.keys(catalogues);
  language = codes[(codes.indexOf(language) + 1) % codes.length];
  memory.set("language", language);
  document.documentElement.lang = language;
  drawTools();
  draw();
  link.say(hello());
});
let told = 0;
window.addEventListener("resize", () => { if (cells() !== told) { told = cells(); link.say(hello()); } });
window.addEventListener("hashchange", () => { join().then(() => { link.drop(); link.start(); }); });
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => { newTheme(); for (const name in shown) delete shown[name]; fill(at("panels"), []); draw(); });

wear(memory.get("theme"));
try {
  catalogues = await (await fetch("/words.json")).json();
  const wanted = [memory.get("language"), ...(navigator.languages ?? [navigator.language])].map((each) => each.slice(0, 2));
  language = wanted.find((code) => code in catalogues) ?? "en";
  document.documentElement.lang = language;
  drawTools();
  drawStatus();
  await join();
} catch { /* the line says what is wrong */ }
told = cells();
link.start();
