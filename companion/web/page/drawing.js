// Runs of styled letters become elements. Letters go in as text, colours through the style object: never as markup.

const GLYPH = /[\u2010-\u2bff]/;
const AREA = /^[\s▁-█▀▐▌─-╿]*$/;
const PLAIN_CONTRAST = 4.5, MORE_CONTRAST = 7;

function channels(hex) { return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)); }
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// What the theme says is asked for once: a browser takes its time to answer.
const known = new Map();
let least = 0;
export function newTheme() { known.clear(); least = 0; }

// A colour as the theme has it now.
function resolved(colour) {
  if (!known.has(colour)) {
    const value = colour.startsWith("$") ? getComputedStyle(document.documentElement).getPropertyValue(`--${colour.slice(1)}`).trim() : colour;
    known.set(colour, /^#[0-9a-f]{6}/i.test(value) ? value.slice(0, 7) : "");
  }
  return known.get(colour);
}

function leastContrast() {
  const more = () => document.documentElement.dataset.theme === "contrast" || matchMedia("(prefers-contrast: more)").matches;
  least ||= more() ? MORE_CONTRAST : PLAIN_CONTRAST;
  return least;
}

const inks = new Map();
function readableInk(ink, paper) {
  const key = `${ink}${paper}${leastContrast()}`;
  if (!inks.has(key)) inks.set(key, readable(ink, paper, leastContrast()));
  return inks.get(key);
}

// The same ink, mixed with black or white until it can be read.
export function readable(ink, paper, least) {
  const below = channels(paper), drawn = channels(ink);
  if (contrast(drawn, below) >= least) return ink;
  const target = contrast([0, 0, 0], below) > contrast([255, 255, 255], below) ? 0 : 255;
  for (let step = 1; step <= 20; step += 1) {
    const mixed = drawn.map((value) => Math.round(value + ((target - value) * step) / 20));
    if (contrast(mixed, below) >= least) return `rgb(${mixed.join(" ")})`;
  }
  return target ? "#ffffff" : "#000000";
}

// A line may end between words: not within one, although a sign in it has a cell of its own.
function words(text, into) {
  for (const word of text.split(/( +)/)) {
    if (word.length < 2 || !GLYPH.test(word)) { letters(word, into); continue; }
    const whole = document.createElement("span");
    whole.className = "w";
    letters(word, whole);
    into.append(whole);
  }
}

function letters(text, into) {
  let plain = "";
  const flush = () => { if (plain) into.append(plain); plain = ""; };
  for (const letter of text) {
    if (GLYPH.test(letter)) {
      flush();
      const cell = document.createElement("span");
      cell.className = "g";
      cell.textContent = letter;
      into.append(cell);
    } else plain += letter;
  }
  flush();
}

// The colours of some letters as they are drawn: readable on their ground.
export function inked(text, ink, paper, ground = "$background") {
  const below = resolved(paper || ground);
  const above = resolved(ink || "$foreground");
  return { paper: paper ? below : "", ink: above && below && !AREA.test(text) ? readableInk(above, below) : above };
}

function coloured(element, text, ink, paper, ground) {
  const below = resolved(paper || ground || "$surface");
  if (paper && below) element.style.backgroundColor = below;
  const above = resolved(ink || (paper ? "$foreground" : ""));
  if (above && below) element.style.color = AREA.test(text) ? above : readableInk(above, below);
}

function runElement([text, flags = "", ink = "", paper = ""], ground) {
  const element = document.createElement("span");
  if (flags) element.className = [...flags].join(" ");
  if (ink || paper) coloured(element, text, ink, paper, ground);
  words(text, element);
  return element;
}

export function lineOf(runs, ground = "") {
  const line = document.createElement("span");
  line.className = "line";
  line.append(...runs.map((run) => runElement(run, ground)));
  return line;
}

// Lines of runs as one preformatted block.
export function picture(lines, ground = "") {
  const block = document.createElement("pre");
  block.append(...lines.map((line) => lineOf(line, ground)));
  return block;
}

export function plainText(lines) {
  return lines.map((line) => line.map((run) => run[0]).join("")).join(" ").replace(/[▀▄█─-╿]+/g, " ").replace(/\s+/g, " ").trim();
}

// What is said line by line, without the sign that begins an item of a list.
export function sentences(lines) { return lines.map((line) => plainText([line]).replace(/^[–·] /, "")).filter(Boolean); }

// A block that is a little wider than the page gets smaller letters; one that is much wider can be moved, by keys, too.
const SMALLEST = .75;
export function reachable(block, name) {
  block.style.fontSize = ""; // it may have been drawn smaller for what was there before
  const fits = block.clientWidth / block.scrollWidth;
  if (fits < 1 && fits >= SMALLEST) block.style.fontSize = `${Math.floor(fits * 100) / 100}rem`;
  if (block.scrollWidth > block.clientWidth) {
    block.tabIndex = 0;
    block.setAttribute("role", "group");
    block.setAttribute("aria-label", name);
  } else for (const each of ["tabindex", "role", "aria-label"]) block.removeAttribute(each);
}

// A figure of the game, in the colour of the letters beside it. The server has checked that the file holds shapes only.
const figures = new Map();
function fetched(path) {
  return fetch(path).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
}
function figure(path, ground) {
  const place = document.createElement("span");
  place.className = "figure";
  place.setAttribute("aria-hidden", "true");
  if (ground) place.style.setProperty("--ground", resolved(ground));
  if (!figures.has(path)) figures.set(path, fetched(path));
  figures.get(path).then((svg) => place.append(document.importNode(svg, true)), () => figures.delete(path));
  return place;
}

export function made(kind, properties) { return Object.assign(document.createElement(kind), properties); }

// A button of the page itself. With `on` it stays pressed or not.
export function press(label, done, on = null) {
  const element = made("button", { type: "button", textContent: label });
  if (on !== null) element.setAttribute("aria-pressed", String(on));
  element.addEventListener("click", done);
  return element;
}

// Drawn again, an element gets the focus back that it had. A player who listens knows where it is.
let returning = false;
export function focusAgain(element) {
  returning = true;
  element?.focus({ preventScroll: true });
  returning = false;
}
export function focusReturns() { return returning; }

// Drawn again, the focus stays on the button that had it.
export function refill(section, row, others) {
  const focused = [...section.querySelectorAll(".buttons > button")].indexOf(document.activeElement);
  row.className = "buttons";
  section.replaceChildren(...others.slice(0, 1), row, ...others.slice(1));
  focusAgain(row.children[focused]);
}

// What stands on a card besides its label: a picture or a large number above it, its words below it.
function card(element, known) {
  const name = plainText(known.label);
  element.classList.add("card");
  if (known.picture) {
    const block = picture(known.picture, known.paper);
    block.setAttribute("aria-hidden", "true");
    element.prepend(block);
  }
  if (known.large) {
    const number = Object.assign(document.createElement("span"), { className: "large", textContent: known.large });
    if (name === known.large) element.replaceChildren(number); else element.prepend(number);
  }
  const words = known.refused || known.words;
  if (words) element.append(Object.assign(document.createElement("span"), { className: "words", textContent: words }));
  element.setAttribute("aria-label", [known.said || name, words].filter(Boolean).join(": "));
}

export function button(known, pressed) {
  const element = document.createElement("button");
  element.type = "button";
  if (known.variant) element.classList.add(known.variant);
  const drawn = known.label.length > 1 || known.label.some((line) => line.some((run) => run[3]));
  if (drawn) {
    element.classList.add("drawn");
    const block = picture(known.label, known.paper);
    block.setAttribute("aria-hidden", "true");
    element.append(block);
    element.setAttribute("aria-label", known.said || plainText(known.label));
  } else {
    element.textContent = plainText(known.label);
    if (known.said) element.setAttribute("aria-label", known.said);
  }
  if (known.large || known.picture || known.words || known.refused) card(element, known);
  if (known.figure && !known.large) element.prepend(figure(known.figure, known.paper));
  if (known.paper) {
    element.style.backgroundColor = resolved(known.paper);
    element.style.color = resolved(known.ink || "$foreground");
  }
  if (known.refused) {
    element.setAttribute("aria-disabled", "true");
    element.classList.add("refused");
  }
  element.addEventListener("click", (event) => { if (event.detail < 2 && !known.refused) pressed(known); });
  return element;
}
