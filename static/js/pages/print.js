// Printing is the browser's, and a button for it is the script's: without one nobody sees it.

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
