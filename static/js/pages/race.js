// The race chart: a tap, a pointer or an arrow key on a name brings its line forward and dims the others. Without this script a
// name is a link to the same page with its line in front. What a line says stands in the page, beside its name.

const figure = document.getElementById("race");

const names = () => [...figure.querySelectorAll(".race-names a")];
const groups = () => [...figure.querySelectorAll(".lines > [data-line]")];
const nameOf = (line) => names().find((name) => name.dataset.line === line);

/** Draw one line in front of the others, or none. */
function draw(line) {
  const svg = figure.querySelector(":scope > svg");
  svg.classList.toggle("following", Boolean(line));
  for (const group of groups()) {
    group.classList.toggle("near", group.dataset.line === line);
    if (group.dataset.line === line) group.parentNode.append(group);
  }
}

/** The line that was chosen; "" for none. */
function chosen() {
  return figure.querySelector(".race-names [aria-current]")?.dataset.line ?? "";
}

/** Choose a line, or none, and say what it shows. */
function choose(line) {
  for (const name of names()) {
    if (name.dataset.line === line) name.setAttribute("aria-current", "true");
    else name.removeAttribute("aria-current");
  }
  const name = nameOf(line);
  const words = figure.querySelector(".race-says");
  words.replaceChildren();
  if (name) {
    const bold = document.createElement("b");
    bold.textContent = name.querySelector("bdi").textContent;
    words.append(bold, `: ${name.dataset.says}`);
  }
  draw(line);
}

const lineAt = (event) => event.target.closest("[data-line]")?.dataset.line;

function prepare() {
  for (const group of groups()) group.classList.remove("chosen");
  draw(chosen());
  figure.addEventListener("click", (event) => {
    const line = lineAt(event);
    if (!line || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    choose(line === chosen() ? "" : line);
  });
  figure.addEventListener("pointerover", (event) => event.pointerType === "mouse" && draw(lineAt(event) ?? chosen()));
  figure.addEventListener("pointerleave", () => draw(chosen()));
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const at = names().indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = names()[Math.min(names().length - 1, Math.max(0, at + step))];
    next.focus();
    choose(next.dataset.line);
  });
}

if (figure) prepare();
