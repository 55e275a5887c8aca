// What a first tap does not need: the page without network, links that have to wait, and the screen kept on.

import { isLit } from "../lib/wake_lock.js";
import "../pad/sheet_panel.js";
import { html } from "../lib/html.js";
import { isMine, mine } from "../pad/store.js";
import { noNetwork } from "../lib/offline_notice.js";
import "../widgets/prefs_buttons.js";
import "../lib/fragment.js";
import { listen } from "./keys.js";

const AWAY = 5000; // who was away so long is told that nothing is lost
const TOLD = 4000; // for so long
const DARK = 10_000; // so long it is said that the phone may go dark, unless More is opened before
const A_MONTH = 30 * 24 * 60 * 60 * 1000; // what is kept of a sheet nobody has looked at since goes away
const SAID = "said-awake";

// `at()`: the moment the table is in; `takenBack()`: what is taken back next; `isCut()`: whether the site cannot be
// reached; `ui`, `show()` and `ask(markup)` are the pad's own.
export function plug({ ui, show, ask, isCut, at, takenBack }) {
  keepThePage();
  sweep();
  tellAboutTheLight(ui, show);
  waitForTheNetwork(isCut, ask);
  sayThatNothingIsLost(ui, show);
  offerUnderMore(ask, at, show);
  listen({ at, takenBack });
}

// Only where the browser has it: over TLS, and on the machine itself. The outbox does without.
export async function keepThePage() {
  try {
    await navigator.serviceWorker.register("/sw.js");
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const files = loaded.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
    active.postMessage({
      keep: location.pathname,
      files: [...new Set(files.map(({ pathname }) => pathname))],
      // Named after the pad's own script: one that is bundled with the scripts of its game is the same release.
      release: document.querySelector("script[type=module]").src.replace(/\+[^.]*/, ""),
    });
  } catch {
    // Over plain http the open page goes on, and that is all.
  }
}

function sweep() {
  try {
    for (const place of Object.keys(localStorage).filter((name) => name.startsWith("kept-"))) {
      const waits = JSON.parse(localStorage.getItem(place.replace("kept-", "outbox-")))?.posts.length;
      if (!waits && Date.now() - JSON.parse(localStorage.getItem(place)).at > A_MONTH) {
        for (const name of [place, place.replace("kept-", "written-")]) localStorage.removeItem(name);
      }
    }
  } catch {
    // What cannot be read takes no harm.
  }
}

// A line in the heading says where it stands: once on this phone.
async function tellAboutTheLight(ui, show) {
  if (await isLit()) return;
  document.querySelector("[data-lit]").hidden = false;
  if (remembered()) return;
  remember();
  ui.hint = true;
  show();
  const more = new MutationObserver(enough);
  const timer = setTimeout(enough, DARK);
  more.observe(document.getElementById("more"), { attributeFilter: ["open"] });

  function enough() {
    more.disconnect();
    clearTimeout(timer);
    ui.hint = false;
    show();
  }
}

function howToStayLit() {
  return html`<header><h2 id="panel-h">Keep the screen on</h2><form method="dialog"><button type="submit" class="plain">Close</button></form></header><p>The browser does not keep this screen lit here. For tonight:</p><p><b>iPhone:</b> Settings, Display &amp; Brightness, Auto-Lock: Never. Low Power Mode off.</p><p><b>Android:</b> Settings, Display, Screen timeout: the longest there is. Battery saver off.</p><p>If it goes dark all the same, nothing is lost.</p>`;
}

let isTold = false;

function remembered() {
  try {
    return Boolean(localStorage.getItem(SAID));
  } catch {
    return isTold;
  }
}

function remember() {
  isTold = true;
  try {
    localStorage.setItem(SAID, "1");
  } catch {
    // It is said again on the next page.
  }
}

// A page that cannot come is not asked for: the browser would put its own in the place of the pad.
function waitForTheNetwork(isCut, ask) {
  const refuse = (event) => {
    event.preventDefault();
    ask(noNetwork());
  };
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || !isCut()) return;
    if (link.origin === location.origin && link.target !== "_blank" && !link.hash) refuse(event);
  });
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.method !== "dialog" && isCut()) refuse(event);
  });
}

function sayThatNothingIsLost(ui, show) {
  let since = 0;
  document.addEventListener("visibilitychange", () => {
    const away = since && Date.now() - since;
    since = document.hidden ? Date.now() : 0;
    if (document.hidden || away < AWAY) return;
    ui.woke = true;
    show();
    setTimeout(() => {
      ui.woke = false;
      show();
    }, TOLD);
  });
}

function offerUnderMore(ask, at, show) {
  const instead = (markup) => {
    document.getElementById("more").close();
    ask(markup);
  };
  document.querySelector("[data-mine]").hidden = false;
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-lit]")) instead(howToStayLit());
    else if (target.closest("[data-mine]")) instead(whichRow(at()));
    const row = target.closest("[data-row]");
    if (!row) return;
    isMine(row.dataset.row);
    document.getElementById("panel").close();
    show();
  });
}

function whichRow(moment) {
  const own = mine(moment);
  const row = (seat) =>
    html`<li><button type="button" data-row="${moment.names[seat]}" aria-pressed="${seat === own}"><bdi>${moment.names[seat]}</bdi></button></li>`;
  return html`<header><h2 id="panel-h">Which row is yours?</h2><form method="dialog"><button type="submit" class="plain">Close</button></form></header><ul class="choices two-up">${moment.seats.map(row)}<li><button type="button" data-row="" aria-pressed="${own === null}">None of them</button></li></ul>`;
}
