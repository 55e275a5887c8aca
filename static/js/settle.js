// Two phones wrote different things: both are shown, and somebody chooses; hand by hand, if this phone was away for long.

import { draw, html } from "./html.js";
import { newKey } from "./outbox.js";

const sameHand = (posts, post) => posts.filter((other) => other.place.hand === post.place.hand);

// The keys of these posts, and of what would have taken them back.
function keys(posts, all) {
  const gone = posts.map(({ key }) => key);
  return [...gone, ...all.filter(({ undoes }) => gone.includes(undoes)).map(({ key }) => key)];
}

function twoAnswers({ conflict, place }, waiting) {
  const more = waiting.length > 1 && place.hand > 0;
  return html`<header><h2 id="panel-h">Two phones, two answers</h2></header><p>${conflict.says}</p><p class="buttons"><button type="button" data-settle="leave">${conflict.keep}</button>${conflict.verb && html`<button type="button" data-settle="write">${conflict.write}</button>`}${
    more && html`<button type="button" data-settle="hand">Leave all of hand ${place.hand} as it stands</button>`
  }${conflict.correct && html`<a class="button" href="${conflict.correct}">Correct ${conflict.row}</a>`}</p>${
    more && html`<p class="small">This phone has ${waiting.length} taps of hand ${place.hand} that were not sent.</p>`
  }`;
}

// Ask in `panel` what is to become of the post that was refused, and of the next one, until nothing is left to ask.
export function settle(box, page, panel, show) {
  const post = box.refused;
  if (!post?.conflict) return;
  const waiting = sameHand(box.posts, post);
  draw(panel, twoAnswers(post, waiting));
  panel.showModal();
  panel.onclick = async ({ target }) => {
    const how = target.closest("[data-settle]")?.dataset.settle;
    if (!how) return;
    panel.onclick = null;
    panel.close();
    const sent = how === "write" ? rewritten(box, page, post) : box.remove(...keys(how === "hand" ? waiting : [post], box.posts));
    show();
    await sent;
    settle(box, page, panel, show);
  };
}

function rewritten(box, page, { key, conflict, fields, place, step, said }) {
  const { verb, saw } = conflict;
  return box.replace(key, { key: newKey(), verb, url: page.urls[verb], fields, place, step, said, saw });
}
