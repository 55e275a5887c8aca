// Shares a page: its link, what it says and its picture. Where there is no share sheet the link is copied; where there is
// no clipboard either (plain http), it is shown to be copied by hand.

// Milliseconds to wait for the picture: a share sheet opens only soon after the tap.
const PATIENCE = 1500;
const pictures = new WeakMap();

for (const button of document.querySelectorAll("[data-share-page]")) button.hidden = false;

// The picture comes while the finger is still on the button.
document.addEventListener("pointerdown", ({ target }) => {
  const button = target.closest?.("[data-share-page]");
  if (button && navigator.canShare) pictures.set(button, pictureOf(button));
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-share-page]");
  if (button) share(button);
});

async function pictureOf(button) {
  try {
    const answer = await fetch(button.dataset.image);
    if (!answer.ok) return null;
    return new File([await answer.blob()], "box-and-circle.png", { type: "image/png" });
  } catch {
    return null;
  }
}

async function share(button) {
  if (!navigator.share) return copy(button);
  const { title, sharePage: url } = button.dataset;
  const patience = new Promise((done) => setTimeout(done, PATIENCE, null));
  const file = await Promise.race([pictures.get(button), patience]);
  // With a picture some apps drop the link, so that it stands in the text too.
  const withPicture = { title, text: `${title}\n${url}`, files: [file] };
  try {
    if (file && navigator.canShare(withPicture)) await navigator.share(withPicture);
    else await navigator.share({ title, text: title, url });
  } catch (refused) {
    if (refused.name !== "AbortError") await copy(button);
  }
}

async function copy(button) {
  const line = button.parentElement.querySelector("[role=status]");
  const field = button.parentElement.querySelector("input");
  try {
    await navigator.clipboard.writeText(button.dataset.sharePage);
    line.textContent = "Link copied.";
  } catch {
    field.hidden = false;
    field.select();
    line.textContent = document.execCommand("copy") ? "Link copied." : "Copy this link:";
    field.hidden = line.textContent === "Link copied.";
  }
}
