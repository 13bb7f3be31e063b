// Pieces that this phone touches: by Web NFC on Android, by the link on a sticker on an iPhone. The referee decides what
// they mean.

import { made, press, refill } from "/drawing.js";
import { scan } from "/nfc.js";

const OTHER_TAB_MS = 500; // the other one may have to load this script first
const OPAQUE = "companion:2;";

export class Reading {
  // page: { words, send(message), line(), tell(text, aloud), announce(text), newId(), ready(), memory, tab, section, channel }
  constructor(page) {
    this.page = page;
    this.stop = null;
    this.waiting = new Map(); // id → what was sent, over which line, at which entry, and what to do with the answer
    this.held = null; // whether the table says that a phone of this player is the centre; null before it has said so
    this.linked = "";
    this.channel = page.channel;
    this.draw();
  }

  draw() {
    const { section, words, memory } = this.page;
    const row = made("div");
    row.append(
      press(words(this.stop ? "stop reading" : "read pieces"), () => (this.stop ? this.end() : this.begin())),
      press(words("be centre"), () => this.takeCentre(!this.centre), this.centre),
      press(words("only tell"), () => this.onlyTell(), this.asks),
    );
    const title = made("h2", { id: "reading-title", textContent: words("pieces") });
    refill(section, row, [title, made("p", { id: "read", textContent: this.last ?? "" })]);
  }

  onlyTell() {
    this.page.memory.set("only tell", this.asks ? "" : "yes");
    this.draw();
  }

  // Whether a touched piece is only named, and not played.
  get asks() { return this.page.memory.get("only tell") === "yes"; }

  // A player may have several phones: which of them is the centre is known to that phone alone.
  get centre() { return Boolean(this.held) && this.page.tab.get("centre") === "yes"; }

  beCentre(on) {
    this.page.tab.set("centre", on ? "yes" : "");
    this.draw();
  }

  seen({ centre = false, entry }) {
    this.entry = entry;
    this.afterAbsence();
    const lost = !centre && this.held !== false; // another phone took it over, or the table was started again
    const changed = this.held !== centre;
    this.held = centre;
    if (lost) this.beCentre(false); else if (changed) this.draw();
    if (this.late && this.linked) { this.late = false; this.playLinked(); }
  }

  show(text, aloud = true) {
    this.last = text;
    this.draw();
    this.page.tell(text, aloud);
  }

  // Whether this phone can read: by itself, or as an iPhone by the links of stickers.
  async begin() {
    const stop = new AbortController();
    try {
      await scan(stop.signal, (tag) => this.touched(tag), () => this.show(this.page.words("unreadable")));
      this.stop = stop;
      this.show(this.page.words("reading"));
      return true;
    } catch (wrong) {
      this.show(this.page.words(wrong));
      return wrong === "iphone";
    }
  }

  end() {
    if (this.centre) this.takeCentre(false);
    this.stop?.abort();
    this.stop = null;
    this.show(this.page.words("not reading"));
  }

  forget() {
    this.stop?.abort();
    this.stop = null;
    this.last = "";
    this.held = null;
    this.waiting.clear();
    this.beCentre(false);
  }

  send(message, answered) {
    const id = this.page.newId(), sent = { ...message, id };
    if (!this.page.send(sent)) { this.show(this.page.words("touch again")); return; }
    this.waiting.set(id, { sent, answered, line: this.page.line(), entry: this.entry });
  }

  // What got no answer before the line broke: sent again only if nothing has happened at the table since.
  afterAbsence() {
    for (const [id, each] of this.waiting) {
      if (each.line === this.page.line()) continue;
      each.line = this.page.line();
      if (each.entry === this.entry) this.page.send(each.sent);
      else { this.waiting.delete(id); this.show(this.page.words("unsure")); }
    }
  }

  touched(tag, done = null) {
    const ask = this.asks;
    this.send({ is: "tap", ...tag, centre: this.centre && !ask, ask }, (answer) => {
      // The line that all players get says what came of it: only the piece is new here.
      this.show(answer.text, false);
      if (answer.piece || !answer.line) this.page.announce(answer.line ? answer.piece : answer.text);
      done?.(answer.text);
    });
  }

  async takeCentre(on) {
    if (on && !this.stop && !(await this.begin())) return;
    this.send({ is: "settle", what: "centre", number: on ? 1 : 0 }, () => this.beCentre(on));
  }

  // Whether this answer was to something that was touched.
  answered(answer) {
    const asked = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    asked?.answered(answer);
    return Boolean(asked);
  }

  // A sticker's link opens a page of its own. If another one of this table is open, that one plays the piece.
  open(token) {
    const nonce = this.page.newId();
    this.linked = token;
    this.nonce = nonce;
    this.channel?.postMessage({ token, nonce });
    setTimeout(() => { if (this.linked) this.playLinked(); }, this.channel ? OTHER_TAB_MS : 0);
  }

  playLinked() {
    if (!this.page.ready()) { this.late = true; return; }
    const token = this.linked;
    this.linked = "";
    this.touched({ uid: "", text: OPAQUE + token });
  }

  heardOtherTab({ token, nonce, taken, text }) {
    if (token && this.page.ready()) {
      this.channel.postMessage({ nonce, taken: true });
      this.touched({ uid: "", text: OPAQUE + token }, (said) => this.channel.postMessage({ nonce, text: said }));
    } else if (taken && nonce === this.nonce && this.linked) {
      this.linked = "";
      window.close(); // where a browser allows it, the page that was open is in front again
    } else if (text && nonce === this.nonce) this.show(text);
  }
}
