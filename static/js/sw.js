// The service worker: the pads of sheets that are stored on this phone open offline, other pages show that they do not.
// And it shows notices that its owner switched on. Served at /sw.js. Entries never depend on it: the pad sends them.

const REFUGE = "/no-connection/";
const REFUGES = "refuge-1";
const FORMER_NAMES = { pad: "bidding", asks: "prompts" }; // of the scripts that keep pads
const PADS = "pads "; // and the name of the pad's script: a new release begins anew
const AHEAD = "new sheets"; // also in lib/offline_sheets.js
const FORMS = ["/", "/open/"]; // pages that are kept with it
const UNSENT = "X-Unsent"; // of a pad that the site does not know yet
const PATIENCE = 3000; // a page that is kept is not waited for longer
const LASTING = /\.[0-9a-f]{12}\.\w+$/; // names that change with what they hold
const PAD = /^\/sheets\/[\w-]+\/pad\/$/;

addEventListener("install", (event) => event.waitUntil(prepare().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));
addEventListener("message", (event) => event.waitUntil(event.data.ahead ? keepAhead(event.data.ahead) : keep(event.data)));
addEventListener("push", (event) => event.waitUntil(showNotice(event.data.json())));
addEventListener("notificationclick", (event) => event.waitUntil(follow(event)));
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  // Whoever signs in or out sees other pages.
  if (request.method === "POST" && pathname.startsWith("/account/")) event.waitUntil(forgetForms());
  if (request.method !== "GET") return;
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
  await Promise.all(names.filter((name) => ![REFUGES, AHEAD].includes(name) && !name.startsWith(PADS)).map((name) => caches.delete(name)));
}

// A pad says that it is open, and of which files it is made.
async function keep({ keep: pathname, files, release }) {
  if (!PAD.test(pathname) || (await caches.match(pathname))?.headers.has(UNSENT)) return;
  const name = PADS + release;
  const isNew = !(await caches.has(name));
  const cache = await caches.open(name);
  // All at once: the network may be gone in a moment.
  const kept = files.map(async (file) => (LASTING.test(file) && (await cache.match(file))) || cache.add(file));
  const [answer] = await Promise.all([fetch(pathname), ...kept]);
  if (answer.ok && !answer.redirected) {
    await cache.put(pathname, answer);
    if (await caches.has(AHEAD)) await (await caches.open(AHEAD)).delete(pathname);
  }
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
  if (kept?.headers.has(UNSENT)) return kept;
  const coming = fetch(request);
  coming.catch(() => {});
  try {
    const answer = await (kept ? Promise.race([coming, tooLong()]) : coming);
    if (kept && answer.status >= 500) return kept;
    // Who is led away from a pad may not write on it any more, or it has come to its end.
    if (kept && !answer.ok) await forget(pathname);
    return answer;
  } catch {
    return kept ?? (await form(pathname)) ?? (await caches.match(REFUGE)) ?? Response.error();
  }
}

const tooLong = () => new Promise((_, reject) => setTimeout(reject, PATIENCE));

async function forget(pathname) {
  for (const name of await caches.keys()) if (name.startsWith(PADS) || name === AHEAD) await (await caches.open(name)).delete(pathname);
}

// A new sheet without network: the front page, the form, the pads that it may need, and all files of these.
async function keepAhead(pads) {
  const places = [...FORMS, ...pads];
  const answers = await Promise.all(places.map((place) => fetch(place, { cache: "no-cache" })));
  if (answers.some(({ ok, redirected }) => !ok || redirected)) return;
  const cache = await caches.open(AHEAD);
  const texts = await Promise.all(answers.map((answer) => answer.clone().text()));
  const files = await keepFiles(cache, texts.join(" "));
  await Promise.all(answers.map((answer, i) => cache.put(places[i], answer)));
  const names = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  // A sheet of an earlier release that was not looked at with network yet needs the files of that.
  if (names.some((name) => PAD.test(name))) return;
  await Promise.all(names.filter((name) => !places.includes(name) && !files.has(name)).map((name) => cache.delete(name)));
}

// Every file that a page names, and what these name in their turn.
async function keepFiles(cache, text) {
  const files = new Set();
  let next = [...text.matchAll(/(?:href|src)=\\?"(\/static\/[^"\\]+)/g)].map(([, name]) => name);
  while (next.length) {
    const fresh = [...new Set(next)].filter((name) => !files.has(name));
    fresh.forEach((name) => files.add(name));
    next = (await Promise.all(fresh.map((name) => keepFile(cache, name)))).flat();
  }
  return files;
}

async function keepFile(cache, name) {
  if (!LASTING.test(name) || !(await cache.match(name))) await cache.add(name);
  if (!/\.(js|css)$/.test(name)) return [];
  const text = await (await cache.match(name)).text();
  const named = text.matchAll(/(?:\bfrom\s*["']|\bimport\s*\(?\s*["']|\burl\(["']?)([\w./-]+\.\w+)/g);
  return [...named].map(([, other]) => new URL(other, location.origin + name).pathname);
}

// A page of those that are kept ahead, with a mark on it for its scripts, and a line for its reader.
async function form(pathname) {
  const kept = FORMS.includes(pathname) ? await caches.match(pathname, { cacheName: AHEAD }) : null;
  if (!kept) return null;
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const when = new Date(headers.get("Date")).toLocaleString("en-GB", { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
  const line = pathname === "/" ? `<p class="small kept" role="status">No connection. This page is as it was on ${when}.</p>` : "";
  const text = (await kept.text()).replace("<html", "<html data-kept").replace(/<main[^>]*>/, (main) => main + line);
  return new Response(text, { headers });
}

async function forgetForms() {
  if (!(await caches.has(AHEAD))) return;
  const cache = await caches.open(AHEAD);
  await Promise.all(FORMS.map((name) => cache.delete(name)));
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
