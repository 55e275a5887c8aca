// The pad of prompts. The page has a place for every ask of a hand; this script shows the one that is due, hides the
// others and fills in the answers. Of a game with many asks only that one is part of the page (forms.js). What all pads
// share is in session.js.
//
// The data attributes are described in scoresheets/templatetags/__init__.py; templatetags/pad.py fills in the first values.

import { changeSign, counted, fewer, isRight, missing, nextMissing } from "./counts.js";
import { fold as folded, hand, takenBack as back, taking, version } from "./replay.js";
import { bringIn, fill, formOf, forms, lacking, nameOf, roots, step, words } from "./forms.js";
import { draw, html } from "../lib/html.js";
import { at, box, keep, pad, page, phone, show, ui } from "./session.js";
import { backForm, badge, bar, inParts, mark, tools } from "./view_parts.js";

const [over, undoing, list] = ["#bar", "#undoing", "#by-place"].map((place) => phone.querySelector(place));
let again = new URLSearchParams(location.search).get("again"); // the ask that is written once more
let standing; // the script of the rows by place, once it is there
let place = null; // where the pad stood when it was filled
let filled = ""; // what its form was filled with
let isDirty = false; // whether the finger is in the middle of it
let draft = drafted(); // what was typed there and is come later: { at, given }

// The hand as the taps leave it

const due = (moment) => hand(moment) && (moment.asks.find(({ name, optional }) => !optional && !(name in moment.steps))?.name ?? null);
const isAsked = (moment, ask) => moment.asks.some(({ name }) => name === ask);

// What may be left out can be written as soon as all is that comes before it; the site reads it no earlier.
function isInTime(moment, ask) {
  const places = moment.asks.map(({ name }) => name);
  return places.includes(ask) && places.indexOf(ask) <= places.indexOf(due(moment));
}

// What was refused because something before it is missing: that is asked for again, and then the rest is sent.
function waits(moment, { code, place }) {
  const ask = place.ask.slice(moment.prefix.length);
  return code === "out-of-turn" && place.hand === hand(moment)?.number && isAsked(moment, ask) && !isInTime(moment, ask);
}

// Unsent taps are later than what stands on the site, and the last of them is the last. The site decides the same of what
// stands there (`latest_step` in scoresheets/log/state.py).
function latest({ asks, steps, entries, reordered }) {
  const places = asks.map(({ name }) => name);
  const told = (ask) => (reordered ? places.indexOf(ask) : version(entries[ask]));
  const order = (ask) => (typeof version(entries[ask]) === "string" ? Infinity : told(ask));
  return game.oneByOne({ steps, entries }).reduce((last, ask) => (last !== null && order(last) > order(ask) ? last : ask), null);
}

const game = {
  knows: isAsked,
  complete: (moment) => hand(moment) !== null && due(moment) === null,
  points: () => null,
  begins: ({ begins }) => ({ texts: {}, clock: null, reordered: false, ...begins }),
  wrote(moment, { place }) {
    delete moment.texts[place.ask.slice(moment.prefix.length)];
  },
  oneByOne: ({ steps, entries }) => Object.keys(steps).filter((ask) => entries[ask]),
  written(moment) {
    const last = hand(moment) && latest(moment);
    return last && taking(moment, last, { last });
  },
};

// What the site has said of the hand is about what stood there then. Where something of that was swept away, taken back
// or changed since, what cannot be meant is not known any more, and with nothing written the hand is as it begins.
function fold(pad, posts, page, known) {
  const moment = folded(pad, posts, page, known, game);
  const [open, was] = [hand(moment), hand(pad)];
  if (!open || open.number !== was?.number || moment.prefix !== pad.prefix) return moment;
  const isSame = (ask) => JSON.stringify(moment.steps[ask]) === JSON.stringify(pad.steps[ask]);
  if (!Object.keys(pad.steps).every(isSame)) moment.shut = pad.begins.shut;
  if (!Object.keys(moment.steps).length) moment.shows = pad.begins.shows;
  return moment;
}

const takenBack = (moment) => back(moment, page, game);

// What was written, in words

function stepInWords(moment, ask) {
  if (moment.texts[ask]) return inParts(moment.texts[ask]);
  // A form that is not in front may have the names of an older page.
  keepNames(moment, formOf(ask));
  return words(ask, moment.steps[ask]);
}

