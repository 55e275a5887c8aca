// A keeper link opens the pad at once, and leaves no page behind it to come back to. Without this, the button does it.

const form = document.getElementById("keep");

async function takePencil() {
  const answer = await fetch(form.action, {
    method: "POST",
    body: new FormData(form),
    headers: { Accept: "application/json" },
  });
  if (answer.ok) location.replace((await answer.json()).to);
}

// A page that is only being prepared in case somebody opens it has taken nothing yet.
function whenShown() {
  if (document.prerendering) document.addEventListener("prerenderingchange", takePencil, { once: true });
  else if (document.visibilityState === "hidden") document.addEventListener("visibilitychange", whenShown, { once: true });
  else takePencil().catch(() => {});
}

whenShown();
