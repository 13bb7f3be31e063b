// A show: a great moment of the game, step by step. Bars grow, unless the reader wants less motion (page.css).

import { made, picture } from "/drawing.js";

const element = (name, className, textContent = "") => made(name, { className, textContent });

function drawLane(lane) {
  const row = element("div", lane.won ? "lane won" : "lane");
  const bar = element("div", "bar");
  for (const piece of lane.pieces) {
    const part = element("span", piece.lost ? "part lost" : "part", piece.text);
    part.style.width = `${piece.share * 100}%`;
    if (!piece.lost) { part.style.backgroundColor = piece.paper; part.style.color = piece.ink; } else part.style.borderColor = piece.paper;
    bar.append(part);
  }
  row.append(element("span", "name", `${lane.won ? "» " : ""}${lane.name}`), bar, element("span", "total", lane.total));
  return row;
}

// Where there is no room for the words of a part, its number is left; then nothing: the total is at the end of the lane.
function shorten(part) {
  const fits = () => part.scrollWidth <= part.clientWidth;
  if (!fits()) part.textContent = part.textContent.split(" ").at(-1);
  if (!fits()) part.textContent = "";
}

export class Show {
  // Draws into `into`; `changed` is called after each step, and with true when it is over.
  constructor(told, into, changed) {
    this.told = told; this.into = into; this.changed = changed; this.at = 0;
    this.draw();
  }

  get last() { return this.at + 1 >= this.told.steps.length; }
  get title() { return `${this.told.title} (${this.at + 1}/${this.told.steps.length})`; }

  go(by) {
    if (by > 0 && this.last) { this.end(); return; }
    this.at = Math.max(0, this.at + by);
    this.draw();
  }

  end() { this.into.replaceChildren(); this.changed(true); }

  draw() {
    const step = this.told.steps[this.at];
    const parts = [];
    if (step.big) parts.push(element("p", "big", step.big));
    if (step.picture?.length) parts.push(picture(step.picture));
    if (step.race?.length) {
      const race = element("div", "race");
      race.append(...step.race.map(drawLane));
      parts.push(race);
    }
    const words = picture(step.words);
    words.className = "said";
    parts.push(words);
    this.into.replaceChildren(...parts);
    this.changed(false);
    this.into.querySelectorAll(".part").forEach(shorten);
  }
}
