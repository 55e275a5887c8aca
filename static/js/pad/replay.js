// Replays the unsent posts on the last known state; the result is the state of the table now.
//
// It has the same shape as the site's own state (scoresheets/pad/state.py). `game` says which asks it `knows`, whether the
// hand is `complete`, its `points` (null: the site computes them), whether a bid was `made`, what was `written` last, which
// asks are taken back `oneByOne`, how a hand `begins`, and what follows from a post (`wrote`).

export const hand = (moment) => moment.hands[0] ?? null;
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const version = (entry) => (typeof entry === "string" ? entry : entry[1]);

// What the first button takes back: `takes` says what, `undoes` which write. Null: nothing. The site decides the same for
// its own pages (`take_back` in scoresheets/log/state.py).
export function takenBack(moment, page, game) {
  const last = game.written(moment, page) ?? writtenBefore(moment);
  const { happened, beside } = moment;
  const here = game.oneByOne(moment).map((ask) => version(moment.entries[ask]));
  const drawn = hand(moment) && beside?.at(-1);
  // A draw can be taken back only as the last write; of one write, from a file, it is what was played last.
  if (drawn && [last?.undoes ?? 0, ...here].every((one) => one <= drawn.entry[1])) {
    return { takes: { hand: hand(moment).number, ask: "beside" }, undoes: drawn.entry[1], what: drawn.what };
  }
  if (last?.playsOn) return last;
  if (happened && !(last && (typeof last.undoes === "string" || !isSince(moment, last.undoes, here)))) {
    const { noted, says, entry } = happened;
    return { takes: { hand: hand(moment)?.number, ask: "happened", noted }, undoes: entry[1], says };
  }
  return last?.final ? null : last;
}

// Whether who came or went is later than a write; of one write, from a file, it is what was played last. All that stands
// of the hand stands on who came or went before it, whichever of that is named.
function isSince({ happened, steps }, undoes, here) {
  const since = happened.noted ? [] : here;
  if (since.some((one) => typeof one === "string")) return false;
  const latest = Math.max(undoes, ...since);
  if (happened.entry[1] === latest) return happened.noted || !Object.keys(steps).length;
  return happened.entry[1] > latest;
}

// What of the open hand stands at an ask, to be taken back; what was corrected is put back as a whole.
export function taking(moment, ask, more) {
  const undoes = version(moment.entries[ask]);
  const { by, back, what } = moment.changed ?? {};
  if (!by?.includes(undoes)) return { takes: { hand: hand(moment).number, ask }, undoes, ...more };
  return more.final || !back ? { undoes, final: true } : { takes: { hand: hand(moment).number, ask: "change" }, undoes: back, what };
}

// A misdeal, or the hand before the open one.
function writtenBefore(moment) {
  if (moment.misdeal) {
    const takes = { hand: hand(moment)?.number, ask: "misdeal" };
    return { takes, undoes: version(moment.misdeal), what: moment.early ? "the early end" : "the misdeal" };
  }
  // Who came before this hand, or is noted for after it, goes first; of them the page was told the last alone.
  const untold = !moment.happened && (moment.noted.length || moment.event > 1);
  const last = moment.left || untold ? null : moment.back.at(-1);
  // Of a game that was stopped early only the blind hands were played since; the site takes back the end itself.
  if (moment.stopped && !last?.blind) return { playsOn: true, takes: { hand: hand(moment)?.number, ask: "stop" }, what: "the early end" };
  if (!last) return null;
  const takes = { hand: last.number, blind: last.blind, ask: last.last };
  return { takes, undoes: version(last.entries[last.last]), hand: handName(last) };
}

function handName({ number, blind }) {
  if (!blind) return `hand ${number}`;
  return blind > 1 ? `blind hand ${blind}` : "the blind hand";
}

// The moment after all posts that were not answered yet; those that were refused are asked again. `known` is what
// earlier answers told of posts by their keys (outbox.js).
export function fold(pad, posts, page, known, game) {
  const moment = JSON.parse(JSON.stringify(pad));
  moment.brings ??= {};
  for (const post of posts) if (!post.problem || post.conflict) apply(moment, post, page, known, game);
  return moment;
}

function apply(moment, post, page, known, game) {
  const { hand: number, ask } = post.place;
  if (post.verb === "undo") takeBack(moment, post, page, known, game);
  else if (hand(moment)?.number !== number) return;
  else if (post.verb === "misdeal" || post.verb === "stop") sweep(moment, post);
  else if (post.event) happens(moment, post);
  else if (ask.startsWith(moment.prefix)) write(moment, ask.slice(moment.prefix.length), post, page, game);
}

function write(moment, ask, post, page, game) {
  if (!game.knows(moment, ask)) return;
  // What is taken back is what this tap wrote, and what stood there before stands again.
  putAway(moment, post.key, ask);
  moment.steps[ask] = post.step;
  moment.entries[ask] = post.key;
  game.wrote?.(moment, post);
  if (game.complete(moment)) score(moment, ask, page, game);
}

// Off the sheet, but not forgotten: it comes back with the post that put it away, as the site says it does.
export function putAway(moment, key, ask) {
  moment.brings[key] ??= [];
  if (!(ask in moment.steps)) return;
  const entry = moment.entries[ask];
  const first = typeof entry === "string" ? entry : entry?.[1];
  moment.brings[key].push([hand(moment).number, moment.prefix + ask, moment.steps[ask], first]);
  delete moment.steps[ask];
  delete moment.entries[ask];
  moment.needs = [];
}

