// Rows that change their places glide there: where they were is measured before, where they are after, and only a
// transform moves them. Who wants no motion sees them in their new places at once.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const DURATION = 450;

/** How far below the top of its list each row is, by what it is the row of; one that glides, where it will come to. */
export function heights(list) {
  const rows = [...(list?.querySelectorAll("[data-place-of]") ?? [])];
  return new Map(rows.map((row) => [row.dataset.placeOf, row.offsetTop - (row.offsetParent === list ? 0 : list.offsetTop)]));
}

/** Let the rows of a list glide from where they were to where they are. */
export function glide(list, before) {
  if (still.matches) return;
  const now = heights(list);
  for (const row of list?.querySelectorAll("[data-place-of]") ?? []) {
    const way = before.get(row.dataset.placeOf) - now.get(row.dataset.placeOf);
    if (way) row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: DURATION, easing: "ease-in-out" });
  }
}
