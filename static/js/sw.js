// The service worker: the pads of sheets that are stored on this phone open offline, other pages show that they do not.
// And it shows notices that its owner switched on. Served at /sw.js. Entries never depend on it: the pad sends them.

const REFUGE = "/no-connection/";
const REFUGES = "refuge-1";
const FORMER_NAMES = { pad: "bidding", asks: "prompts" }; // of the scripts that keep pads
const PADS = "pads "; // and the name of the pad's script: a new release begins anew
const PATIENCE = 3000; // a page that is kept is not waited for longer
const LASTING = /\.[0-9a-f]{12}\.\w+$/; // names that change with what they hold
const PAD = /^\/sheets\/[\w-]+\/pad\/$/;

addEventListener("install", (event) => event.waitUntil(prepare().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));
addEventListener("message", (event) => event.waitUntil(keep(event.data)));
addEventListener("push", (event) => event.waitUntil(showNotice(event.data.json())));
addEventListener("notificationclick", (event) => event.waitUntil(follow(event)));
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request, pathname));
});

// The page for those who have none, with everything it looks like.
async function prepare() {
  const refuges = await caches.open(REFUGES);
  const answer = await fetch(REFUGE, { cache: "reload" });
  if (!answer.ok) throw new Error("There is no page to fall back on.");
  const files = [...(await answer.clone().text()).matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, name]) => name);
  await refuges.addAll(files);
  await refuges.put(REFUGE, answer);
}

async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== REFUGES && !name.startsWith(PADS)).map((name) => caches.delete(name)));
}

// A pad says that it is open, and of which files it is made.
async function keep({ keep: pathname, files, release }) {
  if (!PAD.test(pathname)) return;
  const name = PADS + release;
  const isNew = !(await caches.has(name));
  const cache = await caches.open(name);
  // All at once: the network may be gone in a moment.
  const kept = files.map(async (file) => (LASTING.test(file) && (await cache.match(file))) || cache.add(file));
  const [answer] = await Promise.all([fetch(pathname), ...kept]);
  if (answer.ok && !answer.redirected) await cache.put(pathname, answer);
  if (!isNew) return;
  for (const old of await caches.keys()) {
    const isOther = !old.startsWith(PADS) || (kind(old) && kind(old) !== kind(name));
    if (old !== name && !isOther) await caches.delete(old);
  }
  await prepare();
}

// Which script keeps it, in whatever release: pads of other games are written with another, and stay.
const kind = (name) => {
  const script = /(\w+)(\.\w+)*\.js$/.exec(name)?.[1];
  return FORMER_NAMES[script] ?? script;
};

// The network first. Where it fails, takes long, or the site is in trouble: the pad that is kept.
async function page(request, pathname) {
  const kept = PAD.test(pathname) ? await caches.match(pathname) : null;
  const coming = fetch(request);
  coming.catch(() => {});
  try {
    const answer = await (kept ? Promise.race([coming, tooLong()]) : coming);
    if (kept && answer.status >= 500) return kept;
    // Who is led away from a pad may not write on it any more, or it has come to its end.
    if (kept && !answer.ok) await forget(pathname);
    return answer;
  } catch {
    return kept ?? (await caches.match(REFUGE)) ?? Response.error();
  }
}

const tooLong = () => new Promise((_, reject) => setTimeout(reject, PATIENCE));

async function forget(pathname) {
  for (const name of await caches.keys()) if (name.startsWith(PADS)) await (await caches.open(name)).delete(pathname);
}

// A name that lasts needs no network; any other file is asked for, and kept for when there is none.
async function file(request, pathname) {
  const kept = await caches.match(pathname);
  if (kept && LASTING.test(pathname)) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

// A notice (clubs/notices/push.py): one with the same tag takes the place of the former.
function showNotice({ title, body, path, tag, stop, choices, icon }) {
  const actions = [{ action: "stop", title: "Stop" }, { action: "choices", title: "Choices" }];
  return registration.showNotification(title, { body, tag, renotify: true, icon, actions, data: { path, stop, choices } });
}

async function follow({ action, notification }) {
  notification.close();
  const { path, stop, choices } = notification.data;
  if (action !== "stop") return clients.openWindow(action === "choices" ? choices : path);
  const answer = await fetch(stop, { method: "POST", credentials: "omit" }).catch(() => null);
  // What could not be stopped is stopped by hand: 404 says that it is.
  if (!answer?.ok && answer?.status !== 404) return clients.openWindow(stop);
}

// The push service has given this browser another address.
async function renew({ oldSubscription: former, newSubscription: fresh }) {
  if (!former) return; // its owner's next visit says so
  const { endpoint, keys } = (fresh ?? (await registration.pushManager.subscribe(former.options))).toJSON();
  const body = JSON.stringify({ former: former.endpoint, endpoint, ...keys });
  // With its cookies: one of them says which browser it is.
  await fetch("/notices/renew/", { method: "POST", body });
}
