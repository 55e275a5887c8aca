"""The state of the pad: what its page and its scripts show and send, for bids and tricks and for prompts.

Stands on commands, sheet and fields. Begin with `state`.

There are two pads; `Game.pad` says which. `bidding`, for bids in turn and counted tricks, is `bidding_pad` with
`static/js/pad/bidding.js`; `prompts`, the default, is `prompt_pad` with `static/js/pad/prompts.js`. Both share
`static/js/pad/replay.js`: a game's script says what completes a hand and what it scores, and if it cannot tell, the
points wait for the site. No rule is written again in JavaScript.

The game that bids was measured on the other pad: the scripts weigh the same (8.6 against 8.5 kB), but `page.css`,
`prompts.css` and a page with 65 buttons instead of 20 for ten players add 4 kB: a first load of 48.9 kB. A generated
form takes at least two taps for a bid instead of one, and points and totals would wait for the site. So there are two.

The state has only the last scored hand; the whole way back comes with the poll, and `static/js/pad/store.js` joins
them. What a first tap does not need is loaded a second later: the first load has at most 45 kB, everything 60 kB. For
that, `page.css` is not loaded on the bidding pad, `static/js/pages/prefs.js` only applies preferences (they are chosen
in `static/js/widgets/prefs_buttons.js`), and `without_indents` removes indents.

`static/js/lib/tap_guard.js` ignores a tap within 500 ms after the pad has moved on to another turn or hand (200 ms for
the next question of the same hand); at the same place within 350 ms after a panel or another question came under the
finger; and of the same key at the same place within 120 ms, except − and +. It goes by the time of the tap. The pad
shakes, vibrates and says so in the heading.

A sheet can begin without network: `offline` prepares its pads in advance, for every game, number of players and first
dealer (some hundred kilobytes of JSON, a tenth of that on the way; a second of the site's time once in each process).
The page of the form keeps them (`static/js/sw.js`), and the outbox opens the sheet before it sends what was entered on
it.

Large text looks like a narrow window, because media queries count in em. Below 19em a page loads `large_text.css`, a
pad `large_text_pad.css`, with which it scrolls.
"""
