// Panels of the pad for what is not its own question. Loaded after the pad, because a first tap needs none of it.

import { bidSum } from "./bidding_state.js";
import { aloud, read, suits } from "./bidding_view.js";
import { hand } from "./replay.js";
import { html } from "../lib/html.js";
import { fields, name } from "./view_parts.js";

const close = html`<form method="dialog"><button type="submit" class="plain">Close</button></form>`;

export function wrongBid(moment, page, number) {
  const seat = Number(number);
  const ask = `bid-${seat}`;
  const bid = moment.steps[ask].bid;
  const { avoid, order } = hand(moment);
  // The last bidder's own number cannot become the one that The Rule forbids.
  const no = avoid !== null && seat === order.at(-1) ? avoid - bidSum(moment) + bid : null;
  const state = (value) =>
    value === bid
      ? html` class="was" aria-current="true"`
      : value === no && html` class="no" aria-disabled="true" aria-describedby="wrong"`;
  const key = (_, value) =>
    html`<button type="submit" name="f-bid" value="${value}" aria-label="${moment.names[seat]} bid ${value}"${state(value)}>${value}</button>`;
  const why = no !== null && no >= 0 && ` The Rule: it cannot have been ${no}.`;
  return html`<header><h2 id="panel-h">${name(moment, seat)} bid …</h2>${close}</header><p id="wrong">It says ${bid}. What was it?${why}</p><form class="keys" data-keys="${hand(moment).cards + 1}" method="post" action="${page.urls.retype}">${fields(hand(moment).number, moment.prefix + ask)}${Array.from({ length: hand(moment).cards + 1 }, key)}</form><p class="buttons"><a class="button" href="${page.urls.change}&seat=${seat}">More of this hand was wrong</a></p>`;
}

export function aloudPanel(moment, page, ui) {
  return html`<header><h2 id="panel-h">Read out</h2>${close}</header><p class="large">${aloud(moment)}</p><p>${read(moment, page, ui)}</p>`;
}

export function trumpPanel(moment, page) {
  return html`<header><h2 id="panel-h">Trump</h2>${close}</header>${suits(moment, page, moment.steps.trump?.suit ?? "")}`;
}
