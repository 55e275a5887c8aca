// Opens a sheet on the site that was opened on this phone without network: before anything that was entered on it.

import { drawToken, forget, keepPad, keptPad, moveTo, openingOf, padOf } from "../lib/offline_sheets.js";

const TIMEOUT = 15000;
const TROUBLE = "The site has trouble.";
const MOVED = "Another sheet already had this address, so this sheet got a new one.";

const csrf = () => /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";

// Why the site does not have the sheet of that code yet: "" (it has), "network", or a sentence.
export async function send(code) {
  const opening = openingOf(code);
  if (!opening) return "";
  let response, reply;
  try {
    // The page of the form brings the token and the secret of this browser, where it has lost them.
    if (!csrf()) await fetch("/open/");
    response = await fetch(opening.url, {
      method: "POST",
      body: new URLSearchParams([...opening.fields, ["code", code]]),
      headers: { Accept: "application/json", "X-CSRFToken": csrf() },
      signal: AbortSignal.timeout?.(TIMEOUT),
    });
    reply = await response.json();
  } catch {
    return response && !response.ok ? TROUBLE : "network";
  }
  if (response.ok) {
    await isOpen(code, opening, reply);
    return "";
  }
  if (reply.code !== "code-used") return reply.problem ?? TROUBLE;
  const fresh = drawToken(16);
  await moveTo(fresh, code, MOVED);
  if (location.pathname === padOf(code)) location.replace(padOf(fresh));
  return MOVED;
}

// The site has drawn the address for watching.
async function isOpen(code, { watch }, reply) {
  const pad = await keptPad(code);
  if (pad) await keepPad(code, (await pad.text()).replaceAll(watch, reply.watch), pad.headers, { isUnsent: false });
  // Only now: a page that is closed before would stay what it was.
  forget(code);
  for (const link of document.querySelectorAll(`[href*="${watch}"]`)) link.href = link.getAttribute("href").replace(watch, reply.watch);
}
