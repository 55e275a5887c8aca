// The line that leads to one's choices of notices: for browsers that can show them, and were never asked. Where the
// browser shows those of another club, it need not be asked again, and one tap switches them on here.

import { canPush, subscribe, tell } from "../lib/push.js";

const isAllowed = () => Notification.permission === "granted";

for (const line of document.querySelectorAll("[data-offers-notices]")) {
  if (!canPush() || Notification.permission === "denied") continue;
  if (isAllowed() && "isHere" in line.dataset) continue;
  line.hidden = false;
  line.querySelector("a").addEventListener("click", switchOn);
}

async function switchOn(event) {
  if (!isAllowed()) return; // the page it leads to asks
  event.preventDefault();
  const { href, parentElement } = event.currentTarget;
  const { key, post, token } = parentElement.dataset;
  // What fails is said there, where the same button is.
  await subscribe(key).then((found) => tell(post, token, found)).catch(() => {});
  location.assign(href);
}
