// The result as an image to send: the site's SVG as a PNG, made on the phone. Without this script the link shows the SVG.

async function drawn(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("empty"))), "image/png"));
}

function download(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function send(link) {
  const file = new File([await drawn(link.href)], link.dataset.picture, { type: "image/png" });
  if (!navigator.canShare?.({ files: [file] })) return download(file);
  // Who thinks better of it has not asked for a download.
  return navigator.share({ files: [file] }).catch((refused) => refused.name === "AbortError" || download(file));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-picture]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  send(link).catch(() => location.assign(link.href));
});
