// What all pads share: a tap is stored, shown in the next frame, and sent in the background. A game's `face` renders the
// page and says which post a tap makes.

import { hand } from "./replay.js";
import { draw } from "../lib/html.js";
import { Kept, life, mine } from "./store.js";
import { marks } from "./view_parts.js";
import { Outbox, newKey } from "./outbox.js";
import { TapGuard } from "../lib/tap_guard.js";
import { buzz, TAKEN } from "../lib/vibration.js";

const MISSED = 2500; // for so long it is said that a tap was not taken
const POLL = 3000;
const BARRED = 9000; // who may not write any more asks seldom whether they may again
const LONGEST_POLL = 4000; // then there is no network
const AFTERWARDS = 1000; // what a first tap does not need is loaded so long after the page
const CUT_OFF = "This phone can no longer enter scores.";
const SLOW = 700; // what is quicker needs no word

const { pad, page, ...data } = JSON.parse(document.getElementById("pad-data").textContent);
const phone = document.getElementById("pad");
const panel = document.getElementById("panel");
const more = document.getElementById("more");
const whole = document.getElementById("whole-sheet");

const kept = new Kept(page.code, pad, () => {
  base = kept.pad;
  show();
});
let base = kept.pad; // the pad as the site last told it
let cut = false; // whether it could not be asked when nothing was to be sent
let pollTime = 0; // when that was
let news = null; // the site's answer that waits for the finger
let heard = base.version; // everything up to this version was written or heard of here
let moment, turn, boxes;
let face; // what the game looks like, see `keep`
const guard = new TapGuard(phone, missed);
export const ui = { reason: false, drawn: new Set(), sent: { state: "saved", words: "" }, bar: null };
export const box = new Outbox(page.code, show, (answer) => answer.pad && kept.hear(answer.pad, answer.wrote), answered);
export { pad, page, panel, phone };
export const at = () => moment;
let company = null; // the script for several phones at one table, once it is there
let sheet = null; // the script of the running sheet, once it is there
const beside = async () => (await dressed(), (sheet ??= await import("./sheet_panel.js")));
const [dress, large] = document.getElementById("dress").content.children;

// Large text. The media query misses a change of it; the width of a link does not.
const isLarge = matchMedia(large.media);
const enlarge = () => isLarge.matches && !large.isConnected && document.head.append(large);
enlarge();
isLarge.addEventListener("change", enlarge);
new ResizeObserver(enlarge).observe(document.querySelector(".skip"));

let worn; // that it is loaded
const dressed = () =>
  (worn ??= new Promise((done) => {
    dress.onload = dress.onerror = () => done(document.body.classList.add("dressed"));
    // What large text changes comes last.
    document.head.insertBefore(dress, large.isConnected ? large : null);
  }));

// What is shown

export function show() {
  const before = moment && hand(moment)?.number;
  moment = face.fold(base, box.posts, page, box.known);
  const open = hand(moment);
  const now = face.turn(moment);
  const turned = turn !== undefined && turn !== now;
  if (turn !== now) ui.reason = false;
  turn = now;
  face.begin?.(moment);
  ui.drawn = freshly();
  ui.sent = status();
  ui.bar = whatNeedsAnEye();
  ui.mine = mine(moment);
  ui.called = data.called.says;
  const focused = document.activeElement;
  phone.dataset.ask = face.paint(moment);
  if (turned) guard.turn(face.asks && open?.number === before);
  document.title = open ? `${phone.querySelector("h1").textContent} · Box & Circle` : document.title;
  for (const part of more.querySelectorAll("[data-when]")) part.hidden = !isTimeFor(part.dataset.when);
  for (const call of more.querySelectorAll("[name=asks]")) call.hidden = data.called.asks === (call.value === "1");
  sheet?.unsent(moment);
  if (turned && !(focused?.isConnected && focused.checkVisibility?.() !== false)) face.first()?.focus({ preventScroll: true });
}

function isTimeFor(what) {
  if (what === "stopped") return moment.stopped;
  return hand(moment) && !moment.prefix && (what === "hand" || moment.marked || moment.back.length > 0);
}

