// Who has the pencil: said once on a phone whose neighbour took it, and always on one that may not write any more.

export class Pencil {
  // `told` is what the site says of it: null while this phone has it, or nobody handed it on. `changed()` when it was read.
  constructor(code, told, changed) {
    this.place = `pencil-${code}`;
    this.told = told;
    this.changed = changed;
    this.read = 0;
  }

  get bar() {
    return this.told && this.told.version > this.seen ? { says: this.told.says, label: "OK", act: () => this.putAway() } : null;
  }

  // The version of the taking that was read and put away on this phone.
  get seen() {
    try {
      return Number(localStorage.getItem(this.place)) || this.read;
    } catch {
      return this.read;
    }
  }

  putAway() {
    this.read = this.told.version;
    try {
      localStorage.setItem(this.place, this.read);
    } catch {
      // It is put away as long as the page is open.
    }
    this.changed();
  }
}

// The bar of a phone that was cut off.
export function barred({ posts }, names, panel) {
  const kept = posts.length ? ` ${posts.length} tap${posts.length === 1 ? "" : "s"} kept here, not sent.` : "";
  const act = async () => (await import("./unsent.js")).cutOff(posts, names, panel);
  return { says: `This phone may not write any more.${kept}`, label: "Show", act };
}
