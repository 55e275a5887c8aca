// The form that opens a sheet, without network: the sheet begins on this phone and is sent afterwards.
//
// No rule is here. What the game deals, and to whom, was prepared by the site for every number of players and every first
// dealer (scoresheets/pad/offline.py); names and a code are put in their places.

import { drawToken, keepOpening, padOf } from "../lib/offline_sheets.js";
import { draw, html } from "../lib/html.js";

const AFTERWARDS = 1500; // what the next evening may need is loaded so long after the page
const LONGEST_NAME = 40;

const form = document.getElementById("opening");
const past = JSON.parse(document.getElementById("past").textContent);
const notice = document.getElementById("offline");
const refusal = document.getElementById("offline-problem");
const start = () => document.getElementById("start");
const page = document.documentElement;
const isKept = "kept" in page.dataset; // by the service worker, which had no network for it

const chosen = () => form.querySelector("[name=game]:checked")?.value ?? past.game;
const place = (slug) => `${form.dataset.offline}${slug}/`;
const alike = (name) => name.normalize("NFC").toLowerCase();

// What is kept

async function keepAhead() {
  try {
    await navigator.serviceWorker.register("/sw.js");
    const { active } = await navigator.serviceWorker.ready;
    const all = [...form.querySelectorAll("[name=game]")].map(({ value }) => place(value));
    active.postMessage({ ahead: all.length ? all : [place(past.game)] });
  } catch {
    // Over plain http a sheet is opened with the network only.
  }
}

async function keptGame() {
  const response = await globalThis.caches?.match(place(chosen()));
  return response ? { headers: response.headers, ...(await response.json()) } : null;
}

// What is shown

let isCut = false;
let refused = ""; // the form as it was when a problem was said: until it changes the sentence stays

const written = () => new URLSearchParams(new FormData(form)).toString();

async function say(problem = "") {
  const game = await keptGame();
  if (!isCut) return;
  if (problem) refused = written();
  const stands = problem || (refused === written() ? refusal.textContent : "");
  const unwise = game?.pads[names().length]?.unwise ?? [];
  const how = game
    ? [`No connection: this sheet starts on this phone and is sent later. ${game.name} is played with the usual hands and house rules.`, ...unwise]
    : ["No connection, and this phone has not kept what it needs to start a sheet without one."];
  draw(notice, html`${how.map((text) => html`<p>${text}</p>`)}`);
  refusal.textContent = stands;
  refusal.hidden = !stands;
  start().textContent = "Start on this phone";
  if (game) showGame(game);
}

// What the site would say of the game that was chosen; it says it again when it can (`data-of`).
function showGame({ name, asks: [question, how] }) {
  const about = document.querySelector("#game b");
  if (about && about.textContent !== name) {
    about.parentElement.dataset.of = "";
    about.parentElement.replaceChildren(about);
    about.textContent = name;
  }
  const asks = document.getElementById("asks");
  asks.closest("[data-of]").dataset.of = "";
  asks.textContent = [question, how].filter(Boolean).join(" ");
}

function cut(now) {
  if (now === isCut) return;
  isCut = now;
  page.toggleAttribute("data-cut", isCut);
  notice.hidden = refusal.hidden = !isCut;
  if (isCut) say();
}

// What is opened

const rows = () => [...form.querySelectorAll("[data-row]")].map((row) => [row.querySelector("[name=name]").value.trim().replace(/\s+/g, " "), row.querySelector("[name=pick]").value]);
const names = () => rows().map(([name]) => name);

// What stands against it, as far as a phone can tell; the site looks again.
function problemOf(game) {
  const seated = names();
  const numbers = Object.keys(game.pads).map(Number);
  const [fewest, most] = [numbers.at(0), numbers.at(-1)];
  if (form.querySelector("[name=coming]")) return "Someone is still coming. Without a connection, take them off here and add them when they sit down.";
  if (form.elements.typed.value.trim()) return "This name is not at the table yet: add it, or clear it.";
  if (seated.includes("")) return "A name is missing.";
  const long = seated.find((name) => [...name].length > LONGEST_NAME);
  if (long) return `A name has at most ${LONGEST_NAME} letters.`;
  const twice = seated.find((name, i) => seated.slice(0, i).some((other) => alike(other) === alike(name)));
  if (twice) return `There is a second ${twice} here: add an initial.`;
  if (numbers.includes(seated.length)) return "";
  return `Without a connection ${game.name} is for ${fewest === most ? fewest : `${fewest} to ${most}`} players.`;
}

