// What a scorekeeper likes on this phone: larger letters in three steps, the left thumb, a buzz at a tap, light or dark.
//
// It is a classic script in the head, so that the page is painted once, the way it is liked. A button
// with data-pref="size", "hand", "buzz" or "theme" on any page goes on to the next choice; its label says what a tap brings.
// Without a script the buttons stay hidden.
(() => {
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
      { value: "off", next: "Buzz at a tap" },
      { value: "on", next: "No buzz" },
    ],
    // A phone that lies between two people: one side is turned round, or both stand the same way.
    sides: [
      { value: "face", next: "Side by side" },
      { value: "beside", next: "Face to face" },
    ],
    theme: [
      { value: "system", next: "Always light" },
      { value: "light", next: "Always dark" },
      { value: "dark", next: "Light or dark like the phone" },
    ],
  };
  // What the phone cannot do is not offered.
  if (!navigator.vibrate) delete choices.buzz;
  const page = document.documentElement;
  const liked = {};

  // Storage may be switched off: then the choice lasts as long as the page.
  const remembered = (name) => {
    try {
      return localStorage.getItem(`like-${name}`);
    } catch {
      return null;
    }
  };
  const remember = (name, value) => {
    try {
      localStorage.setItem(`like-${name}`, value);
    } catch {
      // Nothing is lost but the memory of it.
    }
  };

  const read = (name) => {
    const value = remembered(name) ?? liked[name];
    liked[name] = choices[name].some((choice) => choice.value === value) ? value : choices[name][0].value;
  };
  const show = (name) => {
    if (liked[name] === choices[name][0].value) delete page.dataset[name];
    else page.dataset[name] = liked[name];
  };
  const place = (name) => choices[name].findIndex((choice) => choice.value === liked[name]);

  // The words are only touched where they differ, so that watching the page for new buttons comes to rest.
  const label = (button) => {
    const name = button.dataset.pref;
    if (!(name in choices)) return;
    const next = choices[name][place(name)].next;
    if (button.textContent !== next) button.textContent = next;
    button.hidden = false;
  };
  const labelAll = () => document.querySelectorAll("[data-pref]").forEach(label);

  const all = () => {
    for (const name in choices) {
      read(name);
      show(name);
    }
  };
  all();

  document.addEventListener("DOMContentLoaded", () => {
    labelAll();
    new MutationObserver(labelAll).observe(document.body, { childList: true, subtree: true });
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-pref]");
    const name = button?.dataset.pref;
    if (!(name in choices)) return;
    liked[name] = choices[name][(place(name) + 1) % choices[name].length].value;
    remember(name, liked[name]);
    show(name);
    labelAll();
  });
  // Another page of the same phone, and a page that comes back as it was left.
  const again = () => {
    all();
    labelAll();
  };
  window.addEventListener("storage", again);
  window.addEventListener("pageshow", (event) => event.persisted && again());
})();
