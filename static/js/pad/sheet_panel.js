// The running sheet beside the pad or in a panel: rows from the site, and rows of hands that were not sent yet.

import { mark } from "./view_parts.js";
import { draw, html } from "../lib/html.js";
import { reopen } from "../pages/sheet.js";

const aside = document.getElementById("beside");
const panel = document.getElementById("whole-sheet");
let old = false; // whether others have written since it was drawn
let missed = false; // whether a bid came without its row
let drawn = ""; // which hands stand on it that were not sent

const table = () => document.querySelector("#beside table, #whole-sheet table");

// The row a post was about, as the site has drawn it ("": none), and what now stands above the sheet.
export function place(row, base, moment) {
  const template = document.createElement("template");
  template.innerHTML = `<table>${row}</table>`;
  const part = template.content.querySelector("tbody");
  missed = !part;
  if (!part || !table()) return;
  clear();
  const caption = template.content.querySelector("caption");
  if (caption) table().caption?.replaceWith(caption);
  const there = document.getElementById(part.id);
  if (there) there.replaceWith(part);
  else table().append(part);
  const last = base.hands[0]?.number || base.planned;
  for (const body of [...table().tBodies]) if (Number(body.id.replace("hand-", "")) > last) body.remove();
  unsent(moment);
  reopen(table().parentElement);
}

// Others have written: the whole table anew, when somebody looks at it.
export async function refresh(url, moment) {
  old = true;
  if (getComputedStyle(aside).display === "none" && !panel.open) return;
  const answer = await fetch(url).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page && page.querySelector("#beside .sheet-frame");
  if (!fresh) return;
  old = missed = false;
  drawn = "";
  table().parentElement.replaceWith(document.importNode(fresh, true));
  unsent(moment);
  reopen(table().parentElement);
}

// The table is in the page once: it moves into the panel, and back to where a wide window has it beside the pad.
export function open(url, moment) {
  const place = document.createElement("div");
  place.append(...aside.childNodes);
  panel.querySelector("header").after(place);
  panel.showModal();
  const back = () => {
    aside.replaceChildren(...place.childNodes);
    place.remove();
  };
  panel.addEventListener("close", back, { once: true });
  if (old || missed) refresh(url, moment);
}

// Hands that were scored on this phone and that the site has not heard of, under those it has.
export function unsent(moment) {
  const hands = moment.back.filter(({ prefix, entries, last }) => !prefix && !Number.isInteger(entries[last]?.[0]));
  const now = JSON.stringify(hands.map(({ number, points }) => [number, points]));
  if (now === drawn || !table()) return;
  clear();
  drawn = now;
  if (!hands.length) return;
  const totals = { ...moment.totals };
  for (const { points } of hands) for (const seat in points ?? {}) totals[seat] -= points[seat];
  for (const hand of hands) {
    const part = document.createElement("tbody");
    part.className = "unsent";
    const there = document.getElementById(`hand-${hand.number}`);
    if (there) there.hidden = true;
    for (const seat in hand.points ?? {}) totals[seat] += hand.points[seat];
    draw(part, hand.points ? row(moment, hand === hands[0], hand, totals) : waiting(hand));
    table().append(part);
  }
}

function clear() {
  drawn = "";
  for (const part of table()?.querySelectorAll("tbody.unsent") ?? []) part.remove();
  for (const part of table()?.querySelectorAll("tbody[hidden]") ?? []) part.hidden = false;
}

// What it is worth is for the site to say.
function waiting({ number }) {
  const columns = table().querySelectorAll("thead th").length;
  return html`<tr class="happened"><td colspan="${columns}">Hand ${number}: its points come when there is a connection.</td></tr>`;
}

function row(moment, first, { number, cards, steps, points }, totals) {
  const names = [...table().querySelectorAll("thead th bdi")].map((name) => name.textContent);
  const seats = names.map((name) => moment.seats.find((seat) => moment.names[seat] === name && seat in points));
  const then = { seats: seats.filter((seat) => seat !== undefined), totals, marked: true, lowest_wins: moment.lowest_wins };
  const cell = (seat) => {
    if (seat === undefined) return html`<td class="gone"><span class="visually-hidden">not at the table</span></td>`;
    const { bid } = steps[`bid-${seat}`];
    const took = steps.tricks[`tricks-${seat}`];
    return html`<td><div class="cell${bid !== took && " set"}"><span class="bt num"><span><span class="visually-hidden">bid </span>${bid}</span><span><span class="visually-hidden">took </span>${took}</span></span>${mark(then, seat, { drawn: new Set() })}</div></td>`;
  };
  return html`${first && html`<tr class="happened"><td colspan="${names.length + 1}">Not sent yet:</td></tr>`}<tr class="hand"><th scope="row"><span class="head"><b class="num">${number}</b><span class="dot">·</span><span>${cards}<span class="cards-word"> card${cards !== 1 && "s"}</span></span></span></th>${seats.map(cell)}</tr>`;
}
