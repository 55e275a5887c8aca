// The time of the site, for what ends at a moment that the site has named: the clock of a phone or a screen may be wrong.

let ahead = null; // the site's time less this device's, in milliseconds; null: not asked yet

/** Milliseconds since 1970 by the clock of the site, which is asked once; until it has answered, by that of this device. */
export function siteNow() {
  if (ahead === null) askTheTime();
  return Date.now() + ahead;
}

// The site's time stands in the head of whatever it answers.
async function askTheTime() {
  ahead = 0;
  const start = Date.now();
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  const time = Date.parse(answer?.headers.get("Date") ?? "");
  const [least, most] = [start - 1000, Date.now() + 1000]; // it is said in whole seconds
  if (time && (time < least || time > most)) ahead = time + 500 - (least + most) / 2;
}

/** Seconds as a clock shows them: 2:05. */
export function minutesLeft(seconds) {
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}
