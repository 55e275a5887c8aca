// After a backup was restored: the site lacks what was written after it, so this phone sends its own part again. Each
// write is remembered with the generation of the database.

const MOST = 400; // so many posts are remembered

const place = ({ code }) => `written-${code}`;

function remembered(box) {
  try {
    return JSON.parse(localStorage.getItem(place(box))) ?? { generation: "", posts: [] };
  } catch {
    return { generation: "", posts: [] };
  }
}

function keep(box, generation, posts) {
  try {
    localStorage.setItem(place(box), JSON.stringify({ generation, posts: posts.slice(-MOST) }));
  } catch {
    // Then it is not remembered.
  }
}

// A post that was written, with the site's answer.
export function remember(box, post, { wrote, entries, pad }) {
  const generation = pad?.generation ?? "";
  const { tries: _, lost: __, ...sent } = post;
  const known = remembered(box);
  if (known.posts.length && known.generation !== generation) return;
  keep(box, generation, [...known.posts, { ...sent, wrote, entries }]);
}

// What was written in an earlier generation and is lost goes out under the keys it had, before everything else. The
// sheet came out of the backup with the version `restored`. Returns how many posts that are.
export function sendLost(box, { generation = "", restored = 0 }) {
  const known = remembered(box);
  if (known.generation >= generation) return 0;
  const lost = known.posts.filter(({ wrote }) => wrote > restored);
  keep(box, generation, known.posts.filter(({ wrote }) => wrote <= restored));
  box.putFirst(
    lost.map((post) => ({ ...post, lost: true })),
    (post) => anew(post, lost, restored),
  );
  return lost.length;
}

// A post as it is sent to a restored site: what it meant of what was lost is meant by the key it had.
function anew({ wrote: _, entries: __, ...post }, lost, restored) {
  const fresh = { ...post, fields: { ...post.fields } };
  const undone = lost.find(({ wrote }) => wrote === post.undoes);
  const seen = lost.find(({ entries }) => Object.values(entries ?? {}).some(([entry]) => entry === post.saw));
  if (undone) fresh.undoes = undone.key;
  else if (post.undoes > restored) fresh.undoes = "";
  if (seen) fresh.saw = seen.key;
  return fresh;
}
