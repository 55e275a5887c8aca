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
  const spoken = hand(moment) ? bids(moment) : [];
  const of = (takes, stands, more) => ({ takes, undoes: typeof stands === "string" ? stands : stands[1], ...more });
  const here = hand(moment)?.number;
  if (spoken.length) {
    const [seat, bid] = spoken.at(-1);
    if (bidder(moment) === null && page.last_stands) return null;
    return of({ hand: here, ask: `bid-${seat}` }, moment.stands[`bid-${seat}`], { seat, what: bid });
  }
  if (moment.steps.trump) return of({ hand: here, ask: "trump" }, moment.stands.trump, { what: moment.steps.trump });
  if (moment.misdeal) return of({ hand: here, ask: "misdeal" }, moment.misdeal, { what: moment.early ? "the early end" : "the misdeal" });
  const last = moment.stopped || moment.left ? null : moment.back.at(-1);
  return last ? of({ hand: last.number, blind: last.blind, ask: "tricks" }, last.stands.tricks, { hand: handName(last) }) : null;
}

function handName({ number, blind }) {
  if (!blind) return `hand ${number}`;
  return blind > 1 ? `blind hand ${blind}` : "the blind hand";
}

// The moment after all posts that were not answered yet; those that were refused are asked again.
export function fold(pad, posts, page) {
  const moment = JSON.parse(JSON.stringify(pad));
  for (const post of posts) if (!post.problem || post.conflict) apply(moment, post, page);
  return moment;
}

function apply(moment, post, page) {
  const { hand: number, ask } = post.place;
  if (post.verb === "undo") takeBack(moment, post.takes);
  else if (hand(moment)?.number !== number) return;
  else if (post.verb === "misdeal" || post.verb === "stop") sweep(moment, post);
  else if (!ask.startsWith(moment.prefix)) return;
  else write(moment, ask.slice(moment.prefix.length), post, page);
}

function write(moment, ask, post, page) {
  const spoken = hand(moment).order;
  if (ask === "tricks") {
    if (bidder(moment) === null) score(moment, post, page);
    return;
  }
  // What is taken back is what this tap wrote, and what stood there before stands again.
  moment.before = { ...moment.before, [post.key]: [moment.steps[ask], moment.stands[ask]] };
  moment.steps[ask] = post.step;
  moment.stands[ask] = post.key;
  // A number was typed wrong, and now the bids come to what they may not: only the last bidder is asked again.
  if (post.verb === "retype" && bidder(moment) === null && said(moment) === hand(moment).avoid) {
    delete moment.steps[`bid-${spoken.at(-1)}`];
    delete moment.stands[`bid-${spoken.at(-1)}`];
  }
}

function score(moment, post, page) {
  const done = moment.hands.shift();
  if (moment.prefix) {
    // What a blind hand settles is for the site to say.
    moment.hands = [];
    moment.left = true;
    return;
  }
  const points = {};
  for (const seat of done.order) {
    points[seat] = page.worth[moment.steps[`bid-${seat}`].bid][post.step[`tricks-${seat}`]];
    moment.totals[seat] += points[seat];
  }
  const stands = { ...moment.stands, tricks: post.key };
  moment.back.push({ ...done, prefix: "", blind: 0, counting: null, points, stands, steps: { ...moment.steps, tricks: post.step }, event: moment.event });
  Object.assign(moment, { marked: true, steps: {}, stands: {}, event: 1, misdeal: null, said: null, signs: {} });
}

function sweep(moment, post) {
  const { steps, stands, misdeal, hands, left, swept } = moment;
  moment.swept = { steps, stands, misdeal, hands, left, swept, early: false };
  Object.assign(moment, { steps: {}, stands: {}, event: moment.event + 1, misdeal: post.key });
  if (post.verb === "stop") Object.assign(moment, { hands: [], left: true, early: true });
}

function takeBack(moment, { hand: number, blind = 0, ask }) {
  if (ask === "tricks") {
    const last = moment.back.at(-1);
    if (last?.number !== number || last.blind !== blind) return;
    const { points, steps, stands, event, prefix, counting, ...again } = moment.back.pop();
    // The points of a blind hand stand in no total.
    if (!blind) for (const seat of again.order) moment.totals[seat] -= points[seat];
    delete steps.tricks;
    delete stands.tricks;
    // What a blind hand was asked for is open again.
    moment.hands = moment.prefix ? [again] : [again, ...moment.hands];
    Object.assign(moment, { prefix, blind, counting, steps, stands, event, misdeal: null, said: null, signs: {} });
    moment.marked = blind > 0 || number > 1;
  } else if (hand(moment)?.number !== number) return;
  else if (ask === "misdeal") Object.assign(moment, { misdeal: null }, moment.swept, { event: moment.event - 1 });
  else {
    const [step, stands] = moment.before?.[moment.stands[ask]] ?? [];
    Object.assign(moment.steps, { [ask]: step });
    Object.assign(moment.stands, { [ask]: stands });
    if (step === undefined) {
      delete moment.steps[ask];
      delete moment.stands[ask];
    }
  }
}
