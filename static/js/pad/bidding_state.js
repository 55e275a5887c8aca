// Bids and tricks as numbers: sums, comparisons, and tables that came with the page. Tricks start with the bids.

import { fold as folded, hand, putAway, sum, takenBack as back, taking } from "./replay.js";

export const bidder = (moment) => hand(moment)?.order.find((seat) => !(`bid-${seat}` in moment.steps)) ?? null;

// The bids that stand, in the order they were spoken: [seat, number].
export const bids = (moment) =>
  hand(moment)
    .order.filter((seat) => `bid-${seat}` in moment.steps)
    .map((seat) => [seat, moment.steps[`bid-${seat}`].bid]);
export const bidSum = (moment) => sum(bids(moment).map(([, bid]) => bid));

// What the last bidder may not bid.
export function forbidden(moment) {
  const { avoid, order } = hand(moment);
  if (avoid === null || bidder(moment) !== order.at(-1) || bidSum(moment) > avoid) return null;
  return avoid - bidSum(moment);
}

const game = {
  knows: (moment, ask) => (ask === "tricks" ? bidder(moment) === null : ask === "trump" || ask.startsWith("bid-")),
  complete: ({ steps }) => "tricks" in steps,
  points({ steps }, { order }, { worth }) {
    return Object.fromEntries(order.map((seat) => [seat, worth[steps[`bid-${seat}`].bid][steps.tricks[`tricks-${seat}`]]]));
  },
  made: (steps, seat) => steps[`bid-${seat}`].bid === steps.tricks[`tricks-${seat}`],
  // A number was typed wrong, and now the bids come to what they may not: only the last bidder is asked again.
  wrote(moment, { key, verb }) {
    if (verb !== "retype" || bidder(moment) !== null || bidSum(moment) !== hand(moment).avoid) return;
    putAway(moment, key, `bid-${hand(moment).order.at(-1)}`);
  },
  // The bids, or the trump. That The Rule was missed stands for itself.
  oneByOne(moment) {
    const spoken = hand(moment) ? bids(moment).map(([seat]) => `bid-${seat}`) : [];
    return spoken.length || !("trump" in moment.steps) ? spoken : ["trump"];
  },
  // `final`: it is not taken back.
  written(moment, page) {
    const spoken = hand(moment) ? bids(moment) : [];
    if (spoken.length) {
      const [seat, bid] = spoken.at(-1);
      const final = bidder(moment) === null && page.last_stands;
      return taking(moment, `bid-${seat}`, { seat, what: bid, final });
    }
    return moment.steps.trump && taking(moment, "trump", { what: moment.steps.trump });
  },
};

export const fold = (pad, posts, page, known) => folded(pad, posts, page, known, game);
export const takenBack = (moment, page) => back(moment, page, game);

const NUMBERS = "none one two three four five six seven eight nine ten eleven twelve".split(" ");
export const inWords = (number) => NUMBERS[number] ?? `${number}`;
export const capital = (words) => words[0].toUpperCase() + words.slice(1);

// What is asked where so many were taken. A correction asks for those that are missing, a tally for more.
export function question(taken, cards, more) {
  const off = Math.abs(taken - cards);
  const many = capital(inWords(off));
  return taken > cards ? `${many} too many: who took fewer?` : `${many} missing: who took ${more ?? (off === 1 ? "it" : "them")}?`;
}

export class Tally {
  constructor(moment, counts = null, touched = []) {
    this.cards = hand(moment).cards;
    this.bids = Object.fromEntries(bids(moment));
    this.seats = moment.seats.filter((seat) => seat in this.bids);
    this.counts = counts ?? { ...this.bids };
    this.touched = touched;
  }

  // Set a seat's count. Nothing else changes, but for the count of the last one whom nobody has touched.
  set(seat, count) {
    if (!(count >= 0 && count <= this.cards)) return;
    this.counts[seat] = count;
    if (!this.touched.includes(seat)) this.touched.push(seat);
    const left = this.seats.filter((other) => !this.touched.includes(other));
    if (left.length !== 1) return;
    const rest = this.cards - sum(this.touched.map((other) => this.counts[other]));
    if (rest >= 0 && rest <= this.cards) this.counts[left[0]] = rest;
  }

  get taken() {
    return sum(this.seats.map((seat) => this.counts[seat]));
  }

  get right() {
    return this.taken === this.cards;
  }

  // Who could have taken fewer, or more, where the tricks do not come out: those nobody has touched first.
  get could() {
    if (this.right) return [];
    const over = this.taken > this.cards;
    const able = this.seats.filter((seat) => (over ? this.counts[seat] > 0 : this.counts[seat] < this.cards));
    const untouched = able.filter((seat) => !this.touched.includes(seat));
    return untouched.length ? untouched : able;
  }

  get question() {
    return question(this.taken, this.cards, "more");
  }

  get down() {
    return this.seats.filter((seat) => this.counts[seat] !== this.bids[seat]);
  }

  // What stands before the names, the names, and what follows; the shorter list is read, so that it fits.
  get readBack() {
    const down = this.down;
    const made = this.seats.filter((seat) => !down.includes(seat));
    if (!down.length) return ["", [], "Everyone made it."];
    if (!made.length) return ["", [], "Everyone was set."];
    return down.length <= made.length
      ? ["Set:", down, "Everyone else made it."]
      : ["Made it:", made, "Everyone else was set."];
  }

  get step() {
    return Object.fromEntries(this.seats.map((seat) => [`tricks-${seat}`, this.counts[seat]]));
  }
}
