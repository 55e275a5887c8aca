// The newest state of a sheet, stored in this browser before the pad shows it.
//
// A cached page may be older; then the stored state is used. It also has the scored hands from earlier polls, so that they
// can be undone offline. A state of another release (`SHAPE` in scoresheets/pad/state.py) is ignored.

export class Kept {
  // `pad`: what the page says. `changed()`: another page of this browser has heard something newer.
  constructor(code, pad, changed) {
    this.place = `kept-${code}`;
    this.pad = pad;
    this.shape = pad.shape;
    const before = this.read();
    if (before && (isNewer(before, pad) || (isSame(before, pad) && before.whole))) this.pad = before;
    this.keep();
    addEventListener("storage", (event) => {
      if (event.key !== this.place) return;
      const now = this.read();
      if (!now || !isNewer(now, this.pad)) return;
      this.pad = now;
      changed();
    });
  }

  read() {
    try {
      const { shape, pad } = JSON.parse(localStorage.getItem(this.place)) ?? {};
      return shape === this.shape ? pad : null;
    } catch {
      return null;
    }
  }

  keep() {
    try {
      localStorage.setItem(this.place, JSON.stringify({ shape: this.shape, at: Date.now(), pad: this.pad }));
    } catch {
      // Then it lasts as long as the page.
    }
  }

  // What the site says now; `wrote`: the version that this phone's own post has made, if it was answered to one.
  // The answer to a post has the last scored hand only. Where nobody else wrote meanwhile, those before it are known.
  hear(fresh, wrote) {
    const old = this.pad;
    if (fresh.shape !== this.shape) {
      location.reload(); // the site has another release
      return old;
    }
    if (!fresh.whole) {
      const last = fresh.back.at(-1);
      const isNext = life(fresh) === life(old) && (fresh.version === old.version || (fresh.version === old.version + 1 && wrote === fresh.version));
      const before = isNext && last ? old.back.filter((row) => place(row) < place(last)) : [];
      fresh.back = [...before, ...fresh.back];
      fresh.brings = { ...old.brings, ...fresh.brings };
      fresh.whole = Boolean(isNext && old.whole);
    }
    this.pad = fresh;
    this.keep();
    return fresh;
  }
}

// A restored backup counts its versions anew: a later generation of the database is newer, whatever its version.
export const life = ({ generation = "" }) => generation;
export const isNewer = (a, b) => life(a) > life(b) || (life(a) === life(b) && a.version > b.version);
const isSame = (a, b) => life(a) === life(b) && a.version === b.version;

// Blind hands come after all others.
const place = ({ number, blind }) => blind * 10000 + number;

// The scorekeeper's own row: they say once, under More, which it is, and this phone finds them again by their name.
const PLACE = "my-name";
let ownName = ""; // where the browser keeps nothing

const name = () => {
  try {
    return localStorage.getItem(PLACE) ?? ownName;
  } catch {
    return ownName;
  }
};

// The seat of whoever keeps score here, or null.
export const mine = ({ seats, names }) => seats.find((seat) => names[seat] === name()) ?? null;

export function isMine(called) {
  ownName = called;
  try {
    localStorage.setItem(PLACE, called);
  } catch {
    // It lasts as long as the page.
  }
}
