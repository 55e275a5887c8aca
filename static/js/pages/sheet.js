// The running sheet: a tap on a row opens its bids and tricks, a tap on a number explains it.
// Both are links that work without this script. The sheet may be replaced at any time; open rows stay open.

const opened = new Set([...document.querySelectorAll(".sheet tbody.open")].map((part) => part.id));

function show(part) {
  const isOpen = opened.has(part.id);
  part.classList.toggle("open", isOpen);
  part.querySelector("tr.hand")?.classList.toggle("open", isOpen);
  part.querySelector("[data-opens]")?.setAttribute("aria-expanded", String(isOpen));
}

function toggle(id) {
  if (!opened.delete(id)) opened.add(id);
  const part = document.getElementById(id);
  if (part) show(part);
}

/** Open again what was open before the sheet was replaced. */
export function reopen(root = document) {
  for (const part of root.querySelectorAll(".sheet tbody")) if (opened.has(part.id)) show(part);
}

let panel;

function panelWith(content) {
  if (!panel) {
    panel = document.createElement("dialog");
    panel.className = "panel";
    panel.setAttribute("aria-labelledby", "why-h");
    const close = document.createElement("form");
    close.method = "dialog";
    const button = document.createElement("button");
    button.className = "whole";
    button.textContent = "Close";
    close.append(button);
    panel.append(document.createElement("div"), close);
    // A tap beside the panel closes it too.
    panel.addEventListener("click", (event) => event.target === panel && panel.close());
    document.body.append(panel);
  }
  const title = content.querySelector("h1");
  const heading = document.createElement("h2");
  heading.id = "why-h";
  heading.append(...title.childNodes);
  title.replaceWith(heading);
  panel.firstChild.replaceChildren(...content.childNodes);
  return panel;
}

/** What a panel says where the reason cannot be asked for. */
function unreachable() {
  const section = document.createElement("section");
  const title = document.createElement("h1");
  title.textContent = "Why?";
  const sentence = document.createElement("p");
  sentence.textContent = "There is no connection just now. Tap the number again when there is one.";
  section.append(title, sentence);
  return section;
}

let asking = false;

async function explain(link) {
  // A second tap while the answer is on its way asks for nothing else.
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch(link.href).catch(() => null);
    if (answer && !answer.ok) {
      // Let the page of the problem say what is wrong.
      location.assign(link.href);
      return;
    }
    const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
    panelWith(page ? document.importNode(page.getElementById("why"), true) : unreachable()).showModal();
  } finally {
    asking = false;
  }
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const row = event.target.closest?.(".sheet a[data-opens]");
  if (row) {
    event.preventDefault();
    toggle(row.dataset.opens);
    return;
  }
  // Bid and tricks stand beside the total, and the reason for it is theirs too.
  const number = event.target.closest?.(".mark a") ?? event.target.closest?.(".bt")?.closest(".cell").querySelector(".mark a");
  if (number && !panel?.open) {
    event.preventDefault();
    explain(number);
  }
});

document.addEventListener("htmx:afterSwap", () => reopen());
