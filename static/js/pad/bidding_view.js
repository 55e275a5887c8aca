// The view of the pad of bids and tricks. It renders the same page as the template of the game, from the same data.

import { hand } from "./replay.js";
import { html } from "../lib/html.js";
import { backForm, badge, bar, fields, inParts, mark, name, signed, RED, SUITS, turned, tools as drawn } from "./view_parts.js";
import { bidSum, bidder, bids, capital, forbidden, inWords, takenBack } from "./bidding_state.js";

const TWO_COLUMNS = 7;

const cards = (count) => `${count} card${count === 1 ? "" : "s"}`;

// What the whole phone shows. `ui`: what was counted, the reason line where a tap has asked for more, how the sending goes.
export function phone(moment, page, ui) {
  const mode = !hand(moment) ? "over" : bidder(moment) === null ? "tricks" : "bids";
  const body = { bids: bidding, tricks: counting, over }[mode](moment, page, ui);
  return [mode, html`${top(moment, mode, ui)}${body}${takenBackForm(moment, page)}`];
}

function top(moment, mode, ui) {
  const open = hand(moment);
  const title = !open
    ? html`<h1>The end</h1>`
    : moment.prefix
      ? html`<h1>Blind hand${moment.blind > 1 && ` ${moment.blind}`} <span>${moment.for ?? "for the lead"}</span></h1>`
      : html`<h1>Hand ${open.number} <span>of ${moment.planned}</span></h1>`;
  return html`<header class="top">${title}<p class="sent" role="status" data-state="${ui.sent.state}">${ui.sent.words}</p>${
    open && !moment.prefix && trump(moment, mode)
  }${open && facts(moment, mode)}${heading(moment, ui)}${bar(ui)}</header>`;
}

function trump(moment, mode) {
  if (!moment.steps.trump) {
    return mode === "tricks" && html`<a class="button turned ace" href="?open=trump" data-open="trump">Trump?</a>`;
  }
  const { text, label, red, ace } = turned(moment.steps.trump);
  return html`<a class="button turned${red && " red"}${ace && " ace"}" href="?open=trump" data-open="trump" aria-label="Trump: ${label}. Change">${text}</a>`;
}

function facts(moment, mode) {
  const { number, cards: count, dealer } = hand(moment);
  if (mode === "bids" && (number === moment.planned || number === moment.last)) {
    const all = count === 1 ? "one card" : cards(count);
    return html`<p class="facts last"><b>Last hand:</b> <span>${name(moment, dealer)} <span>deals ${all}</span></span></p>`;
  }
  if (mode === "bids") {
    // Who deals a blind hand stands beside the name: the line is full.
    if (moment.prefix) return html`<p class="facts"><b>Nobody looks! Bids first</b><b>${cards(count)} each</b></p>`;
    return html`<p class="facts"><b>${cards(count)} each</b><span>${name(moment, dealer)} <span>deals</span></span></p>`;
  }
  const over = bidSum(moment) - count;
  return html`<p class="facts"><b>${cards(count)}</b><span>${over > 0 ? `over by ${over}` : over < 0 ? `under by ${-over}` : "as many bid"}</span></p>`;
}

// The staircase, or in its place what there is to know about the phone.
function heading(moment, ui) {
  const line = ui.missed || (ui.offline
    ? "no connection: kept on this phone"
    : ui.woke
      ? "nothing is lost"
      : ui.called || (ui.hint && "this phone may go dark: see More"));
  return html`<p class="line" role="status">${line}</p>${!line && !moment.prefix && plan(moment)}`;
}

function plan(moment) {
  const now = hand(moment)?.number ?? moment.planned + 1;
  const most = Math.max(1, ...moment.schedule);
  const bar = (count, i) =>
    html`<rect x="${i}" width=".88" height="${count}" class="${i + 1 < now ? "done" : i + 1 === now ? "now" : ""}"></rect>`;
  return html`<svg class="plan" viewBox="0 0 ${moment.planned} ${most}" preserveAspectRatio="none" aria-hidden="true">${moment.schedule.map(bar)}</svg>`;
}