let isMissed; // the timer of what is said

function missed(says) {
  ui.missed = says;
  clearTimeout(isMissed);
  isMissed = setTimeout(() => {
    ui.missed = "";
    show();
  }, MISSED);
  show();
}

// Who got a box or a circle since the last drawing.
function freshly() {
  const now = new Map(moment.seats.map((seat) => [`${seat}`, marks(moment, seat).join()]));
  const before = boxes ?? now;
  boxes = now;
  const changed = [...now].filter(([seat, marks]) => marks !== before.get(seat) && marks.includes("true"));
  return changed.length ? new Set(changed.map(([seat]) => seat)) : face.isFresh(moment) ? ui.drawn : new Set();
}

function status() {
  const { waits } = box;
  if (box.refused || (box.barred && waits)) return { state: "refused", words: "not saved" };
  if (!waits) return { state: "saved", words: base.when ? `saved ${clock(base.when)}` : "" };
  if (box.failed || waits > 3) return { state: "waiting", words: `${waits} to send` };
  return box.since && Date.now() - box.since > SLOW ? { state: "sending", words: "sending" } : ui.sent;
}

// As `toLocaleTimeString` has it, which takes a slow phone an eighth of a second to get ready.
function clock(when) {
  const time = new Date(when);
  return [time.getHours(), time.getMinutes()].map((part) => `${part}`.padStart(2, "0")).join(":");
}

function whatNeedsAnEye() {
  const { refused } = box;
  // Without network nobody is asked anything: the status counts, and the heading says it.
  ui.offline = isCut();
  if (box.barred || refused?.conflict || refused?.unwise) return company?.first ?? { says: refused?.problem ?? CUT_OFF, parts: refused?.conflict?.line, label: "Look", act: lookAgain };
  if (refused && !face.waits?.(moment, refused)) return { says: refused.problem, label: "Leave it out", act: () => leaveOut(refused) };
  if (!box.kept) return { says: "This phone can’t save: keep this page open until all is sent.", label: "Send", act: () => box.flush() };
  if (box.failed && !ui.offline && box.waits) return { says: `${box.failed} Kept on this phone.`, label: "Send", act: () => box.flush() };
  if (news) return { says: news.news || "The sheet has changed.", parts: news.in_parts, label: "Look", act: () => take(news) };
  if (data.changed) return { ...data.changed, label: "OK", act: seen };
  if (base.loose) return { says: base.loose, label: "Look", act: () => location.assign(page.urls.left_over) };
  return company ? company.last : stopped();
}

// What was corrected on another page is said until somebody taps on.
function seen() {
  data.changed = null;
  show();
}

// The announced last hand is scored: one tap stops the game. The bar is there at once: no tap falls below it.
function stopped() {
  const { last, hands, prefix } = moment;
  if (!last || prefix || !(hands[0]?.number > last)) return null;
  return { says: `Hand ${last} was the last one.`, label: "Stop here", act: () => document.getElementById("stop-here").requestSubmit() };
}

// What was written after the end of the game goes at once: none of it has a place.
function leaveOut({ key }) {
  box.remove(...(base.go ? box.posts.map((post) => post.key) : [key]));
  if (base.go) follow();
}

const isCut = () => (box.waits ? box.failed === "network" : cut);

// What is tapped

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const url = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const verb = Object.keys(page.urls).find((name) => page.urls[name] === url);
  if (form.method === "dialog" || !["enter", "retype", "undo", "misdeal", "stop", "pad"].includes(verb)) return;
  event.preventDefault();
  if (verb === "pad") return face.move?.(submitter);
  if (face.isOff(form) || submitter?.getAttribute("aria-disabled") === "true") {
    ui.reason = phone.contains(form);
    return show();
  }
  panel.close();
  more.close();
  if (face.makesRoom?.(form)) guard.swap(); // for a line that can be tapped
  act(verb, form, submitter);
});

// A panel that opens or closes brings something else under the finger.
const changed = new MutationObserver(() => guard.swap());
for (const dialog of [panel, more, whole]) changed.observe(dialog, { attributeFilter: ["open"] });

