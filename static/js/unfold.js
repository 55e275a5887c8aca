// Taking back: what was swept off the sheet or put away stands again, hand by hand.

import { begin, hand, putAway, score } from "./fold.js";

export function sweep(moment, post) {
  const { steps, stands, misdeals, misdeal, hands, left, event } = moment;
  moment.swept = { steps: { ...steps }, stands: { ...stands }, misdeals, misdeal, hands, left, event, early: false };
  for (const ask of Object.keys(steps)) putAway(moment, post.key, ask);
  Object.assign(moment, { steps: {}, stands: {}, event: event + 1, misdeals: [...misdeals, post.key], misdeal: post.key });
  if (post.verb === "stop") Object.assign(moment, { hands: [], left: true, early: true });
}

export function takeBack(moment, { key, takes, undoes }, page, known, game) {
  const { hand: number, blind = 0, ask } = takes;
  const brought = moment.brings[undoes] ?? moment.brings[known[undoes]?.version] ?? [];
  const last = moment.back.at(-1);
  if (ask === "happened") unnote(moment, takes);
  else if (last && last.number === number && last.blind === blind && ask in last.steps) reopen(moment, moment.back.pop(), ask, game);
  else if (hand(moment)?.number !== number) return;
  else if (ask === "misdeal") {
    if (moment.early) {
      Object.assign(moment, moment.swept);
      return;
    }
    const misdeals = moment.misdeals.slice(0, -1);
    Object.assign(moment, { misdeals, misdeal: misdeals.at(-1) ?? null, event: moment.event - 1 });
  } else {
    delete moment.steps[ask];
    // What the site brings back there, if anything, is what the next tap replaces.
    moment.stands[ask] = [key, null];
  }
  for (const one of brought) bring(moment, one, key, page, game);
}

// Who came or went is for the site to take back; what was only noted is not said any more.
function unnote(moment, { noted }) {
  moment.happened = null;
  if (!noted) return;
  moment.noted.pop();
  if (!moment.noted.length) moment.then = null;
}

// A scored hand is open again, with everything but what was written in it last.
function reopen(moment, { points, steps, stands, event, prefix, counting, misdeals = [], was, last: _, ...again }, ask, game) {
  const { number, blind } = again;
  // The points of a blind hand stand in no total.
  if (!blind) for (const seat in points ?? {}) moment.totals[seat] -= points[seat];
  delete steps[ask];
  delete stands[ask];
  // What a blind hand was asked for is open again.
  moment.hands = moment.prefix ? [again] : [again, ...moment.hands];
  begin(moment, game, { prefix, blind, counting, steps, stands, event, misdeals, misdeal: misdeals.at(-1) ?? null });
  moment.marked = blind > 0 || number > 1;
  if (was) Object.assign(moment, structuredClone(was));
}

// Something that was put away stands again: under the version that first said it, as an entry of the undo.
function bring(moment, [number, address, step, first], key, page, game) {
  if (hand(moment)?.number !== number || !address.startsWith(moment.prefix)) return;
  const ask = address.slice(moment.prefix.length);
  if (!game.knows(moment, ask)) return;
  moment.steps[ask] = step;
  moment.stands[ask] = [key, first];
  if (game.complete(moment)) score(moment, ask, page, game);
}