// The seats while bids fall

function bidding(moment, page, ui) {
  const open = hand(moment);
  const due = bidder(moment);
  const no = forbidden(moment);
  const asksTrump = !moment.prefix && !moment.steps.trump;
  const line = ui.reason
    ? `The Rule: ${bidSum(moment)} + ${no} would make ${open.cards}.`
    : no !== null && `The Rule: you cannot bid ${no}.`;
  const key = (_, value) =>
    html`<button type="submit" name="f-bid" value="${value}" aria-label="${moment.names[due]} bids ${value}"${value === no && html` class="no" aria-disabled="true" aria-describedby="reason"`}>${value}</button>`;
  return html`${seats(moment, ui, due, (seat) => bidRow(moment, seat, due, ui))}${remarks(moment)}<div class="slot">${
    asksTrump ? suits(moment, page) : html`<p class="said">${isAlong(moment) ? "Grey: plays along, doesn’t count." : callout(moment, page)}</p>`
  }</div><section class="pad" aria-label="Bids"><h2><span>${name(moment, due)} <span>bids …</span></span><span class="sum">${bidSum(moment)} bid of ${open.cards}</span></h2><p class="reason" id="reason" role="status">${
    line || (asksTrump && !bids(moment).length && callout(moment, page))
  }</p><form class="keys" data-keys="${open.cards + 1}" method="post" action="${page.urls.enter}">${fields(open.number, `${moment.prefix}bid-${due}`)}${Array.from({ length: open.cards + 1 }, key)}</form>${tools(moment, page, ui)}</section>`;
}

// The list of the seats, by place where that is wanted.
function seats(moment, ui, due, row) {
  const rows = ui.places ? ui.places.rowsByPlace(moment, due, ui) : moment.seats.map(row);
  return html`<ol class="seats${ui.places && " by-place"}" data-seats="${moment.seats.length}">${rows}</ol>`;
}

function bidRow(moment, seat, due, ui) {
  const bid = moment.steps[`bid-${seat}`]?.bid;
  const counts = !moment.counting || moment.counting.includes(seat);
  const state = `${seat === due ? "now" : ""}${counts ? "" : " out"}`;
  const unsent = ui.sent.state === "waiting" && typeof moment.entries[`bid-${seat}`] === "string";
  return html`<li class="${state}${own(seat, ui)}"${seat === due && html` aria-current="true"`}><span class="name">${badge(moment, seat)}${name(moment, seat)}${note(moment, seat, counts)}${seat === ui.ice?.seat && ui.ice.line}</span>${total(moment, seat, ui)}${
    bid === undefined
      ? html`<span class="bid none"><span class="visually-hidden">not yet</span></span>`
      : html`<a class="button bid${unsent && " unsent"}" href="?open=retype-${seat}" data-open="retype-${seat}" aria-label="${moment.names[seat]} bid ${bid}. I typed it wrong">${bid}</a>`
  }</li>`;
}

// Whether somebody plays a blind hand whose points do not count.
const isAlong = ({ counting, seats }) => seats.some((seat) => counting && !counting.includes(seat));

const own = (seat, ui) => (seat === ui.mine ? " mine" : "");

function note(moment, seat, counts) {
  const { dealer, order } = hand(moment);
  const role = seat === dealer ? "deals" : seat === order[0] ? "leads" : "";
  const along = !counts && html`${role && ", "}<span class="visually-hidden">plays along, </span>doesn’t count`;
  return (role || along) && html`<em>${role}${along}</em>`;
}

function total(moment, seat, ui) {
  const signs = (moment.signs[seat] ?? []).map(
    ([sign, words]) =>
      html`<span class="sign" title="${words}"><span aria-hidden="true">${sign}</span><span class="visually-hidden">${words}</span></span>`,
  );
  return html`<span class="total">${mark(moment, seat, ui)}${signs}</span>`;
}

