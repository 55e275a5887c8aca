// Connects the buttons of a page with the passkey script of django-allauth.
const button = document.querySelector("[data-passkey]");
const form = window.allauth.webauthn.forms[button.dataset.passkey];
const part = { loginForm: "login", addForm: "add", authenticateForm: "authenticate" }[button.dataset.passkey];
form({ ids: { [part]: button.id, credential: "passkey-credential", passwordless: "id_passwordless", data: "passkey-data" } });

// Whoever waves the phone's question away has said enough; anything else is said in a sentence.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  if (event.detail.exception?.name === "NotAllowedError") return;
  const line = document.createElement("p");
  line.className = "problem";
  line.setAttribute("role", "alert");
  line.textContent = "This phone could not use a passkey. A code by email does.";
  button.after(line);
});