function act(verb, form, submitter) {
  data.changed = null;
  ui.reason = false;
  if (verb === "undo") return takeBack();
  const open = hand(moment);
  const fields = { hand: `${open.number}` };
  const post = { key: newKey(), verb, url: page.urls[verb], fields };
  if (verb === "misdeal" || verb === "stop") {
    fields.event = `${moment.event}`;
    if (submitter?.name === "sure") fields.sure = "1"; // what that means was read
    post.place = { hand: open.number, ask: verb };
  } else {
    const ask = new FormData(form).get("ask");
    const step = face.step(form, submitter);
    const entry = moment.entries[ask.slice(moment.prefix.length)];
    const saw = entry === undefined ? "" : typeof entry === "string" ? entry : entry[0];
    Object.assign(post, written({ hand: open.number, ask }, step, saw), face.more?.(form, step));
  }
  box.put(post);
  buzz(TAKEN);
  show();
}

function written(place, step, saw) {
  const fields = { ...place, hand: `${place.hand}` };
  for (const [name, value] of Object.entries(step)) fields[`f-${name}`] = `${value}`;
  return { fields, place, step, saw };
}

function takeBack() {
  const back = face.takenBack(moment, page);
  if (!back) return;
  // Who sits where is for the site to say.
  if (back.says && !back.takes.noted && isCut()) return noNetwork();
  face.backTo?.(back, moment);
  if (typeof back.undoes === "string" && box.isUnsent(back.undoes)) box.remove(back.undoes);
  else {
    const { takes, undoes } = back;
    box.put({ key: newKey(), verb: "undo", url: page.urls.undo, fields: {}, takes, undoes, place: { hand: takes.hand, ask: `undo ${takes.ask}` } });
  }
  buzz(TAKEN);
  show();
}

document.addEventListener("click", (event) => {
  const opens = event.target.closest("[data-open]")?.dataset.open;
  if (opens) {
    event.preventDefault();
    if (opens === "more") more.showModal();
    else if (opens === "sheet") beside().then(() => sheet.open(page.urls.pad, moment), () => noNetwork());
    else if (opens === "read-back") readBack();
    else face.open(opens);
  } else if (event.target.closest("[data-close]")) {
    event.preventDefault();
    more.close();
  } else if (event.target.closest("[data-bar]")) {
    guard.swap();
    ui.bar?.act();
  }
  else if (event.target.matches("dialog[open]")) event.target.close();
});

async function keepCompany() {
  company ??= (await import("../pad_later/other_phones.js")).meet({ box, page, panel, show, stopped, at: () => moment, data: () => data });
}

const readBack = () => keepCompany().then(() => company.readBack(more), () => noNetwork());
// There was no network for the script: now, or with the page.
const lookAgain = () => keepCompany().then(() => company.first?.act(), () => noNetwork());

export function ask(markup) {
  draw(panel, markup);
  panel.showModal();
}

// What cannot be had without network has been loaded by then.
async function noNetwork() {
  const panels = await import("../lib/offline_notice.js").catch(() => null);
  if (panels) ask(panels.noNetwork());
}

// What the site says

// What one row of the sheet cannot tell: its columns, and whether a blind hand is played.
const laidOut = ({ seats, names, prefix }) => [prefix, ...seats.map((seat) => `${seat} ${names[seat]}`)].join();

function answered(answer, post) {
  const before = laidOut(base);
  if (life(kept.pad) !== life(base)) heard = kept.pad.version;
  base = kept.pad;
  if (answer.wrote === heard + 1) heard += 1; // else somebody else wrote in between, and is asked after
  news = null;
  if (laidOut(base) !== before) beside().then(() => sheet.refresh(page.urls.pad, moment), () => {});
  else if (answer.wrote) beside().then(() => sheet.place(answer.row, base, moment), () => {});
  show();
  follow();
}

