// The page of share links: copy, share, and show which phone has scanned the code and keeps score now.

const POLL = 3000;
const holder = document.getElementById("holder");
let version = holder.dataset.version;

for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
// Over plain http in the club house there is no clipboard; the address can be marked there.
for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy], [data-share]");
  if (!button) return;
  const { copy, share, what } = button.dataset;
  const line = button.parentElement.querySelector(".copied");
  try {
    if (share) await navigator.share({ title: what, url: share });
    else {
      await navigator.clipboard.writeText(copy);
      line.textContent = "Copied.";
    }
  } catch (error) {
    if (error.name !== "AbortError") line.textContent = "That did not work: select the address and copy it.";
  }
});

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`${holder.dataset.state}?v=${version}`, { headers: { Accept: "application/json" } });
    // Cut off meanwhile: the page says so.
    if (answer.status === 403) location.reload();
    if (answer.status !== 200) return;
    const data = await answer.json();
    version = data.edition;
    if (data.scorekeeper) say(data.scorekeeper.says);
  } catch {
    // There is no network now.
  }
}

function say(words) {
  const line = document.createElement("p");
  line.className = "notice";
  line.setAttribute("role", "status");
  line.textContent = words;
  if (holder.textContent.trim() === words) return;
  holder.replaceChildren(line);
  line.scrollIntoView({ block: "nearest" });
}

setInterval(look, POLL);
document.addEventListener("visibilitychange", look);
