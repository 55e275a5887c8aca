// One's choices of notices: switching them on and off on this phone. The browser asks after a tap, and never before.

import { canPush, digest, isOf, subscribe, subscription, tell, whyNot } from "../lib/push.js";

const card = document.querySelector(".this-phone");
const form = card.querySelector("form");
const { key, post } = card.dataset;
const noted = new Set(card.dataset.browsers.split(" "));

const says = (name) => card.querySelector(`[data-says="${name}"]`);
const button = (name) => card.querySelector(`[data-do="${name}"]`);

const token = () => form.elements.csrfmiddlewaretoken.value;

start().catch(() => failed("This browser does not say whether it shows notices. Load this page again."));

async function start() {
  if (!canPush()) {
    const isPhoneOfApple = "standalone" in navigator && !navigator.standalone;
    only(isSecureContext ? (isPhoneOfApple ? "home" : "cannot") : "unsafe");
    return;
  }
  if (Notification.permission === "denied") {
    only("blocked");
    return;
  }
  only("off");
  const found = Notification.permission === "granted" ? await subscription() : null;
  const own = found && (await digest(found));
  if (!found || !noted.has(own)) return;
  // The site has lost its key, and made another: what was allowed once is not asked again.
  if (isOf(found, key)) isOn(own);
  else await renew(own);
}

// Where that fails, the button of a browser that shows none yet tries it once more.
async function renew(own) {
  try {
    const problem = await tell(post, token(), await subscribe(key));
    if (problem) failed(problem);
    else isOn(own);
  } catch (error) {
    failed(whyNot(error) || "The browser does not show notices of this site any more.");
  }
}

function only(name) {
  for (const line of card.querySelectorAll("[data-says]")) line.hidden = line.dataset.says !== name;
  form.hidden = name !== "off";
  button("reload").hidden = name !== "blocked";
}

function isOn(own) {
  says("off").hidden = button("subscribe").hidden = true;
  says("on").hidden = button("remove").hidden = false;
  const line = document.querySelector(`[data-browser="${own}"] [data-is-this]`);
  if (line) line.hidden = false;
}

function failed(problem) {
  says("failed").textContent = problem;
  says("failed").hidden = false;
  button("reload").hidden = !problem.includes("Load this page again");
}

button("subscribe").addEventListener("click", async () => {
  says("failed").hidden = true;
  button("subscribe").disabled = true;
  try {
    done(await tell(post, token(), await subscribe(key)));
  } catch (error) {
    const problem = whyNot(error);
    if (problem) failed(problem);
    else only("blocked");
  }
  button("subscribe").disabled = false;
});

button("remove").addEventListener("click", async () => {
  says("failed").hidden = true;
  try {
    const found = await subscription();
    done(found ? await tell(post, token(), found, { do: "remove" }) : "");
  } catch {
    failed("That did not work. Load this page again.");
  }
});

button("reload").addEventListener("click", () => location.reload());

function done(problem) {
  if (problem) failed(problem);
  else location.reload();
}
