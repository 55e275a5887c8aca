// Reorders a list by dragging. It is optional: the arrows beside each name do the same. Items of `rows` have a `.grip`.

export function letRowsBeDragged(list, dropped) {
  let held;

  list.addEventListener("pointerdown", (event) => {
    if (!event.target.classList.contains("grip") || !event.isPrimary) return;
    held = event.target.closest("li");
    held.classList.add("held");
    // The list keeps the pointer, because the row itself is taken out and put in again on the way.
    list.setPointerCapture(event.pointerId);
    event.preventDefault();
  });

  list.addEventListener("pointermove", (event) => {
    if (!held) return;
    const over = [...list.children].find((row) => {
      const { top, height } = row.getBoundingClientRect();
      return row !== held && event.clientY > top && event.clientY < top + height;
    });
    if (!over) return;
    const { top, height } = over.getBoundingClientRect();
    const down = Boolean(held.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING);
    // Past its middle, so that rows of different heights do not change places back and forth.
    if (down && event.clientY > top + height / 2) over.after(held);
    else if (!down && event.clientY < top + height / 2) over.before(held);
  });

  for (const end of ["pointerup", "pointercancel"]) {
    list.addEventListener(end, () => {
      if (!held) return;
      held.classList.remove("held");
      held = undefined;
      dropped();
    });
  }
}
