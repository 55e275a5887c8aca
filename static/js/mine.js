// The scorekeeper's own row: he says once, under More, which it is, and this phone finds him again by his name.

import { html } from "./html.js";

const PLACE = "my-name";
let said = ""; // where the browser keeps nothing

const name = () => {
  try {
    return localStorage.getItem(PLACE) ?? said;
  } catch {
    return said;
  }
};

// The seat of whoever keeps score here, or null.
export const mine = ({ seats, names }) => seats.find((seat) => names[seat] === name()) ?? null;

export function isMine(called) {
  said = called;
  try {
    localStorage.setItem(PLACE, called);
  } catch {
    // It lasts as long as the page.
  }
}

export function whichRow(moment) {
  const own = mine(moment);
  const row = (seat) =>
    html`<li><button type="button" data-row="${moment.names[seat]}" aria-pressed="${seat === own}"><bdi>${moment.names[seat]}</bdi></button></li>`;
  return html`<header><h2 id="panel-h">Which row is yours?</h2><form method="dialog"><button type="submit" class="plain">Close</button></form></header><ul class="choices two-up">${moment.seats.map(row)}<li><button type="button" data-row="" aria-pressed="${own === null}">None of them</button></li></ul>`;
}
