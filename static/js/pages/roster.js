// The form of a player who joins: a name is tapped or typed, never both.

const form = document.getElementById("people");
const typed = document.getElementById("name");

form.addEventListener("input", ({ target }) => {
  if (target === typed) for (const chip of form.querySelectorAll("[name=who]")) chip.checked = false;
});

form.addEventListener("change", ({ target }) => {
  if (target.name === "who" && typed) typed.value = "";
  // The third name that is tapped takes the place of the first.
  const ticked = [...form.querySelectorAll("[name=swap]:checked")];
  if (target.name === "swap" && ticked.length > 2) ticked.find((tick) => tick !== target).checked = false;
}, true);
