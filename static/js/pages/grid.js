// The grid for hands from paper: digits move on by themselves, arrows and Enter move, totals are shown while typing.
//
// It knows no rule: it adds, takes the largest and the smallest, and looks up points in a table that came with the page.
// What was typed is stored on this phone until it is on the sheet.

const form = document.getElementById("grid");
const data = JSON.parse(document.getElementById("grid-data").textContent);
const rows = [...form.querySelectorAll("tbody[data-hand]")];
const cells = [...form.querySelectorAll(".grid input[type=text], .grid select")];
const drawer = `typed-${data.code}`;
// What the site has said about rows: it stands until the row is changed.
const remarks = new Map(rows.map((row) => [row, row.querySelector("[data-says]").textContent]));

// -- moving --------------------------------------------------------------------------------------------

const open = () => cells.filter((cell) => !cell.readOnly && !cell.disabled);

function go(cell) {
  cell?.focus();
  if (cell?.select) cell.select();
}

function step(cell, by) {
  const all = open();
  go(all[all.indexOf(cell) + by] ?? (by > 0 ? form.querySelector(".go") : null));
}

// The same place in the row above or below.
function jump(cell, by) {
  const row = cell.closest("tbody");
  const at = [...row.querySelectorAll("input[type=text], select")].indexOf(cell);
  const next = rows[rows.indexOf(row) + by];
  go(next?.querySelectorAll("input[type=text], select")[at]);
}

const isNumber = (text) => /^\d+$/.test(text);

// A number that can have no further digit is complete.
const isFull = (cell) => isNumber(cell.value) && (cell.value === "0" || Number(cell.value) * 10 > Number(cell.dataset.high));

form.addEventListener("keydown", (event) => {
  const cell = event.target;
  if (!cells.includes(cell) || event.ctrlKey || event.metaKey || event.altKey) return;
  const isText = cell.tagName === "INPUT";
  const ends = isText ? [cell.selectionStart, cell.selectionEnd, cell.value.length] : [0, 0, 0];
  const moves = {
    Enter: () => step(cell, event.shiftKey ? -1 : 1),
    ArrowDown: isText && (() => jump(cell, 1)),
    ArrowUp: isText && (() => jump(cell, -1)),
    ArrowRight: isText && ends[1] === ends[2] && (() => step(cell, 1)),
    ArrowLeft: isText && ends[0] === 0 && (() => step(cell, -1)),
    Backspace: isText && ends[2] === 0 && (() => step(cell, -1)),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
});

form.addEventListener("input", (event) => {
  const cell = event.target;
  cell.removeAttribute("aria-invalid");
  remarks.delete(cell.closest("tbody"));
  forget(cell.closest("tbody"));
  keep();
  reckon();
  if (cell.dataset?.high && event.inputType?.startsWith("insert") && isFull(cell)) step(cell, 1);
});

form.addEventListener("focusin", (event) => cells.includes(event.target) && event.target.select?.());

// -- what it comes to ----------------------------------------------------------------------------------

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const minus = (number) => (number < 0 ? `−${-number}` : `${number}`);

// What was typed of everybody in a row: [seat, numbers]; null where something is missing or too large.
function typed(row) {
  const people = new Map();
  for (const cell of row.querySelectorAll("input[data-seat]")) {
    const number = isNumber(cell.value) && Number(cell.value) <= Number(cell.dataset.high) ? Number(cell.value) : null;
    if (!people.has(cell.dataset.seat)) people.set(cell.dataset.seat, []);
    people.get(cell.dataset.seat).push(number);
  }
  return people;
}

function stroke(kind) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", `pencil ${kind}`);
  svg.setAttribute("viewBox", "0 0 100 60");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#${kind}-0`);
  svg.append(use);
  return svg;
}

function mark(total, boxed, circled) {
  const span = document.createElement("span");
  span.className = `mark${boxed ? " boxed" : ""}${circled ? " circled" : ""}`;
  if (boxed) span.append(stroke("box"));
  if (circled) span.append(stroke("ring"));
  const words = document.createElement("span");
  words.className = "visually-hidden";
  words.textContent = `${boxed ? ", in the box" : ""}${circled ? ", in the circle" : ""}`;
  span.append(minus(total), words);
  return span;
}

