// Which taps are ignored: see scoresheets/pad/__init__.py.

import { buzz, REFUSED } from "./vibration.js";

const REST = 500; // after the pad has turned
const GLANCE = 200; // after the next question of the same hand has come
const DOUBLE = 350; // the longest time between the halves of a double tap
const TREMBLE = 120;
const SAME_PLACE = 40; // pixels
const COUNTS = "[name=fewer], [name=more], [data-fewer], [data-more]";
const TOO_SOON = "that tap came too soon: not taken";
const TWICE = "two taps at once: counted as one";

// A label and the box in it are one control.
const controlOf = (target) => target.closest("button, a, summary") ?? target.closest("label") ?? target;
const key = ({ localName, name, value, className, textContent }) => [localName, name, value, className, textContent].join();

export class TapGuard {
  // `missed(says)`: what is said of a tap that is not taken.
  constructor(phone, missed) {
    this.phone = phone;
    this.missed = missed;
    this.restUntil = 0;
    this.last = null; // the last tap that was taken
    this.swapped = null; // the one that something came or went under
    document.addEventListener("click", (event) => this.judge(event), true);
    document.addEventListener("keydown", (event) => event.repeat && ["Enter", " "].includes(event.key) && event.target.closest("button, a") && event.preventDefault());
    document.addEventListener("change", ({ target }) => {
      this.swapped = null;
      if (!this.last?.control.contains(target)) this.last = null;
    });
  }

  // To something else, or to the `next` question: if that has the same key under the finger, it can be tapped at once.
  turn(next) {
    if (next && this.hasSameKey()) return;
    if (next) this.swap();
    const time = next ? GLANCE : REST;
    this.restUntil = Math.max(this.restUntil, performance.now() + time);
    this.phone.classList.add("resting");
    setTimeout(() => performance.now() >= this.restUntil - 5 && this.phone.classList.remove("resting"), time);
  }

  hasSameKey() {
    const { x, y, control } = this.last ?? {};
    const here = document.elementFromPoint(x || 0, y || 0)?.closest("button");
    return Boolean(here && control.matches("button") && key(here) === key(control));
  }

  swap() {
    this.swapped = this.last;
  }

  judge(event) {
    const { target, clientX: x, clientY: y, detail, timeStamp: at } = event;
    const tap = { at, x, y, target, control: controlOf(target), byFinger: detail > 0 };
    const says = this.refuses(tap);
    if (!says) {
      this.last = tap;
      if (tap.control.matches("[aria-disabled=true]")) shake(tap.control);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    shake(tap.control);
    this.missed(says);
  }

  refuses(tap) {
    if (this.phone.contains(tap.target) && tap.at < this.restUntil) return TOO_SOON;
    if (this.trembles(tap)) return TWICE;
    return this.swapped && tap.byFinger && isNear(tap, this.swapped, DOUBLE) ? TOO_SOON : "";
  }

  trembles(tap) {
    const { last } = this;
    if (last?.control !== tap.control || tap.control.matches(COUNTS)) return false;
    // A tap on a label is a tap on its box as well.
    if (tap.target !== last.target && tap.target === tap.control.control) return false;
    return isNear(tap, last, TREMBLE);
  }
}

function isNear(tap, other, time) {
  const place = tap.byFinger && other.byFinger ? Math.hypot(tap.x - other.x, tap.y - other.y) : 0;
  return tap.at - other.at < time && place < SAME_PLACE;
}

// Seen and felt.
function shake(control) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const frames = calm ? [{ opacity: 1 }, { opacity: 0.3 }, { opacity: 1 }] : [0, -5, 5, -3, 3, 0].map((x) => ({ translate: `${x}px` }));
  control.animate(frames, { duration: 300 });
  buzz(REFUSED);
}
