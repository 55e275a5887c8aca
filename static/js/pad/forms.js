// The forms of a pad of prompts, and the values in them. A control called f-<field> holds one field.

import { counted, untouch } from "./counts.js";
import { phone } from "./session.js";
import { minus } from "./view_parts.js";

const FIELD = "f-";
// Sections that are part of the page only while their ask is in front, and their places (`only_in_front` of the template).
const places = [...phone.querySelectorAll("template[data-only-in-front]")];
const sections = places.map(({ content, nextElementSibling }) => content.firstElementChild ?? nextElementSibling);
// The page, and what waits outside of it.
export const roots = [phone, ...sections.filter((section) => !section.isConnected)];
export const forms = roots.flatMap((root) => [...root.querySelectorAll("form:has([name=ask])")]);

export const nameOf = (form) => form.elements.ask.dataset.event ?? form.elements.ask.dataset.name;
const controls = (form) => [...form.elements].filter(({ name }) => name.startsWith(FIELD));
const fixed = (form) => controls(form).filter(({ type }) => type === "hidden");
const isSeen = (control) => control.type === "hidden" || (control.closest("label") ?? control).checkVisibility();
const isChoice = ({ type }) => type === "radio" || type === "checkbox";
const isChosen = (control) => (isChoice(control) ? control.checked : control.localName !== "button" && control.value !== "");
const means = (control, value) => (control.type === "checkbox" ? value === true || `${value}` === "true" || `${value}` === control.value : `${value}` === control.value);

// The form of an ask. Where several answer it, each for one case, it is the one whose hidden fields say most of what is
// given, and that can be seen.
export function formOf(ask, given = {}) {
  const fits = (form) => fixed(form).every((field) => means(field, given[field.name.slice(FIELD.length)]));
  const some = forms.filter((form) => nameOf(form) === ask);
  const fit = some.filter((form) => fits(form) && !form.closest("[data-when][hidden], [data-unless][hidden]"));
  return fit.sort((a, b) => fixed(b).length - fixed(a).length)[0] ?? some[0];
}

// What a tap writes: all that was chosen and can be seen.
export function step(form, submitter) {
  const chosen = controls(form).filter((control) => !control.disabled && isSeen(control) && isChosen(control));
  if (submitter?.name.startsWith(FIELD)) chosen.push(submitter);
  return Object.fromEntries(chosen.map(({ name, type, value }) => [name.slice(FIELD.length), type === "checkbox" && value === "on" ? "true" : value]));
}

// What still has to be chosen before the form can be sent: its first control, or null.
export function lacking(form) {
  const needed = controls(form).filter((field) => (field.required || "needed" in field.dataset) && !field.disabled && isSeen(field));
  const has = ({ name }) => controls(form).some((field) => field.name === name && isSeen(field) && isChosen(field));
  return needed.find((field) => !has(field)) ?? null;
}

export function fill(form, given) {
  form.reset();
  untouch(form);
  for (const control of controls(form)) {
    const name = control.name.slice(FIELD.length);
    if (isChoice(control)) control.checked = name in given ? means(control, given[name]) : control.defaultChecked;
    else if (control.localName !== "button" && control.type !== "hidden" && name in given) control.value = typeof given[name] === "number" ? minus(given[name]) : given[name];
  }
  counted(form);
}

// What was chosen there is not chosen any more when it comes back.
function putAway(section) {
  section.remove();
  for (const form of section.querySelectorAll("form")) fill(form, {});
}

// Of such sections the page has the one of this ask.
export function bringIn(ask) {
  for (const [at, section] of sections.entries()) {
    const isDue = places[at].dataset.onlyInFront === ask;
    if (isDue === section.isConnected) continue;
    if (isDue) places[at].after(section);
    else putAway(section);
  }
}

// A step in words, by the labels of what was chosen.
export function words(ask, given) {
  const form = formOf(ask, given);
  const texts = Object.entries(given).map(([field, value]) => {
    const control = form && controls(form).find((each) => each.name === FIELD + field && (!(isChoice(each) || each.localName === "button") || means(each, value)));
    if (!control || (control.type === "hidden" && !control.dataset.says)) return "";
    if (control.type === "hidden") return control.dataset.says;
    const label = control.dataset.says ?? control.getAttribute("aria-label") ?? (control.closest("label") ?? control).textContent;
    const text = label.trim().replace(/\s+/g, " ");
    const shown = [...(control.options ?? [])].find((option) => option.value === `${value}`)?.text ?? value;
    return isChoice(control) || control.localName === "button" ? text : `${text} ${shown}`;
  });
  return texts.filter(Boolean).join(", ") || form?.dataset.says || "nobody";
}
