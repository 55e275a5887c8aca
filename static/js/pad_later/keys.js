// Number keys of a keyboard. Digits enter a bid, a choice that shows a number, or a count; Backspace and Escape undo
// them, Enter confirms, arrows move. Whoever types in a field, or holds another key, is left alone.
//
// A digit taps the pad's own button, so that it is judged like any tap. "1" waits where 10 can be meant as well.

import { hand } from "../pad/replay.js";

const TEXT = "input:not([type=radio], [type=checkbox]), select, textarea";
const PRESSED = "a, button, summary, input"; // what Enter means something for
const LARGEST = 25; // what can be more is typed into its field
const phone = document.getElementById("pad");
const note = document.createElement("p");
let typed = null; // digits that wait for another: { digits, place }
let picked = ""; // which count is next
let replaced = []; // what digits have replaced: { place, name, value }
let pressedAt = ""; // where the table was at the last key
let at, takenBack;

/** Listen to the keyboard. `at()`: the moment the table is in; `takenBack()`: what the pad takes back next. */
export function listen(pad) {
  ({ at, takenBack } = pad);
  note.className = "typed-digits";
  note.setAttribute("role", "status");
  phone.after(note);
  document.addEventListener("keydown", press);
  document.addEventListener("submit", leave);
}

// What was typed into a field is written: the next digit begins with the first again.
function leave() {
  const isWritten = place() !== pressedAt && matchMedia("(pointer: fine)").matches;
  if (isWritten && document.activeElement.matches(TEXT)) document.activeElement.blur();
}

function press(event) {
  const { key, target } = event;
  pressedAt = place();
  const isHeld = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
  if (event.defaultPrevented || isHeld || target.closest(TEXT) || (event.repeat && !key.startsWith("Arrow"))) return;
  const dialog = document.querySelector("dialog[open]");
  if (dialog && (dialog.id !== "panel" || !/^\d$/.test(key))) return;
  if (!dialog && target !== document.body && !phone.contains(target)) return;
  const act = /^\d$/.test(key) ? digit : { Backspace: back, Escape: forget, Enter: confirm }[key] ?? (key.startsWith("Arrow") ? move : null);
  if (act?.(key, target)) event.preventDefault();
}

// What a number can be given to

const inFront = (part) => part.checkVisibility() && !part.disabled;
const place = () => `${at().prefix}${hand(at())?.number}.${at().event} ${Object.keys(at().steps)}`;

function numberOn(control) {
  const part = control.closest("label") ?? control;
  const isNumber = /^\d{1,2}$/.test(control.value) && parseInt(part.textContent.trim(), 10) === Number(control.value);
  return isNumber && !part.querySelector("bdi, [data-name-of]") ? Number(control.value) : null;
}

// The buttons and choices that show a number, by it.
function choices() {
  const all = [...(document.querySelector("dialog[open]") ?? phone).querySelectorAll("form :is(button, [type=radio])[name^=f-]")];
  const shown = all.filter((control) => numberOn(control) !== null && inFront(control));
  return new Map(shown.reverse().map((control) => [numberOn(control), control]));
}

const counts = () => [...phone.querySelectorAll(".count input.num, [data-counts] input")].filter(inFront);
const most = (count) => Number(count.max) || (count.form.matches(".count") ? hand(at()).cards : Infinity);
const next = (all) => all.find(({ name }) => name === picked) ?? all[0];

// What the keys do: true where they did something

function digit(key) {
  if (document.activeElement.matches("button, a")) document.activeElement.blur();
  const [some, all] = [choices(), counts()];
  if (!some.size && !all.length) return false;
  if (!some.size && (most(next(all)) > LARGEST || all[0].closest("[data-signed]"))) return typeInto(all);
  const numbers = some.size ? [...some.keys()] : Array.from({ length: most(next(all)) + 1 }, (_, number) => number);
  const before = typed?.place === place() ? typed.digits : "";
  const fits = numbers.filter((number) => `${number}`.startsWith(before + key));
  if (!fits.length && before) return enter(before) && digit(key);
  if (fits.length > 1) typed = { digits: before + key, place: place() };
  else if (fits.length) enter(fits[0]);
  mark();
  return true;
}

// The browser writes the digit into what has the focus by then.
function typeInto(all) {
  const field = all.find(({ value }) => !value) ?? all[0];
  field.focus();
  field.select();
  return false;
}

function enter(number) {
  typed = null;
  const choice = choices().get(Number(number));
  if (choice) choice.click();
  else if (!phone.matches(".resting")) count(Number(number));
  mark();
  return true;
}

function count(number) {
  const all = counts();
  const field = next(all);
  replaced.push({ place: place(), name: field.name, value: field.value });
  put(field, number);
  picked = all[all.indexOf(field) + 1]?.name ?? "";
}

function put(field, value) {
  field.value = value;
  for (const change of ["input", "change"]) field.dispatchEvent(new Event(change, { bubbles: true }));
}

function forget() {
  const was = typed;
  typed = null;
  mark();
  return was !== null;
}

// The digit before, or the bid; who sits where, a draw, and a hand that is scored, are for a finger.
function back() {
  if (forget()) return true;
  replaced = replaced.filter((one) => one.place === place());
  const last = replaced.pop();
  const field = last && counts().find(({ name }) => name === last.name);
  if (field) {
    put(field, last.value);
    picked = last.name;
    mark();
    return true;
  }
  const taken = takenBack();
  if (!taken || taken.hand || taken.says || taken.playsOn || taken.takes.ask === "beside") return false;
  phone.querySelector(".back").click();
  return true;
}

function confirm(key, target) {
  if (typed?.place === place()) return enter(typed.digits);
  if (target.closest(PRESSED)) return false;
  const go = [...phone.querySelectorAll("button.go")].find(inFront);
  go?.click();
  return Boolean(go);
}

function move(key, target) {
  if (target.matches("input")) return false;
  forget();
  const keys = [...choices()].sort(([a], [b]) => a - b).map(([, control]) => control);
  return keys.length ? toKey(keys, key) : toCount(counts(), key);
}

function toKey(keys, key) {
  const across = keys.filter(({ offsetTop }) => offsetTop === keys[0].offsetTop).length;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[key];
  const now = keys.indexOf(document.activeElement);
  keys[now < 0 ? 0 : now + step]?.focus();
  return true;
}

function toCount(all, key) {
  if (!all.length) return false;
  const now = all.findIndex(({ name }) => name === picked);
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (step) picked = (all[now < 0 ? 0 : now + step] ?? all[now]).name;
  else next(all).closest(".step")?.querySelector(key === "ArrowLeft" ? "[name=fewer], [data-fewer]" : "[name=more], [data-more]")?.click();
  mark();
  return true;
}

// What is seen of it. The pad draws its rows anew, and then this once more.

let isWatching = false;

function mark() {
  const row = picked && counts().find(({ name }) => name === picked)?.closest("li, .count-line");
  if (picked && !row) picked = "";
  for (const other of phone.querySelectorAll(".picked")) if (other !== row) other.classList.remove("picked");
  if (row && !row.matches(".picked")) row.classList.add("picked");
  if (typed && typed.place !== place()) typed = null;
  const says = typed ? `${typed.digits}: press Enter, or one more digit` : "";
  if (note.textContent !== says) note.textContent = says;
  if (isWatching) return;
  isWatching = true;
  new MutationObserver(mark).observe(phone, { subtree: true, childList: true, attributeFilter: ["class"] });
}