// What is taken back; an ask whose words would be long is called by its name.
function toTakeBack(moment) {
  const back = takenBack(moment);
  const says = Object.values(moment.steps[back?.last] ?? {}).filter((value) => value !== null && value !== false);
  const parts = moment.texts[back?.last] ?? [];
  if (says.length < 2 && !(parts.length > 1 && parts[0])) return back;
  const { what } = moment.asks.find(({ name }) => name === back.last);
  return { ...back, last: undefined, what: inParts(what) };
}

// What is shown

// Other seats are another page. It is loaded once for them: without network it comes as it was kept.
function isForOthers({ seats }) {
  if (`${seats}` === `${pad.seats}` || box.posts.length || ui.offline) return;
  const place = `seated-${page.code}`;
  try {
    if (sessionStorage.getItem(place) === `${seats}`) return;
    sessionStorage.setItem(place, `${seats}`);
    location.reload();
  } catch {
    // Who keeps nothing loads it themselves.
  }
}

function paint(moment) {
  isForOthers(moment);
  const open = hand(moment);
  const now = front(moment);
  bringIn(now);
  header(moment, open);
  for (const row of phone.querySelectorAll("[data-seat]")) draw(row, score(moment, Number(row.dataset.seat)));
  drawByPlace(moment);
  for (const form of forms) {
    const { ask } = form.elements;
    if (ask.dataset.event) ask.value = `${ask.dataset.event}-${moment.event}`;
    ask.toggleAttribute("data-due", nameOf(form) === now);
  }
  phone.querySelector("[data-over]").hidden = Boolean(open);
  keepTrue(moment, now);
  inFront(moment, now);
  draw(over, bar(ui));
  draw(phone.querySelector("#tools"), tools(moment, page, ui, toTakeBack(moment), ({ last, what }) => (last ? stepInWords(moment, last) : what)));
  draw(undoing, html`${backForm(takenBack(moment), page)}`);
  return open ? "asks" : "over";
}

// The standing by place, in the place of the scores.
function drawByPlace(moment) {
  ui.places = standing?.wantedAt("");
  list.hidden = !ui.places;
  draw(list, html`${ui.places?.rowsByPlace(moment, null, ui)}`);
  ui.places?.glideByPlace(list);
}

const byPlace = async () => (standing ??= await import("../pad_later/by_place.js"));

function header(moment, open) {
  phone.querySelector("h1 .number").textContent = open ? open.number : "";
  phone.querySelector("[data-last]").hidden = open?.number !== moment.last;
  const sent = phone.querySelector(".sent");
  [sent.dataset.state, sent.textContent] = [ui.sent.state, ui.sent.words];
  const line = phone.querySelector(".line");
  const says = word(moment);
  put(line, "textContent", says);
  line.hidden = !says;
}

// Without network the points wait for the site, but nothing else does.
function word(moment) {
  if (ui.missed) return ui.missed;
  if (box.refused && waits(moment, box.refused)) return "this no longer fits: enter it again to send the rest";
  const waiting = moment.back.filter(({ points }) => points === null).map(({ number }) => number);
  if (!ui.offline && !box.failed) return ui.woke ? "nothing is lost" : ui.called || (ui.hint ? "this phone may go dark: see More" : "");
  if (!waiting.length) return ui.offline ? "no connection: kept on this phone" : "";
  return `no connection: points of ${waiting.length > 1 ? `${waiting.length} hands` : `hand ${waiting[0]}`} come later`;
}

// Who leads the first trick; where the bidding has yet to say it, nobody does.
function leader(moment) {
  const [left] = hand(moment)?.order ?? [];
  if (!page.leads) return null;
  if (!page.leader_in) return left;
  const [ask, field] = page.leader_in;
  return ask in moment.steps ? Number(moment.steps[ask][field] ?? left) : null;
}

function roles(moment, seat) {
  const { dealer, order } = hand(moment);
  const leads = leader(moment);
  const first = page.leads && leads === null && seat === order[0];
  return [seat === dealer && "deals", seat === leads && "leads", first && page.speaks_first].filter(Boolean).join(", ");
}

function score(moment, seat) {
  const open = hand(moment);
  const note = open ? roles(moment, seat) : "";
  const legs = moment.legs?.[seat] ?? 0;
  return html`<span class="name${seat === ui.mine && " mine"}">${badge(moment, seat)}<bdi>${moment.names[seat]}</bdi></span><span class="total">${mark(moment, seat, ui)}</span><span class="note">${note}${
    legs > 0 && html`<span class="legs" aria-hidden="true">${"●".repeat(legs)}</span><span class="visually-hidden"> won ${legs}</span>`
  }</span>`;
}

