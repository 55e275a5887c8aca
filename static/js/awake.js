// The screen stays lit while the pad or the table is looked at. Browsers allow it over TLS only; without it nothing
// happens, and the terminal has said so (Auto-Lock to Never for tonight).

async function stayLit() {
  // The lock is lost each time the page is out of sight.
  if (document.visibilityState !== "visible" || !navigator.wakeLock) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // A phone that saves its battery refuses.
  }
}

document.addEventListener("visibilitychange", stayLit);
stayLit();
