// Takes over as scorekeeper at once if the phone knows its name or needs none, and leaves no page in the browser's history.
// Otherwise the button does it, with a name or without. Without this script the button always does it.

const form = document.getElementById("keep");
const ASKED = "name-asked";

function wasAsked() {
  try {
    return localStorage.getItem(ASKED) !== null;
  } catch {
    return false;
  }
}

async function join() {
  const answer = await fetch(form.action, {
    method: "POST",
    body: new FormData(form),
    headers: { Accept: "application/json" },
  });
  if (answer.ok) location.replace((await answer.json()).to);
  else form.submit();
}

// A page that is only being prepared in case somebody opens it has taken nothing yet.
function whenShown() {
  if (document.prerendering) document.addEventListener("prerenderingchange", join, { once: true });
  else if (document.visibilityState === "hidden") document.addEventListener("visibilitychange", whenShown, { once: true });
  else join().catch(() => {});
}

form.addEventListener("submit", (event) => {
  try {
    localStorage.setItem(ASKED, "yes");
  } catch {
    // It is asked again.
  }
  event.preventDefault();
  join().catch(() => form.submit());
});

if ("atOnce" in form.dataset || wasAsked()) whenShown();
