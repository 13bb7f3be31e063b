// The page for players who listen: every line once and in order, the table in words, and a voice for one ear.

import { focusAgain, focusReturns, made, press, refill, sentences } from "/drawing.js";

const LINES = 40;
const KEYS = { t: "table", h: "hand", c: "can", w: "why", a: "again", s: "skip" };
const SWIPES = { up: "table", down: "hand", right: "can", left: "why", tap: "again" };
const SWIPE_PX = 40;

// What the own voice says: lines of the game, which are never lost; answers to a question, which end when the next one is
// asked; and where the focus is, which ends when it moves on.
const NEWS = "news", ANSWER = "answer", PLACE = "place";

// A question to all players.
export function boxWords(box) { return [box.title, ...sentences(box.text)]; }

// The cell that the Tab key leads to.
function placeIn(table) {
  const cell = table.querySelector("[tabindex='0']");
  return cell ? [cell.cellIndex, cell.parentElement.rowIndex] : [0, 0];
}

// Drawn again only where it changed: whoever reads there stays there.
function refresh(list, items, make) {
  const key = JSON.stringify(items);
  if (list.dataset.shows === key) return;
  list.dataset.shows = key;
  list.replaceChildren(...items.map(make));
}

export class Talking {
  // page: { words, send(message), memory, ask(question, agreed), choices(), log(), logs, section, pictures }
  constructor(page) {
    this.page = page;
    this.queue = []; // what waits for the voice: [text, kind]
    this.saying = null;
    this.said = "";
    this.newest = 0;
    this.aloud = false;
    this.always = false;
    this.headline = this.box = null;
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("focusin", (event) => { if (this.aloud && !focusReturns()) this.speakNow(event.target.ariaLabel ?? event.target.textContent); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.speakAgain(); });
    this.swipes();
    this.draw();
  }

  // What was pressed on this phone counts more than what its player wants at every table.
  get on() { return this.page.memory.get("talk") ? this.page.memory.get("talk") === "yes" : this.always; }

  // --- What is said: one sentence after the other, in the log for screen readers and by the own voice.

  announce(text, kind = NEWS) {
    if (!text) return;
    const log = this.page.log();
    log.append(made("p", { textContent: text }));
    while (log.children.length > LINES) log.firstChild.remove();
    this.said = text;
    if (this.aloud) { this.queue.push([text, kind]); this.speakNext(); }
  }

  speakNext() {
    if (this.speaking || !this.queue.length) return;
    this.saying = this.queue.shift();
    const words = new SpeechSynthesisUtterance(this.saying[0]);
    words.lang = document.documentElement.lang;
    words.onend = words.onerror = () => { if (this.speaking === words) { this.speaking = null; this.speakNext(); } };
    this.speaking = words;
    speechSynthesis.speak(words);
  }

  // What a finger or a key has reached comes before what waits; that, and what it cuts short, is said afterwards.
  speakNow(text) {
    const words = text?.trim();
    if (!words) return;
    if (this.speaking && this.saying[1] !== PLACE) this.queue.unshift(this.saying);
    this.queue.unshift([words, PLACE]);
    this.skip();
  }

  // A locked phone cuts its voice off and does not say so.
  speakAgain() {
    if (!this.speaking || speechSynthesis.speaking) return;
    this.queue.unshift(this.saying);
    this.skip();
  }

  // The player asks something else.
  dropAnswers() {
    this.queue = this.queue.filter(([, kind]) => kind !== ANSWER);
    if (this.speaking && this.saying[1] === ANSWER) this.skip();
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
    const box = view.box ? boxWords(view.box) : [], asked = box.join("\n");
    // The points, then the winner; of a game that was over before this page came, the winner alone.
    if (view.totals && !this.over && this.headline !== null) for (const text of view.totals) this.announce(text);
    this.over = Boolean(view.totals);
    if (asked && asked !== this.box) for (const text of box) this.announce(text);
    else if (headline !== this.headline) this.announce(headline);
    this.box = asked;
    this.headline = headline;
    if (view.language !== this.language) { this.language = view.language; this.described = null; this.draw(); }
    const last = view.lines?.at(-1)?.number ?? 0; // below 0: a reason for points
    if (!this.newest || last > 0) this.newest = last; // a referee that was started again counts fewer lines
    if (this.on && this.described !== view.entry) { this.described = view.entry; this.page.send({ is: "describe" }); }
  }

  // --- The table in words.

  heard(words) {
    this.words = words;
    const list = this.page.section.querySelector("ul"), grids = this.page.section.querySelector(".grids");
    if (list) refresh(list, words.table, (text) => made("li", { textContent: text }));
    if (grids) {
      const reached = new Map([...grids.querySelectorAll("table")].map((each) => [each.caption.textContent, placeIn(each)]));
      const inside = grids.contains(document.activeElement) ? document.activeElement.closest("table").caption.textContent : null;
      refresh(grids, words.grids, (each) => this.grid(each, reached.get(each.title) ?? [0, 0]));
      if (inside && !grids.contains(document.activeElement)) focusAgain([...grids.children].find((each) => each.caption.textContent === inside)?.querySelector("[tabindex='0']"));
    }
    const { wanted } = this;
    this.wanted = "";
    if (wanted) this.answer(words[wanted].length ? words[wanted] : [this.page.words("nothing to say")]);
  }

  answer(texts) { for (const text of texts) this.announce(text, ANSWER); }

  // `place`: the cell that the Tab key leads to.
  grid({ title, rows }, [x, y]) {
    const table = made("table", { role: "grid" });
    table.append(made("caption", { textContent: title }));
    for (const row of rows) {
      const line = table.insertRow();
      for (const text of row) {
        Object.assign(line.insertCell(), { role: "gridcell", tabIndex: -1, textContent: text });
      }
    }
    const reached = table.rows[Math.min(y, rows.length - 1)]?.cells[x] ?? table.querySelector("td");
    if (reached) reached.tabIndex = 0;
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
    if (what === "skip") { this.skip(); return; }
    this.dropAnswers();
    if (what === "table" || what === "hand") { this.wanted = what; this.page.send({ is: "describe" }); }
    else if (what === "can") this.answer(this.page.choices());
    else if (what === "why") this.asksWhy = this.page.send({ is: "why", line: this.newest });
    else if (what === "again") this.answer([this.said]);
  }

  // Whether this reason was asked for here, and not by a tap on a line.
  takesWhy() {
    const asked = Boolean(this.asksWhy);
    this.asksWhy = false;
    return asked;
  }

  key(event) {
    if (!this.on || event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("input, textarea")) return;
    const command = KEYS[event.key.toLowerCase()];
    if (event.key === "Escape" && this.aloud) this.skip();
    else if (command) { event.preventDefault(); if (!event.repeat) this.do(command); }
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
    for (const log of this.page.logs) log.replaceChildren();
    this.draw();
  }

  silence() {
    this.aloud = false;
    this.queue = [];
    this.speaking = null;
    window.speechSynthesis?.cancel();
  }
}
