// The watch page: shows "live", or that there is no connection. Players find themselves at the top of the sheet.

const live = document.getElementById("live");
// Without this script nothing follows, and nothing says that it does.
live.hidden = false;

function say(state, words) {
  if (live.dataset.state === state && live.textContent === words) return;
  live.dataset.state = state;
  live.textContent = words;
}

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const status = detail.xhr?.status ?? 0;
  if (status === 286) say("live", "finished");
  else if (status >= 200 && status < 300) say("live", "live");
  // The address was taken away: what it showed goes with it, and a page that says so asks no more.
  else if (status === 404 || status === 429) location.reload();
  else say("waiting", "no connection, trying again");
});

// What lies sideways out of sight stays where it was pushed to.
let sideways = 0;
document.addEventListener("htmx:beforeSwap", () => {
  sideways = document.querySelector(".sheet-frame")?.scrollLeft ?? 0;
});
document.addEventListener("htmx:afterSwap", () => {
  const frame = document.querySelector(".sheet-frame");
  if (frame && sideways) frame.scrollLeft = sideways;
  light();
  goOn();
});

// What everybody is sent is the same: the page knows whose seats these are.
function light() {
  for (const seat of (live.dataset.me ?? "").split(" ")) {
    document.querySelector(`#sheet thead [data-seat="${seat}"]`)?.classList.add("me");
  }
}
light();

// The result is shown bit by bit, once: what is swapped in when all is counted goes on where that was.
let begun = 0;
function goOn() {
  const finale = document.querySelector(".finale");
  if (!finale) return;
  begun ||= performance.now();
  finale.style.setProperty("--seen", `${performance.now() - begun}ms`);
}
goOn();
