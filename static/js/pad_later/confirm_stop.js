// Asks before a table stops early, if the site wants a confirmation and the loaded page has none.

import { draw, html } from "../lib/html.js";

// Ask in `panel`; `sure(post)` is the post with which the site takes it.
export function ask(box, panel, show, sure) {
  const post = box.refused;
  if (!post?.unwise) return;
  draw(
    panel,
    html`<header><h2 id="panel-h">Stop here?</h2><form method="dialog"><button type="submit" class="plain">Close</button></form></header><p>${post.problem}</p><p class="buttons"><button type="button" data-stop="no">Keep playing</button><button type="button" data-stop="yes">Stop here all the same</button></p>`,
  );
  panel.showModal();
  panel.onclick = ({ target }) => {
    const how = target.closest("[data-stop]")?.dataset.stop;
    if (!how) return;
    panel.onclick = null;
    panel.close();
    if (how === "yes") box.replace(post.key, sure(post));
    else box.remove(post.key);
    show();
  };
}
