// A table on the wall: what spectators may see, drawn as one SVG that fills a television. It asks for nothing.

import { newTheme } from "/drawing.js";
import { Link } from "/link.js";
import { Show } from "/show.js";
import { tableOf } from "/table_svg.js";

const CELLS = 110; // fewer than a television has room for: its letters are read from across the room
const LINES = 3; // of what happened
const STEP_MS = 5000; // a show goes on by itself: a television has no keyboard
const at = (id) => document.getElementById(id);

let catalogues = {}, language = "en", view = null, state = "", seenShow = null, show = null, timer = 0;
const words = (name) => catalogues[language]?.[name] ?? name;

function draw() {
  if (!view) return;
  document.documentElement.lang = language = view.language;
  document.title = `Companion · ${view.title}`;
  const headline = show ? show.told.title : view.headline; // a show does not tell its end before its steps
  if (at("headline").textContent !== headline) at("headline").textContent = headline;
  at("table-title").textContent = words("table");
  at("table").hidden = Boolean(show) || !view.panels?.length;
  at("drawn").replaceChildren(...(view.panels?.length ? [tableOf(view.panels)] : []));
  at("past-title").textContent = words("happened");
  const newest = (view.lines ?? []).slice(-LINES);
  at("past").hidden = !newest.length || Boolean(show);
  at("lines").replaceChildren(...newest.map((line) => Object.assign(document.createElement("li"), { textContent: `${line.mark ? `${line.mark} ` : ""}${line.text}` })));
  const coded = !show && view.code?.length;
  at("code").hidden = !coded;
  document.body.classList.toggle("coded", Boolean(coded));
  at("code").firstElementChild.replaceChildren(...(coded ? [tableOf([view.code], words("result code"))] : []));
  at("code").lastElementChild.textContent = words("result code");
  document.documentElement.dataset.entry = view.entry;
}

function drawStatus() {
  const known = { scan: "type", foreign: "foreign", busy: "busy" };
  const text = state === "up" ? (view?.up === false ? words("waiting") : "") : words(known[state] ?? (view ? "lost" : "connecting"));
  if (at("status").textContent !== text) at("status").textContent = text;
}

function stepped(over) {
  clearTimeout(timer);
  at("show").hidden = over;
  if (over) { show = null; draw(); return; }
  at("show-title").textContent = this.title;
  const step = at("show-step");
  step.style.fontSize = "";
  const room = innerHeight - step.getBoundingClientRect().top - innerWidth / 50;
  if (step.scrollHeight > room) step.style.fontSize = `${room / step.scrollHeight}em`;
  timer = setTimeout(() => this.go(1), STEP_MS);
}

function heard(message) {
  if (message.is === "view") {
    view = message;
    const number = view.show ?? 0;
    const comes = seenShow !== null && number && number !== seenShow;
    seenShow = number;
    if (comes) link.say({ is: "show" });
    else draw();
    drawStatus();
  } else if (message.is === "show") {
    show?.end();
    show = new Show(message, at("show-step"), stepped);
    draw();
  }
}

async function join() {
  const code = location.hash.slice(1);
  if (!code) return;
  const answer = await fetch("/join", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
  if (answer.ok || answer.status === 403) history.replaceState(null, "", "/wall");
}

const hello = () => ({ is: "hello", language: navigator.languages?.join(",")?.slice(0, 40) || navigator.language || "", cells: CELLS });
const link = new Link(heard, (now) => { state = now; drawStatus(); }, hello, "&wall=1");
document.addEventListener("keydown", (event) => {
  if (!show) return;
  if (event.key === "Escape") show.end();
  else if (event.key === "ArrowLeft") show.go(-1);
  else if (["Enter", " ", "ArrowRight"].includes(event.key)) show.go(1);
});
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => { newTheme(); draw(); });

try {
  catalogues = await (await fetch("/words.json")).json();
  language = (navigator.languages ?? [navigator.language]).map((each) => each.slice(0, 2)).find((code) => code in catalogues) ?? "en";
  drawStatus();
  await join();
} catch { /* the line says what is wrong */ }
link.start();
