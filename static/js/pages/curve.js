// The score curve: its link shows it below the sheet, and a finger, a pointer or an arrow key reads a hand of it.
// The link leads to a page of its own without this script, and the numbers stand in the table below the curve.

const SVG = "http://www.w3.org/2000/svg";

/** What the table below the curve says of a hand: when it was, and everybody's total. */
function read(figure, stop) {
  const row = figure.querySelectorAll(".score-totals tbody tr")[stop];
  return { when: row.dataset.said, totals: [...row.querySelectorAll("td")].map((cell) => cell.textContent) };
}

function lastStop(figure) {
  return figure.querySelectorAll(".score-totals tbody tr").length - 1;
}

/** Show a hand: a line through it, and its totals beside the names. */
function show(figure, stop) {
  const svg = figure.querySelector(":scope > svg");
  const range = figure.querySelector(".score-hand");
  const last = lastStop(figure);
  const { left, right } = svg.dataset;
  const x = Number(left) + ((right - left) * stop) / last;
  const line = svg.querySelector(".reading");
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
  line.toggleAttribute("hidden", stop === last);
  const { when, totals } = read(figure, stop);
  const names = [...figure.querySelectorAll(".score-names li")];
  names.forEach((item, at) => {
    const total = item.querySelector("[data-total]");
    // Of who is not at the table just then nothing stands in the table. Who went home keeps their total to the end.
    total.textContent = stop === last ? total.dataset.total : totals[at] || "–";
  });
  figure.querySelector("[data-when]").textContent = when;
  range.value = stop;
  const said = names.map((item) => `${item.querySelector("bdi").textContent} ${item.querySelector("[data-total]").textContent}`);
  range.setAttribute("aria-valuetext", `${when}: ${said.join(", ")}`);
}

/** The hand that is nearest to where the pointer is. */
function stopAt(figure, svg, event) {
  const room = svg.getBoundingClientRect();
  const { left, right } = svg.dataset;
  const x = ((event.clientX - room.left) / room.width) * svg.viewBox.baseVal.width;
  const last = lastStop(figure);
  return Math.min(last, Math.max(0, Math.round(((x - left) / (right - left)) * last)));
}

/** Let the curve be read. */
function prepare(figure) {
  const svg = figure?.querySelector(":scope > svg");
  if (!svg) return;
  const line = document.createElementNS(SVG, "line");
  line.setAttribute("class", "reading");
  line.setAttribute("y1", svg.dataset.top);
  line.setAttribute("y2", svg.dataset.bottom);
  svg.append(line);
  const range = document.createElement("input");
  range.type = "range";
  range.className = "score-hand";
  range.min = 0;
  range.max = lastStop(figure);
  range.setAttribute("aria-label", "Read a hand");
  range.addEventListener("input", () => show(figure, range.valueAsNumber));
  // The thumb lies below the hand that is read: it is as wide as the drawing between the first hand and the last.
  const { left, right } = svg.dataset;
  const { width } = svg.viewBox.baseVal;
  range.style.marginInlineStart = `calc(${(100 * left) / width}% - 8px)`;
  range.style.width = `calc(${(100 * (right - left)) / width}% + 16px)`;
  svg.after(range);
  for (const kind of ["pointerdown", "pointermove"]) {
    svg.addEventListener(kind, (event) => show(figure, stopAt(figure, svg, event)));
  }
  svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(figure, lastStop(figure)));
  show(figure, lastStop(figure));
}

prepare(document.getElementById("score-curve"));

const link = document.querySelector("a[data-curve]");
const place = document.getElementById("curve-place");

async function fetched() {
  const answer = await fetch(`${link.href}?only=curve`).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

let asked = 0;

/** Put the curve as it is now where it belongs; false: it could not be asked for. */
async function load() {
  asked += 1;
  const mine = asked;
  const html = await fetched();
  if (html === null) return false;
  // A newer one is on its way.
  if (mine !== asked) return true;
  const before = place.querySelector(".score-hand");
  const kept = before && before.value !== before.max ? before.valueAsNumber : null;
  const isOpen = place.querySelector("details")?.open ?? false;
  const isFocused = before !== null && before === document.activeElement;
  place.innerHTML = html;
  const figure = place.querySelector("figure");
  prepare(figure);
  const details = figure.querySelector("details");
  if (details) details.open = isOpen;
  if (kept !== null && kept <= lastStop(figure)) show(figure, kept);
  if (isFocused) place.querySelector(".score-hand")?.focus();
  return true;
}

link?.setAttribute("aria-expanded", "false");
link?.addEventListener("click", async (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (!place.hidden) {
    place.hidden = true;
    place.replaceChildren();
    link.setAttribute("aria-expanded", "false");
    return;
  }
  // Where it cannot be asked for, the page itself says why.
  if (!(await load())) return location.assign(link.href);
  place.hidden = false;
  link.setAttribute("aria-expanded", "true");
  place.scrollIntoView({ block: "nearest" });
});

// On a page that follows the game, an open curve follows too. Nobody asks for one that is closed.
document.addEventListener("htmx:afterSwap", () => place && !place.hidden && load());
