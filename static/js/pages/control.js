// The control page: a table that newly calls buzzes, sounds if that is switched on, and stands in the title.

import "../widgets/notice_offer.js";

const title = document.title;
const main = document.getElementById("main");
const sound = document.querySelector("[data-call-sound]");
const silent = document.querySelector("[data-call-silent]");
const STORED = "call-sound";
const BUZZ = [200, 100, 200];
const TONES = [880, 1175]; // hertz, one after the other
const TONE = 0.18; // seconds
let isLoud = readSound();
let known = calls();
let audio = null;

function calls() {
  return new Set([...main.querySelectorAll(".control > .asks .asking button")].map(({ id }) => id));
}

function look() {
  const now = calls();
  const isNew = [...now].some((id) => !known.has(id));
  known = now;
  document.title = now.size ? `(${now.size}) ${title}` : title;
  if (!isNew) return;
  // Before the first tap on a page browsers do not allow it, and say so on the console.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ);
  if (isLoud) ring();
}

// Browsers are silent until somebody taps, and fall silent again as they like: the page says so then.
async function ring() {
  await wake();
  if (canSound()) play();
  else tellSilence();
}

function play() {
  TONES.forEach((tone, place) => {
    const [begin, oscillator, gain] = [audio.currentTime + place * TONE, audio.createOscillator(), audio.createGain()];
    oscillator.frequency.value = tone;
    gain.gain.setValueAtTime(0.3, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + TONE);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(begin);
    oscillator.stop(begin + TONE);
  });
}

const canSound = () => audio?.state === "running";

// After a tap alone: before it a browser refuses, and says so on the console.
async function wake() {
  if (!isLoud || !navigator.userActivation?.hasBeenActive) return;
  if (!audio) {
    audio = new AudioContext();
    audio.addEventListener("statechange", tellSilence);
  }
  if (!canSound()) await audio.resume().catch(() => {});
}

function readSound() {
  try {
    return localStorage.getItem(STORED) === "on";
  } catch {
    return false;
  }
}

function label() {
  if (!sound) return; // the night is over
  sound.hidden = !("AudioContext" in window);
  sound.textContent = isLoud ? "No sound for calls" : "Sound for calls";
}

function tellSilence() {
  if (silent) silent.hidden = sound.hidden || !isLoud || canSound();
}

sound?.addEventListener("click", () => {
  isLoud = !isLoud;
  try {
    localStorage.setItem(STORED, isLoud ? "on" : "off");
  } catch {
    // It lasts as long as the page.
  }
  label();
  wake().then(() => {
    tellSilence();
    if (isLoud) ring();
  });
});
// A page that was loaded anew may sound from its first tap on. What counts as a tap is over: of a touch, its end.
for (const tap of ["pointerup", "keyup"]) addEventListener(tap, wake);
label();
tellSilence();
look();
new MutationObserver(look).observe(main, { childList: true, subtree: true });
