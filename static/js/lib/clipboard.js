// Copies a text to the clipboard. Pages without TLS have no clipboard API: there a selection is copied.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy);
    // With many texts on a page each button has its own line.
    const line = document.getElementById(button.dataset.status ?? "copied");
    line.textContent = (await copied(text)) ? "Copied. Paste it where you write." : "Hold your finger on the text to copy it.";
  });
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text.textContent.trim());
    return true;
  } catch {
    getSelection().selectAllChildren(text);
    return document.execCommand("copy");
  }
}
