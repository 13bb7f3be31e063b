// A table as one SVG, from the panels of a face: a wall and a hall draw it as large as it fits.

import { inked, plainText } from "/drawing.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 10, HIGH = 20; // the units of one letter

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

export function tableOf(panels, label = panels.map(plainText).join(". ")) {
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
