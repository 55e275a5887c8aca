// A revoked phone: its unsent entries are kept and can be read out to the current scorekeeper.

import { draw, html } from "../lib/html.js";
import { turned } from "../pad/view_parts.js";

const taps = (count) => `${count} tap${count === 1 ? "" : "s"}`;

function words({ verb, place, step, takes, text }, names) {
  if (text) return text;
  if (verb === "undo") return takes.ask === "tricks" ? "gone back to" : "taken back";
  if (verb === "misdeal") return "misdeal";
  if (verb === "stop") return "stopped here";
  if (place.ask.endsWith("trump")) return `trump: ${turned(step).label}`;
  const of = (field) => names[(field === "bid" ? place.ask : field).split("-").at(-1)];
  const pairs = Object.entries(step).map(([field, value]) => [of(field), value]);
  if (!place.ask.endsWith("tricks")) return html`<bdi>${pairs[0][0]}</bdi> bid ${pairs[0][1]}`;
  return html`tricks: ${pairs.map(([name, value], i) => html`${i > 0 && ", "}<bdi>${name}</bdi> ${value}`)}`;
}

// What waits, in the order of the taps, hand by hand.
function kept(posts, names) {
  const hands = [...new Set(posts.map(({ place }) => place.hand))];
  const line = (post) => html`<li>${words(post, names)}</li>`;
  return hands.map(
    (hand) =>
      html`<h3>${hand ? `Hand ${hand}` : "Blind hand"}</h3><ul>${posts.filter(({ place }) => place.hand === hand).map(line)}</ul>`,
  );
}

const scan = html`<p>To enter scores again, scan a new link with this phone. Anything kept here is then sent.</p>`;

function sentence(posts) {
  const is = posts.length === 1 ? ["is", "was"] : ["are", "were"];
  return posts.length
    ? html`<p>${taps(posts.length)} ${is[0]} kept here and ${is[1]} not sent. Read out what is missing to whoever is keeping score now.</p>`
    : html`<p>Everything that was tapped here was sent.</p>`;
}

// Show it over the pad.
export function cutOff(posts, names, panel) {
  draw(
    panel,
    html`<header><h2 id="panel-h">This phone can no longer enter scores</h2><form method="dialog"><button type="submit" class="plain">Close</button></form></header>${sentence(posts)}${kept(posts, names)}${scan}`,
  );
  panel.showModal();
}

// On the page of the sheet, where the pad does not open any more.
const place = document.getElementById("kept");
if (place) {
  const { code, names } = JSON.parse(document.getElementById("kept-data").textContent);
  let posts = [];
  try {
    posts = JSON.parse(localStorage.getItem(`outbox-${code}`))?.posts ?? [];
  } catch {
    // This phone keeps nothing.
  }
  if (posts.length) draw(place, html`${sentence(posts)}${kept(posts, names)}`);
}
