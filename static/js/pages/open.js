// The form that opens a sheet: names, seats and dealer are changed here; the server says what follows from them.
// Without this script every button posts the same form.

import { letRowsBeDragged } from "../lib/drag.js";

const form = document.getElementById("opening");
const past = JSON.parse(document.getElementById("past").textContent);
const round = document.getElementById("round");
const dealers = document.getElementById("dealers");
const late = document.getElementById("late");
const typed = document.getElementById("typed");
const typedLate = document.getElementById("typed-late");
const chips = [...document.querySelectorAll("[data-pick]")];
const games = document.getElementById("games");
const expected = document.getElementById("expected");

document.documentElement.classList.add("scripted");

// Names

const rows = () => [...round.querySelectorAll("[data-row]")];
const pickOf = (row) => row.querySelector("[name=pick]").value;
const nameOf = (row) => row.querySelector("[name=name]").value.trim();
const copyOf = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);
const alike = (name) => name.normalize("NFC").toLowerCase();
const cleaned = (input) => input.value.trim().replace(/\s+/g, " ");

function say(words) {
  document.getElementById("announcement").textContent = words;
}

function complain(input, sentence) {
  const problem = document.getElementById(input.getAttribute("aria-describedby"));
  problem.textContent = sentence;
  input.closest(".field").classList.toggle("wrong", sentence !== "");
}

// The name in the field, if there is one and nobody else here has it; else the sentence stands beside the field.
function newName(input) {
  const name = cleaned(input);
  const coming = [...late.querySelectorAll("[name=coming]")].map((other) => other.value);
  const taken = [...rows().map(nameOf), ...coming].some((other) => alike(other) === alike(name));
  complain(input, taken ? `There is a second ${name} here: add an initial.` : "");
  input.focus();
  return taken ? "" : name;
}

function seat(name, pick = "") {
  const row = copyOf("row");
  row.querySelector("[name=pick]").value = pick;
  row.querySelector("[name=name]").value = name;
  // Who seats people has a game, and needs the place.
  if (games && !rows().length) games.open = false;
  round.append(row);
  return row;
}

function add() {
  const name = newName(typed);
  if (!name) return;
  seat(name);
  typed.value = "";
  showChips();
  changed(`${name} sits at place ${rows().length}`);
}

function addLate() {
  const name = newName(typedLate);
  if (!name) return;
  const item = copyOf("latecomer");
  item.querySelector("[name=coming]").value = name;
  item.querySelector("bdi").textContent = name;
  item.querySelector("button").setAttribute("aria-label", `${name} is not coming`);
  late.append(item);
  typedLate.value = "";
  changed(`${name} is still coming`);
}

function pick(chip) {
  const seated = rows().find((row) => pickOf(row) === chip.dataset.pick);
  if (seated) seated.remove();
  else seat(chip.dataset.name, chip.dataset.pick);
  typed.value = "";
  showChips();
  changed(seated ? `${chip.dataset.name} got up` : `${chip.dataset.name} sits at place ${rows().length}`);
}

function sitAsBefore() {
  rows().forEach((row) => row.remove());
  past.last.forEach((person) => seat(person.name, person.pick));
  changed("The same as last time");
}

// While a name is typed only the people whose names have that in them are shown.
function showChips() {
  const part = alike(typed.value.trim());
  document.getElementById("people")?.classList.toggle("sought", part !== "");
  for (const chip of chips) chip.parentElement.hidden = part !== "" && !alike(chip.dataset.name).includes(part);
}

function rename(row) {
  const name = row.querySelector("[name=name]");
  name.type = "text";
  name.dir = "auto";
  name.autocomplete = "off";
  name.setAttribute("aria-label", `Name at place ${rows().indexOf(row) + 1}`);
  row.querySelector(".name")?.remove();
  // The keyboard is not taken away from somebody who is typing elsewhere.
  if (document.activeElement?.type === "text") return;
  name.focus();
  name.select();
}

function move(row, places, button) {
  const all = rows();
  const at = all.indexOf(row) + places;
  if (at < 0 || at >= all.length) return;
  if (places < 0) all[at].before(row);
  else all[at].after(row);
  changed(`${nameOf(row)} sits at place ${at + 1}`);
  const other = row.querySelector(`[data-do=${places < 0 ? "down" : "up"}]`);
  (button.disabled ? other : button).focus();
}

function remove(row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  changed(`${nameOf(row)} got up`);
  (next?.querySelector("[data-do=remove]") ?? typed).focus();
}

// The game: for how many it is, and whether somebody may still come

