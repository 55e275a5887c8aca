// Sheets that were opened on this phone without network and that the site does not know yet.
//
// `opening-CODE` in localStorage has what is sent to open one. Its pad lies in a cache under the address that it has on
// the site afterwards, marked with a header, so that the service worker asks nobody else for it.

const PLACE = "opening-";
const CACHE = "new sheets"; // also in sw.js
const UNSENT = "X-Unsent";

export const padOf = (code) => `/sheets/${code}/pad/`;

// Drawn as the site draws its own: 16 bytes of it are the code of a sheet.
export function drawToken(bytes) {
  const drawn = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes)));
  return btoa(drawn).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function openingOf(code) {
  try {
    return JSON.parse(localStorage.getItem(PLACE + code));
  } catch {
    return null;
  }
}

// The codes of all sheets that wait here.
export function unopened() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(PLACE)).map((name) => name.slice(PLACE.length));
  } catch {
    return [];
  }
}

export const forget = (code) => localStorage.removeItem(PLACE + code);

// Keep a sheet that is opened now. Throws where this browser keeps nothing.
export async function keepOpening(code, opening, page, headers) {
  await keepPad(code, page, headers, { isUnsent: true });
  localStorage.setItem(PLACE + code, JSON.stringify(opening));
}

export async function keepPad(code, page, headers, { isUnsent }) {
  const kept = new Headers(headers);
  for (const name of ["Content-Encoding", "Content-Length", "ETag", UNSENT]) kept.delete(name);
  kept.set("Content-Type", "text/html; charset=utf-8");
  if (isUnsent) kept.set(UNSENT, "1");
  const cache = await caches.open(CACHE);
  await cache.put(padOf(code), new Response(page, { headers: kept }));
}

// The pad as it is kept, or nothing.
export const keptPad = (code) => caches.match(padOf(code), { cacheName: CACHE });

// Another code for a sheet, whose own a sheet of the site has already: everything that is kept of it moves along.
// `says`: a sentence for its pad.
export async function moveTo(fresh, code, says) {
  const pad = await keptPad(code);
  if (pad) {
    const page = (await pad.text()).replaceAll(code, fresh).replace('"changed":null', `"changed":${JSON.stringify({ says })}`);
    await keepPad(fresh, page, pad.headers, { isUnsent: true });
  }
  for (const store of [localStorage, sessionStorage]) {
    for (const name of Object.keys(store).filter((name) => name.includes(code))) {
      store.setItem(name.replace(code, fresh), store.getItem(name).replaceAll(code, fresh));
      store.removeItem(name);
    }
  }
  await (await caches.open(CACHE)).delete(padOf(code));
}