// What a row says of its sums, as far as it is typed; "" where there is nothing to say.
function amiss(row, people) {
  const { avoid, due } = data.hands[row.dataset.hand];
  const so = row.querySelector(".says input");
  const words = [];
  let isBroken = false;
  data.spoken.forEach((spoken, at) => {
    const numbers = [...people.values()].map((all) => all[at]);
    if (!numbers.length || numbers.includes(null)) return;
    const total = sum(numbers);
    const label = form.querySelectorAll(".grid thead tr:nth-child(2) th")[at].textContent;
    if (spoken && total === avoid) {
      isBroken = true;
      if (!so?.checked) words.push(`The ${label}s add up to ${total}, which is not allowed.`);
    }
    if (data.counted[at] && due !== null && total !== due) words.push(`The ${label} add up to ${total}, not ${due}.`);
  });
  if (so) {
    so.parentElement.hidden = !isBroken && !so.checked;
    if (!isBroken) so.checked = false;
  }
  return words.join(" ");
}

function reckon() {
  let totals = data.worth ? { ...data.totals } : null;
  for (const row of rows) {
    const people = typed(row);
    const says = amiss(row, people) || remarks.get(row) || "";
    const line = row.querySelector(".said");
    line.querySelector("[data-says]").textContent = says;
    const tick = line.querySelector(".tick");
    line.hidden = !says && (!tick || tick.hidden);
    row.classList.toggle("wrong", Boolean(says));
    const isComplete = [...people.values()].every((all) => all.length === 2 && !all.includes(null));
    totals = totals && isComplete && !says ? after(totals, people) : null;
    // Where the page has nothing to look points up in, the site says the totals, until something is changed.
    if (!data.worth) continue;
    for (const cell of row.querySelectorAll("td.total")) {
      const best = totals && Math.max(...Object.values(totals));
      const least = totals && Math.min(...Object.values(totals));
      const total = totals?.[cell.dataset.seat];
      cell.replaceChildren(...(totals ? [mark(total, total === best, total === least)] : []));
    }
  }
}

// What the site has said of this row and of those after it is old now.
function forget(row) {
  if (data.worth) return;
  for (const later of rows.slice(rows.indexOf(row))) {
    for (const cell of later.querySelectorAll("td.total")) cell.replaceChildren();
  }
}

function after(totals, people) {
  const next = { ...totals };
  for (const [seat, [first, second]] of people) next[seat] += data.worth[first][second];
  return next;
}

// -- what was typed is kept ----------------------------------------------------------------------------

const fields = () => [...cells, ...form.querySelectorAll(".grid input[type=checkbox]")];
const written = (field) => (field.type === "checkbox" ? (field.checked ? "true" : "") : field.readOnly || field.disabled ? "" : field.value);

function keep() {
  const all = Object.fromEntries(fields().map((field) => [field.name, written(field)]).filter(([, value]) => value));
  try {
    if (Object.keys(all).length) localStorage.setItem(drawer, JSON.stringify(all));
    else localStorage.removeItem(drawer);
    document.getElementById("kept").textContent = "Kept on this phone while you type.";
  } catch {
    document.getElementById("kept").textContent = "";
  }
}

function bring() {
  try {
    const all = JSON.parse(localStorage.getItem(drawer) ?? "{}");
    for (const field of fields()) {
      const value = all[field.name];
      if (!value || field.readOnly || field.disabled || written(field)) continue;
      if (field.type === "checkbox") field.checked = true;
      else field.value = value;
    }
  } catch {
    // What cannot be read was never typed here.
  }
}

bring();
keep();
reckon();
if (!document.querySelector("[aria-invalid]")) go(open().find((cell) => !cell.value && (!cell.closest(".extra") || cell.tagName === "INPUT")) ?? null);
else go(document.querySelector(".grid [aria-invalid]"));
