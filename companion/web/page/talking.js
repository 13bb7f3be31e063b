// The page for players who listen: every line once and in order, the table in words, and a voice for one ear.

import { made, press, refill } from "/drawing.js";

const LINES = 40;
const KEYS = { t: "table", h: "hand", c: "can", w: "why", a: "again", s: "skip" };
const SWIPES = { up: "table", down: "hand", right: "can", left: "why", tap: "again" };
const SWIPE_PX = 40;

export class Talking {
  // page: { words, send(message), memory, ask(question, agreed), choices(), log, section, pictures }
  constructor(page) {
    this.page = page;
    this.queue = [];
    this.said = "";
    this.newest = 0;
    this.aloud = false;
    this.always = false;
    this.headline = this.box = null;
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("focusin", (event) => { if (this.aloud) this.speakNow(event.target.ariaLabel ?? event.target.textContent); });
    this.swipes();
    this.draw();
  }

  // What was pressed on this phone counts more than what its player wants at every table.
  get on() { return this.page.memory.get("talk") ? this.page.memory.get("talk") === "yes" : this.always; }

  // --- What is said: one sentence after the other, in the log for screen readers and by the own voice.

  announce(text) {
    if (!text) return;
    this.page.log.append(made("p", { textContent: text }));
    while (this.page.log.children.length > LINES) this.page.log.firstChild.remove();
    this.said = text;
    if (this.aloud) { this.queue.push(text); this.speakNext(); }
  }

  speakNext() {
    if (this.speaking || !this.queue.length) return;
    const words = new SpeechSynthesisUtterance(this.queue.shift());
    words.lang = document.documentElement.lang;
    words.onend = words.onerror = () => { if (this.speaking === words) { this.speaking = null; this.speakNext(); } };
    this.speaking = words;
    speechSynthesis.speak(words);
  }

  // What a finger or a key has reached comes before what waits; that is said afterwards.
  speakNow(text) {
    const words = text?.trim();
    if (!words) return;
    this.queue.unshift(words);
    this.skip();
  }

  skip() {
    if (!this.speaking) { this.speakNext(); return; }
    this.speaking = null;
    speechSynthesis.cancel();
    this.speakNext();
  }

  news(lines) {
    for (const line of lines) {
      this.announce(line.text);
      this.newest = line.number;
    }
  }

  seen(view, headline) {
    if (this.always !== Boolean(view.in_words)) { this.always = Boolean(view.in_words); this.draw(); }
    const box = view.box ? `${view.box.title}. ${view.box.text.map((line) => line.map((run) => run[0]).join("")).join(" ")}` : "";
    if (box && box !== this.box) this.announce(box);
    else if (headline !== this.headline) this.announce(headline);
    this.box = box;
    this.headline = headline;
    if (view.language !== this.language) { this.language = view.language; this.described = null; this.draw(); }
    if (view.lines?.length) this.newest = Math.max(this.newest, view.lines.at(-1).number);
    if (this.on && this.described !== view.entry) { this.described = view.entry; this.page.send({ is: "describe" }); }
  }

  // --- The table in words.

  heard(words) {
    this.words = words;
    const list = this.page.section.querySelector("ul"), grids = this.page.section.querySelector(".grids");
    if (list) list.replaceChildren(...words.table.map((text) => made("li", { textContent: text })));
    if (grids) grids.replaceChildren(...words.grids.map((each) => this.grid(each)));
    const { wanted } = this;
    this.wanted = "";
    if (wanted) for (const text of words[wanted].length ? words[wanted] : [this.page.words("nothing to say")]) this.announce(text);
  }

  grid({ title, rows }) {
    const table = made("table", { role: "grid" });
    table.append(made("caption", { textContent: title }));
    for (const row of rows) {
      const line = table.insertRow();
      for (const text of row) {
        Object.assign(line.insertCell(), { role: "gridcell", tabIndex: -1, textContent: text });
      }
    }
    const first = table.querySelector("td");
    if (first) first.tabIndex = 0;
    table.addEventListener("keydown", (event) => {
      const cell = event.target.closest("td");
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
      const next = cell && (x || y) && table.rows[cell.parentElement.rowIndex + y]?.cells[cell.cellIndex + x];
      if (!next) return;
      event.preventDefault();
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    return table;
  }

  // --- Commands: by button, key or swipe.

  do(what) {
    if (what === "table" || what === "hand") { this.wanted = what; this.page.send({ is: "describe" }); }
    else if (what === "can") for (const text of this.page.choices()) this.announce(text);
    else if (what === "why") this.page.send({ is: "why", line: this.newest });
    else if (what === "again") this.announce(this.said);
    else if (what === "skip") this.skip();
  }

  key(event) {
    if (!this.on || event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("input, textarea")) return;
    if (event.key === "Escape" && this.aloud) this.skip();
    else if (KEYS[event.key]) { event.preventDefault(); this.do(KEYS[event.key]); }
  }

  swipes() {
    let from = null;
    this.page.section.addEventListener("pointerdown", (event) => { from = event.target.closest(".pad") ? event : null; });
    document.addEventListener("pointerup", (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from.clientX, event.clientY - from.clientY];
      from = null;
      const far = Math.max(Math.abs(x), Math.abs(y)) > SWIPE_PX;
      this.do(SWIPES[!far ? "tap" : Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up"]);
    });
  }

  draw() {
    const { section, words } = this.page;
    const row = made("div");
    row.append(press(words("in words"), () => this.turn(), this.on));
    const others = [made("h2", { id: "talking-title", textContent: words("listen") })];
    if (this.on) {
      const named = Object.values(KEYS).filter((each) => each !== "skip" || this.aloud);
      row.append(...named.map((name) => press(words(`say ${name}`), () => this.do(name))));
      row.append(press(words("voice"), () => this.turnVoice(), this.aloud));
      others.push(made("div", { className: "pad", textContent: words("swipe") }), made("ul"), made("div", { className: "grids" }));
    }
    refill(section, row, others);
    for (const picture of this.page.pictures) picture.inert = this.on;
    if (this.words) this.heard(this.words);
  }

  turn() {
    this.page.memory.set("talk", this.on ? "no" : "yes");
    if (!this.on) this.silence();
    this.draw();
    if (this.on) this.page.send({ is: "describe" });
  }

  // It speaks secrets: off until the player has said that only they can hear it, and off again with every new page.
  turnVoice() {
    if (this.aloud) { this.silence(); this.draw(); return; }
    if (!("speechSynthesis" in window)) { this.announce(this.page.words("no voice")); return; }
    this.page.ask(this.page.words("headphones"), () => { this.aloud = true; this.draw(); this.announce(this.page.words("voice on")); });
  }

  // Another player may hold this phone now.
  forget() {
    this.silence();
    this.words = null;
    this.said = "";
    this.page.log.replaceChildren();
    this.draw();
  }

  silence() {
    this.aloud = false;
    this.queue = [];
    this.speaking = null;
    window.speechSynthesis?.cancel();
  }
}