// The hand is complete: `last` was written last.
function score(moment, last, page, game) {
  const done = moment.hands.shift();
  if (moment.prefix) {
    // What a blind hand settles is for the site to say.
    moment.hands = [];
    moment.left = true;
    return;
  }
  const { event, misdeals, steps, entries } = moment;
  const points = game.points(moment, done, page);
  for (const seat in points ?? {}) moment.totals[seat] += points[seat];
  if (points) standAnew(moment, done.order, steps, 1, game);
  moment.change = points;
  moment.back.push({ ...done, steps, last, entries, prefix: "", blind: 0, counting: null, points, event, misdeals, ...seatAnew(moment, points) });
  begin(moment, game, { marked: moment.marked || points !== null, ...(moment.then && { happened: moment.happened, event: moment.then.event }) });
  moment.then = null;
  moment.noted = [];
}

// Places go by the totals from now on; of the bids of the hand those that were made are counted, or not any more.
function standAnew(moment, order, steps, by, game) {
  moment.places = null;
  if (!game.made) moment.made = null;
  for (const seat of order) {
    const made = moment.made?.[seat];
    if (made) moment.made[seat] = [made[0] + (game.made(steps, seat) ? by : 0), made[1] + by];
  }
}

// What was noted for after the hand comes about: who joins starts with the lowest total of those they are told.
function seatAnew(moment, points) {
  const { seats, planned, schedule, names, badges, happened, noted, then } = moment;
  if (!then) return {};
  const before = Object.fromEntries(seats.map((seat) => [seat, moment.totals[seat] - (points?.[seat] ?? 0)]));
  for (const [seat, others] of Object.entries(then.starts)) {
    moment.totals[seat] = Math.min(...others.map((other) => moment.totals[other]));
  }
  const { seats: sitting, planned: hands, schedule: cards, names: called, badges: worn } = then;
  Object.assign(moment, { seats: sitting, planned: hands, schedule: cards, names: called, badges: worn });
  return { was: { seats, planned, schedule, names, badges, totals: before, happened, noted, then } };
}

function begin(moment, game, more) {
  const bare = { steps: {}, entries: {}, event: 1, misdeals: [], misdeal: null, happened: null, callout: null, signs: {}, needs: [] };
  Object.assign(moment, bare, game.begins?.(moment), more);
}

// Something between hands that leaves the hand as it is.
function happens(moment, { key, clock = null }) {
  moment.event += 1;
  moment.clock = clock;
  moment.brings[key] ??= [];
}

function sweep(moment, post) {
  const { steps, entries, misdeals, misdeal, hands, left, event } = moment;
  moment.swept = { steps: { ...steps }, entries: { ...entries }, misdeals, misdeal, hands, left, event, early: false };
  for (const ask of Object.keys(steps)) putAway(moment, post.key, ask);
  Object.assign(moment, { steps: {}, entries: {}, event: event + 1, misdeals: [...misdeals, post.key], misdeal: post.key });
  if (post.verb === "stop") Object.assign(moment, { hands: [], left: true, early: true });
}

function takeBack(moment, { key, takes, undoes }, page, known, game) {
  const { hand: number, blind = 0, ask } = takes;
  const entries = moment.brings[undoes] ?? moment.brings[known[undoes]?.version] ?? [];
  const last = moment.back.at(-1);
  moment.needs = [];
  if (ask === "happened") unnote(moment, takes);
  else if (ask === "beside") moment.beside.pop();
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
    for (const name of ask === "change" ? writtenBy(moment, undoes) : [ask]) {
      delete moment.steps[name];
      // What the site brings back there, if anything, is what the next tap replaces.
      moment.entries[name] = [key, null];
    }
  }
  for (const entry of entries) bring(moment, entry, key, page, game);
}

const writtenBy = ({ steps, entries }, undoes) => Object.keys(steps).filter((ask) => entries[ask] && version(entries[ask]) === undoes);

// Who came or went is for the site to take back; what was only noted is not said any more.
function unnote(moment, { noted }) {
  moment.happened = null;
  if (!noted) return;
  moment.noted.pop();
  if (!moment.noted.length) moment.then = null;
}

// A scored hand is open again, with everything but what was written in it last.
function reopen(moment, { points, steps, entries, event, prefix, counting, misdeals = [], was, last: _, ...again }, ask, game) {
  const { number, blind } = again;
  // The points of a blind hand stand in no total.
  if (!blind) {
    for (const seat in points ?? {}) moment.totals[seat] -= points[seat];
    if (points) standAnew(moment, again.order, steps, -1, game);
    moment.change = moment.back.at(-1)?.points ?? null;
  }
  delete steps[ask];
  delete entries[ask];
  // What a blind hand was asked for is open again.
  moment.hands = moment.prefix ? [again] : [again, ...moment.hands];
  begin(moment, game, { prefix, blind, counting, steps, entries, event, misdeals, misdeal: misdeals.at(-1) ?? null });
  moment.marked = blind > 0 || number > 1;
  if (was) Object.assign(moment, structuredClone(was));
}

// Something that was put away stands again: under the version that first said it, as an entry of the undo.
function bring(moment, [number, address, step, first], key, page, game) {
  if (hand(moment)?.number !== number || !address.startsWith(moment.prefix)) return;
  const ask = address.slice(moment.prefix.length);
  // Who was caught by a number that was typed anew may have bid since, and bids before it now: that stays.
  if (!game.knows(moment, ask) || ask in moment.steps) return;
  moment.steps[ask] = step;
  moment.entries[ask] = [key, first];
  if (game.complete(moment)) score(moment, ask, page, game);
}
