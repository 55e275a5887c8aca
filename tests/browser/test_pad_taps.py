"""No tap that somebody meant is lost, however fast they tap and however slow their phone is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pads import Pad, is_dressed
from tests.browser.taps import Finger, middle
from tests.browser.waits import takes_taps

#: Taps a second, and how many times slower the processor is.
PACES, SLOWER = (8, 6, 4), (1, 4)
#: For each number of players a hand in the middle: its number and its cards.
CARDS = {4: 12, 5: 10, 6: 8, 7: 7, 8: 6, 9: 5, 10: 5}
BIDS = "all => all.map(input => Number(input.value))"


def table(page: Page, players: int) -> Pad:
    """A table that bids a hand of the most cards; nothing of it is sent."""
    pad = Pad(page, players, hands=CARDS[players] - 1, plan={"peak": CARDS[players]})
    is_dressed(page)
    page.context.set_offline(True)
    return pad


def bids_of(pattern: Sequence[int], cards: int) -> list[int]:
    """The pattern in numbers that The Rule allows to the last bidder."""
    choices = ([low + step * one for one in pattern] for low, step in ((0, 1), (0, 2), (1, 1)))
    return next(bids for bids in choices if sum(bids) != cards)


def patterns(players: int) -> list[list[int]]:
    """What a guard could trip over: the same key all the time, in turns, twice, at both ends, and never the same."""
    cards = CARDS[players]
    shapes = ("0", "01", "0011", "0100", "0110", "011101")
    told = [bids_of([int(shape[seat % len(shape)]) for seat in range(players)], cards) for shape in shapes]
    different = [seat % (cards + 1) for seat in range(players)]
    return [*told, different] if sum(different) != cards else told


class Typist:
    """A finger that types the bids of a hand, and takes all of them back."""

    def __init__(self, pad: Pad) -> None:
        self.pad, self.page, self.finger = pad, pad.page, Finger(pad.page)
        self.order = pad.scorer.reading.sheet.open.hand.order
        self.keys = [middle(pad.key(number)) for number in range(CARDS[len(self.order)] + 1)]

    def types(self, bids: list[int], pace: int) -> None:
        """All bids of the hand arrive with those who spoke them, and all are taken back: one key as well."""
        self.finger.type([self.keys[bid] for bid in bids], pace)
        stands = self.page.locator(".step input").evaluate_all(BIDS)
        assert stands == [bid for _, bid in sorted(zip(self.order, bids, strict=True))], (bids, pace)
        takes_taps(self.page)
        self.finger.type([middle(self.pad.back)], PACES[0])
        takes_taps(self.page)
        self.finger.type([middle(self.pad.back)] * (len(bids) - 1), PACES[0])
        assert self.page.locator(".bid.none").count() == len(bids), (bids, pace)


@pytest.mark.parametrize("players", CARDS)
def test_every_kind_of_bids_is_typed_as_fast_as_a_finger_goes(off_the_net: None, phone: Page, players: int) -> None:
    typist = Typist(table(phone, players))
    turns = iter(itertools.islice(itertools.cycle(patterns(players)), players, None))
    for slower in SLOWER if players in (4, 7, 10) else SLOWER[-1:]:
        with typist.finger.slowed(slower):
            for pace in PACES if (players, slower) in ((4, 1), (10, 4)) else PACES[:1]:
                typist.types(next(turns), pace)


@pytest.mark.journey
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("slower", SLOWER)
@pytest.mark.parametrize("players", [4, 5, 6])
def test_every_pattern_of_bids_is_typed_with_a_finger(
    off_the_net: None, phone: Page, players: int, slower: int
) -> None:
    typist = Typist(table(phone, players))
    with typist.finger.slowed(slower):
        for pattern, pace in itertools.product(itertools.product((0, 1), repeat=players), PACES):
            typist.types(bids_of(pattern, CARDS[players]), pace)


#: Types patterns on a clock of its own, which goes on by a tap's pace, and gives back those that came out wrong.
#: A hand is typed, read, and taken back.
TYPE_ALL = """async ([patterns, order, pace]) => {
  let now = performance.now();
  performance.now = () => now;
  const wrong = [];
  const tap = (what) => {
    const { x, y, width, height } = what.getBoundingClientRect();
    const event = new MouseEvent('click', {
      bubbles: true, cancelable: true, composed: true, detail: 1, clientX: x + width / 2, clientY: y + height / 2,
    });
    Object.defineProperty(event, 'timeStamp', { value: now });
    what.dispatchEvent(event);
    now += 1000 / pace;
  };
  const back = () => document.querySelector('.back');
  for (const bids of patterns) {
    for (const bid of bids) tap(document.querySelector(`.pad .keys button[value="${bid}"]`));
    const stands = [...document.querySelectorAll('.step input')].map(({ value }) => Number(value));
    const meant = order.map((seat, i) => [seat, bids[i]]).sort(([one], [other]) => one - other).map(([, bid]) => bid);
    if (`${stands}` !== `${meant}`) wrong.push([bids, stands]);
    now += 1000;
    tap(back());
    now += 1000;
    for (const _ of bids.slice(1)) tap(back());
    if (document.querySelectorAll('.bid.none').length !== bids.length) return [...wrong, [bids, 'not taken back']];
    await new Promise((done) => setTimeout(done));
  }
  return wrong;
}"""


def every_pattern(players: int) -> Iterator[list[int]]:
    return (bids_of(pattern, CARDS[players]) for pattern in itertools.product((0, 1), repeat=players))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("players", CARDS)
def test_every_pattern_of_bids_is_typed_on_a_clock_of_its_own(
    off_the_net: None, phone: Page, players: int, pace: int
) -> None:
    pad = table(phone, players)
    phone.set_default_timeout(0)
    order = pad.scorer.reading.sheet.open.hand.order
    assert phone.evaluate(TYPE_ALL, [list(every_pattern(players)), order, pace]) == []


def test_a_few_patterns_are_typed_on_a_clock_of_its_own(off_the_net: None, phone: Page) -> None:
    pad = table(phone, 4)
    order = pad.scorer.reading.sheet.open.hand.order
    assert phone.evaluate(TYPE_ALL, [list(every_pattern(4)), order, 8]) == []
    assert phone.evaluate(TYPE_ALL, [[[0, 0, 1, 0]], order, 9]) != []


FELT = "window.felt = []; navigator.vibrate = (how) => { window.felt.push(how); return true; };"


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("slower", SLOWER)
def test_a_finger_that_trembles_taps_once_and_is_told_so(phone: Page, slower: int) -> None:
    phone.add_init_script(FELT)
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    finger = Finger(phone)
    key = middle(pad.key(2))
    with finger.slowed(slower):
        finger.type([key, (key[0] + 4, key[1] - 3)], 1 / 0.11)
    assert pad.due == "Cy"
    expect(phone.locator(".line")).to_have_text("two taps at once: counted as one")
    expect(phone.locator(".line")).to_have_role("status")
    assert phone.evaluate("window.felt.filter(Array.isArray)") == [[25, 60, 25]]
    # What was not taken costs no later tap.
    finger.type([key], 8)
    assert pad.due == "Di"
    expect(phone.locator(".line")).to_be_empty()
    pad.is_saved()
    assert (7, "bid-4") not in pad.scorer.reading.entries


def test_three_touches_of_a_finger_that_trembles_on_and_on_are_one_tap_each_120_ms(phone: Page) -> None:
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    Finger(phone).type([middle(pad.key(1))] * 3, 1 / 0.08)
    assert pad.due == "Di"


def test_two_fingers_on_two_keys_may_be_as_fast_as_they_like(phone: Page) -> None:
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    finger = Finger(phone)
    finger.type([middle(pad.key(number)) for number in (0, 1, 0, 1, 0)], 20)
    assert pad.due == "Ann"


def test_a_tap_too_many_after_the_last_bid_is_seen_and_felt_and_does_nothing(phone: Page) -> None:
    phone.add_init_script(FELT)
    pad = Pad(phone, 4, hands=3, plan={"peak": 5})
    key = middle(pad.key(0))
    Finger(phone).type([key] * 5, 8)
    expect(phone.locator(".line")).to_have_text("that tap came too soon: not taken")
    assert phone.evaluate("window.felt.filter(Array.isArray)") == [[25, 60, 25]]
    assert phone.locator(".step input").evaluate_all(BIDS) == [0, 0, 0, 0]
    assert phone.locator(".touched").count() == 0


def test_a_key_that_is_off_says_no_where_the_finger_is(phone: Page) -> None:
    phone.add_init_script(FELT)
    pad = Pad(phone, 4, hands=1)
    pad.bid(0, 0, 1)
    finger = Finger(phone)
    finger.type([middle(phone.locator(".keys [aria-disabled]"))], 8)
    assert phone.evaluate("window.felt.filter(Array.isArray)") == [[25, 60, 25]]
    assert pad.line.startswith("The Rule")
    pad.bid(0)
    pad.rest()
    finger.type([middle(phone.locator(".step [aria-disabled]").first)], 8)
    assert phone.evaluate("window.felt.filter(Array.isArray).length") == 2
    assert phone.locator(".touched").count() == 0


def test_every_tap_on_plus_and_minus_counts(phone: Page) -> None:
    pad = Pad(phone, 4, hands=3, plan={"peak": 5})
    pad.bid(1, 0, 0, 0)
    pad.rest()
    more = phone.locator(".step:has([value='0']) [name=more]").first
    Finger(phone).type([middle(more)] * 3, 12)
    assert phone.locator(".touched input.num").input_value() == "3"


def test_a_key_that_is_held_down_is_one_tap(desk: Page) -> None:
    pad = Pad(desk, 6, hands=6, plan={"peak": 8})
    pad.key(1).focus()
    for _ in range(5):
        desk.keyboard.down("Enter")
        # Long enough that it is the key that is held, and no finger that trembles.
        pad.rest()
    desk.keyboard.up("Enter")
    assert pad.due == "Cy"
    desk.keyboard.press("Enter")
    assert pad.due == "Di"


def test_a_correction_is_no_reason_to_lose_the_next_bid(phone: Page) -> None:
    """The second half of a double tap on a panel is not taken; whoever bids on at a usual pace is."""
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    pad.bid(2)
    pad.open("retype-2")
    panel = phone.locator("#panel .keys button[value='3']")
    finger = Finger(phone)
    finger.type([middle(panel)], 8)
    expect(phone.locator("#panel")).to_be_hidden()
    finger.type([middle(pad.key(0)), middle(pad.key(0))], 4)
    assert pad.due == "Ed"


def test_nobody_played_the_dingo_is_typed_as_fast_as_a_finger_goes(phone: Page) -> None:
    """The next rank is asked as the one before: the same key at the same place is meant."""
    Pad(phone, 4, game="dingo", plan={})
    nobody = middle(phone.locator("section[data-ask=hunt-2] .nobody"))
    Finger(phone).type([nobody] * 4, 6)
    expect(phone.locator("section[data-ask=hunt-6]")).to_be_visible()


def test_another_question_under_the_finger_is_not_answered_by_a_double_tap(phone: Page) -> None:
    pad = Pad(phone, 4, game="dingo", plan={})
    hunt = phone.locator("section[data-ask=hunt-2]")
    hunt.locator("label:has([name=f-dingo])").first.tap()
    Finger(phone).type([middle(hunt.locator(".no-wolf"))] * 2, 5)
    expect(phone.locator(".line")).to_have_text("that tap came too soon: not taken")
    expect(phone.locator("section[data-ask=hunt-3] :checked")).to_have_count(0)
    pad.is_saved()
    assert (1, "hunt-3") not in pad.scorer.reading.entries
