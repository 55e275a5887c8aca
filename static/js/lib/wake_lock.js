// Keeps the screen on while the pad or the table is visible. Browsers allow it only with TLS, and a phone that saves
// battery refuses. Then nothing happens, and the pad says once how to set the phone.

let lit = stayLit();

// Whether the screen stays on: a promise, made anew each time the page comes into sight.
export const isLit = () => lit;

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
