// Suggests the time zone of this phone for a new club.
const guess = document.querySelector("[data-guess]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = [...document.querySelectorAll("#zones option")].some((option) => option.value === zone);
if (guess && known) document.getElementById(guess.dataset.guess).value = zone;
