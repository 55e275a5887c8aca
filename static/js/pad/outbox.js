// The queue of posts that the site has not acknowledged, in the order of the taps.
//
// A post is stored in this browser before the pad shows it. Posts are sent one by one, each under the key of its tap,
// until the site answers. A refused post stays, shows the reason, and can be corrected in place.

const TIMEOUT = 15000;
const FIRST_WAIT = 1000;
const STALE = 2000; // an answer that has not come by then is not waited for by a phone that wakes up
const LONGEST_WAIT = 15000;
const PATIENT = 12; // so often a post that was lost waits for those of other phones

// What was written is remembered, in case a backup is restored: no tap waits for that.
const memory = () => Promise.race([import("../pad_later/restored.js").catch(() => null), new Promise((done) => setTimeout(done, TIMEOUT))]);

export function newKey() {
  // Not randomUUID: over plain http in the club house there is none.
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

// Read when sending: a page may have stood open for longer than a token lives.
function token() {
  const cookie = /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1];
  return cookie ?? document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}

// With a row of the sheet where that is open or has room beside the pad.
const preferred = () => (document.querySelector("#whole-sheet[open]") || Math.min(screen.width, screen.height) > 520 ? "return=representation" : "");

export class Outbox {
  // `changed()` after every change of what waits or how it goes; `heard(answer)` with what the site said, before a post
  // that was written is forgotten, and `answered(answer, post)` after it.
  constructor(code, changed, heard, answered) {
    this.place = `outbox-${code}`;
    this.code = code;
    this.changed = changed;
    this.heard = heard;
    this.answered = answered;
    this.kept = true; // whether this browser keeps anything
    this.failed = ""; // why nothing gets through: "" (it does), "network", or a sentence of the site
    this.barred = false; // whether this phone may not write on the sheet any more
    this.since = 0; // when the post that is on its way was sent
    this.wait = FIRST_WAIT;
    this.state = { posts: [], known: {} };
    this.read();
    addEventListener("storage", (event) => {
      if (event.key !== this.place) return;
      this.read();
      this.changed();
    });
    addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    // Where nothing waits, that would only draw the pad once more.
    addEventListener("pageshow", () => this.waits && this.flush());
  }

  get posts() {
    return this.state.posts;
  }

  // How many things are to be sent: where the sheet was opened here without network, that is one of them.
  get waits() {
    return this.posts.length + (this.isUnopened ? 1 : 0);
  }

  get known() {
    return this.state.known;
  }

  get refused() {
    return this.posts.find((post) => post.problem);
  }

  read() {
    if (!this.kept) return;
    try {
      this.state = JSON.parse(localStorage.getItem(this.place)) ?? { posts: [], known: {} };
      this.isUnopened = localStorage.getItem(`opening-${this.code}`) !== null;
    } catch {
      this.kept = false;
    }
  }

  // Another page of this browser may have written meanwhile: read, change, keep.
  change(how) {
    this.read();
    how(this.state);
    if (!this.posts.length) this.state = { posts: [], known: {} };
    try {
      localStorage.setItem(this.place, JSON.stringify(this.state));
      this.kept = true;
    } catch {
      this.kept = false;
    }
  }

  put(post) {
    this.change(({ posts }) => {
      // What was refused is mended in its place, before whatever was tapped since.
      const mends = posts.findIndex((other) => other.problem && same(other.place, post.place));
      const early = posts.findIndex((other) => isEarly(other) && fills(post, other));
      if (mends >= 0) posts.splice(mends, 1, post);
      else if (early >= 0) posts.splice(early, 1, post, again(posts[early]));
      else posts.push(post);
    });
    return this.flush();
  }

  replace(key, post) {
    this.change(({ posts }) => {
      const at = posts.findIndex((other) => other.key === key);
      if (at >= 0) posts.splice(at, 1, post);
    });
    return this.flush();
  }

  remove(...keys) {
    this.change((state) => {
      state.posts = state.posts.filter((post) => !keys.includes(post.key));
    });
    return this.flush();
  }

  // What this phone wrote in that hand stands against what another phone wrote there.
  insist(hand) {
    this.change((state) => {
      state.insists = hand;
    });
  }

  // What a restored backup has lost is sent once more, before everything else; how many posts that are.
  async sendLost(pad) {
    return pad?.generation ? ((await memory())?.sendLost(this, pad) ?? 0) : 0;
  }

  // These go out before everything else, and every post as `how` makes it anew.
  putFirst(posts, how) {
    this.change((state) => {
      state.posts = [...posts, ...state.posts].map((post) => how(again(post)));
    });
    this.flush();
  }

  // What another phone wrote otherwise is asked about anew: it may have been put right meanwhile.
  askAgain() {
    if (!this.refused?.conflict) return;
    this.change(({ posts }) => {
      const at = posts.findIndex(({ conflict }) => conflict);
      if (at >= 0) posts.splice(at, 1, again(posts[at]));
    });
  }

