// Notices about other phones, shown once: who keeps score now, or that an entry of this phone was changed.

export class Notice {
  // `place()`: under which name it is remembered; `notice()`: what the site says, null for nothing; `changed()`: it was put
  // away.
  constructor(place, notice, changed) {
    this.place = place;
    this.notice = notice;
    this.changed = changed;
    this.read = 0;
  }

  get bar() {
    const notice = this.notice();
    return notice && notice.version > this.seen ? { ...notice, label: "OK", act: () => this.putAway(notice.version) } : null;
  }

  // The version that was read and put away on this phone.
  get seen() {
    try {
      return Number(localStorage.getItem(this.place())) || this.read;
    } catch {
      return this.read;
    }
  }

  putAway(version) {
    this.read = version;
    try {
      localStorage.setItem(this.place(), this.read);
    } catch {
      // It is put away as long as the page is open.
    }
    this.changed();
  }
}
