// Uploads a form with a large file, with progress and a cancel button. Small files are posted as usual, and so is every
// file without this script.

const LARGE = 256 * 1024;

addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.enctype !== "multipart/form-data" || size(form) <= LARGE) return;
  event.preventDefault();
  send(form, event.submitter);
});

function size(form) {
  const files = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
  return files.reduce((sum, file) => sum + file.size, 0);
}

function send(form, button) {
  const request = new XMLHttpRequest();
  const shown = progressOf(form, () => request.abort());
  const buttons = form.querySelectorAll("button[type=submit]");
  const body = new FormData(form, button);
  const end = (sentence) => {
    for (const each of buttons) each.disabled = false;
    shown.end(sentence);
  };
  for (const each of buttons) each.disabled = true;
  request.upload.addEventListener("progress", (sent) => shown.at(sent.loaded, sent.total));
  request.addEventListener("load", () => show(request, form, end));
  request.addEventListener("error", () => end("The file did not get through. Check your connection and try again."));
  request.addEventListener("abort", () => end("Canceled. Nothing was saved."));
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "text/html");
  request.send(body);
}

// Where the site answered with another page, we go there; where it says what is wrong, that is shown in place.
function show(request, form, end) {
  if (request.status < 400 && request.responseURL && request.responseURL !== form.action) {
    location.assign(request.responseURL);
    return;
  }
  const main = new DOMParser().parseFromString(request.responseText, "text/html").querySelector("main");
  if (!main) {
    end("That did not work. Try again in a moment.");
    return;
  }
  document.querySelector("main").replaceWith(main);
  scrollTo(0, 0);
  main.focus();
}

function progressOf(form, cancel) {
  form.querySelector(".upload")?.remove();
  const bar = Object.assign(document.createElement("progress"), { max: 1, value: 0 });
  bar.setAttribute("aria-label", "Upload");
  const text = Object.assign(document.createElement("p"), { textContent: "Sending the file" });
  text.setAttribute("role", "status");
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Cancel" });
  button.className = "plain";
  button.addEventListener("click", cancel);
  const box = Object.assign(document.createElement("div"), { className: "upload" });
  box.append(bar, text, button);
  form.append(box);
  box.scrollIntoView({ block: "nearest" });
  return {
    at(sent, total) {
      bar.value = sent / total;
      // What is there whole is read, whether anybody still waits for the answer or not.
      button.hidden = sent === total;
      text.textContent = sent < total ? `${megabytes(sent)} of ${megabytes(total)} MB sent` : "Sent. It is being read now.";
    },
    end(sentence) {
      bar.remove();
      button.remove();
      text.textContent = sentence;
    },
  };
}

function megabytes(bytes) {
  return (bytes / 1_000_000).toFixed(1);
}