// Where nothing more is written on the pad, the page that goes on with it: if it can be reached.
async function follow() {
  const { go } = base;
  if (!go || box.posts.length) return;
  const answer = await fetch(go, { method: "HEAD" }).catch(() => null);
  cut = !answer;
  if (answer && base.go === go && !box.posts.length) location.assign(go);
  else show();
}

function take(answer) {
  const typed = face.typed?.(moment);
  base = kept.hear(answer.pad);
  box.sendLost(base);
  news = null;
  const isTaken = typed && !isFree(typed.place);
  if (!typed || isTaken) face.forget?.(typed);
  // Another phone wrote there what this one was in the middle of: the site says whether the two differ.
  if (isTaken) box.put({ key: newKey(), verb: "enter", url: page.urls.enter, ...typed, ...written(typed.place, typed.step, "") }).then(() => box.refused?.conflict && lookAgain());
  show();
  follow();
  beside().then(() => sheet.refresh(page.urls.pad, moment), () => {});
}

// Whether what the pad shows of a place is what stands there now.
function isFree({ hand: number, ask }) {
  const name = ask.slice(moment.prefix.length);
  const isOpen = hand(base)?.number === number && base.prefix === moment.prefix;
  return isOpen && `${base.entries[name]}` === `${moment.entries[name]}`;
}

const edition = () => (base.generation ? `${heard}.${base.generation}` : `${heard}`);

async function poll() {
  if (document.hidden || (box.waits && !box.barred)) return;
  pollTime = performance.now();
  const { version, whole } = base;
  try {
    // Who does not know the whole way back asks for it.
    const signal = AbortSignal.timeout?.(LONGEST_POLL);
    const headers = { Accept: "application/json" };
    const response = await fetch(`${page.urls.state}?v=${whole ? edition() : ""}&called=${encodeURIComponent(data.called.mark)}`, { headers, signal });
    const answer = response.status === 204 ? null : await response.json();
    if (cut) {
      cut = false;
      show();
      follow();
    }
    // A script that could not be had without network can be had now.
    if (!company) keepCompany().then(show, () => {});
    const was = box.barred;
    box.barred = answer?.code === "cut-off";
    if (was !== box.barred) box.flush();
    if (!response.ok || !answer || box.posts.length || base.version !== version) return;
    const isOther = life(answer.pad) !== life(base);
    [heard, data.scorekeeper, data.overruled, data.called] = [isOther ? answer.version : Math.max(heard, answer.version), answer.scorekeeper, answer.overruled, answer.called];
    if (answer.version <= version) news = null;
    if (isOther) take(answer);
    else if (answer.version === version) base = kept.hear(answer.pad);
    // A pad under the finger is not taken away.
    else if (face.isBusy() || panel.open) news = answer;
    else take(answer);
    show();
  } catch {
    cut = true;
    show();
  }
}

// `how`: what the game looks like. It folds, paints and takes back, knows when the page `turn`s, and says what a tap
// writes (`step`) and when it has to wait (`isOff`); bidding.js and prompts.js show all of it.
export function keep(how) {
  face = how;
  setInterval(() => (box.barred && performance.now() - pollTime < BARRED) || poll(), POLL);
  setInterval(() => box.since && show(), SLOW);
  document.addEventListener("visibilitychange", poll);
  for (const change of ["online", "offline"]) addEventListener(change, poll);
  addEventListener("pageshow", (event) => event.persisted && poll());
  // A panel that was opened by a link without this script.
  if (location.search) history.replaceState(null, "", location.pathname);
  panel.close();
  more.close();
  show();
  if (matchMedia("(min-width: 48rem)").matches) dressed();
  box.askAgain();
  box.sendLost(base);
  if (box.waits) box.flush();
  follow();
  if (base.version !== pad.version) poll();
  setTimeout(() => {
    if (!base.whole) poll();
    keepCompany().then(show, () => {});
    beside().then(() => sheet.unsent(moment), () => {});
    Promise.all([import("../pad_later/offline.js"), dressed(), face.later?.()]).then(([{ plug }]) => plug({ ui, show, ask, at, takenBack: () => face.takenBack(moment, page), isCut: () => isCut() || box.isUnopened }), () => {});
  }, AFTERWARDS);
}
