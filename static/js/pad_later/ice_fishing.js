// Ice Fishing: holding up the table while you think about a bid. Who likes the joke switches it on for this phone (More);
// then a fish and the seconds stand beside the name of a bidder who takes long, until they have bid.
//
// The first bid of a hand has no clock: the cards are dealt in that time.

import { hand } from "../pad/replay.js";
import { html } from "../lib/html.js";

const PATIENCE = 30; // seconds
const phone = document.getElementById("pad");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const CALM = 10; // seconds between two figures, where nothing should move

let turn = ""; // whose bid it is, of which hand
let since = 0; // when it became so

// Who bids now, the first of a hand left out; else null.
function bidder(moment) {
  const open = hand(moment);
  if (!document.documentElement.dataset.ice || phone.dataset.ask !== "bids" || !open) return null;
  const due = open.order.findIndex((seat) => !(`bid-${seat}` in moment.steps));
  return due > 0 ? open.order[due] : null;
}

/** Watch the table. `at()`: the moment it is in; `ui.ice`: what `show()` draws beside a name. */
export function fish({ ui, show, at }) {
  setInterval(() => {
    const seat = bidder(at());
    const now = seat === null ? "" : `${at().prefix}${hand(at()).number}.${at().event} ${seat}`;
    if (now !== turn) [turn, since] = [now, performance.now()];
    const step = calm.matches ? CALM : 1;
    const seconds = Math.floor((performance.now() - since) / 1000 / step) * step;
    const ice = turn && seconds >= PATIENCE ? { seat, seconds, line: line(seconds) } : null;
    if (ice?.seat === ui.ice?.seat && ice?.seconds === ui.ice?.seconds) return;
    ui.ice = ice;
    show();
  }, 1000);
}

const line = (seconds) =>
  html`<em class="ice" aria-hidden="true"><svg viewBox="0 0 26 12"><path d="M1 1.5 7 6 1 10.5C5 11 6 8 8.5 7.5 14 13 22 11 25 6 22 1 14-1 8.5 4.5 6 4 5 1 1 1.5Z"></path></svg>${seconds} s</em>`;
