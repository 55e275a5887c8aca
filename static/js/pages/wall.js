// The wall: lays out as many tables as can be read from the back of the room, and turns from view to view by itself.
//
// The page brings all views, one under the other: <section class="wall-view" data-view data-seconds data-most …> with its
// items in .wall-items. Each view shows its items in as few pages as they fit into, in the largest letters they fit in:
// nothing is ever cut off. A view may be swapped for a newer one at any time. On a small screen, and without this script,
// it is one long page.

import { minutesLeft, siteNow } from "../lib/site_time.js";

const TICK = 250;
const AWAY = 20000; // so long nothing is said about a server that does not answer
const SCALES = [1, 1.08, 1.17, 1.27, 1.38, 1.5, 1.63, 1.77, 1.92, 2.1, 2.3, 2.5]; // of the least size of letters
const SIDE_BY_SIDE = 0.9; // a list of people reads better down one column: another one has to bring larger letters
const SMALLER = [0.9, 0.8, 0.7, 0.6, 0.5]; // for what does not fit alone: small letters are better than lost ones

const root = document.documentElement;
const old = document.getElementById("old");
const hold = document.getElementById("hold");
const roomy = matchMedia("(min-width: 60em) and (min-height: 30em)");
const layouts = new Map(); // how each view was laid out last, by its name and what must be the same for it to fit again
let names = []; // the views there were, in their order
let at = { view: "", page: 0, pages: 1 };
let turnsAt = 0;
let answeredAt = Date.now();

const views = () => [...document.querySelectorAll(".wall-view")];
const itemsOf = (view) => [...view.querySelector(".wall-items").children];

// How much fits

function lay(view, layout) {
  const list = view.querySelector(".wall-items");
  root.style.setProperty("--scale", layout.scale);
  list.dataset.people = layout.people;
  list.toggleAttribute("data-whole-words", layout.isWhole);
  const { rowGap, columnGap } = getComputedStyle(list);
  const each = (room, many, gap) => `${Math.floor((room - Number.parseFloat(gap) * (many - 1)) / many)}px`;
  list.style.setProperty("--columns", layout.columns);
  list.style.setProperty("--rows", layout.rows);
  list.style.setProperty("--column", each(list.clientWidth, layout.columns, columnGap));
  list.style.setProperty("--row", each(list.clientHeight, layout.rows, rowGap));
}

const isInside = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;

// Whether every item has its place, whichever page it comes on: for that all of them stand there at once.
function fits(view, layout) {
  lay(view, layout);
  const parts = [...itemsOf(view), ...view.querySelectorAll(".who")];
  const isLaid = parts.every((part) => part.clientHeight > 0 && isInside(part));
  if (!isLaid || !layout.isWhole) return isLaid;
  // A word that is broken can be read, but not from the back of the room.
  return [...view.querySelectorAll(".name, h3, .holder")].every((name) => name.scrollWidth <= name.clientWidth + 1);
}

const number = (view, name, otherwise = 1) => Number(view.dataset[name] ?? otherwise);

// The layout with the largest letters for so many items a page; undefined where they do not fit.
function largest(view, many, isWhole) {
  let best;
  let worth = 0;
  for (let columns = 1; columns <= Math.min(number(view, "columns"), many); columns += 1) {
    const rows = Math.max(Math.ceil(many / columns), number(view, "rows"));
    for (let people = 1; people <= number(view, "people"); people += 1) {
      for (const scale of SCALES) {
        const worthOfThis = scale * SIDE_BY_SIDE ** (people - 1);
        if (worthOfThis <= worth) continue;
        const layout = { columns, rows, people, many, isWhole, scale };
        if (!fits(view, layout)) break;
        [best, worth] = [layout, worthOfThis];
      }
    }
  }
  return best;
}

function search(view) {
  const count = itemsOf(view).length;
  for (const isWhole of [true, false]) {
    for (let pages = Math.ceil(count / number(view, "most")); pages <= count; pages += 1) {
      const best = largest(view, Math.ceil(count / pages), isWhole);
      if (best) return best;
    }
  }
  const people = Array.from({ length: number(view, "people") }, (_, i) => i + 1);
  const alone = SMALLER.flatMap((scale) =>
    people.map((many) => ({ columns: 1, rows: 1, people: many, many: 1, isWhole: false, scale })),
  );
  return alone.find((layout) => fits(view, layout)) ?? alone.at(-1);
}

