// The screen stays lit while the pad or the table is looked at. Browsers allow it over TLS only, and a phone that saves
// its battery refuses: then nothing happens, and the pad says once how the phone is set for tonight.

// Whether the phone may go dark: a promise, made anew each time the page comes into sight.
export let lit = stayLit();

async function stayLit() {
  // The lock is lost each time the page is out of sight.
  if (document.visibilityState !== "visible") return true;
  if (!navigator.wakeLock) return false;
  try {
    await navigator.wakeLock.request("screen");
    return true;
  } catch {
    return false;
  }
}

document.addEventListener("visibilitychange", () => {
  lit = stayLit();
});
