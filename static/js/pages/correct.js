// The form that corrects a hand: a tap changes a number, and until the tricks are right the form asks who took them.
//
// Without this script the same buttons post the form to the site, which changes the number. The site makes the preview in
// both cases.

import { question } from "../pad/bidding_state.js";

const form = document.querySelector("[data-hand-form]");
const look = form?.querySelector(".form-foot .go");
const due = Number(form?.dataset.sum ?? NaN);

const numbers = () => [...form.querySelectorAll(".stepper input")];
const value = (input) => (/^[-−]?[0-9]{1,9}$/.test(input.value.trim()) ? Number(input.value.trim().replace("−", "-")) : null);
const shown = (number) => `${number}`.replace("-", "−");
const isNew = (input) => input.value.trim().replace("-", "−") !== input.dataset.was;
const isLeftOut = (input) => "optional" in input.dataset && input.value.trim() === "";

function show() {
  for (const input of numbers()) {
    const stepper = input.closest(".stepper");
    const [fewer, more] = stepper.querySelectorAll("button");
    const [low, high] = [Number(input.dataset.low), Number(input.dataset.high)];
    stepper.classList.toggle("new", isNew(input));
    off(fewer, "optional" in input.dataset ? isLeftOut(input) : value(input) !== null && value(input) <= low);
    off(more, value(input) !== null && value(input) >= high);
  }
  for (const row of form.querySelectorAll(".corrected > li")) {
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

// Who took it? Those of whom nothing else was said are shown first. What nobody has to count may be left out altogether.
function ask() {
  const counted = numbers().filter((input) => "counted" in input.dataset);
  const sum = counted.reduce((all, input) => all + (value(input) ?? 0), 0);
  const isSkipped = "skips" in form.dataset && counted.every(isLeftOut);
  const wrong = counted.length > 0 && due >= 0 && sum !== due && !isSkipped;
  form.querySelector("#question").textContent = wrong ? question(sum, due) : "";
  off(look, wrong);
  const able = wrong ? counted.filter((input) => (sum > due ? value(input) > 0 : (value(input) ?? 0) < Number(input.dataset.high))) : [];
  const untouched = able.filter((input) => !isNew(input));
  const could = new Set((untouched.length ? untouched : able).map((input) => input.closest("li")));
  for (const row of form.querySelectorAll(".corrected > li")) row.classList.toggle("could", could.has(row));
}

form?.addEventListener("click", (event) => {
  const button = event.target.closest("button[name='move']");
  if (!button) return;
  event.preventDefault();
  const input = button.closest(".stepper").querySelector("input");
  const [low, high] = [Number(input.dataset.low), Number(input.dataset.high)];
  const [now, by] = [value(input), button.value.endsWith("+1") ? 1 : -1];
  if (now === null) input.value = by > 0 ? shown(Math.max(low, 0)) : "";
  else if ("optional" in input.dataset && now + by < low) input.value = "";
  else input.value = shown(Math.min(Math.max(now + by, low), high));
  show();
});

// What was chosen otherwise stands out, also where it is folded away again.
const isMoved = (input) =>
  input.type === "radio" || input.type === "checkbox" ? input.checked !== input.defaultChecked : input.value !== input.defaultValue;
form?.addEventListener("change", (event) => {
  const group = event.target.closest("[data-group]");
  if (group && !group.dataset.group) group.classList.toggle("new", [...group.querySelectorAll("input")].some(isMoved));
});

form?.addEventListener("input", (event) => event.target.matches(".stepper input") && show());

// While a trick has no taker there is nothing to look at: the question is asked, and the first who could is shown.
form?.addEventListener("submit", (event) => {
  if (event.submitter?.name !== "look" || look.getAttribute("aria-disabled") !== "true") return;
  event.preventDefault();
  const first = form.querySelector(".could");
  first?.closest("details")?.setAttribute("open", "");
  first?.scrollIntoView({ block: "center" });
});

// A number that is tapped is typed over.
form?.addEventListener("focusin", (event) => event.target.matches(".stepper input") && event.target.select());

if (form) show();

// The number that was tapped on another page is where one looks first.
const tapped = form?.querySelector("[autofocus]") ?? form?.querySelector(".lit input, .lit select");
tapped?.focus({ preventScroll: true });
tapped?.closest(".lit, .group")?.scrollIntoView({ block: "center" });