  // Whether the post under that key never left this phone, so that it can simply be taken out again.
  isUnsent(key) {
    return this.posts.some((post) => post.key === key && (!post.tries || post.problem));
  }

  // A phone that slept may wait for an answer on a connection that is long gone: the same tap is sent again.
  wake() {
    this.wait = FIRST_WAIT;
    if (this.since && Date.now() - this.since > STALE) {
      this.again = true;
      this.stop.abort();
    } else this.flush();
  }

  async flush() {
    if (this.busy) return;
    clearTimeout(this.timer);
    this.busy = true;
    try {
      this.read();
      if (this.isUnopened && !(await this.open())) return;
      while (this.posts.length && !this.posts[0].problem && (await this.send(this.posts[0].key)));
    } finally {
      this.busy = false;
      this.since = 0;
      this.changed();
      this.goOn();
    }
  }

  goOn() {
    if (this.again) {
      this.again = false;
      this.flush();
    } else if (this.failed && this.waits) {
      this.timer = setTimeout(() => this.flush(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    }
  }

  // The site has to know the sheet before anything that was entered on it.
  async open() {
    const opening = await import("../pad_later/opening.js").catch(() => null);
    this.failed = opening ? await opening.send(this.code) : "network";
    this.read();
    return !this.failed;
  }

  // Send one; whether the next may follow.
  async send(key) {
    this.change(({ posts, known }) => prepare(posts.find((post) => post.key === key), known));
    const post = this.posts.find((other) => other.key === key);
    if (!post) return true;
    this.since ||= Date.now();
    const stop = (this.stop = new AbortController());
    const timer = setTimeout(() => stop.abort(), TIMEOUT);
    let response, answer;
    try {
      response = await fetch(post.url, {
        method: "POST",
        body: new URLSearchParams({ ...post.fields, key: post.key }),
        headers: { Accept: "application/json", "X-CSRFToken": token(), Prefer: preferred() },
        signal: stop.signal,
      });
      answer = await response.json();
    } catch {
      this.failed = response && !response.ok ? "The site has trouble." : "network";
      return false;
    } finally {
      clearTimeout(timer);
    }
    this.heard(answer);
    const lost = await this.sendLost(answer.pad);
    this.barred = response.status === 403 && answer.code === "cut-off";
    if (response.ok) {
      this.failed = "";
      this.wait = FIRST_WAIT;
      this.change((state) => {
        state.posts = state.posts.filter((other) => other.key !== key);
        state.known[key] = { version: answer.wrote, entries: answer.entries };
      });
      memory().then((restored) => restored?.remember(this, post, answer));
      this.answered(answer, post);
      return true;
    }
    if ([400, 409, 413, 422].includes(response.status)) {
      this.failed = "";
      if (lost) return true; // after that it may be in its place
      // What a restored site has lost comes from several phones, and one of them is the first.
      if (post.lost && post.tries < PATIENT && answer.problems?.[0].code === "out-of-turn") {
        this.failed = "Other phones send theirs first.";
        return false;
      }
      this.change(({ posts, insists }) => {
        const at = posts.findIndex((other) => other.key === key);
        if (at < 0) return;
        const [{ code } = {}] = answer.problems ?? [];
        const { problem, unwise, conflict = null } = answer;
        const refused = { ...posts[at], problem, conflict, unwise, code };
        posts[at] = conflict?.verb && insists === refused.place.hand ? insisting(refused) : refused;
      });
      this.answered(answer, post);
      return true; // the next, unless the first of them is refused now
    }
    this.failed = answer.problem || "The site has trouble.";
    return false;
  }
}

// What was refused since another phone wrote something else there, to be written in its place.
export function insisting({ conflict: { verb, action, saw }, fields, place, step, text }) {
  return { key: newKey(), verb, url: action, fields, place, step, text, saw };
}

const same = (a, b) => a.hand === b.hand && a.ask === b.ask;

// Something before it was missing on the sheet. What is written of that hand goes before it; then it is sent once more.
const isEarly = ({ problem, code }) => Boolean(problem) && code === "out-of-turn";
const fills = ({ step, event, place }, other) => Boolean(step) && !event && place.hand === other.place.hand;
const again = ({ problem: _, code: __, conflict: ___, unwise: ____, ...post }) => post;

// Fill in what only the answer to an earlier post could tell, once and for all: the same key has always the same body.
function prepare(post, known) {
  if (!post) return;
  post.tries = (post.tries ?? 0) + 1;
  if (typeof post.undoes === "string") post.undoes = known[post.undoes]?.version ?? "";
  if (typeof post.saw === "string") post.saw = known[post.saw]?.entries?.[`${post.place.hand} ${post.place.ask}`]?.[0] ?? "";
  if ("undoes" in post) post.fields.version = `${post.undoes}`;
  if ("saw" in post) post.fields.saw = `${post.saw}`;
}
