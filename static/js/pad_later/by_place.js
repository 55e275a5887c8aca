// The second face of the rows: everybody by place, with what the last hand brought. The template by_place.html draws the
// same. Places, needs and what is counted come from the site; where a hand was scored here, places go by the totals.

import { html } from "../lib/html.js";
import { glide, heights } from "../lib/glide.js";
import { badge, inParts, mark, name, signed } from "../pad/view_parts.js";

// Where the rows are wanted by place, for as long as the page is open.
const wanted = new Set();

/** What draws the rows, where they stand by place at this `turn`; else null. */
export const wantedAt = (turn) => (wanted.has(turn) ? { rowsByPlace, glideByPlace } : null);

/** Turn the rows over. */
export function turnOver(turn) {
  if (!wanted.delete(turn)) wanted.add(turn);
}

function placesOf(moment) {
  const { seats, totals, places } = moment;
  const sign = moment.lowest_wins ? -1 : 1;
  const byTotals = (seat) => 1 + seats.filter((other) => sign * totals[other] > sign * totals[seat]).length;
  return new Map(seats.map((seat) => [seat, places?.[seat] ?? byTotals(seat)]));
}

function row(moment, seat, place, due, ui) {
  const [made, change, legs] = [moment.made?.[seat], moment.change?.[seat], moment.legs?.[seat] ?? 0];
  return html`<li class="${seat === due && "now"}" data-place-of="${seat}"><span class="place">${place}.</span><span class="name">${badge(moment, seat)}${name(moment, seat)}</span><span class="made">${
    made && html`<span>made </span>${made[0]} of ${made[1]}`
  }${
    legs > 0 && html`<span class="legs" aria-hidden="true">${"●".repeat(legs)}</span><span class="visually-hidden">won ${legs}</span>`
  }</span><span class="change num">${
    change !== undefined && html`<span class="visually-hidden">last hand </span>${signed(change)}`
  }</span><span class="total">${mark(moment, seat, ui)}</span></li>`;
}

/** The rows by place, and below them what each needs near the end. */
function rowsByPlace(moment, due, ui) {
  const places = placesOf(moment);
  const seats = [...moment.seats].sort((a, b) => places.get(a) - places.get(b));
  const rows = seats.map((seat) => row(moment, seat, places.get(seat), due, ui));
  return html`${rows}${moment.needs.map((says) => html`<li class="need">${inParts(says)}</li>`)}`;
}

let before = new Map();

/** After a drawing: rows that have changed places since the last one glide. */
function glideByPlace(list) {
  if (!list?.checkVisibility()) return;
  glide(list, before);
  before = heights(list);
}
