// What a finger feels: a short buzz at a tap that is taken, a longer one at a tap that is not. A phone that can does it
// until somebody switches it off (prefs.js), or has asked for less motion.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const TAKEN = 15; // milliseconds
export const REFUSED = [25, 60, 25];

// Before the first tap on a page browsers do not allow it, and say so on the console.
export function buzz(how) {
  const isWanted = document.documentElement.dataset.buzz !== "off" && !calm.matches;
  if (isWanted && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(how);
}
