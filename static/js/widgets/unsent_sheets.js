// Sheets that were opened on this phone without network: listed until the site has them, and sent with what was entered.

import { openingOf, padOf, unopened } from "../lib/offline_sheets.js";
import { draw, html } from "../lib/html.js";

const place = document.getElementById("unsent-sheets");

function show() {
  const waiting = unopened().map((code) => [code, openingOf(code)]);
  const names = (all) => all.map((name, i) => html`${i > 0 && ", "}<bdi>${name}</bdi>`);
  const line = ([code, opening]) => html`<li><a href="${padOf(code)}"><span>${names(opening.names)} <span class="small">${opening.game}</span></span></a></li>`;
  draw(place, html`<h2 id="unsent-h">Not sent yet</h2><ul class="list">${waiting.map(line)}</ul>`);
  place.hidden = !waiting.length;
}

async function send() {
  if (!unopened().length) return;
  const outbox = await import("../pad/outbox.js").catch(() => null);
  const ignored = () => {};
  if (outbox) await Promise.all(unopened().map((code) => new outbox.Outbox(code, ignored, ignored, ignored).flush()));
  show();
}

show();
send();
addEventListener("online", send);
addEventListener("pageshow", ({ persisted }) => persisted && show());
