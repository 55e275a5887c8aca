// The watch page: shows "live", or that there is no connection. Players find themselves at the top of the sheet. Both faces
// of the table are on the page, by seat and by place: which is shown is remembered on this phone.

import { glide, heights } from "../lib/glide.js";

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

// What lies sideways out of sight stays where it was pushed to, and who has another place glides there.
let sideways = 0;
let before = new Map();
const list = () => document.querySelector("ol.by-place");
document.addEventListener("htmx:beforeSwap", () => {
  before = heights(list());
  sideways = document.querySelector(".sheet-frame")?.scrollLeft ?? 0;
});
document.addEventListener("htmx:afterSwap", () => {
  const frame = document.querySelector(".sheet-frame");
  if (frame && sideways) frame.scrollLeft = sideways;
  light();
  goOn();
  glide(list(), before);
});

// What everybody is sent is the same: the page knows whose seats these are.
function light() {
  for (const seat of (live.dataset.me ?? "").split(" ")) {
    document.querySelector(`#sheet thead [data-seat="${seat}"]`)?.classList.add("me");
    document.querySelector(`.by-place [data-place-of="${seat}"]`)?.classList.add("me");
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

// Which face is shown

const faces = document.querySelector(".faces");
const BY = "watched-by";

function turnTo(by) {
  faces.dataset.by = by;
  for (const link of faces.querySelectorAll(".face-switch a")) {
    if (link.search === `?by=${by}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function remembered() {
  try {
    return localStorage.getItem(BY);
  } catch {
    return null;
  }
}

function remember(by) {
  try {
    localStorage.setItem(BY, by);
  } catch {
    // It is shown for as long as the page is open.
  }
}

if (faces && remembered() === "place" && !new URLSearchParams(location.search).has("by")) turnTo("place");
faces?.querySelector(".face-switch").addEventListener("click", (event) => {
  const by = event.target.closest("a")?.search.slice("?by=".length);
  if (!by || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  turnTo(by);
  remember(by);
});
