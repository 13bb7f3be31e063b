// All live tables of a hall. The hall sends everything once, and then only what changes.

import { newTheme } from "/drawing.js";
import { tableOf } from "/table_svg.js";

const FIRST_MS = 300, LAST_MS = 5000;
const BUDGET_MS = 6; // how long one frame may change tiles: the next frame goes on
const PAGE_MS = 12000, TOUCHED_MS = 60000; // a screen that is not touched shows page after page
const MANY = 40, FEW = 9; // tables: from here on tiles are smaller; up to here they are larger
const LINES = 6, PLACES = 30, LATE_S = 0;
const NARROW = 700; // pixels: below this the table is drawn as on a phone
const at = (id) => document.getElementById(id);
const made = (kind, className = "", textContent = "") => Object.assign(document.createElement(kind), { className, textContent });
const set = (element, text) => { if (element.textContent !== text) element.textContent = text; };

let catalogues = {}, language = "en", socket = null, delay = FIRST_MS, skew = 0, night = null, followed = "", view = null, drama = null;
let touched = -TOUCHED_MS;
const tables = new Map(); // table → what the hall has said of it
const tiles = new Map(); // table → its elements
const stale = new Set(); // tables whose tiles have to be drawn again
const visible = new Set();
const words = (name, facts = {}) => (catalogues[language]?.[name] ?? name).replace(/\{(\w+)\}/g, (whole, key) => facts[key] ?? whole);
const now = () => Date.now() / 1000 + skew;
const inWords = (texts) => texts?.[language] ?? texts?.en ?? "";
const minutes = (seconds) => `${seconds < 0 ? "−" : ""}${Math.floor(Math.abs(seconds) / 60)}:${String(Math.floor(Math.abs(seconds)) % 60).padStart(2, "0")}`;

// --- Tiles ---

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const { table } = entry.target.dataset;
    if (entry.isIntersecting) { visible.add(table); tick(table); } else visible.delete(table);
  }
});

function tileOf(table) {
  const item = made("li", "tile"), button = made("button");
  button.type = "button";
  item.dataset.table = table;
  const parts = { item, name: made("span", "name"), time: made("span", "time"), said: made("span", "said"), seats: made("span", "seats") };
  button.append(parts.name, parts.time, parts.said, parts.seats);
  button.addEventListener("click", () => follow(table));
  item.append(button);
  tiles.set(table, parts);
  return parts;
}

const titled = (table) => tables.get(table)?.name ?? table;
const tableName = (name) => (/^\d+$/.test(name) ? words("table", { table: name }) : name);

function drawTile(table) {
  const known = tables.get(table), parts = tiles.get(table) ?? tileOf(table);
  parts.item.dataset.phase = known.phase ?? "";
  parts.item.dataset.online = String(known.online);
  set(parts.name, [tableName(titled(table)), known.title].filter(Boolean).join(" · "));
  const state = known.online ? { paused: words("paused"), question: words("question") }[known.phase] : words("offline");
  set(parts.said, [state, inWords(known.headline)].filter(Boolean).join(" · "));
  const points = known.sums?.length ? known.sums : known.scores ?? [];
  const seats = (known.players ?? []).map((name, seat) => {
    const turn = known.turn?.includes(seat), won = known.phase === "over" && known.winners?.includes(seat);
    const sign = won ? "» " : turn ? "► " : "";
    return made("span", won ? "won" : turn ? "turn" : "", `${sign}${name}${points.length ? ` ${points[seat]}` : ""}`);
  });
  parts.seats.replaceChildren(...seats);
  parts.item.hidden = !matches(table);
  tick(table);
}

function tick(table) {
  const known = tables.get(table), parts = tiles.get(table);
  if (known && parts) set(parts.time, known.online && known.since ? minutes(Math.max(0, now() - known.since)) : "");
}

function redraw() {
  const until = performance.now() + BUDGET_MS;
  for (const table of stale) {
    stale.delete(table);
    if (tables.has(table)) drawTile(table); // it may have gone meanwhile
    if (performance.now() > until) break;
  }
  if (stale.size) requestAnimationFrame(redraw);
  else document.documentElement.dataset.tables = tables.size;
}

function changed(table) {
  if (!stale.size) requestAnimationFrame(redraw);
  stale.add(table);
}

const byName = new Intl.Collator(undefined, { numeric: true });
function arrange() {
  const order = [...tables.keys()].sort((one, other) => byName.compare(titled(one), titled(other)));
  const list = at("tiles"), items = order.map((table) => (tiles.get(table) ?? tileOf(table)).item);
  list.replaceChildren(...items);
  for (const item of items) seen.observe(item);
  for (const table of [...tiles.keys()]) if (!tables.has(table)) tiles.delete(table);
  at("empty").hidden = order.length > 0;
  document.documentElement.toggleAttribute("data-many", order.length > MANY);
  document.documentElement.toggleAttribute("data-few", order.length <= FEW);
}

function matches(table) {
  const wanted = at("find").value.trim().toLowerCase();
  if (!wanted) return true;
  const known = tables.get(table);
  return [titled(table), known.title ?? "", ...(known.players ?? [])].some((text) => text.toLowerCase().includes(wanted));
}

// --- The night: round, clock, standings, the latest ruling ---

