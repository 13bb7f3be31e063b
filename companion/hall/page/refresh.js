// Keeps a page of the hall up to date, and leaves alone what a person is typing. Without it, the page is as it was loaded.

const NOTE_MS = 20000; // how long an answer to a form can be read
const main = document.querySelector("main"), lost = document.getElementById("lost");
const { path, seconds } = main.dataset;
const loaded = performance.now();

const first = (select) => Math.max(0, [...select.options].findIndex((option) => option.defaultSelected));
const isChanged = (field) => {
  if (field.options) return field.selectedIndex !== first(field);
  return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
};
const fieldsIn = (part) => [...part.querySelectorAll("input, select")];
const isUsed = (part) =>
  part.querySelector("details[open]") || fieldsIn(part).some((field) => field === document.activeElement || isChanged(field));
const focusable = (part) => [...part.querySelectorAll("a, button, summary")];

function replace(old, fresh) {
  const place = focusable(old).indexOf(document.activeElement);
  old.replaceWith(fresh);
  focusable(fresh)[place]?.focus();
}

// A part that somebody uses stays as it is; all others are new.
function show(fresh) {
  const before = [...main.children], after = [...fresh.children];
  if (before.length === after.length) {
    before.forEach((old, number) => {
      if (!old.isEqualNode(after[number]) && !isUsed(old)) replace(old, after[number]);
    });
  } else if (!isUsed(main)) {
    main.replaceChildren(...after);
  }
}

async function look() {
  try {
    const answer = await fetch(path);
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
      const isRead = !main.querySelector(".note") || performance.now() - loaded > NOTE_MS;
      if (fresh && isRead) show(fresh);
    }
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
  setTimeout(look, 1000 * Number(seconds));
}

setTimeout(look, 1000 * Number(seconds));
