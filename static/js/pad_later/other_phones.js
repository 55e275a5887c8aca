// Several phones at one table: the scorekeeper, conflicts, a revoked phone, and reading the last hand back.

import { newKey } from "../pad/outbox.js";
import { Notice } from "./notice.js";
import { dressed, readBack } from "./readback.js";

// `at()` is the moment the pad shows, `data()` what the site says of other phones, `stopped()` that the announced last hand
// is scored, `show()` draws the pad anew.
export function meet({ box, page, panel, show, stopped, at, data }) {
  const place = `last-hand-${page.code}`;
  let read = seen(place); // the last hand that was read and put away on this phone
  // A restored backup counts versions anew.
  const named = (what) => () => `${what}-${page.code}${at().generation ?? ""}`;
  const active = new Notice(named("pencil"), () => data().scorekeeper, show);
  const overruled = new Notice(named("overruled"), () => data().overruled, show);
  dressed();
  return {
    // What is said before anything else.
    get first() {
      const { barred, posts, refused } = box;
      if (barred) return { says: cutOff(posts), label: "Show", act: unsent };
      if (refused?.unwise && refused.verb === "stop") return { says: "Stop here? Read first what it means.", label: "Decide", act: confirmStop };
      if (refused?.unwise) return { says: refused.problem, label: "Save it", act: () => box.replace(refused.key, sure(refused)) };
      return refused?.conflict ? { says: refused.conflict.says, parts: refused.conflict.line, label: "Look", act: compare } : null;
    },
    // What is said where there is nothing else to say.
    get last() {
      return overruled.bar ?? stopped() ?? theEnd() ?? active.bar;
    },
    // From `menu`, which makes way for it.
    readBack(menu) {
      menu.close();
      readBack(at(), page, panel);
    },
  };

  // Which hand is the last one was announced: said once, and again when it is scored.
  function theEnd() {
    const { last, hands, prefix } = at();
    return !last || prefix || !hands.length || read === last ? null : { says: `The table stops after hand ${last}.`, label: "OK", act: () => putAway(last) };
  }

  function putAway(last) {
    read = last;
    try {
      localStorage.setItem(place, last);
    } catch {
      // It is put away as long as the page is open.
    }
    show();
  }

  // The site has just said it: it can be reached.
  async function compare() {
    (await import("./conflict.js")).settle(box, panel, show);
  }

  async function confirmStop() {
    (await import("./confirm_stop.js")).ask(box, panel, show, sure);
  }

  async function unsent() {
    (await import("./unsent.js")).cutOff(box.posts, at().names, panel);
  }
}

function seen(place) {
  try {
    return Number(localStorage.getItem(place));
  } catch {
    return 0;
  }
}

// What is only unwise is written when somebody says that it is so.
function sure({ verb, url, fields, place, step, text, saw }) {
  return { key: newKey(), verb, url, fields: { ...fields, sure: "1" }, place, step, text, saw };
}

function cutOff({ length }) {
  return `This phone can no longer enter scores.${length ? ` ${length} tap${length === 1 ? "" : "s"} kept here, not sent.` : ""}`;
}