function drawNight() {
  set(at("hall"), night?.hall ?? "Companion");
  document.title = night?.hall ? `Companion · ${night.hall}` : "Companion";
  set(at("round"), night?.round ? words("round", { number: night.round, game: night.game }) : "");
  const groups = night?.seating ?? [];
  at("seating").hidden = !groups.length;
  set(at("seating-title"), words("seating"));
  at("groups").replaceChildren(...groups.map(({ table, players, why }) => {
    const line = made("li");
    line.append(made("p", "name", table ? tableName(table) : words("byes")), made("p", "players", players.join(", ")), made("p", "why", inWords(why)));
    return line;
  }));
  const places = (night?.standings ?? []).slice(0, PLACES);
  at("standings").hidden = !places.length;
  set(at("standings-title"), words("standings"));
  at("places").replaceChildren(...places.map(([rank, name, points]) => {
    const line = made("li");
    line.append(made("span", "", `${rank}.`), made("span", "", name), made("span", "", points));
    return line;
  }));
  drawClock();
}

function drawClock() {
  const left = night?.ends ? night.ends - now() : null;
  set(at("clock"), left === null ? "" : minutes(left));
  at("clock").classList.toggle("late", left !== null && left < LATE_S);
}

function drawDrama() {
  at("news").hidden = !drama;
  if (!drama) return;
  set(at("news-title"), words("latest", { table: tableName(titled(drama.table)) }));
  set(at("ruling"), `${inWords(drama.ruling.said)}${drama.ruling.rule ? ` (${drama.ruling.rule})` : ""}`);
}

// --- One table, large ---

function follow(table) {
  followed = table;
  view = null;
  say({ is: "follow", table, language, width: innerWidth < NARROW ? "narrow" : "wide" });
  drawFollowed();
  if (table) at("followed-title").focus();
}

function drawFollowed() {
  at("followed").hidden = !followed;
  set(at("followed-title"), followed ? `${tableName(titled(followed))} · ${tables.get(followed)?.title ?? ""}` : "");
  set(at("leave"), words("all tables"));
  set(at("headline"), view?.headline ?? "");
  try {
    at("drawn").replaceChildren(...(view?.panels?.length ? [tableOf(view.panels)] : []));
    at("lines").replaceChildren(...(view?.lines ?? []).slice(-LINES).map((line) => made("li", "", `${line.mark ? `${line.mark} ` : ""}${line.text}`)));
  } catch { at("drawn").replaceChildren(words("unreadable")); }
}

// --- The line to the hall ---

const handlers = {
  all(message) {
    skew = message.now - Date.now() / 1000;
    tables.clear();
    for (const [table, known] of Object.entries(message.tables)) tables.set(table, known);
    drama = message.drama;
    night = message.night;
    arrange();
    for (const table of tables.keys()) changed(table);
    document.documentElement.dataset.complete = tables.size;
    drawNight();
    drawDrama();
    drawStatus(message.problem);
    if (followed) follow(followed);
  },
  tile({ table, change }) {
    const known = tables.get(table);
    tables.set(table, { ...known, ...change });
    if (!known) arrange();
    if (change.ruling && known?.phase) { drama = { table, ruling: change.ruling }; drawDrama(); }
    changed(table);
  },
  night(message) { night = message.night; drawNight(); },
  view(message) { if (message.table === followed) { view = message.view; drawFollowed(); } },
  link(message) { drawStatus(message.problem); },
};

function drawStatus(problem) { set(at("status"), problem ? words("stale") : ""); }
function say(message) { if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); }

function start() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/display/line`);
  socket.onmessage = (event) => {
    delay = FIRST_MS;
    for (const message of JSON.parse(event.data)) handlers[message.is]?.(message);
  };
  socket.onclose = () => {
    set(at("status"), words(tables.size ? "lost" : "connecting"));
    setTimeout(start, delay);
    delay = Math.min(delay * 2, LAST_MS);
  };
}

// --- The page ---

function label() {
  document.documentElement.lang = language;
  for (const [id, name] of [["tables-title", "tables"], ["find-label", "find"], ["empty", "no tables"], ["code-label", "sign in"]]) set(at(id), words(name));
}

const picture = at("code").querySelector("img"), showCode = () => { at("code").hidden = !picture.naturalWidth; };
picture.addEventListener("load", showCode);
showCode();
at("leave").addEventListener("click", () => {
  const tile = tiles.get(followed)?.item;
  follow("");
  tile?.querySelector("button").focus();
});
at("find").addEventListener("input", () => { for (const table of tables.keys()) changed(table); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && followed) at("leave").click(); });
for (const name of ["pointerdown", "keydown", "wheel", "touchstart"]) document.addEventListener(name, () => { touched = performance.now(); }, { passive: true });
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => { newTheme(); drawFollowed(); });

setInterval(() => { drawClock(); for (const table of visible) tick(table); }, 1000);
setInterval(() => {
  if (followed || performance.now() - touched < TOUCHED_MS) return;
  const page = document.documentElement, end = page.scrollHeight - innerHeight;
  if (end > 0 && innerWidth >= NARROW) scrollTo(0, page.scrollTop >= end - 1 ? 0 : Math.min(end, page.scrollTop + innerHeight * 0.85));
}, PAGE_MS);

try {
  catalogues = await (await fetch("/display/words.json")).json();
  language = (navigator.languages ?? [navigator.language]).map((each) => each.slice(0, 2)).find((code) => code in catalogues) ?? "en";
} catch { /* the words are English then */ }
label();
set(at("status"), words("connecting"));
start();
