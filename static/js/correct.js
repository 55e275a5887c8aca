// The slip on which a hand is corrected: a tap moves a number, and until the tricks come out it is asked who took them.
//
// Without this script the same buttons ask the site for the slip with the number moved. What the change moves is for
// the site to say, in both cases.

import { question } from "./tally.js";

const slip = document.querySelector("[data-slip]");
const rows = slip?.querySelector(".corrected");
const look = slip?.querySelector(".go");

const numbers = () => [...slip.querySelectorAll(".stepper input")];
const value = (input) => (/^[-−]?[0-9]{1,9}$/.test(input.value.trim()) ? Number(input.value.trim().replace("−", "-")) : null);
const isNew = (input) => input.value.trim() !== input.dataset.was;

function show() {
  for (const input of numbers()) {
    const stepper = input.closest(".stepper");
    const [fewer, more] = stepper.querySelectorAll("button");
    stepper.classList.toggle("new", isNew(input));
    off(fewer, value(input) !== null && value(input) <= Number(input.dataset.low));
    off(more, value(input) !== null && value(input) >= Number(input.dataset.high));
  }
  for (const row of rows?.children ?? []) {
    const changed = [...row.querySelectorAll("input")].filter(isNew).filter((input) => input.dataset.was);
    row.classList.toggle("new", changed.length > 0);
    const was = changed.map((input) => `${input.dataset.says} ${input.dataset.was}`).join(", ");
    row.querySelector("[data-was]").textContent = was && `was: ${was}`;
    row.querySelector(".wrong")?.remove();
  }
  ask();
}

function off(button, isOff) {
  if (isOff) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

// Who took it? Those of whom nothing else was said are shown first.
function ask() {
  const cards = Number(rows?.dataset.sum ?? NaN);
  const taken = numbers().filter((input) => input.dataset.says === "took");
  const sum = taken.reduce((all, input) => all + (value(input) ?? 0), 0);
  const wrong = taken.length > 0 && cards >= 0 && sum !== cards;
  slip.querySelector("#question").textContent = wrong ? question(sum, cards) : "";
  off(look, wrong);
  const able = wrong ? taken.filter((input) => (sum > cards ? value(input) > 0 : value(input) < cards)) : [];
  const untouched = able.filter((input) => !isNew(input));
  const could = new Set((untouched.length ? untouched : able).map((input) => input.closest("li")));
  for (const row of rows?.children ?? []) row.classList.toggle("could", could.has(row));
}

slip?.addEventListener("click", (event) => {
  const button = event.target.closest("button[name='move']");
  if (!button) return;
  event.preventDefault();
  const input = button.closest(".stepper").querySelector("input");
  const by = button.value.endsWith("+1") ? 1 : -1;
  const wanted = (value(input) ?? Number(input.dataset.low)) + by;
  input.value = Math.min(Math.max(wanted, Number(input.dataset.low)), Number(input.dataset.high));
  show();
});

slip?.addEventListener("input", (event) => event.target.matches(".stepper input") && show());

// While a trick has no taker there is nothing to look at: the question is asked, and the first who could is shown.
slip?.addEventListener("submit", (event) => {
  if (event.submitter?.name !== "look" || look.getAttribute("aria-disabled") !== "true") return;
  event.preventDefault();
  rows.querySelector(".could")?.scrollIntoView({ block: "center" });
});

// A number that is tapped is typed over.
slip?.addEventListener("focusin", (event) => event.target.matches(".stepper input") && event.target.select());

if (slip) show();
