// Bids and tricks as the pad folds them: it adds, compares, and looks up what the page was given for every hand.

import { fold as folded, hand, putAway, sum, takenBack as back, taking } from "./fold.js";

export const bidder = (moment) => hand(moment)?.order.find((seat) => !(`bid-${seat}` in moment.steps)) ?? null;

// The bids that stand, in the order they were spoken: [seat, number].
export const bids = (moment) =>
  hand(moment)
    .order.filter((seat) => `bid-${seat}` in moment.steps)
    .map((seat) => [seat, moment.steps[`bid-${seat}`].bid]);
export const said = (moment) => sum(bids(moment).map(([, bid]) => bid));

// What the last bidder may not bid.
export function forbidden(moment) {
  const { avoid, order } = hand(moment);
  if (avoid === null || bidder(moment) !== order.at(-1) || said(moment) > avoid) return null;
  return avoid - said(moment);
}

const game = {
  knows: (moment, ask) => (ask === "tricks" ? bidder(moment) === null : ask === "trump" || ask.startsWith("bid-")),
  complete: ({ steps }) => "tricks" in steps,
  points({ steps }, { order }, { worth }) {
    return Object.fromEntries(order.map((seat) => [seat, worth[steps[`bid-${seat}`].bid][steps.tricks[`tricks-${seat}`]]]));
  },
  // A number was typed wrong, and now the bids come to what they may not: only the last bidder is asked again.
  wrote(moment, { key, verb }) {
    if (verb !== "retype" || bidder(moment) !== null || said(moment) !== hand(moment).avoid) return;
    putAway(moment, key, `bid-${hand(moment).order.at(-1)}`);
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