export function suits(moment, page, chosen = null, saw = "") {
  const button = ([suit, [sign, label]]) =>
    html`<button type="submit" name="f-suit" value="${suit}"${RED.includes(suit) && html` class="red"`} aria-label="${label}"${chosen !== null && html` aria-pressed="${suit === chosen}"`}>${sign}</button>`;
  return html`<form class="trump" method="post" action="${page.urls.enter}" aria-label="Trump">${fields(hand(moment).number, "trump", saw)}${Object.entries(SUITS).map(button)}<button type="submit" name="f-suit" value="NT" class="ace"${chosen !== null && html` aria-pressed="${chosen === "NT"}"`}>Ace: no trump</button></form>`;
}

function callout(moment, page) {
  const called = moment.prefix ? null : moment.callout;
  if (called) {
    const names = called.seats.map((seat, i) => {
      const before = i === 0 ? " for " : i === called.seats.length - 1 ? " and " : ", ";
      return html`${before}${name(moment, seat)}`;
    });
    return html`<b>Hand ${called.hand}:</b> <a href="${page.words}#${called.call}">${called.term}</a>${names}`;
  }
  return null;
}

// The seats while tricks are counted; before a count was touched, all that is asked while a hand is played

function counting(moment, page, ui) {
  const open = hand(moment);
  const { tally } = ui;
  const played = !tally.touched.length;
  const two = moment.seats.length >= TWO_COLUMNS;
  const right = tally.right;
  return html`<form method="post" action="${page.urls.enter}" class="count">${fields(open.number, `${moment.prefix}tricks`)}<button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true">Score</button>${ui.places ? html`${moment.seats.map((seat) => keptCount(ui, seat))}${seats(moment, ui, null)}` : html`<ol class="seats took${two && " two"}${played && " played"}" data-seats="${moment.seats.length}">${moment.seats.map((seat) => countRow(moment, page, ui, seat))}</ol>`}${remarks(moment, true)}<section class="pad" aria-label="Tricks">${played && html`<a class="aloud" href="?open=aloud" data-open="aloud">${aloud(moment)}</a>`}<p class="read" id="reason" role="status">${read(moment, page, ui)}</p>${tools(moment, page, ui)}<button type="submit" class="go"${!right && html` aria-disabled="true" aria-describedby="reason"`}>Score ${moment.prefix ? "the blind hand" : `hand ${open.number}`}</button></section></form>`;
}

// What was counted stays in the form while the rows stand by place.
function keptCount({ tally }, seat) {
  return html`<input type="hidden" name="f-tricks-${seat}" value="${tally.counts[seat]}">${tally.touched.includes(seat) && html`<input type="hidden" name="touched" value="${seat}">`}`;
}

function countRow(moment, page, ui, seat) {
  const { tally } = ui;
  const bid = tally.bids[seat];
  const took = tally.counts[seat];
  const played = !tally.touched.length;
  const player = moment.names[seat];
  const out = moment.counting && !moment.counting.includes(seat);
  const could = !played && tally.could.includes(seat);
  const step = (verb, label, sign, end) =>
    html`<button type="submit" name="${verb}" value="${seat}" formaction="${page.urls.pad}" aria-label="${player} ${label}"${took === end && html` aria-disabled="true"`}>${sign}</button>`;
  return html`<li class="${could && "could"}${tally.touched.includes(seat) && " touched"}${out && " out"}${own(seat, ui)}"><span class="name">${badge(moment, seat)}${name(moment, seat)}${note(moment, seat, !out)}</span><a class="b num" href="?open=retype-${seat}" data-open="retype-${seat}" aria-label="${player} bid ${bid}. I typed it wrong"><small>bid</small> ${bid}</a><span class="step">${step("fewer", "one fewer", "−", 0)}<input class="num" name="f-tricks-${seat}" inputmode="numeric" pattern="[0-9]*" autocomplete="off" value="${took}" aria-label="${player} took">${step("more", "one more", "+", tally.cards)}</span><span class="pts num ${bid === took ? "made" : "set"}">${!played && signed(page.worth[bid][took])}</span>${tally.touched.includes(seat) && html`<input type="hidden" name="touched" value="${seat}">`}</li>`;
}

