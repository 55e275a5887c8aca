// The last hand over the pad in large type, unsent entries included. The page read_back.html shows the same.

import { offer } from "../lib/speech.js";
import { draw, html } from "../lib/html.js";
import { minus, signed, turned } from "../pad/view_parts.js";

const spoken = (number) => number.replace("−", "minus ").replace("+", "plus ");

// Where the last hand is corrected, once the site has heard of it; "" before.
function correction({ number, blind, entries, last }, page) {
  if (!Number.isInteger(entries[last]?.[0])) return "";
  return page.urls.change.replace("/open/", `/${blind ? `tie-${blind}` : number}/`);
}

function line(moment, last, seat, change) {
  const name = moment.names[seat];
  const bid = last.steps[`bid-${seat}`]?.bid;
  const took = last.steps.tricks?.[`tricks-${seat}`];
  const did = bid === undefined || took === undefined ? "" : `bid ${bid}, took ${took}${bid === took ? "" : ", set"}`;
  const [points, total] = [signed(last.points[seat]), minus(moment.totals[seat])];
  const sentence = `${name}${did && ` ${did}`}: ${spoken(points)}. ${spoken(total)} now.`;
  return html`<li data-say="${sentence}"><b><bdi>${name}</bdi></b>${
    change ? html`<a class="num" href="${change}&seat=${seat}" aria-label="${points}: change ${name}’s numbers">${points}</a>` : html`<span class="num">${points}</span>`
  }<span class="did">${did}</span><span class="now num">${total}</span></li>`;
}

const close = html`<form method="dialog"><button type="submit" class="plain">Close</button></form>`;

function lastHand(moment, page) {
  const last = moment.back.filter(({ points }) => points).at(-1);
  if (!last) return html`<header><h2 id="panel-h">Read it back</h2>${close}</header><p>No hand has been scored yet.</p>`;
  const title = !last.blind ? `Hand ${last.number}` : last.blind > 1 ? `Blind hand ${last.blind}` : "Blind hand";
  const change = correction(last, page);
  const trump = last.steps.trump ? turned(last.steps.trump).label : "";
  return html`<header><h2 id="panel-h" data-say="${title}${trump && `, ${trump}`}.">${title} <small>${trump}</small></h2>${close}</header><ul class="back-read">${moment.seats
    .filter((seat) => seat in last.points)
    .map((seat) => line(moment, last, seat, change))}</ul><button type="button" class="whole" data-aloud hidden>Read it aloud</button>`;
}

// What it looks like is loaded when it is asked for, as this script is: the pad itself stays light.
export function dressed() {
  const { css } = document.querySelector("[data-css]").dataset;
  if (document.querySelector(`link[href="${css}"]`)) return null;
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href: css });
  return new Promise((done) => {
    link.onload = link.onerror = done;
    document.head.append(link);
  });
}

// Show it in `panel`.
export async function readBack(moment, page, panel) {
  await dressed();
  draw(panel, lastHand(moment, page));
  offer(panel);
  panel.showModal();
}