// The layout it had, as long as everything has its place in it: letters that grow and shrink would be worse.
function layoutOf(view) {
  const stage = document.querySelector(".wall-stage");
  const counts = [itemsOf(view).length, view.querySelectorAll("li").length, stage.clientWidth, stage.clientHeight];
  const key = [view.dataset.view, ...counts].join(" ");
  const before = layouts.get(key);
  const layout = before && fits(view, before) ? before : search(view);
  layouts.set(key, layout);
  return layout;
}

// In turn

function show(view, page, isTurned) {
  for (const other of views()) other.classList.toggle("is-shown", other === view);
  view.classList.toggle("is-turned", isTurned);
  // The head has its height before the rest is laid out.
  const title = document.querySelector(".wall-title");
  const words = view.querySelector(":scope > h2").textContent.trim().replace(/\s+/g, " ");
  title.textContent = words;
  const items = itemsOf(view);
  for (const item of items) item.hidden = false;
  const layout = layoutOf(view);
  lay(view, layout);
  const pages = Math.max(1, Math.ceil(items.length / layout.many));
  const shown = Math.min(page, pages - 1);
  items.forEach((item, i) => {
    item.hidden = Math.floor(i / layout.many) !== shown;
  });
  at = { view: view.dataset.view, page: shown, pages };
  if (pages > 1) title.textContent = `${words}, ${shown + 1} of ${pages}`;
}

function wait(view) {
  turnsAt = Date.now() + 1000 * number(view, "seconds", 15);
}

function turn() {
  const all = views();
  const here = all.findIndex((view) => view.dataset.view === at.view);
  const [view, page] = at.page + 1 < at.pages ? [all[here], at.page + 1] : [all[(here + 1) % all.length], 0];
  show(view, page, true);
  wait(view);
}

// The view that was shown, as it is now; where it is gone, the one that would have come next.
function draw() {
  const all = views();
  root.toggleAttribute("data-turns", roomy.matches && all.length > 0);
  if (!root.hasAttribute("data-turns")) {
    root.style.removeProperty("--scale");
    for (const view of all) for (const item of itemsOf(view)) item.hidden = false;
    return;
  }
  const here = names.indexOf(at.view);
  const order = [...names.slice(Math.max(here, 0)), ...names.slice(0, Math.max(here, 0))];
  const named = (name) => all.find((view) => view.dataset.view === name);
  const view = named(order.find(named)) ?? all[0];
  const isSame = view.dataset.view === at.view;
  names = all.map((other) => other.dataset.view);
  show(view, isSame ? at.page : 0, false);
  if (!isSame) wait(view);
}

// What runs down, and whether the figures are old

function countDown() {
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const seconds = Math.max(0, Math.ceil((Date.parse(clock.dataset.ends) - siteNow()) / 1000));
    const words = seconds ? `${minutesLeft(seconds)} left` : "Time is up";
    const part = clock.querySelector("b");
    if (part.textContent !== words) part.textContent = words;
  }
}

function tell(isOld) {
  if (old.hidden === !isOld) return;
  const time = document.getElementById("now").textContent;
  old.textContent = isOld ? `No connection since ${time}. These figures are from then.` : "";
  old.hidden = !isOld;
  root.toggleAttribute("data-old", isOld);
  draw();
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden) event.preventDefault();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const status = detail.xhr?.status ?? 0;
  if (status >= 200 && status < 300) {
    answeredAt = Date.now();
    tell(false);
  } else if ([403, 404, 429].includes(status)) {
    // It is shown to this screen no more: the page itself says why.
    location.reload();
  } else if (Date.now() - answeredAt >= AWAY) tell(true);
});
document.addEventListener("htmx:afterSwap", draw);
document.addEventListener("visibilitychange", () => {
  // A screen that was out of sight has missed nothing: its answers begin now.
  if (!document.hidden) answeredAt = Math.max(answeredAt, Date.now() - AWAY / 2);
});
addEventListener("resize", draw);

hold.hidden = false;
hold.addEventListener("click", () => {
  const isHeld = hold.getAttribute("aria-pressed") !== "true";
  hold.setAttribute("aria-pressed", `${isHeld}`);
  const view = views().find((other) => other.dataset.view === at.view);
  if (!isHeld && view) wait(view);
});

draw();
setInterval(() => {
  countDown();
  const isHeld = hold.getAttribute("aria-pressed") === "true";
  if (root.hasAttribute("data-turns") && !isHeld && Date.now() >= turnsAt) turn();
}, TICK);
