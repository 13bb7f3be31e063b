// A phone that enrols a box: it says which piece is next, and tells the table which sticker it has touched. The table
// decides what counts, and keeps it.

import { made, newTheme, press } from "/drawing.js";
import { Link } from "/link.js";
import { scan } from "/nfc.js";

const THEMES = ["", "dark", "light", "contrast"];
const LINES = 40;
const SAME_MS = 3000; // a sticker that trembles at the phone is read again and again
const WRITE_MS = 1500; // a sticker that has left would let the next one get its text
const TRIES = 2;
const DENIED = ["NotAllowedError", "SecurityError"];
const at = (id) => document.getElementById(id);

const memory = {
  get(name) { try { return localStorage.getItem(name) ?? ""; } catch { return ""; } },
  set(name, value) { try { localStorage.setItem(name, value); } catch { /* then it is for this time only */ } },
};

let catalogues = {}, language = "en", view = null, state = "", stop = null;
let heardStep = -1, heardNotices = -1; // what was said already
let last = { uid: "", at: 0, reader: null }; // the sticker that was touched last
let writing = "", failures = 0, wrote = 0; // the sticker that is being written, how often that failed, the last number
const queue = [];

const words = (name) => catalogues[language]?.[name] ?? name;
const texts = () => view.texts[language] ?? Object.values(view.texts)[0];
const quiet = () => memory.get("voice") === "off";

// --- Saying: in the log for screen readers, and aloud ---------------------------------------------------------------

function say(text) {
  if (!text) return;
  at("said").append(made("p", { textContent: text }));
  while (at("said").children.length > LINES) at("said").firstChild.remove();
  speak(text);
}

function speak(text) {
  if (!stop || quiet() || !("speechSynthesis" in window)) return; // a browser speaks after a tap, and not before
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = language;
  queue.push(spoken); // what waits must not be lost by the browser
  spoken.onend = spoken.onerror = () => queue.splice(queue.indexOf(spoken), 1);
  speechSynthesis.speak(spoken);
}

// What only this phone knows: it is shown until something else happens.
function tell(text) {
  at("read").textContent = text;
  say(text);
}

function hush() { window.speechSynthesis?.cancel(); queue.length = 0; }

// What is next is said once for each step; an answer comes before it.
function sayNews() {
  const told = texts();
  if (view.notices !== heardNotices && view.notices && heardNotices >= 0) { hush(); tell(told.notice); }
  heardNotices = view.notices;
  if (view.step === heardStep) return;
  heardStep = view.step;
  failures = 0;
  say(wanted(told));
}

// What is next, in words.
function wanted(told) {
  if (view.done) return words("all done");
  return [...(told.sentence.includes(told.title) ? [] : [told.title]), told.sentence, ...told.printed].join(". ");
}

// --- Drawing --------------------------------------------------------------------------------------------------------

function draw() {
  drawTools();
  drawStatus();
  if (!view) return;
  const told = texts();
  document.title = `Companion · ${told.title}`;
  at("headline").textContent = told.title;
  at("piece").hidden = false;
  at("piece-title").textContent = view.cards ? words("cards") : view.done ? words("all done") : words("next piece");
  at("sentence").textContent = told.sentence;
  at("printed").replaceChildren(...told.printed.map((text) => made("li", { textContent: text })));
  at("advice").textContent = view.done || view.cards ? "" : !view.tagged ? words("on screen") : [told.printed.length ? words("printed") : "", stop ? words("reading") : ""].join(" ").trim();
  at("progress").textContent = told.progress;
  drawChoices(told);
  drawWriting();
  document.documentElement.dataset.step = view.step;
}

// Drawn again, the focus stays where it was.
function fill(row, buttons) {
  const focused = [...row.children].indexOf(document.activeElement);
  row.replaceChildren(...buttons);
  row.children[focused]?.focus();
}

function drawChoices(told) {
  const go = press(words(stop ? "stop reading" : "start"), () => (stop ? end() : begin()));
  if (!stop) go.className = "primary";
  const wish = (label, what) => press(label, () => send({ what }));
  const others = view.done || view.cards ? [] : [wish(told.next, "next"), ...(view.tagged ? [wish(words("later"), "later")] : [])];
  at("actions").hidden = false;
  at("question").textContent = words("choices");
  fill(at("choices"), [go, ...others, ...(view.cards ? [] : [wish(words("undo"), "undo")])]);
  for (const each of at("choices").children) each.disabled = state !== "up";
}

