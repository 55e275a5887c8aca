// Numbers that must fit together: <div data-agrees> has a group of radios for each player, and a part [data-list] with all
// possible combinations, as "310 400". Impossible values are disabled, and if one value is left for the last group it is
// chosen. With data-agrees="any order" a combination holds in any order.

const orders = (way) => (way.length < 2 ? [way] : [...way].flatMap((digit, i) => orders(way.slice(0, i) + way.slice(i + 1)).map((rest) => digit + rest)));

for (const frame of document.querySelectorAll("[data-agrees]")) {
  const form = frame.closest("form");
  const list = frame.querySelector("[data-list]");
  const groups = [...frame.querySelectorAll("fieldset")].map((row) => [...row.querySelectorAll("input[type=radio]")]);
  let touched = []; // the groups the finger was in, the latest last: all but one of them bind the others

  const chosen = (group) => group.find(({ checked }) => checked)?.value;

  function ways() {
    const listed = list.textContent.split(" ").filter(Boolean);
    return frame.dataset.agrees ? listed.flatMap(orders) : listed;
  }

  function show() {
    const all = ways();
    const others = (group) => groups.flatMap((other, at) => (other !== group && touched.includes(other) ? [[at, chosen(other)]] : []));
    for (const [at, group] of groups.entries()) {
      const open = new Set(all.filter((way) => others(group).every(([place, value]) => way[place] === value)).map((way) => way[at]));
      for (const key of group) {
        key.disabled = all.length > 0 && !open.has(key.value);
        if (key.disabled) key.checked = false;
      }
      const left = group.filter(({ disabled }) => !disabled);
      if (left.length === 1 && touched.length === groups.length - 1 && !touched.includes(group)) left[0].checked = true;
    }
  }

  // Before the pad looks at the form, which may send it.
  frame.addEventListener("input", ({ target }) => {
    const group = groups.find((radios) => radios.includes(target));
    touched = [...touched.filter((other) => other !== group), group].slice(1 - groups.length);
    show();
  });
  // The pad fills its forms without a word, and says what can be in its own time.
  form.addEventListener("reset", () => {
    touched = [];
    for (const key of groups.flat()) key.disabled = false;
    queueMicrotask(show);
  });
  new MutationObserver(show).observe(list, { childList: true, characterData: true, subtree: true });
  show();
}

// A way of counting whose numbers stand there already is the one that is shown: data-if names their part of the form.
for (const way of document.querySelectorAll("[data-if]")) {
  const numbers = way.form.querySelectorAll(`${way.dataset.if} input`);
  way.form.addEventListener("reset", () =>
    queueMicrotask(() => {
      if ([...numbers].some(({ value }) => Number(value))) way.checked = true;
    }),
  );
}
