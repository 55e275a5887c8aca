// The server writes times in the zone of the site; here they are said in the zone of whoever looks.

const language = document.documentElement.lang;
const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();
const time = { hour: "numeric", minute: "2-digit", hourCycle };
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
