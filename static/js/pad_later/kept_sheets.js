// Offline: the sheets that are stored on this phone, listed by the names of the players.

const list = document.getElementById("kept");

function kept() {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith("kept-"))
      .map((name) => [name.slice("kept-".length), JSON.parse(localStorage.getItem(name))])
      .sort(([, a], [, b]) => b.at - a.at);
  } catch {
    return [];
  }
}

async function offer([code, { pad }]) {
  const there = `/sheets/${code}/pad/`;
  if (!(await caches.match(there))) return;
  const link = document.createElement("a");
  link.href = there;
  const names = pad.seats.map((seat) => {
    const name = document.createElement("bdi");
    name.textContent = pad.names[seat];
    return name;
  });
  const line = document.createElement("span");
  names.forEach((name, i) => line.append(i ? ", " : "", name));
  link.append(line);
  const row = document.createElement("li");
  row.append(link);
  list.append(row);
  list.closest("section").hidden = false;
}

(async () => {
  // Only over TLS and on the machine itself are there pages to go to.
  if (!window.caches) return;
  for (const sheet of kept()) await offer(sheet);
  // The form was kept when it was looked at last.
  if (await caches.match("/open/")) document.getElementById("new-sheet").hidden = false;
})();

// The page goes on by itself once the site answers: asked when the browser says that it is online, which is often before
// the site can be reached, and again and again after that. Who is on the way to a pad is not called back.
const LONGEST = 30_000;
let wait = 2000;
let timer;
let leaves = false;

const isThere = () => fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(() => true, () => false);

async function goOn() {
  if (document.visibilityState === "visible" && (await isThere())) {
    if (!leaves) location.reload();
    return;
  }
  askLater();
}

function askLater() {
  clearTimeout(timer);
  timer = setTimeout(goOn, wait);
  wait = Math.min(2 * wait, LONGEST);
}

list.addEventListener("click", () => {
  leaves = true;
});
addEventListener("online", goOn);
document.addEventListener("visibilitychange", goOn);
askLater();
