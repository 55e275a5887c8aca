// Counts that have to come to a sum: − and + move one, and the last that nobody touched fills in by itself.
//
// <fieldset data-counts data-comes-to="7">, in it one <span class="step"> for each seat with an input between a button
// data-fewer and a button data-more.

import { sum } from "./fold.js";

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");
const boxes = (frame) => [...frame.querySelectorAll("input")];
const number = ({ value }) => (/^[0-9]{1,3}$/.test(value) ? Number(value) : null);
const least = ({ min }) => Number(min || 0);
const most = ({ max }) => Number(max || 999);
const fits = (box) => number(box) !== null && number(box) >= least(box) && number(box) <= most(box);

// A tap on − or +. An empty count begins with none.
export function fewer(button) {
  const box = button.closest(".step").querySelector("input");
  const next = (number(box) ?? least(box)) + ("fewer" in button.dataset ? -1 : 1);
  box.value = `${Math.min(most(box), Math.max(least(box), next))}`;
  counted(box.form, box);
}

// After a change of `box`, or of whatever the form was filled with.
export function counted(form, box) {
  const frame = box?.closest("[data-counts]");
  if (box && frame) {
    box.dataset.touched = "";
    const left = boxes(frame).filter((one) => !("touched" in one.dataset));
    if (left.length === 1 && frame.dataset.comesTo) fillIn(frame, left[0]);
  }
  for (const one of form.querySelectorAll("[data-counts] .step")) {
    const input = one.querySelector("input");
    ends(one.querySelector("[data-fewer]"), (number(input) ?? least(input)) <= least(input));
    ends(one.querySelector("[data-more]"), (number(input) ?? least(input)) >= most(input));
  }
}

function fillIn(frame, last) {
  const rest = Number(frame.dataset.comesTo) - sum(boxes(frame).filter((one) => one !== last).map((one) => number(one) ?? 0));
  if (rest >= least(last) && rest <= most(last)) last.value = `${rest}`;
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
const isFull = (frame) => boxes(frame).every(fits) && (!frame.dataset.comesTo || off(frame) === 0);

export const isRight = (form) => frames(form).every(isFull);

// What is wrong with the counts, in a sentence.
export function missing(form) {
  const frame = frames(form).find((one) => !isFull(one));
  if (!frame.dataset.comesTo || off(frame) === 0) return "A number is still missing.";
  const by = Math.abs(off(frame));
  const many = NUMBERS[by] ?? `${by}`;
  return `${many[0].toUpperCase()}${many.slice(1)} ${off(frame) > 0 ? "too many" : "missing"}: they come to ${frame.dataset.comesTo}.`;
}
