// Shares a text of the page, by the share sheet of the phone. Where there is none the button stays hidden: the text can
// be copied.

if (navigator.share) {
  for (const button of document.querySelectorAll("[data-share-text]")) {
    button.hidden = false;
    button.addEventListener("click", () => share(document.getElementById(button.dataset.shareText)));
  }
}

async function share(text) {
  try {
    await navigator.share({ text: text.textContent.trim() });
  } catch {
    // Whoever closes the share sheet has changed their mind.
  }
}
