// Resolves a conflict: two phones wrote different things. Both are shown and one is chosen, hand by hand after a long
// time offline.

import { draw, html } from "../lib/html.js";
import { insisting } from "../pad/outbox.js";

const sameHand = (posts, post) => posts.filter((other) => other.place.hand === post.place.hand);

// The keys of these posts, and of what would have taken them back.
function keys(posts, all) {
  const gone = posts.map(({ key }) => key);
  return [...gone, ...all.filter(({ undoes }) => gone.includes(undoes)).map(({ key }) => key)];
}

function twoAnswers({ conflict, place }, waiting) {
  const { correct, verb } = conflict;
  const use = (label, href, how) => (correct ? html`<a class="button" href="${href}">${label}</a>` : verb && html`<button type="button" data-settle="${how}">${label}</button>`);
  const more = waiting.length > 1 && place.hand > 0;
  return html`<header><h2 id="panel-h">Two phones, two answers</h2><form method="dialog"><button type="submit" class="plain">Close</button></form></header><p>${conflict.says}</p><p class="buttons at-foot"><button type="button" data-settle="keep">${conflict.keep}</button>${use(conflict.write, conflict.use, "use")}</p>${
    more &&
    html`<p>This phone has ${waiting.length} taps of hand ${place.hand} that were not sent.</p><p class="buttons"><button type="button" data-settle="keep-all">Keep all of hand ${place.hand}</button>${use("Use all of mine", `${correct}&${filledIn(waiting)}`, "use-all")}</p>`
  }${correct && html`<p class="small">Hand ${place.hand} is scored: you see what changes before anything is saved.</p>`}`;
}

// Everything that waits, as the page of corrections is asked to have it filled in.
function filledIn(posts) {
  const steps = posts.filter(({ step }) => step);
  const given = ({ place, step }) => Object.entries(step).filter(([, value]) => `${value ?? "false"}` !== "false");
  return new URLSearchParams([
    ...steps.map(({ place }) => ["use", place.ask]),
    ...steps.flatMap((post) => given(post).map(([field, value]) => [`f:${post.place.ask}:${field}`, value])),
  ]);
}

// Ask in `panel` what is to become of the post that was refused, and of the next one, until nothing is left to ask.
export function settle(box, panel, show) {
  const post = box.refused;
  if (!post?.conflict) return;
  const { place } = post;
  const waiting = sameHand(box.posts, post);
  draw(panel, twoAnswers(post, waiting));
  panel.showModal();
  panel.onclick = async ({ target }) => {
    const how = target.closest("[data-settle]")?.dataset.settle;
    if (!how) return;
    panel.onclick = null;
    panel.close();
    if (how === "use-all") box.insist(place.hand);
    const sent = how.startsWith("use") ? box.replace(post.key, insisting(post)) : box.remove(...keys(how === "keep-all" ? waiting : [post], box.posts));
    show();
    await sent;
    settle(box, panel, show);
  };
}
