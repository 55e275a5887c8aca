// Speech synthesis for the last hand: only after a tap, and only if the phone has a voice. A second tap stops it.

const voice = "speechSynthesis" in window ? window.speechSynthesis : null;

// Show the button under `root`, if there is a voice.
export function offer(root = document) {
  for (const button of root.querySelectorAll("[data-aloud]")) button.hidden = !voice;
}

document.addEventListener("click", ({ target }) => {
  if (!voice || !target.closest?.("[data-aloud]")) return;
  const was = voice.speaking;
  voice.cancel();
  if (was) return;
  const place = target.closest("dialog, main");
  for (const line of place.querySelectorAll("[data-say]")) {
    const utterance = new SpeechSynthesisUtterance(line.dataset.say);
    utterance.lang = document.documentElement.lang;
    utterance.rate = 0.9;
    voice.speak(utterance);
  }
});
// Nobody is read to who has put the page away.
addEventListener("pagehide", () => voice?.cancel());

offer();
