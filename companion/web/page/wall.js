// A table on the wall: what spectators may see, drawn as one SVG that fills a television. It asks for nothing.

import { inked, newTheme, plainText } from "/drawing.js";
import { Link } from "/link.js";
import { Show } from "/show.js";

const SVG = "http://www.w3.org/2000/svg";
const CELLS = 160, WIDE = 10, HIGH = 20; // the units of one letter
const LINES = 3; // of what happened
const STEP_MS = 5000; // a show goes on by itself: a television has no keyboard
const at = (id) => document.getElementById(id);

let catalogues = {}, language = "en", view = null, state = "", seenShow = null, show = null, timer = 0;
const words = (name) => catalogues[language]?.[name] ?? name;

function shape(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

// Halves and wholes of a cell are drawn as areas: no font joins them without a gap.
const AREAS = { "█": [0, 1], "▀": [0, 0.5], "▄": [0.5, 0.5] };

function drawRun([text, flags = "", ink = "", paper = ""], x, y, into) {
  const letters = [...text];
  const colours = inked(text, ink, paper);
  if (colours.paper) into.append(shape("rect", { x, y, width: letters.length * WIDE, height: HIGH, fill: colours.paper }));
  let word = "", from = 0;
  const flush = () => {
    if (word.trim()) {
      const size = { textLength: word.length * WIDE, lengthAdjust: "spacingAndGlyphs" };
      into.append(shape("text", { x: x + from * WIDE, y: y + 15, fill: colours.ink, "font-weight": flags.includes("b") ? 700 : 400, ...size }, word));
    }
    word = "";
  };
  letters.forEach((letter, place) => {
    const area = AREAS[letter];
    if (area || letter === " ") flush();
    else { if (!word) from = place; word += letter; }
    if (area) into.append(shape("rect", { x: x + place * WIDE, y: y + area[0] * HIGH, width: WIDE, height: area[1] * HIGH, fill: colours.ink }));
  });
  flush();
  return letters.length;
}

function tableOf(panels, label = panels.map(plainText).join(". ")) {
  const rows = panels.flatMap((panel, number) => (number ? [[], ...panel] : panel));
  const widest = Math.max(1, ...rows.map((row) => row.reduce((sum, run) => sum + [...run[0]].length, 0)));
  const svg = shape("svg", {
    viewBox: `0 0 ${widest * WIDE} ${rows.length * HIGH}`, role: "img", "aria-label": label,
    "font-family": 'ui-monospace, "DejaVu Sans Mono", monospace', "font-size": 16, "shape-rendering": "crispEdges",
  });
  rows.forEach((row, line) => {
    let column = 0;
    for (const run of row) column += drawRun(run, column * WIDE, line * HIGH, svg);
  });
  return svg;
}

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
