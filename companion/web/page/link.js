// The line to the table. It comes back by itself: after a lock screen, a tunnel, a reload.

// By this name the server knows a page that comes back from one that is new.
const PAGE = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const FIRST_MS = 200, LAST_MS = 3000, SILENCE_MS = 1200;

export class Link {
  // heard(message, fresh): fresh is true for the first message after a new connection.
  // changed(state): "up", "lost", "scan" (the phone is unknown), "foreign" (a wall with a player's code) or "busy"
  // (too many spectators). query: what else the server is told about this page.
  constructor(heard, changed, hello, query = "") {
    this.heard = heard; this.changed = changed; this.hello = hello; this.query = `page=${PAGE}${query}`;
    this.socket = null; this.delay = FIRST_MS; this.timer = 0; this.state = "";
    for (const [target, name] of [[document, "visibilitychange"], [window, "online"], [window, "pageshow"], [window, "focus"]]) {
      target.addEventListener(name, () => { if (!document.hidden) this.wake(); });
    }
    window.addEventListener("offline", () => this.drop());
  }

  get open() { return this.socket !== null && this.socket.readyState === WebSocket.OPEN; }

  start() {
    this.begun = true;
    clearTimeout(this.timer);
    if (this.socket !== null) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/table?${this.query}`);
    let fresh = true;
    this.socket = socket;
    socket.onopen = () => { this.say(this.hello()); };
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      clearTimeout(this.silence);
      this.delay = FIRST_MS;
      this.become("up");
      this.heard(JSON.parse(event.data), fresh);
      fresh = false;
    };
    socket.onclose = () => { if (this.socket === socket) { this.socket = null; this.retry(); } };
  }

  // A connection that looks open may be dead: after waking up, ask for the table again and do not wait long.
  wake() {
    if (!this.begun) return;
    this.delay = FIRST_MS;
    if (this.open) {
      this.say(this.hello());
      clearTimeout(this.silence);
      this.silence = setTimeout(() => { this.drop(); this.start(); }, SILENCE_MS);
    } else if (this.socket === null) this.start();
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.close();
    this.become("lost");
    if (navigator.onLine) this.retry();
  }

  async retry() {
    clearTimeout(this.timer);
    if (this.state !== "busy") this.become("lost");
    let seat = 0;
    try {
      seat = (await fetch(`/seat?${this.query}`, { cache: "no-store" })).status;
    } catch { /* no answer: the table or the Wi-Fi is gone */ }
    if (this.socket !== null) return;
    if (seat === 401) { this.become("scan"); return; }
    if (seat === 403) { this.become("foreign"); return; }
    this.become(seat === 429 ? "busy" : "lost");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), this.delay);
    this.delay = Math.min(this.delay * 2, LAST_MS);
  }

  become(state) { if (this.state !== state) { this.state = state; this.changed(state); } }

  say(message) {
    if (!this.open) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
