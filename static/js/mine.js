// The scorekeeper's own row: he says once, under More, which it is, and this phone finds him again by his name.

const PLACE = "my-name";
let said = ""; // where the browser keeps nothing

const name = () => {
  try {
    return localStorage.getItem(PLACE) ?? said;
  } catch {
    return said;
  }
};

// The seat of whoever keeps score here, or null.
export const mine = ({ seats, names }) => seats.find((seat) => names[seat] === name()) ?? null;

export function isMine(called) {
  said = called;
  try {
    localStorage.setItem(PLACE, called);
  } catch {
    // It lasts as long as the page.
  }
}
