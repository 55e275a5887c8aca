// Cards that are ticked instead of counted: <output data-pays="f-surplus" data-says="{n} more, {pays}"> shows how many
// are ticked in its form, and what the button for that number says that it pays.

function say(output) {
  const { form } = output;
  const ticked = [...form.querySelectorAll("[type=checkbox][name]:checked")].filter((box) => box.parentElement.checkVisibility());
  const key = form.querySelector(`button[name="${output.dataset.pays}"][value="${ticked.length}"]`);
  const pays = [...(key?.querySelectorAll(".pays") ?? [])].find((element) => getComputedStyle(element).display !== "none");
  output.textContent = pays ? output.dataset.says.replace("{n}", ticked.length).replace("{pays}", pays.textContent.trim()) : "";
}

const every = () => document.querySelectorAll("[data-pays]").forEach(say);

// After whatever else the tap does to the form.
for (const event of ["input", "change", "reset", "click"]) document.addEventListener(event, () => requestAnimationFrame(every));
every();
