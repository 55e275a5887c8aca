// A phone that has been asked what its scorekeeper is called, or need not be, has the pencil at once, and leaves no page
// behind it to come back to. Else the button does it, when a name is typed or none is wanted. Without this, it always does.

const form = document.getElementById("keep");
const ASKED = "name-asked";

function wasAsked() {
  try {
    return localStorage.getItem(ASKED) !== null;
  } catch {
    return false;
  }
}

async function takePencil() {
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
  if (document.prerendering) document.addEventListener("prerenderingchange", takePencil, { once: true });
  else if (document.visibilityState === "hidden") document.addEventListener("visibilitychange", whenShown, { once: true });
  else takePencil().catch(() => {});
}

form.addEventListener("submit", (event) => {
  try {
    localStorage.setItem(ASKED, "yes");
  } catch {
    // It is asked again.
  }
  event.preventDefault();
  takePencil().catch(() => form.submit());
});

if ("atOnce" in form.dataset || wasAsked()) whenShown();
