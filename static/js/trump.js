// Suits and the card turned for trump, as they are shown.

export const SUITS = { C: ["♣\ufe0e", "Clubs"], D: ["♦\ufe0e", "Diamonds"], H: ["♥\ufe0e", "Hearts"], S: ["♠\ufe0e", "Spades"] };
export const RED = "DH";
const RANKS = { 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" }; // prettier-ignore

// A trump step as it is shown: a suit, "Ace", or the turned card.
export function turned({ suit, turned: card }) {
  if (card) {
    const [sign, of] = SUITS[card[1]];
    const said = `${RANKS[card[0]]} of ${of.toLowerCase()} turned`;
    const label = card[0] === "A" ? `no trump, ${said}` : `${of.toLowerCase()}, ${said}`;
    return { text: `${card[0] === "T" ? "10" : card[0]}${sign}`, label, red: RED.includes(card[1]), ace: true };
  }
  if (!(suit in SUITS)) return { text: "Ace", label: "no trump", red: false, ace: true };
  return { text: SUITS[suit][0], label: SUITS[suit][1].toLowerCase(), red: RED.includes(suit), ace: false };
}
