// The roll call of a large club: a search field for names, and taps that send one answer instead of the whole form.

const FEW = 12;

const find = document.getElementById("find");
const field = document.getElementById("find-name");
const sum = document.getElementById("find-sum");
const lines = document.querySelectorAll(".roll-lines > li").length;
const groups = [...document.querySelectorAll("form > :is(section, details):has(.roll-lines)")];
const wasOpen = new Map();

// Letters as they are typed in a hurry: without capitals and accents.
function plain(text) {
  return text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase().trim();
}

// Every word that was typed begins a word of the name.
function fits(name, words) {
  const parts = name.split(/[\s-]+/);
  return words.every((word) => parts.some((part) => part.startsWith(word)));
}

function show() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  let count = 0;
  // Whoever has checked in meanwhile has another line.
  for (const line of document.querySelectorAll(".roll-lines > li")) {
    line.hidden = !fits(plain(line.querySelector("bdi").textContent), words);
    if (!line.hidden) count += 1;
  }
  for (const group of groups) {
    group.hidden = !group.querySelector(".roll-lines > li:not([hidden])");
    if (group.localName === "details") unfold(group, words.length > 0);
  }
  sum.textContent = words.length ? describe(count) : "";
}

// What is found is in sight; afterwards a group is as it was.
function unfold(group, isSearched) {
  if (isSearched && !wasOpen.has(group)) wasOpen.set(group, group.open);
  if (isSearched) group.open = true;
  else if (wasOpen.has(group)) {
    group.open = wasOpen.get(group);
    wasOpen.delete(group);
  }
}

function describe(count) {
  if (!count) return "Nobody on the roll has that name. Add somebody new below.";
  return count === 1 ? "1 person" : `${count} people`;
}

find.hidden = lines <= FEW;
field.addEventListener("input", show);
// The next name takes the place of this one.
field.addEventListener("focus", () => field.select());
// Return would press the first button of the form.
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault();
});
// After a reload a browser may fill in what was typed before.
show();

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (!target.matches(".roll-lines fieldset")) return;
  const sent = new Set(["csrfmiddlewaretoken", "leaver", target.querySelector("[type=radio]").name]);
  for (const name of Object.keys(detail.parameters)) if (!sent.has(name)) delete detail.parameters[name];
});