function drawWriting() {
  at("writing").hidden = false;
  at("writing-title").textContent = words("more");
  at("why-write").textContent = view.cards ? "" : words("why write");
  const voice = press(words("voice"), () => { memory.set("voice", quiet() ? "" : "off"); hush(); draw(); }, !quiet());
  fill(at("writing").querySelector(".buttons"), [...(view.cards ? [] : [press(words("write"), () => send({ what: "write" }), view.writes)]), voice]);
}

function connection() {
  if (state === "scan") return words(memory.get("enrolled") ? "removed" : "scan");
  if (state === "busy") return words("busy");
  return state === "up" ? "" : words(view ? "lost" : "connecting");
}

let trouble = "";
function drawStatus() {
  const now = connection();
  at("status").textContent = now;
  if (now !== trouble) { trouble = now; say(now); }
  for (const each of at("choices").children) each.disabled = state !== "up";
}

function drawTools() {
  const codes = Object.keys(catalogues);
  const next = codes[(codes.indexOf(language) + 1) % codes.length];
  at("who").textContent = words(view?.cards ? "cards" : "enrol");
  at("language").textContent = next.toUpperCase();
  at("language").setAttribute("aria-label", catalogues[next].language);
  at("language").lang = next;
  at("theme").textContent = "◐";
  at("theme").setAttribute("aria-label", words("theme"));
}

// --- Reading and writing ---------------------------------------------------------------------------------------------

function send(message) {
  if (!link.say({ is: "enrol", step: view.step, ...message })) tell(words("touch again"));
}

async function begin() {
  const reading = new AbortController();
  try {
    await scan(reading.signal, touched, () => tell(words("unreadable")));
    stop = reading;
    at("read").textContent = "";
    draw();
    speak(wanted(texts()));
  } catch (wrong) {
    tell(words(wrong));
  }
}

function end() {
  stop?.abort();
  stop = null;
  writing = "";
  hush();
  tell(words("not reading"));
  draw();
}

function touched(tag, reader) {
  const now = performance.now();
  const trembles = tag.uid === last.uid && tag.text === last.text && now - last.at < SAME_MS;
  last = { ...tag, at: now, reader };
  if (!view || (trembles && !view.write) || writing) return;
  send({ what: "tap", ...tag });
}

// The table has a text for the sticker that is at this phone. Whether it is there is seen when it is read again.
async function write({ uid, text, number, link: address }) {
  if (number === wrote || !stop) return;
  wrote = number;
  if (uid !== last.uid || writing) return;
  writing = uid;
  tell(words("writing"));
  const records = [...(address ? [{ recordType: "url", data: address }] : []), { recordType: "text", lang: "en", data: text }];
  try {
    await last.reader.write({ records }, { signal: AbortSignal.timeout(WRITE_MS) });
    if (writing) tell(words("written"));
  } catch (error) {
    if (writing) failed(uid, error.name);
  }
  writing = "";
}

// A locked sticker, a small one and one that was lifted fail alike: the second time it is not the hand.
function failed(uid, name) {
  failures += 1;
  if (DENIED.includes(name)) { tell(words("write denied")); return; }
  if (failures < TRIES && name !== "NotSupportedError") { tell(words("write failed")); return; }
  failures = 0;
  tell(words("unwritable"));
  send({ what: "unwritten", uid });
}

function heard(message) {
  if (message.is !== "enrolment") return;
  view = message;
  draw();
  sayNews();
  if (view.write) write(view.write);
}

// --- Coming in -------------------------------------------------------------------------------------------------------

function hello() { return { is: "hello", language }; }

async function join() {
  const code = location.hash.slice(1);
  if (!code) return;
  const answer = await fetch("/join", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
  if (answer.ok) memory.set("enrolled", "yes");
  if (answer.ok || answer.status === 403) history.replaceState(null, "", "/");
}

function wear(theme) {
  newTheme();
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

const link = new Link(heard, (now) => { state = now; drawStatus(); }, hello);
at("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(memory.get("theme")) + 1) % THEMES.length];
  memory.set("theme", next);
  wear(next);
});
at("language").addEventListener("click", () => {
  const codes = Object.keys(catalogues);
  language = codes[(codes.indexOf(language) + 1) % codes.length];
  memory.set("language", language);
  document.documentElement.lang = language;
  at("read").textContent = "";
  draw();
});
window.addEventListener("hashchange", () => { join().then(() => { link.drop(); link.start(); }); });

wear(memory.get("theme"));
try {
  catalogues = await (await fetch("/words.json")).json();
  const wanted = [memory.get("language"), ...(navigator.languages ?? [navigator.language])].map((each) => each.slice(0, 2));
  language = wanted.find((code) => code in catalogues) ?? "en";
  document.documentElement.lang = language;
  draw();
  await join();
} catch { /* the line says what is wrong */ }
link.start();
