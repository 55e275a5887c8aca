// A button with data-pref="size", "hand", "buzz", "ice" or "sides" switches to the next choice; its label names that choice.
// The current one is on the page itself, set by prefs.js. Without this script the button stays hidden.

const choices = {
  size: [
    { value: "1", next: "Larger" },
    { value: "2", next: "Larger still" },
    { value: "3", next: "Normal size" },
  ],
  hand: [
    { value: "right", next: "Left thumb" },
    { value: "left", next: "Right thumb" },
  ],
  buzz: [
    { value: "on", next: "No buzz" },
    { value: "off", next: "Buzz at a tap" },
  ],
  // A joke about who thinks for long.
  ice: [
    { value: "off", next: "Ice Fishing" },
    { value: "on", next: "No Ice Fishing" },
  ],
  // A phone that lies between two people: one side is turned round, or both stand the same way.
  sides: [
    { value: "face", next: "Side by side" },
    { value: "beside", next: "Face to face" },
  ],
};
// What the phone cannot do is not offered.
if (!navigator.vibrate) delete choices.buzz;
const { dataset } = document.documentElement;

// The place of what is chosen; the first is the usual, and is not put on the page.
const place = (name) => Math.max(0, choices[name].findIndex(({ value }) => value === dataset[name]));

function label() {
  for (const button of document.querySelectorAll("[data-pref]")) {
    const name = button.dataset.pref;
    if (!(name in choices)) continue;
    button.textContent = choices[name][place(name)].next;
    button.hidden = false;
  }
}

function choose(name) {
  const next = (place(name) + 1) % choices[name].length;
  const { value } = choices[name][next];
  if (next) dataset[name] = value;
  else delete dataset[name];
  try {
    localStorage.setItem(`like-${name}`, value);
  } catch {
    // It lasts as long as the page.
  }
}

document.addEventListener("click", ({ target }) => {
  const name = target.closest?.("[data-pref]")?.dataset.pref;
  if (!(name in choices)) return;
  choose(name);
  label();
});
// prefs.js has heard of it before.
addEventListener("storage", label);
addEventListener("pageshow", label);
label();
