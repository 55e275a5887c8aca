// A notice for links and forms that need the network.

import { html } from "./html.js";

export function noNetwork() {
  const close = html`<form method="dialog"><button type="submit" class="plain">Close</button></form>`;
  return html`<header><h2 id="panel-h">No connection</h2>${close}</header><p>That needs a connection. Everything here is kept on this phone.</p>`;
}
