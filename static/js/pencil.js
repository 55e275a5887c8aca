// Who has the pencil: said once on a phone whose neighbour took it.

export class Pencil {
  // `told()` is what the site says of it: null while this phone has it. `changed()` when that was read and put away.
  constructor(code, told, changed) {
    this.place = `pencil-${code}`;
    this.told = told;
    this.changed = changed;
    this.read = 0;
  }

  get bar() {
    const told = this.told();
    return told && told.version > this.seen ? { says: told.says, label: "OK", act: () => this.putAway(told.version) } : null;
  }

  // The version of the taking that was read and put away on this phone.
  get seen() {
    try {
      return Number(localStorage.getItem(this.place)) || this.read;
    } catch {
      return this.read;
    }
  }

  putAway(version) {
    this.read = version;
    try {
      localStorage.setItem(this.place, this.read);
    } catch {
      // It is put away as long as the page is open.
    }
    this.changed();
  }
}
