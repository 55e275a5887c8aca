// Web Push in this browser: whether it can show notices, and switching them on. Nothing here asks by itself.

const PATIENCE = 15_000; // for a service worker to be ready

/** Whether this browser can show notices; over plain http none can. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** How this browser subscribed, or null. */
export async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * Subscribe with the public key of the site. The browser asks its owner first, so only a tap may lead here.
 *
 * It fails with what the browser says, and with a TypeError where the service worker cannot be had.
 */
export async function subscribe(key) {
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, tooLong()]);
  const former = await pushManager.getSubscription();
  if (former && !isOf(former, key)) await former.unsubscribe();
  const found = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  if (former && former.endpoint !== found.endpoint) await replace(former, found);
  return found;
}

// Other clubs of the site know the browser by its former address. What fails here is as if it had been lost.
async function replace(former, found) {
  const { endpoint, keys } = found.toJSON();
  const body = JSON.stringify({ former: former.endpoint, endpoint, ...keys });
  await fetch("/notices/renew/", { method: "POST", body }).catch(() => {});
}

// One that cannot be installed is never ready, and nothing says so.
const tooLong = () => new Promise((_, reject) => setTimeout(() => reject(new TypeError("no worker")), PATIENCE));

/** Why subscribing failed, in a sentence; "" where the browser blocks notices of this site. */
export function whyNot({ name }) {
  if (Notification.permission === "denied") return "";
  if (name === "NotAllowedError") return "The browser was not allowed to show notices. Tap again, and allow it.";
  if (name === "TypeError") return "The site cannot be reached. Try again in a moment.";
  if (name === "AbortError") return "The browser cannot reach what brings its notices. Is it online? Try again in a moment.";
  return "The browser did not switch notices on. Try again.";
}

/** Tell the site (`post`) of a subscription, with the token of a form; what is wrong with it, "" for nothing. */
export async function tell(post, token, found, more = {}) {
  const body = fields(found);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  const answer = await fetch(post, { method: "POST", body, headers: { "X-CSRFToken": token } }).catch(() => null);
  if (answer?.ok) return "";
  if (answer?.status === 400) return (await answer.json()).problem;
  return answer ? "That did not work. Load this page again." : "The site cannot be reached. Try again in a moment.";
}

/** Whether it was made with that key of the site: with another one, nothing comes. */
export function isOf({ options }, key) {
  const own = options?.applicationServerKey;
  return Boolean(own) && text(new Uint8Array(own)) === key;
}

// What the site has to know of a subscription, as a form sends it.
function fields(found) {
  const { endpoint, keys } = found.toJSON();
  return new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

/** What the site calls a browser: the SHA-256 of its endpoint. */
export async function digest({ endpoint }) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const bytes = (key) => Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

const text = (array) => btoa(String.fromCharCode(...array)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
