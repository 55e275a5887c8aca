// The pad of bids and tricks. What all pads share is in session.js.

import * as drawing from "./bidding_view.js";
import { hand } from "./replay.js";
import { draw } from "../lib/html.js";
import { ask, at, keep, page, phone, show, ui } from "./session.js";
import { Tally, bidder, bids, fold, takenBack } from "./bidding_state.js";

const counted = `counted-${page.code}`;
let shone;
let standing; // the script of the rows by place, once it is there
let kept = null; // what was counted, where the browser keeps nothing

// Counting, remembered until the hand is scored

function keptCount() {
  try {
    return JSON.parse(localStorage.getItem(counted));
  } catch {
    return kept;
  }
}

function tallyOf(moment) {
  let count = keptCount();
  if (count?.hand !== whichHand(moment)) count = null;
  if (!count || count.bids === JSON.stringify(bids(moment))) return new Tally(moment, count?.counts, count?.touched);
  // A bid was put right meanwhile: what was counted stays, and the others are filled in with the bids.
  const spoken = Object.fromEntries(bids(moment));
  const touched = count.touched.filter((seat) => seat in spoken && count.counts[seat] <= hand(moment).cards);
  return new Tally(moment, { ...spoken, ...Object.fromEntries(touched.map((seat) => [seat, count.counts[seat]])) }, touched);
}

// A hand that was dealt again is counted anew.
const whichHand = (moment) => dealt(moment.prefix, hand(moment).number, moment.event);
const dealt = (prefix, number, event) => `${prefix}${number}.${event}`;

function count(seat, number) {
  const { tally } = ui;
  tally.set(seat, number);
  ui.reason = false;
  keepCount({ hand: whichHand(at()), bids: JSON.stringify(bids(at())), counts: tally.counts, touched: tally.touched });
  show();
}

function keepCount(counts) {
  kept = counts;
  try {
    localStorage.setItem(counted, JSON.stringify(kept));
  } catch {
    // It is kept on the page.
  }
}

function begin(moment) {
  ui.tally = hand(moment) && bidder(moment) === null ? tallyOf(moment) : null;
  ui.places = standing?.wantedAt(facing(moment));
}

// Bids and the end have one face until it is turned over again; tricks are counted by seat, so each hand begins so.
const facing = (moment) => (ui.tally ? whichHand(moment) : "");

const turn = (moment) => `${moment.prefix}${hand(moment)?.number} ${hand(moment) && bidder(moment) === null}`;

function paint(moment) {
  const [mode, markup] = drawing.phone(moment, page, ui);
  draw(phone, markup);
  ui.places?.glideByPlace(phone.querySelector(".by-place"));
  // With more players than fit, the light stays in sight; who looks at other rows is left alone.
  const light = phone.querySelector(".seats > .now");
  const lit = light && `${turn(moment)} ${bidder(moment)}`;
  if (lit && lit !== shone) light.scrollIntoView({ block: "nearest" });
  shone = lit;
  return mode;
}

function step(form, submitter) {
  const ask = new FormData(form).get("ask");
  if (ask.endsWith("tricks")) return ui.tally.step;
  if (submitter?.name.startsWith("f-")) {
    const value = submitter.name === "f-bid" ? Number(submitter.value) : submitter.value;
    return { [submitter.name.slice(2)]: value };
  }
  return { turned: new FormData(form).get("f-turned") };
}

// The hand comes back as it was counted.
function backTo({ takes }, moment) {
  if (takes.ask !== "tricks") return;
  const { prefix, number, order, steps, event } = moment.back.at(-1);
  const counts = Object.fromEntries(order.map((seat) => [seat, steps.tricks[`tricks-${seat}`]]));
  const spoken = order.map((seat) => [seat, steps[`bid-${seat}`].bid]);
  keepCount({ hand: dealt(prefix, number, event), bids: JSON.stringify(spoken), counts, touched: order });
}

// What is counted of a hand whose bids are asked for again waits for them.
function forget() {
  const isOpen = hand(at()) && !ui.tally && whichHand(at()) === keptCount()?.hand;
  if (isOpen) return;
  kept = null;
  try {
    localStorage.removeItem(counted);
  } catch {
    // There was none.
  }
}

const byPlace = async () => (standing ??= await import("../pad_later/by_place.js"));

// One of the pad's own panels, by its name in panels.js.
async function open(what) {
  if (what === "places") return byPlace().then(() => show(standing.turnOver(facing(at()))), () => {});
  const panels = await import("./panels.js").catch(() => null);
  if (!panels) return;
  if (what === "aloud") ask(panels.aloudPanel(at(), page, ui));
  else if (what === "trump") ask(panels.trumpPanel(at(), page));
  else ask(panels.wrongBid(at(), page, what.slice("retype-".length)));
}

phone.addEventListener("change", ({ target }) => {
  if (!target.name?.startsWith("f-tricks-")) return;
  const number = /^[0-9]{1,2}$/.test(target.value) ? Number(target.value) : -1;
  count(Number(target.name.slice("f-tricks-".length)), number);
});

keep({
  fold, takenBack, turn, begin, paint, step, backTo, forget, open,
  move(button) {
    const seat = Number(button.value);
    count(seat, ui.tally.counts[seat] + (button.name === "more" ? 1 : -1));
  },
  isOff: (form) => form.matches(".count") && !ui.tally.right,
  makesRoom: (form) => form.matches(".trump"), // the suits
  isFresh: (moment) => hand(moment)?.order.every((seat) => !(`bid-${seat}` in moment.steps)) ?? true,
  isBusy: () => ui.tally?.touched.length,
  typed: (moment) => ui.tally?.touched.length > 0 && { place: { hand: hand(moment).number, ask: `${moment.prefix}tricks` }, step: ui.tally.step },
  later: () => Promise.all([import("./panels.js"), byPlace(), import("../pad_later/ice_fishing.js").then(({ fish }) => fish({ ui, show, at }))]),
  first: () => phone.querySelector(".keys button, .step button"),
}); // prettier-ignore