const game = () => form.querySelector("[name=game]:checked");
const seated = () => rows().slice(0, Number(game()?.dataset.most ?? Infinity));

function chooseGame() {
  expected.hidden = !("late" in game().dataset);
  changed("");
}

// What follows from the names: numbers, arrows, chips, and the question for the first dealer

function label(row, place, last) {
  const name = nameOf(row);
  const text = row.querySelector(".name bdi");
  if (text) {
    text.textContent = name;
    row.querySelector(".name").setAttribute("aria-label", `${name}: change the name`);
  }
  const says = { up: `${name} up`, down: `${name} down`, remove: `Remove ${name}` };
  for (const [what, words] of Object.entries(says)) {
    row.querySelector(`[data-do=${what}]`).setAttribute("aria-label", words);
  }
  row.querySelector("[data-do=up]").disabled = place === 1;
  row.querySelector("[data-do=down]").disabled = last;
}

let dealing = rows()[dealerAt() - 1];

function dealerAt() {
  return Number(form.elements.dealer?.value || dealers.querySelector(":checked")?.value || 0);
}

function askForDealer() {
  const winner = past.champions[game()?.value ?? past.game];
  const champion = seated().find((row) => winner && pickOf(row) === String(winner));
  if (!seated().includes(dealing)) dealing = champion;
  document.getElementById("first").hidden = rows().length === 0;
  document.getElementById("asks").hidden = Boolean(champion);
  document.getElementById("champion").hidden = !champion;
  if (champion) document.querySelector("#champion bdi").textContent = nameOf(champion);
  const focused = dealers.contains(document.activeElement);
  dealers.replaceChildren(
    ...seated().map((row, index) => {
      const chip = copyOf("dealer");
      const radio = chip.querySelector("input");
      radio.value = index + 1;
      radio.checked = row === dealing;
      chip.querySelector("bdi").textContent = nameOf(row);
      return chip;
    }),
  );
  if (focused) (dealers.querySelector(":checked") ?? dealers.querySelector("input"))?.focus();
}

function changed(words) {
  const all = rows();
  all.forEach((row, index) => label(row, index + 1, index === all.length - 1));
  const picked = new Set(all.map(pickOf));
  for (const chip of chips) chip.setAttribute("aria-pressed", picked.has(chip.dataset.pick));
  const withSeat = seated();
  for (const row of all) row.classList.toggle("out", !withSeat.includes(row));
  askForDealer();
  say(words);
  look();
}

// What the server says to it: warnings, the hands, who bids first

let controller;
let timer;
let pressed = false;
let waiting;
// Whether the page still shows what the form came to before the latest tap.
let stale = false;

function look() {
  stale = true;
  clearTimeout(timer);
  controller?.abort();
  waiting = undefined;
  timer = setTimeout(ask, 60);
}

async function ask() {
  controller = new AbortController();
  try {
    const answer = await fetch(form.dataset.look, { method: "POST", body: new FormData(form), signal: controller.signal });
    reached(true);
    if (!answer.ok) return;
    waiting = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!pressed) show();
  } catch ({ name }) {
    // Out of reach for a moment, or overtaken by the next tap: the form itself is complete without it.
    if (name !== "AbortError") reached(false);
  }
}

// Whether the site can be reached, for open_offline.js.
const reached = (detail) => form.dispatchEvent(new CustomEvent("looked", { detail }));

function show() {
  if (!waiting) return;
  const fresh = waiting;
  waiting = undefined;
  stale = false;
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = document.getElementById(part.id);
    // What belongs to the game stays as somebody left it, until another game is chosen.
    if (part.dataset.of && part.dataset.of === old.dataset.of) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const { selectionStart, selectionEnd } = focused ?? {};
    old.replaceWith(part);
    if (focused?.id) focusAgain(document.getElementById(focused.id), focused.value, selectionStart, selectionEnd);
  }
  askForDealer();
  showProblems(JSON.parse(fresh.getElementById("wrong").textContent));
  for (const id of queued.splice(0)) step(document.getElementById(id));
}

// What is typed next replaces what was selected before the answer came, or the number that it proposes instead.
function focusAgain(field, value, start, end) {
  field?.focus();
  if (field?.value !== value) field?.select?.();
  else if (typeof start === "number") field.setSelectionRange(start, end);
}

