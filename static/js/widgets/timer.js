// A countdown for an event at the table. It rings at the end if this phone was allowed to.
//
// <div data-clock data-ends="…"> gives the end in the time of the site. The phone's clock may differ, so the site is asked
// for its time once. `data-here`: the event began on this phone and is not on the sheet yet, so the phone's clock counts.
// The sheet stores only when the event began.

import { minutesLeft, siteNow } from "../lib/site_time.js";

const TICK = 200;
const LATE = 20000; // who looks again so long after the end is told, but not rung for
const PLACE = "ring";
const BEEPS = [0, 0.35, 0.7];

let sound = null; // where it rings, once a finger was on the page
const seen = new WeakMap(); // the end that was seen coming, by clock

function wish() {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

function remember(says) {
  try {
    localStorage.setItem(PLACE, says);
  } catch {
    // A browser that keeps nothing is asked again.
  }
}

// A browser lets nothing sound before a finger was on the page.
function wake() {
  sound ??= window.AudioContext ? new AudioContext() : null;
  sound?.resume();
}

function ring() {
  navigator.vibrate?.([300, 150, 300, 150, 300]);
  if (!sound) return;
  for (const after of BEEPS) {
    const [tone, loud] = [sound.createOscillator(), sound.createGain()];
    const at = sound.currentTime + after;
    tone.frequency.value = 880;
    loud.gain.setValueAtTime(0.4, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
    tone.connect(loud).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.3);
  }
}

function put(part, words) {
  part.hidden = !words;
  if (part.textContent !== words) part.textContent = words;
}

function tick(clock) {
  const ends = Date.parse(clock.dataset.ends ?? "");
  if (clock.hidden || Number.isNaN(ends)) return;
  const left = ends - ("here" in clock.dataset ? Date.now() : siteNow());
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const isUp = seconds === 0;
  if (isUp && clock.dataset.state === "runs" && seen.get(clock) === clock.dataset.ends && left > -LATE && wish() === "yes") ring();
  if (!isUp) seen.set(clock, clock.dataset.ends);
  clock.dataset.state = isUp ? "up" : "runs";
  clock.querySelector(".until").hidden = true;
  clock.querySelector(".runs").hidden = isUp;
  put(clock.querySelector(".left"), isUp ? "" : minutesLeft(seconds));
  put(clock.querySelector(".up"), isUp ? "Time is up." : "");
  bell(clock, isUp);
}

// Asked at the first start; after that a bell says what was chosen, and a tap on it chooses anew.
function bell(clock, isUp) {
  const says = wish();
  const isMute = says === "yes" && sound?.state !== "running";
  clock.querySelector("[data-asks-ring]").hidden = isUp || says !== null;
  const button = clock.querySelector(".bell");
  button.hidden = isUp || says === null;
  const words = says === "yes" ? (isMute ? "Tap so that it can ring" : "Rings when time is up") : "Does not ring";
  button.dataset.rings = says === "yes" ? (isMute ? "mute" : "yes") : "no";
  if (button.getAttribute("aria-label") !== words) {
    button.setAttribute("aria-label", words);
    button.title = words;
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-ring]");
  if (wish() === "yes" || button) wake();
  if (!button) return;
  const says = button.dataset.ring;
  if (says !== "turn") remember(says);
  else if (button.dataset.rings !== "mute") remember(button.dataset.rings === "yes" ? "no" : "yes");
  every();
});

function every() {
  for (const clock of document.querySelectorAll("[data-clock]")) tick(clock);
}

every();
setInterval(every, TICK);
document.addEventListener("visibilitychange", every);
