// Counts with a fixed sum: − and + change one, and the last untouched one fills in by itself.
//
// <fieldset data-counts data-comes-to="7"> has one <span class="step"> for each seat: an input between a button
// data-fewer and a button data-more. A part marked data-at-most has an upper limit for its sum.
// In a part with data-signed a number may be below 0: a button data-sign changes its sign, because the number keys of a
// phone have no minus, and Enter goes on to the next number that is missing.
// An input with data-starts has that number until it is counted; without a script it is empty, and so not sent.

import { sum } from "./replay.js";
import { minus } from "./view_parts.js";

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");
const boxes = (frame) => [...frame.querySelectorAll("input")];
const number = ({ value }) => (/^[-−]?[0-9]{1,3}$/.test(value) ? Number(value.replace("−", "-")) : null);
const least = ({ min }) => Number(min || 0);
const most = ({ max }) => Number(max || 999);
// What the numbers of a frame may come to at most, where something in it says so.
const room = (frame) => {
  const says = frame.querySelector("[data-at-most]")?.textContent.trim();
  return says ? Number(says) - sum(boxes(frame).map((box) => number(box) ?? 0)) : Infinity;
};
const fits = (box) => number(box) !== null && number(box) >= least(box) && number(box) <= most(box);

// A tap on − or +. An empty count begins with none.
export function fewer(button) {
  const box = button.closest(".step").querySelector("input");
  if ("more" in button.dataset && box.closest("[data-counts]") && room(box.closest("[data-counts]")) < 1) return;
  const next = (number(box) ?? Math.max(least(box), 0)) + ("fewer" in button.dataset ? -1 : 1);
  box.value = minus(Math.min(most(box), Math.max(least(box), next)));
  counted(box.form, box);
}

// A tap on ±. In an empty box it is the minus of what is typed next.
export function changeSign(button) {
  const box = button.closest(".step").querySelector("input");
  box.value = /^[-−]/.test(box.value) ? box.value.slice(1) : `−${box.value}`;
  counted(box.form, box);
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

// The next number that is missing after this one, or from the first on; null: none is.
export function nextMissing(box) {
  const all = boxes(box.closest("[data-signed]"));
  const after = [...all.slice(all.indexOf(box) + 1), ...all];
  return after.find((other) => other !== box && !fits(other)) ?? null;
}

// After a change of `box`, or of whatever the form was filled with.
export function counted(form, box) {
  // What a keyboard writes is a hyphen.
  if (box?.closest("[data-signed]")) box.value = box.value.replace("-", "−");
  const frame = box?.closest("[data-counts]");
  if (box && frame) {
    box.dataset.touched = "";
    const left = boxes(frame).filter((other) => !("touched" in other.dataset));
    if (left.length === 1 && frame.dataset.comesTo) fillIn(frame, left[0]);
  }
  for (const stepper of form.querySelectorAll("[data-counts] .step")) {
    const input = stepper.querySelector("input");
    input.value ||= input.dataset.starts ?? "";
    ends(stepper.querySelector("[data-fewer]"), (number(input) ?? least(input)) <= least(input));
    ends(stepper.querySelector("[data-more]"), (number(input) ?? least(input)) >= most(input) || room(stepper.closest("[data-counts]")) < 1);
  }
}

function fillIn(frame, last) {
  const rest = Number(frame.dataset.comesTo) - sum(boxes(frame).filter((box) => box !== last).map((box) => number(box) ?? 0));
  if (rest >= least(last) && rest <= most(last)) last.value = minus(rest);
}

function ends(button, isEnd) {
  if (isEnd) button?.setAttribute("aria-disabled", "true");
  else button?.removeAttribute("aria-disabled");
}

export function untouch(form) {
  for (const box of form.querySelectorAll("[data-counts] input")) delete box.dataset.touched;
}

const frames = (form) => [...form.querySelectorAll("[data-counts]")].filter((frame) => frame.checkVisibility());
const off = (frame) => sum(boxes(frame).map((box) => number(box) ?? 0)) - Number(frame.dataset.comesTo);
const isFull = (frame) => boxes(frame).every(fits) && room(frame) >= 0 && (!frame.dataset.comesTo || off(frame) === 0);

// How many of all numbers of a form are still missing, where a part of it marked data-at-least says how many there are.
function few(form) {
  const says = form.querySelector("[data-at-least]")?.textContent.trim();
  return says && frames(form).length ? Math.max(0, Number(says) - sum(frames(form).flatMap(boxes).map((box) => number(box) ?? 0))) : 0;
}

export const isRight = (form) => frames(form).every(isFull) && few(form) === 0;

function many(count) {
  const words = NUMBERS[count] ?? `${count}`;
  return `${words[0].toUpperCase()}${words.slice(1)}`;
}

// What is wrong with the counts, in a sentence.
export function missing(form) {
  const frame = frames(form).find((each) => !isFull(each));
  if (!frame) return `${many(few(form))} still missing.`;
  if (room(frame) < 0) return `${many(-room(frame))} too many.`;
  if (!frame.dataset.comesTo || off(frame) === 0) return "A number is still missing.";
  return `${many(Math.abs(off(frame)))} ${off(frame) > 0 ? "too many" : "missing"}: they add up to ${frame.dataset.comesTo}.`;
}