function showProblems(wrong) {
  rows().forEach((row, index) => {
    const problem = row.querySelector(".problem");
    problem.textContent = wrong[`player-${index + 1}`] ?? "";
    problem.hidden = problem.textContent === "";
    if (!problem.hidden && row.querySelector(".name")) rename(row);
  });
  for (const problem of document.querySelectorAll("[id^=about-house-]")) {
    problem.textContent = wrong[problem.id.replace("about-house-", "")] ?? "";
    problem.hidden = problem.textContent === "";
  }
}

// A tap folds the cards away, also on the one that is chosen already; who goes through them with arrows stays there.
games?.addEventListener("click", (event) => {
  if (event.target.name === "game" && event.detail) games.open = false;
});

const queued = [];

// The next of the numbers that are offered.
function step(button) {
  const input = button.parentElement.querySelector("input");
  const offered = input.dataset.offered.split(" ").map(Number);
  if (input.value === "") {
    // Nothing is proposed yet: the tap counts as soon as something is.
    queued.push(button.id);
    return;
  }
  const now = Number(input.value);
  const up = button.dataset.step === "1";
  const beyond = offered.filter((value) => (up ? value > now : value < now));
  if (beyond.length) input.value = up ? Math.min(...beyond) : Math.max(...beyond);
  look();
}

// What is proposed beside a way may be that of a smaller table: then the server proposes anew.
function chooseWay(radio) {
  if (!stale) return;
  for (const input of radio.closest(".way").querySelectorAll("[data-offered]")) input.value = "";
}

// Taps and keys

const verbs = {
  up: (row, button) => move(row, -1, button),
  down: (row, button) => move(row, 1, button),
  rename: (row) => rename(row),
  remove: (row) => remove(row),
};

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  // Those that leave the page, or ask for another one, post the form themselves.
  if (!button || button.value === "open" || button.value === "look" || button.hasAttribute("formaction")) return;
  event.preventDefault();
  if (button.dataset.pick) pick(button);
  else if (button.value === "same") sitAsBefore();
  else if (button.value === "add") add();
  else if (button.value === "add-late") addLate();
  else if (button.dataset.step) step(button);
  else if (button.dataset.do === "drop-late") {
    button.closest("[data-late]").remove();
    changed("");
    typedLate.focus();
  } else verbs[button.dataset.do]?.(button.closest("[data-row]"), button);
});

form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  if (event.target === typed) add();
  else if (event.target === typedLate) addLate();
  else if (event.target.name === "name") event.target.blur();
  else look();
});

form.addEventListener("change", (event) => {
  if (event.target.name === "game") chooseGame();
  else if (event.target.name === "name") changed("");
  else if (event.target.name === "dealer") {
    dealing = rows()[event.target.value - 1];
    noDealer("");
    look();
  } else if (event.target.name === "by") {
    chooseWay(event.target);
    look();
  } else if (event.target !== typed && event.target !== typedLate) look();
});

// Nor is a number while it is typed: what was asked before has been overtaken, and Enter or leaving asks anew.
form.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-offered]")) return;
  stale = true;
  clearTimeout(timer);
  controller?.abort();
  waiting = undefined;
});

typed.addEventListener("input", () => {
  complain(typed, "");
  showChips();
});

// Nothing is replaced under a finger that is down, nor before its tap has come: that is told a little after it is lifted.
const TAP = 300;
let lifted;

function release() {
  clearTimeout(lifted);
  pressed = false;
  setTimeout(show);
}

document.addEventListener("pointerdown", () => {
  clearTimeout(lifted);
  pressed = true;
});
document.addEventListener("pointerup", () => {
  lifted = setTimeout(release, TAP);
});
for (const end of ["click", "pointercancel"]) document.addEventListener(end, release);

function noDealer(words) {
  const problem = document.getElementById("dealer-problem");
  problem.textContent = words;
  problem.hidden = words === "";
}

// Who forgot the first dealer is told so without losing a second.
form.addEventListener("submit", (event) => {
  if (event.submitter?.value !== "open" || rows().length < 2 || dealers.querySelector(":checked")) return;
  event.preventDefault();
  noDealer("Who deals first? Tap a name.");
  document.getElementById("first").scrollIntoView({ block: "center" });
  dealers.querySelector("input").focus({ preventScroll: true });
});

document.querySelector(".field .problem:not(:empty), .round .problem:not([hidden]), .opening fieldset .problem:not([hidden])")?.scrollIntoView({ block: "center" });

// A page out of the browser's memory has a key that is used already.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

document.getElementById("more-people")?.addEventListener("click", (event) => {
  document.getElementById("people").classList.add("all");
  event.target.parentElement.remove();
});

letRowsBeDragged(round, () => changed(""));
