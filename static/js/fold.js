// From what the site knows and what was tapped since to the moment the table is in.
//
// A moment has the shape of the site's own data (scoresheets/pads.py). Nothing here knows the game: it adds, compares,
// and looks up what the page was given for every hand that is planned.

export const bidder = (moment) => hand(moment)?.order.find((seat) => !(`bid-${seat}` in moment.steps)) ?? null;
export const hand = (moment) => moment.hands[0] ?? null;
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

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

// What the first button takes back: `takes` says what, `undoes` which write. Null: nothing.
export function takenBack(moment, page) {
  const last = lastWritten(moment, page);
  const { happened } = moment;
  if (happened && !(last && (typeof last.undoes === "string" || !isSince(moment, last.undoes)))) {
    const { noted, says, stands } = happened;
    return { takes: { hand: hand(moment)?.number, ask: "happened", noted }, undoes: stands[1], says };
  }
  return last?.final ? null : last;
}

// Whether who came or went is later than a write; of one write, from a file, it is what was played last.
function isSince({ happened, steps }, version) {
  if (happened.stands[1] === version) return happened.noted || !Object.keys(steps).length;
  return happened.stands[1] > version;
}

// The same without who came or went since. `final`: it is not taken back.
function lastWritten(moment, page) {
  const spoken = hand(moment) ? bids(moment) : [];
  const of = (takes, stands, more) => ({ takes, undoes: typeof stands === "string" ? stands : stands[1], ...more });
  const here = hand(moment)?.number;
  if (spoken.length) {
    const [seat, bid] = spoken.at(-1);
    const final = bidder(moment) === null && page.last_stands;
    return of({ hand: here, ask: `bid-${seat}` }, moment.stands[`bid-${seat}`], { seat, what: bid, final });
  }
  if (moment.steps.trump) return of({ hand: here, ask: "trump" }, moment.stands.trump, { what: moment.steps.trump });
  if (moment.misdeal) return of({ hand: here, ask: "misdeal" }, moment.misdeal, { what: moment.early ? "the early end" : "the misdeal" });
  // Who came before this hand, or is noted for after it, goes first; of them the page was told the last alone.
  const untold = !moment.happened && (moment.noted.length || moment.event > 1);
  const last = moment.stopped || moment.left || untold ? null : moment.back.at(-1);
  return last ? of({ hand: last.number, blind: last.blind, ask: "tricks" }, last.stands.tricks, { hand: handName(last) }) : null;
}

function handName({ number, blind }) {
  if (!blind) return `hand ${number}`;
  return blind > 1 ? `blind hand ${blind}` : "the blind hand";
}

// The moment after all posts that were not answered yet; those that were refused are asked again. `known` is what
// earlier answers told of posts by their keys (outbox.js).
export function fold(pad, posts, page, known = {}) {
  const moment = JSON.parse(JSON.stringify(pad));
  moment.brings ??= {};
  for (const post of posts) if (!post.problem || post.conflict) apply(moment, post, page, known);
  return moment;
}

function apply(moment, post, page, known) {
  const { hand: number, ask } = post.place;
  if (post.verb === "undo") takeBack(moment, post, page, known);
  else if (hand(moment)?.number !== number) return;
  else if (post.verb === "misdeal" || post.verb === "stop") sweep(moment, post);
  else if (!ask.startsWith(moment.prefix)) return;
  else write(moment, ask.slice(moment.prefix.length), post, page);
}

function write(moment, ask, post, page) {
  const spoken = hand(moment).order;
  if (ask === "tricks") {
    if (bidder(moment) === null) score(moment, post.step, post.key, page);
    return;
  }
  // What is taken back is what this tap wrote, and what stood there before stands again.
  putAway(moment, post.key, ask);
  moment.steps[ask] = post.step;
  moment.stands[ask] = post.key;
  // A number was typed wrong, and now the bids come to what they may not: only the last bidder is asked again.
  if (post.verb === "retype" && bidder(moment) === null && said(moment) === hand(moment).avoid) {
    putAway(moment, post.key, `bid-${spoken.at(-1)}`);
  }
}

// Off the sheet, but not forgotten: it comes back with the post that put it away, as the site says it does.
function putAway(moment, key, ask) {
  moment.brings[key] ??= [];
  if (!(ask in moment.steps)) return;
  const stands = moment.stands[ask];
  const first = typeof stands === "string" ? stands : stands?.[1];
  moment.brings[key].push([hand(moment).number, moment.prefix + ask, moment.steps[ask], first]);
  delete moment.steps[ask];
  delete moment.stands[ask];
}

