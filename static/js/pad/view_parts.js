// Parts of the view that all pads share: names, totals with box and circle, the tools.

import { html } from "../lib/html.js";

export const minus = (number) => (number < 0 ? `−${-number}` : `${number}`);
export const signed = (number) => (number > 0 ? `+${number}` : minus(number));
export const name = (moment, seat) => html`<bdi>${moment.names[seat]}</bdi>`;

// What stands before a name in the row of a seat.
export function badge(moment, seat) {
  const [colour, initial] = moment.badges[seat];
  return html`<i class="badge p${colour}${[...initial].length > 1 && " wide"}" data-initial="${initial}" aria-hidden="true"></i>`;
}

// A sentence whose names are set apart.
export const inParts = (says) => says.map((part, i) => (i % 2 ? html`<bdi>${part}</bdi>` : part));

// Box and circle: the highest and the lowest total, all of them where several share it; the other way round where the
// lowest wins.
export function marks(moment, seat) {
  const totals = moment.seats.map((other) => moment.totals[other]);
  const own = moment.totals[seat];
  const [best, worst] = moment.lowest_wins ? [Math.min, Math.max] : [Math.max, Math.min];
  return [moment.marked && own === best(...totals), moment.marked && own === worst(...totals)];
}

export function mark(moment, seat, ui) {
  const own = moment.totals[seat];
  const [boxed, circled] = marks(moment, seat);
  const stroke = own % 3 === 0 ? 0 : own % 2 === 0 ? 1 : 2;
  const pencil = (kind, shape) =>
    html`<svg class="pencil ${kind}" viewBox="0 0 100 60" preserveAspectRatio="none" aria-hidden="true"><use href="#${shape}-${stroke}"></use></svg>`;
  return html`<span class="mark${boxed && " boxed"}${circled && " circled"}${ui.drawn.has(`${seat}`) && " drawn-now"}">${boxed && pencil("box", "box")}${circled && pencil("ring", "ring")}${minus(own)}<span class="visually-hidden">${boxed && ", in the box"}${circled && ", in the circle"}</span></span>`;
}

// Take back, the sheet, the other face of the rows, and more. `what(back)` are the words for a step that is taken back.
export function tools(moment, page, ui, back, what) {
  const words = !back
    ? null
    : back.hand
      ? html`Back to ${back.hand}`
      : back.seat
        ? html`Take back ${name(moment, back.seat)}’s ${back.what}`
        : back.says
          ? html`Take back: ${inParts(back.says)}`
          : back.last
            ? html`Take back: ${what(back)}`
            : html`Take back ${what(back)}`;
  return html`<div class="tools">${
    words ? html`<button type="submit" form="${back.playsOn ? "play-on" : "back"}" class="back${back.says && " says"}"><span>${words}</span></button>` : html`<button type="button" class="back" aria-disabled="true">Take back</button>`
  }<a class="button" href="${page.urls.sheet}" data-open="sheet">Sheet</a><a class="button" href="${ui.places ? page.urls.pad : "?by=place"}" data-open="places"><span aria-hidden="true">⇅</span><span class="visually-hidden">${ui.places ? "Seats" : "Places"}</span></a><a class="button" href="?open=more" data-open="more">More</a></div>`;
}

export const backForm = (back, page) => back && html`<form id="back" method="post" action="${page.urls.undo}"></form>`;

// `parts`: a sentence whose names are set apart; else it `says` one.
export function bar({ bar: news }) {
  return html`<div class="over">${news && html`<p class="bar" role="alert"><span>${news.parts ? inParts(news.parts) : news.says}</span><button type="button" data-bar>${news.label}</button></p>`}</div>`;
}

export function fields(number, ask, saw = "") {
  return html`<input type="hidden" name="hand" value="${number}"><input type="hidden" name="ask" value="${ask}"><input type="hidden" name="saw" value="${saw}">`;
}

export const SUITS = { C: ["♣\ufe0e", "Clubs"], D: ["♦\ufe0e", "Diamonds"], H: ["♥\ufe0e", "Hearts"], S: ["♠\ufe0e", "Spades"] };
export const RED = "DH";
const RANKS = { 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" }; // prettier-ignore

// A trump step as it is shown: a suit, "Ace", or the turned card.
export function turned({ suit, turned: card }) {
  if (card) {
    const [sign, of] = SUITS[card[1]];
    const words = `${RANKS[card[0]]} of ${of.toLowerCase()} turned`;
    const label = card[0] === "A" ? `no trump, ${words}` : `${of.toLowerCase()}, ${words}`;
    return { text: `${card[0] === "T" ? "10" : card[0]}${sign}`, label, red: RED.includes(card[1]), ace: true };
  }
  if (!(suit in SUITS)) return { text: "Ace", label: "no trump", red: false, ace: true };
  return { text: SUITS[suit][0], label: SUITS[suit][1].toLowerCase(), red: RED.includes(suit), ace: false };
}
