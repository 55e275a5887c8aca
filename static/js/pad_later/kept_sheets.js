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

// A browser says "online" before the site can be reached, and who is on the way to a pad is not called back.
let leaves = false;
list.addEventListener("click", () => {
  leaves = true;
});
addEventListener("online", async () => {
  const answer = await fetch("/healthz", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer && !leaves) location.reload();
});
