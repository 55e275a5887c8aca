// Shows the server's times, which are in the zone of the site, in the zone of the reader.

// Written as the server writes them, and as the pad says when it was saved: 21 November 2026, 20:41.
const language = "en-GB";
const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const date = { day: "numeric", month: "long", year: "numeric" };
const shapes = { time, date, both: { ...date, ...time } };

/** Write every `<time data-show="time|date|both">` under `root` anew. */
export function show(root = document) {
  for (const element of root.querySelectorAll("time[data-show]")) {
    const moment = new Date(element.dateTime);
    const shape = shapes[element.dataset.show];
    if (shape && !Number.isNaN(moment.valueOf())) {
      element.textContent = new Intl.DateTimeFormat(language, shape).format(moment);
    }
  }
}

show();
document.addEventListener("htmx:afterSwap", () => show());
