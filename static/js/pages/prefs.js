// Preferences of a scorekeeper on this phone: three sizes of text, left hand, no vibration, a phone between two players, a joke.
// Their buttons are in widgets/prefs_buttons.js.
//
// A classic script in the head, so that the first paint has them already: `data-size="2"` on the page.
(() => {
  // Everything but the usual, which needs no word.
  const choices = { size: ["2", "3"], hand: ["left"], buzz: ["off"], sides: ["beside"], ice: ["on"] };
  const { dataset } = document.documentElement;
  const show = () => {
    for (const [name, values] of Object.entries(choices)) {
      const value = localStorage.getItem(`like-${name}`);
      if (values.includes(value)) dataset[name] = value;
      else delete dataset[name];
    }
  };
  const again = () => {
    try {
      show();
    } catch {
      // Storage may be switched off: then a choice lasts as long as the page.
    }
  };
  again();
  // Another page of the same phone, and a page that comes back as it was left.
  addEventListener("storage", again);
  addEventListener("pageshow", (event) => event.persisted && again());
})();
