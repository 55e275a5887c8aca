// Opens the term behind a call-out in a dialog over the page.
//
// The link leads to the glossary, "…/words/#door-knob"; the glossary returns one term alone for
// "…/words/?only=door-knob". Without a connection the dialog says so. Without this script the link is a link.

const panel = document.createElement("dialog");
panel.className = "panel";
panel.setAttribute("aria-labelledby", "word-h");

const NOT_NOW = `<header><h2 id="word-h">No connection</h2><form method="dialog"><button type="submit" class="plain">Close</button></form></header>
<p>What the word means can be read when this phone is online again.</p>`;

async function fragment(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.text() : NOT_NOW;
  } catch {
    return NOT_NOW;
  }
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.('a[href*="/words/#"]');
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = new URL(link.href);
  // On the page of words itself there is somewhere to scroll to.
  if (address.pathname === location.pathname) return;
  event.preventDefault();
  const word = address.hash.slice(1);
  address.hash = "";
  address.search = new URLSearchParams({ only: word });
  panel.innerHTML = await fragment(address);
  if (!panel.isConnected) document.body.append(panel);
  if (!panel.open) panel.showModal();
});