function score(moment, step, stands, page) {
  const done = moment.hands.shift();
  if (moment.prefix) {
    // What a blind hand settles is for the site to say.
    moment.hands = [];
    moment.left = true;
    return;
  }
  const points = {};
  for (const seat of done.order) {
    points[seat] = page.worth[moment.steps[`bid-${seat}`].bid][step[`tricks-${seat}`]];
    moment.totals[seat] += points[seat];
  }
  const { event, misdeals } = moment;
  const written = { steps: { ...moment.steps, tricks: step }, stands: { ...moment.stands, tricks: stands } };
  moment.back.push({ ...done, ...written, prefix: "", blind: 0, counting: null, points, event, misdeals, ...seatAnew(moment, points) });
  begin(moment, { marked: true, ...(moment.then && { happened: moment.happened, event: moment.then.event }) });
  moment.then = null;
  moment.noted = [];
}

// What was noted for after the hand comes about: who joins starts with the lowest total of those he is told.
function seatAnew(moment, points) {
  const { seats, planned, schedule, names, happened, noted, then } = moment;
  if (!then) return {};
  const before = Object.fromEntries(seats.map((seat) => [seat, moment.totals[seat] - (points[seat] ?? 0)]));
  for (const [seat, others] of Object.entries(then.starts)) {
    moment.totals[seat] = Math.min(...others.map((other) => moment.totals[other]));
  }
  const { seats: sitting, planned: hands, schedule: cards, names: called } = then;
  Object.assign(moment, { seats: sitting, planned: hands, schedule: cards, names: called });
  return { was: { seats, planned, schedule, names, totals: before, happened, noted, then } };
}

function begin(moment, more) {
  Object.assign(moment, { steps: {}, stands: {}, event: 1, misdeals: [], misdeal: null, happened: null, said: null, signs: {} }, more);
}

function sweep(moment, post) {
  const { steps, stands, misdeals, misdeal, hands, left, event } = moment;
  moment.swept = { steps: { ...steps }, stands: { ...stands }, misdeals, misdeal, hands, left, event, early: false };
  for (const ask of Object.keys(steps)) putAway(moment, post.key, ask);
  Object.assign(moment, { steps: {}, stands: {}, event: event + 1, misdeals: [...misdeals, post.key], misdeal: post.key });
  if (post.verb === "stop") Object.assign(moment, { hands: [], left: true, early: true });
}

function takeBack(moment, { key, takes, undoes }, page, known) {
  const { hand: number, blind = 0, ask } = takes;
  const brought = moment.brings[undoes] ?? moment.brings[known[undoes]?.version] ?? [];
  if (ask === "happened") unnote(moment, takes);
  else if (ask === "tricks") {
    const last = moment.back.at(-1);
    if (last?.number !== number || last.blind !== blind) return;
    reopen(moment, moment.back.pop());
  } else if (hand(moment)?.number !== number) return;
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
  for (const one of brought) bring(moment, one, key, page);
}

// Who came or went is for the site to take back; what was only noted is not said any more.
function unnote(moment, { noted }) {
  moment.happened = null;
  if (!noted) return;
  moment.noted.pop();
  if (!moment.noted.length) moment.then = null;
}

// A scored hand is open again, with everything but its tricks.
function reopen(moment, { points, steps, stands, event, prefix, counting, misdeals = [], was, ...again }) {
  const { number, blind, order } = again;
  // The points of a blind hand stand in no total.
  if (!blind) for (const seat of order) moment.totals[seat] -= points[seat];
  delete steps.tricks;
  delete stands.tricks;
  // What a blind hand was asked for is open again.
  moment.hands = moment.prefix ? [again] : [again, ...moment.hands];
  begin(moment, { prefix, blind, counting, steps, stands, event, misdeals, misdeal: misdeals.at(-1) ?? null });
  moment.marked = blind > 0 || number > 1;
  if (was) Object.assign(moment, structuredClone(was));
}

// Something that was put away stands again: under the version that first said it, as an entry of the undo.
function bring(moment, [number, address, step, first], key, page) {
  if (hand(moment)?.number !== number || !address.startsWith(moment.prefix)) return;
  const ask = address.slice(moment.prefix.length);
  if (ask === "tricks") {
    score(moment, step, [key, first], page);
    return;
  }
  if (ask !== "trump" && !ask.startsWith("bid-")) return;
  moment.steps[ask] = step;
  moment.stands[ask] = [key, first];
}