// What a choice says at once, by the tables of the game (`look_up`): each value by itself, the later over the earlier,
// and all together by their kinds. Without network the site cannot say it, and before a tap is sent it does not know.
function wordsOf(ask, given) {
  const { kinds = {}, alone = {}, together = {} } = page.shown?.[ask] ?? {};
  const chosen = Object.keys(given).sort().map((field) => given[field]).filter((value) => value in kinds);
  return Object.assign({}, ...chosen.map((value) => alone[value]), together[chosen.map((value) => kinds[value]).sort().join("")]);
}

function shownWords({ shows, steps }, now) {
  const form = isDirty && now ? formOf(now) : null;
  return Object.entries({ ...steps, ...(form && { [now]: step(form) }) }).reduce((all, [ask, given]) => Object.assign(all, wordsOf(ask, given)), { ...shows });
}

// What is true already is not written once more: the browser would lay it out again.
function put(part, property, value) {
  if (part[property] !== value) part[property] = value;
}

function keepNames(moment, part) {
  for (const name of part?.querySelectorAll("[data-name-of]") ?? []) put(name, "textContent", moment.names[seatOf(moment, name.dataset.nameOf)] ?? "");
}

// Every part of the page that a template has marked.
function keepTrue(moment, now) {
  moment.shows = shownWords(moment, now);
  const each = (name, how) => {
    for (const part of phone.querySelectorAll(`[data-${name}]`)) how(part, part.getAttribute(`data-${name}`));
  };
  keepNames(moment, phone);
  each("shows", (part, name) => put(part, "textContent", moment.shows[name] ?? ""));
  each("clock", (part) => {
    const { ends, here } = moment.clock ?? {};
    part.hidden = !ends;
    part.dataset.ends = ends ?? "";
    part.toggleAttribute("data-here", Boolean(here));
  });
  each("answer", (part, ask) => draw(part, html`${ask in moment.steps && stepInWords(moment, ask)}`));
  each("shut", (part, name) => {
    put(part, "disabled", moment.shut.includes(name));
    if (part.disabled) part.checked = false;
  });
  each("when", (part, what) => put(part, "hidden", !holds(moment, now, what)));
  each("unless", (part, what) => put(part, "hidden", holds(moment, now, what)));
}

function holds(moment, now, what) {
  const [, how, name] = /^(\w+) (.*)$/.exec(what) ?? [];
  if (how === "wrote") return wrote(moment, name.split(" "));
  const open = hand(moment);
  const is = { deals: open?.dealer, leads: leader(moment) };
  if (how in is) return `${is[how]}` === name;
  return { answered: name in moment.steps, due: name === now, shows: Boolean(moment.shows[name]) }[how] ?? false;
}

// "wrote bid trump": whether anything stands there; "wrote bid trump H": whether it is that.
function wrote({ steps }, [ask, field, value]) {
  const given = steps[ask]?.[field];
  return value === undefined ? (given ?? "") !== "" : `${given}` === value;
}

function seatOf(moment, role) {
  const open = hand(moment);
  const [, seat] = /^seat (\d+)$/.exec(role) ?? [];
  return seat ?? { dealer: open?.dealer, leads: leader(moment), "next dealer": moment.hands[1]?.dealer }[role];
}

// The form that is in front: filled once with what stands there, or with what was refused.
function inFront(moment, now) {
  const refused = box.refused && !box.refused.conflict && box.refused.place.ask === moment.prefix + now ? box.refused : null;
  const given = refused?.step ?? (now && moment.steps[now]) ?? {};
  const key = JSON.stringify([turn(moment), refused?.key, given]);
  const form = formOf(now, given);
  if (key !== filled && (!isDirty || place !== turn(moment))) {
    // Who comes back to a place finds what was typed there.
    isDirty = !refused && draft?.at === turn(moment);
    const values = isDirty ? draft.given : given;
    const own = formOf(now, values);
    for (const each of forms.filter((one) => one.isConnected)) fill(each, each === own ? values : {});
    [filled, place] = [key, turn(moment)];
  }
  // Of the others nothing is seen. Whether something is missing in one, the browser has to find out anew each time.
  for (const each of forms.filter((other) => nameOf(other) === now)) {
    const lacks = ui.reason && each === form && (isRight(each) ? lacking(each) && "Something is still missing." : missing(each));
    put(each.querySelector(".reason"), "textContent", (each === form && refused?.problem) || lacks || "");
    const off = isOff(each);
    for (const button of each.querySelectorAll("[type=submit]:not([name])")) {
      if (off) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    }
  }
}

