// Things picked in an order: <div data-picks> holds a select for each place and, hidden until this script runs, a
// [role=group] with a button for each thing. A tap puts the thing into the next place, another tap removes it.
// `data-twin` of a button is the value of the thing that belongs to it; the one of the last pick is marked.

for (const frame of document.querySelectorAll("[data-picks]")) {
  const places = [...frame.querySelectorAll("select")];
  const group = frame.querySelector("[role=group]");
  const things = [...group.querySelectorAll("button")];

  const picked = () => places.map(({ value }) => value).filter(Boolean);

  function show() {
    const all = picked();
    const last = things.find(({ value }) => value === all.at(-1));
    for (const thing of things) {
      const place = all.indexOf(thing.value) + 1;
      thing.setAttribute("aria-pressed", `${place > 0}`);
      thing.dataset.place = place || "";
      thing.toggleAttribute("data-is-twin", thing.value === last?.dataset.twin);
    }
  }

  group.addEventListener("click", ({ target }) => {
    const thing = target.closest("button");
    if (!thing) return;
    const before = picked();
    const isOut = before.includes(thing.value);
    const all = isOut ? before.filter((value) => value !== thing.value) : [...before, thing.value];
    if (all.length > places.length) return;
    for (const [at, place] of places.entries()) place.value = all[at] ?? "";
    show();
    const last = places[Math.max(0, all.length - 1)];
    last.dispatchEvent(new Event("input", { bubbles: true }));
    if (!isOut) last.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // The pad fills its forms without a word.
  frame.closest("form").addEventListener("reset", () => queueMicrotask(show));
  for (const place of places) {
    place.tabIndex = -1;
    place.closest("label").setAttribute("aria-hidden", "true");
  }
  group.hidden = false;
  frame.classList.add("picking");
  show();
}