// What was noted for after this hand, and what holds as long as nobody ends lower.
function remarks(moment, counted) {
  const lowest = Math.min(...moment.seats.map((seat) => moment.totals[seat]));
  const held = moment.remarks.filter(({ low, high, early }) => low <= lowest && (high === null || lowest <= high) && !(counted && early));
  const noted = moment.noted.map((says) => html`<p class="remark noted">${inParts(says)}</p>`);
  return [...noted, ...held.map(({ says }) => html`<p class="remark">${inParts(says)}</p>`)];
}

// To be read out when all have bid: "Seven cards, hearts. Ed 2, Flo 0, Ann 6: over by one. Ed leads."
export function aloud(moment) {
  const { cards: count, order } = hand(moment);
  const over = bidSum(moment) - count;
  const spoken = bids(moment).map(([seat, bid], i) => html`${i > 0 && ", "}${name(moment, seat)} ${bid}`);
  const off = over ? `${over > 0 ? "over" : "under"} by ${inWords(Math.abs(over))}` : "as many bid as there are";
  return html`${capital(inWords(count))} card${count !== 1 && "s"}${suitAloud(moment.steps.trump)}. ${spoken}: ${off}. ${name(moment, order[0])} leads.`;
}

function suitAloud(step) {
  if (!step) return "";
  const [rank, suit] = step.turned ?? ["", step.suit];
  return rank === "A" || !(suit in SUITS) ? ", no trump" : `, ${SUITS[suit][1].toLowerCase()}`;
}

export function read(moment, page, ui) {
  const { tally } = ui;
  const open = hand(moment);
  if (!tally.right && !tally.touched.length && !ui.reason) {
    const over = bidSum(moment) - open.cards;
    const [, term, call] = page.sums.find(([least]) => over >= least);
    const [first] = open.order;
    const next = moment.hands[1]?.dealer;
    const deals = next === first ? " and deals next" : next !== undefined && html`, ${name(moment, next)} deals next`;
    return html`${term && html`<a href="${page.words}#${call}">${term}</a>: `}${bidSum(moment)} bid of ${open.cards}. ${name(moment, first)} leads${deals}.`;
  }
  if (!tally.right) return html`<span class="odd">${tally.question}</span>`;
  const [before, seats, after] = tally.readBack;
  const names = seats.map((seat, i) => html`${i > 0 && ", "}${name(moment, seat)}`);
  return html`${tally.taken} of ${open.cards} trick${open.cards !== 1 && "s"}. ${before && html`<b${before !== "Set:" && html` class="made"`}>${before} ${names}${!moment.names[seats.at(-1)].endsWith(".") && "."}</b> `}${after}`;
}

// After the last planned hand: what comes now is for the site to say

function over(moment, page, ui) {
  const row = (seat) => html`<li><span class="name">${name(moment, seat)}</span>${total(moment, seat, ui)}<span class="bid"></span></li>`;
  return html`${seats(moment, ui, null, row)}<div class="slot"></div><section class="pad" aria-label="The end"><h2><span>${moment.early ? "The game stops here." : "That was the last hand."}</span></h2><p class="read" id="reason" role="status">Settling the game comes next, and needs a connection.</p>${tools(moment, page, ui)}</section>`;
}

// What stands on both pages

const tools = (moment, page, ui) =>
  drawn(moment, page, ui, takenBack(moment, page), ({ takes, what }) => (takes.ask === "trump" ? turned(what).text : what));

const takenBackForm = (moment, page) => backForm(takenBack(moment, page), page);