const front = (moment) => {
  if (!isInTime(moment, again)) again = null;
  return hand(moment) && (again ?? due(moment));
};
const turn = (moment) => `${moment.prefix}${hand(moment)?.number}.${moment.event} ${front(moment)}`;
const isOff = (form) => forms.includes(form) && (!isRight(form) || lacking(form) !== null);

// What is tapped

// A clock that begins on this phone runs by its time until the site says when it began; any other tap stops it.
function begun({ dataset: { minutes } }) {
  return minutes ? { ends: new Date(Date.now() + minutes * 60000).toISOString(), here: true } : null;
}

// What was written before is typed anew; anything else is written for the first time.
function more(form, given) {
  const ask = nameOf(form);
  const { event } = form.elements.ask.dataset;
  const anew = ask in at().steps;
  again = null;
  forget();
  return { text: words(ask, given), ...(anew && { verb: "retype", url: page.urls.retype }), ...(event && { event, clock: begun(form) }) };
}

phone.addEventListener("click", (event) => {
  const reopens = event.target.closest("[data-again]");
  const counts = event.target.closest("[data-fewer], [data-more], [data-sign]");
  if (reopens) {
    event.preventDefault();
    again = reopens.dataset.again === again ? null : reopens.dataset.again || null;
    show();
  } else if (counts) {
    if ("sign" in counts.dataset) changeSign(counts);
    else fewer(counts);
    touched(counts.closest("form"));
  }
});

function forget() {
  isDirty = false;
  keepDraft(null);
}

function touched(form) {
  isDirty = true;
  ui.reason = false;
  keepDraft({ at: turn(at()), given: step(form) });
  show();
}

function drafted() {
  try {
    return JSON.parse(sessionStorage.getItem(`typed-${page.code}`));
  } catch {
    return null;
  }
}

function keepDraft(typed) {
  draft = typed;
  try {
    if (typed) sessionStorage.setItem(`typed-${page.code}`, JSON.stringify(typed));
    else sessionStorage.removeItem(`typed-${page.code}`);
  } catch {
    // It lasts as long as the page.
  }
}

function typed(moment) {
  if (!isDirty || draft?.at !== turn(moment) || !hand(moment)) return null;
  const ask = front(moment);
  return { place: { hand: hand(moment).number, ask: moment.prefix + ask }, step: draft.given, text: words(ask, draft.given) };
}

for (const form of forms) {
  // What cannot be seen need not be filled in: that is for `lacking` to say.
  form.noValidate = true;
  form.addEventListener("input", ({ target }) => {
    counted(form, target);
    touched(form);
  });
  for (const box of form.querySelectorAll("[data-signed] input")) box.inputMode = "numeric";
  form.addEventListener("keydown", (event) => {
    const next = event.key === "Enter" && !event.isComposing && event.target.closest("[data-signed]") ? nextMissing(event.target) : null;
    if (!next || event.target.localName !== "input") return;
    event.preventDefault();
    next.focus();
  });
  form.addEventListener("focusin", ({ target }) => target.closest("[data-signed]") && target.select?.());
  form.addEventListener("change", ({ target }) => {
    if ("sends" in target.dataset && !isOff(form)) form.requestSubmit();
  });
}
for (const root of roots) {
  // Who taps with keys or hears the page is led to the next question.
  for (const heading of root.querySelectorAll("[data-ask] > h2")) heading.tabIndex = -1;
  for (const plain of root.querySelectorAll("[data-plain]")) plain.hidden = true;
}

keep({
  fold, takenBack, turn, paint, step, more, isOff, waits, asks: true,
  open: (what) => what === "places" && byPlace().then(() => show(standing.turnOver("")), () => {}),
  later: byPlace,
  isFresh: (moment) => !Object.keys(moment.steps).length,
  isBusy: () => isDirty || again !== null,
  typed,
  forget: (typed) => typed && forget(),
  first: () => formOf(front(at()))?.closest("section").querySelector("[tabindex]"),
}); // prettier-ignore
