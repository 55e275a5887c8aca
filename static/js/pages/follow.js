// The result pages follow the sheet as the pad does, and go on when another phone has written.
//
// An unsent choice is never replaced: then a line says who wrote what, and waits for a tap.

const POLL = 3000;
const SETTLED = 15000; // a game that is over is seldom corrected
const { state, pad, settled, ...follows } = document.querySelector("[data-follows]").dataset;
let { edition } = follows;
let isAsking = false;

const isChosen = () => Boolean(document.querySelector("main form :checked, main form input[type=text]:not(:placeholder-shown)"));
const asks = (page) => page.querySelector("main form input[name=ask]")?.value;

async function look() {
  if (document.hidden || isAsking) return;
  isAsking = true;
  try {
    const answer = await fetch(`${state}?v=${edition}`, { headers: { Accept: "application/json" } });
    // Cut off meanwhile: the page says so.
    if (answer.status === 403) location.reload();
    if (answer.status !== 200) return;
    const data = await answer.json();
    const there = data.pad.go ?? pad;
    if (!isChosen()) go(there);
    else if (there !== location.pathname || !(await isStillAsked())) say(data.news, there);
    edition = data.edition;
  } catch {
    // There is no network now.
  } finally {
    isAsking = false;
  }
}

function go(there) {
  if (there === location.pathname) location.reload();
  else location.replace(there);
}

// Whether the page would ask the same if it came now.
async function isStillAsked() {
  const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
  return asks(page) === asks(document);
}

function say(news, there) {
  const line = document.createElement("p");
  line.className = "notice follows";
  line.setAttribute("role", "alert");
  const link = document.createElement("a");
  Object.assign(link, { className: "button", href: there, textContent: "Go on" });
  line.append(`${news || "The sheet has changed."} What you chose here was not sent. `, link);
  document.querySelector(".follows")?.remove();
  document.querySelector("main h1").after(line);
}

setInterval(look, settled === "1" ? SETTLED : POLL);
document.addEventListener("visibilitychange", look);
addEventListener("online", look);
// A page that the browser had put aside is old.
addEventListener("pageshow", (event) => event.persisted && look());