// The data of the pad, with the names and the code in their places.
function dataOf({ code: theirs, pads }, dealer, code) {
  const { data, states } = pads[names().length];
  const put = (_, value) => (typeof value === "string" ? filled(value, names()).replaceAll(theirs, code) : value);
  return JSON.parse(JSON.stringify({ ...data, pad: states[dealer - 1] }), put);
}

// A name stands where its sign and its seat are, the initial of its badge where the sign is alone.
function filled(text, seated, written = String) {
  const initials = initialsOf(seated);
  return text
    .replace(/[\ue000-\uf8ff]⟦(\d+)⟧/g, (_, seat) => written(seated[seat - 1]))
    .replace(/[\ue000-\ue0ff]/g, (sign) => written(initials[sign.charCodeAt(0) - 0xe001] ?? sign));
}

// As scoresheets/wording/badges.py has them: the first letter of a name, else two, else a number.
function initialsOf(seated) {
  const taken = [];
  for (const [seat, name] of seated.entries()) {
    const words = name.split(" ").map(lettersOf);
    const [first, ...others] = words.flat();
    const last = words.length > 1 ? [words.at(-1)[0]] : [];
    const wanted = [first, ...[...last, ...others].map((other) => first + other), `${seat + 1}`];
    taken.push(wanted.find((initial) => initial && !taken.some((other) => alike(other) === alike(initial))) ?? "");
  }
  return taken;
}

const signs = globalThis.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });
const lettersOf = (word) => (signs ? Array.from(signs.segment(word), ({ segment }) => segment) : [...word]);

// In a page that is text the names are text too; in its data no sign may end the script.
function pageOf(game, dealer, code) {
  const data = JSON.stringify(dataOf(game, dealer, code)).replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const text = filled(game.pads[names().length].html, names(), (name) => html`${name}`.text);
  return text.replaceAll(game.code, code).replace(game.data, () => data);
}

function fieldsOf(dealer) {
  const { title, keeper } = form.elements;
  const seated = rows().flatMap(([name, pick]) => [["name", name], ["pick", pick]]);
  // The house rules are those of the game: nothing is asked about them here.
  return [["game", chosen()], ["asked", ""], ["key", drawToken(18)], ...seated, ["dealer", dealer], ["title", title.value], ["keeper", keeper.value]];
}

let isOpening = false; // a second tap starts no second sheet

async function open() {
  if (isOpening) return;
  isOpening = true;
  try {
    await openSheet();
  } finally {
    isOpening = false;
  }
}

async function openSheet() {
  const game = await keptGame();
  if (!game) return say();
  const problem = problemOf(game);
  if (problem) return say(problem);
  const dealer = Number(form.querySelector("[name=dealer]:checked").value);
  const code = drawToken(16);
  const opening = { url: form.dataset.offline, fields: fieldsOf(dealer), game: game.name, names: names(), at: Date.now(), watch: game.watch };
  try {
    await keepOpening(code, opening, pageOf(game, dealer, code), game.headers);
  } catch {
    return say("This phone can’t save: a sheet can only be started with a connection.");
  }
  location.assign(padOf(code));
}

form.addEventListener("submit", (event) => {
  if (event.defaultPrevented || !(isCut || !navigator.onLine)) return;
  event.preventDefault();
  cut(true);
  if (event.submitter?.value === "open") open();
  else say("That needs a connection.");
});
form.addEventListener("change", () => isCut && say());
// What open.js asks the site after every tap says whether it can be reached.
form.addEventListener("looked", ({ detail }) => (detail ? cut(false) : isCut ? say() : cut(true)));
addEventListener("offline", () => cut(true));

if (isKept) {
  // A kept page is shown more than once, and each time it opens another sheet.
  form.elements.key.value = drawToken(18);
  cut(true);
} else setTimeout(keepAhead, AFTERWARDS);
