"""A wrong name, first dealer, number of hands or title is corrected later."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from rules.core.engine.replay import Entries
from rules.core.fields import Address
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.commands import enter
from scoresheets.corrections.setup import SetupCorrection, SetupPreview, correct_setup, preview_setup
from scoresheets.history.restore import restore
from scoresheets.history.timeline import history_of
from scoresheets.log.answers import Answer, Conflict, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.occupants import sits
from scoresheets.log.publish import is_published
from scoresheets.models import HandFact, Player
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import HUGE, Counts, told
from tests.scoresheets.corrections.test_correct import corrected
from tests.scoresheets.plain import Page
from tests.scoresheets.taken_back import sheet_and_pad_name

SECRET = "a" * 22
TABLE = (0, "table")


def mend(p: Scorer, *, names: dict[int, str] | None = None, key: str = "", saw: Any = None, **more: Any) -> Answer:
    wanted = SetupCorrection({(0, sits(seat)): name for seat, name in (names or {}).items()}, **more)
    seen = {TABLE: p.saw(TABLE), **{address: p.saw(address) for address in wanted.names}} if saw is None else saw
    return correct_setup(p.sheet, wanted, saw=seen, digest=None, key=key or new_key(), by=p.by)


def code(answer: Answer) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


def look(p: Scorer, **wanted: Any) -> SetupPreview:
    preview = preview_setup(p.reading, SetupCorrection(wanted.pop("names", {}), **wanted))
    assert isinstance(preview, SetupPreview), preview
    return preview


def said(preview: SetupPreview) -> str:
    return " ".join(strip_tags(sentence) for sentence in preview.moves.moved)


# A name


def test_name_typed_wrong_is_another_from_the_first_hand_on(ann: Scorer) -> None:
    ann.clear_hand()
    done = sure_of(mend(ann, names={2: "Bob"}))
    assert done.verb == "set-up"
    reading = ann.reading
    assert reading.names[2] == "Bob" == reading.names_at(1)[2]
    assert reading.sitting.now[2].player == reading.chairs[2].player
    assert Player.objects.get(pk=reading.chairs[2].player).name == "Bo"


def test_name_can_be_put_right_again(ann: Scorer) -> None:
    sure_of(mend(ann, names={2: "Bob"}))
    sure_of(mend(ann, names={2: "Bobby"}))
    assert ann.reading.names[2] == "Bobby"


def test_name_of_who_took_over_is_put_right_and_not_that_of_who_gave_up_the_seat(ann: Scorer) -> None:
    ann.clear_hand()
    gil = Player.objects.create(name="Gil")
    there = {(2, "substitute-1"): {"seat": 2}, (2, sits(2, 1)): {"name": "Gil", "player": gil.pk}}
    sure_of(
        append_revision(ann.sheet, "substitute", {}, lambda _: Change("substitute", there), key=new_key(), by=ann.by)
    )
    wanted = SetupCorrection({(2, sits(2, 1)): "Gill"})
    saw = {(2, sits(2, 1)): ann.saw((2, sits(2, 1)))}
    sure_of(correct_setup(ann.sheet, wanted, saw=saw, digest=None, key=new_key(), by=ann.by))
    assert (ann.reading.names_at(1)[2], ann.reading.names_at(2)[2]) == ("Bo", "Gill")
    assert ann.reading.sitting.now[2].player == gil.pk


def test_two_names_can_change_places_in_one_write(ann: Scorer) -> None:
    sure_of(mend(ann, names={2: "Cy", 3: "Bo"}))
    assert [ann.reading.names[seat] for seat in (2, 3)] == ["Cy", "Bo"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [("Ann", "duplicate-player"), ("ANN", "duplicate-player"), ("", "no-name"), (" \t ", "no-name"),
     ("x" * 41, "too-long"), ("\x00", "unreadable-text"), ("\ud800", "unreadable-text"), (7, "not-text")],
)  # fmt: skip
def test_name_that_is_none_or_somebody_elses_is_refused(ann: Scorer, name: Any, problem: str) -> None:
    assert code(mend(ann, names={2: name})) == problem
    assert ann.reading.version == 1


def test_name_of_forty_letters_fits(ann: Scorer) -> None:
    sure_of(mend(ann, names={2: "x" * 40}))


def test_facts_of_a_finished_sheet_keep_their_player(ann: Scorer) -> None:
    ann.clear_game()
    facts = list(HandFact.objects.order_by("hand", "seat").values_list("hand", "player", "points"))
    sure_of(mend(ann, names={2: "Bob"}))
    assert list(HandFact.objects.order_by("hand", "seat").values_list("hand", "player", "points")) == facts
    assert is_published(ann.reading)


# The first dealer


def test_other_first_dealer_is_another_dealer_of_every_hand_and_no_other_points(ann: Scorer) -> None:
    ann.clear_hand()
    ann.clear_hand()
    before = ann.reading
    shown = look(ann, first_dealer=2)
    assert (
        said(shown) == "Dealing: Bo hand 1 instead of Ann, Cy hand 2 instead of Bo, Di hand 3 instead of Cy and so on."
    )
    sure_of(mend(ann, first_dealer=2))
    after = ann.reading
    assert [row.hand.dealer for row in after.sheet.rows] == [2, 3]
    assert after.sheet.totals == before.sheet.totals
    assert after.sheet.unread == ()
    assert after.entries == before.entries


def test_bids_that_fall_in_another_order_now_are_taken_back_from_the_last_in_that_order(ann: Scorer) -> None:
    ann.bids({2: 1, 3: 1, 4: 0, 1: 0})
    sure_of(mend(ann, first_dealer=3))
    for seat in (3, 2, 1, 4):
        before = set(ann.reading.entries)
        sure_of(ann.undo(ann.reading.take_back))
        assert before - set(ann.reading.entries) == {(1, f"bid-{seat}")}
    sure_of(ann.bid(4, 1))
    later = sure_of(ann.bid(1, 0))
    assert ann.reading.take_back == later.version


def test_bid_that_has_its_place_again_by_a_later_one_is_taken_back_before_that(ann: Scorer) -> None:
    for seat in (2, 3, 4):
        sure_of(ann.bid(seat, 1))
    # Bo deals, and their bid has no place before that of Ann.
    sure_of(mend(ann, first_dealer=2))
    assert ann.reading.sheet.unread == ((1, "bid-2"),)
    sure_of(ann.bid(1, 0))
    assert ann.reading.sheet.unread == ()
    sure_of(ann.undo(ann.reading.take_back))
    assert (1, "bid-2") not in ann.reading.entries


@pytest.mark.parametrize("how", ["retype", "correct"])
def test_bid_that_was_put_right_is_taken_back_before_those_that_come_before_it_now(ann: Scorer, how: str) -> None:
    bid_in_turn(ann, {2: 1, 3: 1})
    put_right(ann, 2, 0, how)
    bid_in_turn(ann, {4: 1, 1: 1})
    sure_of(mend(ann, first_dealer=2))
    # The number as it was first comes back before it goes.
    for seat in (2, 2, 1, 4, 3):
        before = ann.reading.entries
        sure_of(ann.undo(sheet_and_pad_name(ann.reading)))
        assert differing(before, ann.reading.entries) == {(1, f"bid-{seat}")}
    assert not ann.reading.entries


def test_number_typed_anew_goes_back_alone_where_who_was_caught_by_it_has_bid_since_and_bids_before_now(
    ann: Scorer,
) -> None:
    bid_in_turn(ann, {2: 1, 3: 1, 4: 0, 1: 0})
    put_right(ann, 2, 0, "retype")
    assert (1, "bid-1") not in ann.reading.entries
    bid_in_turn(ann, {1: 1})
    sure_of(mend(ann, first_dealer=2))
    undone = sure_of(ann.undo(sheet_and_pad_name(ann.reading)))
    assert [ann.reading.entries[1, f"bid-{seat}"]["bid"] for seat in (3, 4, 1, 2)] == [1, 0, 1, 1]
    sure_of(ann.undo(undone.version))
    assert [ann.reading.entries[1, f"bid-{seat}"]["bid"] for seat in (3, 4, 1, 2)] == [1, 0, 1, 0]
    for seat in (2, 2, 1, 4, 3):
        before = ann.reading.entries
        sure_of(ann.undo(sheet_and_pad_name(ann.reading)))
        assert differing(before, ann.reading.entries) == {(1, f"bid-{seat}")}
    assert not ann.reading.entries


def bid_in_turn(p: Scorer, bids: dict[int, int]) -> None:
    for seat, bid in bids.items():
        sure_of(p.bid(seat, bid))


def put_right(p: Scorer, seat: int, bid: int, how: str) -> None:
    """Another number of the first hand: typed anew on the pad, or corrected on the sheet."""
    address = (1, f"bid-{seat}")
    if how == "correct":
        sure_of(corrected(p, {address: {"bid": bid}}))
    else:
        sure_of(enter.retype(p.sheet, address, {"bid": bid}, saw=p.saw(address), key=new_key(), by=p.by))


def caught_and_dealt_anew(p: Scorer) -> None:
    """Bo's bid, typed anew, catches the dealer Ann, who bids again; then Bo was the dealer, who bids last."""
    p.bids({2: 1, 3: 1, 4: 0, 1: 0})
    put_right(p, 2, 0, "retype")
    sure_of(p.bid(1, 1))
    sure_of(mend(p, first_dealer=2))


def differing(before: Entries, after: Entries) -> set[Address]:
    """Where something else stands, or nothing any more."""
    return {address for address in before | after if before.get(address) != after.get(address)}


def test_bids_of_a_blind_hand_are_taken_back_from_the_last_in_turn_too(ann: Scorer) -> None:
    while ann.reading.sheet.open:
        ann.any_hand()
    hand = ann.reading.hand
    assert hand
    assert hand.prefix
    for seat in hand.order:
        sure_of(ann.enter(*hand.address(f"bid-{seat}"), bid=0))
    sure_of(mend(ann, first_dealer=2))
    assert ann.reading.hand
    assert ann.reading.hand.order != hand.order
    last = ann.reading.hand.order[-1]
    sure_of(ann.undo(ann.reading.take_back))
    assert hand.address(f"bid-{last}") not in ann.reading.entries


def test_bid_of_the_open_hand_that_is_out_of_turn_now_is_named_and_kept(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    shown = look(ann, first_dealer=2)
    assert [strip_tags(one) for one in shown.moves.unread] == ["Bo’s bid 1 in hand 1"]
    sure_of(mend(ann, first_dealer=2))
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}
    for seat in (3, 4, 1):
        sure_of(ann.bid(seat, 1))
    assert ann.reading.sheet.unread == ()


@pytest.mark.parametrize("dealer", [0, 5, -1, 10**9])
def test_nobody_who_does_not_sit_there_dealt_first(ann: Scorer, dealer: int) -> None:
    assert code(mend(ann, first_dealer=dealer)) == "bad-first-dealer"


# The hands


def test_fewer_cards_in_the_hands_to_come(ann: Scorer) -> None:
    sure_of(mend(ann, plan={"peak": 3}))
    ann.clear_hand()
    shown = look(ann, plan={"peak": 2})
    assert said(shown) == "Hand 3 has 2 cards instead of 3. Hand 4 has 1 card instead of 3. 4 hands instead of 8."
    sure_of(mend(ann, plan={"peak": 2}))
    assert ann.reading.sheet.table.schedule == (1, 2, 2, 1)
    assert ann.reading.sheet.rows


def test_what_no_longer_fits_is_named_and_kept_and_counts_again_when_it_fits(ann: Scorer) -> None:
    ann.clear_hand()
    ann.clear_hand()
    before = ann.reading
    shown = look(ann, plan={"peak": 1})
    assert any("Hand 2" in one or "hand 2" in one for one in shown.moves.unread)
    sure_of(mend(ann, plan={"peak": 1}))
    assert ann.reading.entries == before.entries
    assert ann.reading.sheet.open
    assert ann.reading.sheet.open.misfit
    sure_of(mend(ann, plan={"peak": 2}))
    assert ann.reading.sheet.totals == before.sheet.totals
    assert ann.reading.sheet.unread == ()


def test_hand_in_which_the_rule_would_catch_the_bids_now_is_left_as_it_was_played(ann: Scorer) -> None:
    ann.clear_hand()
    ann.bids({3: 1, 4: 0, 1: 0, 2: 0})
    shown = look(ann, plan={"peak": 1})
    assert shown.passed == (2,)
    sure_of(mend(ann, plan={"peak": 1}))
    reading = ann.reading
    assert reading.standing[2, "rule-missed"].data == {"missed": True}
    assert reading.sheet.open
    assert not reading.sheet.open.misfit
    sure_of(ann.tricks({1: 0, 2: 0, 3: 1, 4: 0}))
    # "Take back" offers what was played, and not what the wrong set-up left there.
    sure_of(ann.undo(ann.reading.take_back))
    assert ann.reading.next_hand == 2
    assert ann.reading.last_write == max(ann.reading.standing[2, f"bid-{seat}"].first for seat in (1, 2, 3, 4))


def test_finished_sheet_is_told_anew_when_its_hands_were_others(ann: Scorer) -> None:
    ann.clear_game()
    sure_of(mend(ann, plan={"hands": 8}))
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is None
    assert is_published(ann.reading)
    sure_of(mend(ann, plan={"peak": 2}))
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is not None
    assert is_published(ann.reading)


@pytest.mark.parametrize(
    "plan", [{"peak": 99}, {"hands": 0}, {"peak": 2, "hands": 4}, {"x": 1}, {"peak": "2"}], ids=str
)
def test_hands_that_cannot_be_dealt_are_refused(ann: Scorer, plan: dict[str, Any]) -> None:
    assert code(mend(ann, plan=plan)) in ("bad-plan", "bad-peak")


# The title, and the house rules


def test_title_is_put_right_and_goes_back_with_everything(ann: Scorer) -> None:
    done = sure_of(mend(ann, title="Tuesday"))
    ann.sheet.refresh_from_db()
    assert ann.sheet.title == "Tuesday"
    sure_of(restore(ann.sheet, done.version, seen=done.version, key=new_key(), by=ann.by))
    ann.sheet.refresh_from_db()
    assert ann.sheet.title == ""


def test_house_rules_are_frozen_with_the_first_bid(ann: Scorer) -> None:
    sure_of(mend(ann, house_rules={"replan": True}))
    assert ann.reading.setup.house_rules == {"replan": True}
    sure_of(ann.bid(2, 0))
    assert code(mend(ann, house_rules={})) == "set-up-frozen"
    sure_of(mend(ann, house_rules={"replan": True}, names={2: "Bob"}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"house_rules": {"x": 1}}, {"house_rules": {"replan": HUGE}}, {"house_rules": {"\ud800": "\ud800"}},
        {"plan": {"peak": HUGE}}, {"plan": {"\ud800": 1}}, {"first_dealer": HUGE},
    ],
    ids=told,
)  # fmt: skip
def test_what_no_table_can_have_changes_nothing(ann: Scorer, wrong: dict[str, Any]) -> None:
    assert isinstance(mend(ann, **wrong), Refused)
    assert ann.reading.version == 1


def test_note_freezes_no_house_rules(ann: Scorer) -> None:
    sure_of(enter.note(ann.sheet, 1, text="Here we go.", key=new_key(), by=ann.by))
    sure_of(mend(ann, house_rules={"replan": True}))


def test_house_rules_are_free_again_when_everything_was_taken_back(ann: Scorer) -> None:
    sure_of(ann.bid(2, 0))
    sure_of(ann.undo())
    sure_of(mend(ann, house_rules={"replan": True}))
    assert ann.reading.setup.house_rules == {"replan": True}


def test_it_is_not_taken_back_but_mended_back(ann: Scorer) -> None:
    done = sure_of(mend(ann, first_dealer=3))
    assert isinstance(ann.undo(done.version), Refused)
    assert ann.reading.last_write is None
    sure_of(mend(ann, first_dealer=1))
    assert ann.reading.setup.first_dealer == 1


# Two phones


def test_two_phones_correct_two_fields(ann: Scorer, marge: Scorer) -> None:
    saw = {TABLE: ann.saw(TABLE), (0, sits(2)): None, (0, sits(3)): None}
    sure_of(mend(ann, names={2: "Bob"}, saw=saw))
    sure_of(mend(marge, names={3: "Cyd"}, saw=saw))
    assert (ann.reading.names[2], ann.reading.names[3]) == ("Bob", "Cyd")


def test_same_correction_by_both_is_agreement_and_otherwise_a_conflict(ann: Scorer, marge: Scorer) -> None:
    saw = {TABLE: ann.saw(TABLE), (0, sits(2)): None}
    sure_of(mend(ann, names={2: "Bob"}, first_dealer=2, saw=saw))
    assert sure_of(mend(marge, names={2: "Bob"}, first_dealer=2, saw=saw)).verb == "agree"
    answer = mend(marge, names={2: "Bobby"}, saw=saw)
    assert isinstance(answer, Conflict)
    assert (answer.standing.data["name"], answer.refused["name"]) == ("Bob", "Bobby")
    assert isinstance(mend(marge, first_dealer=3, saw=saw), Conflict)
    assert ann.reading.names[2] == "Bob"


def test_same_tap_mends_once(ann: Scorer) -> None:
    key, saw = new_key(), {TABLE: ann.saw(TABLE)}
    first = sure_of(mend(ann, first_dealer=2, key=key, saw=saw))
    again = sure_of(mend(ann, first_dealer=2, key=key, saw=saw))
    assert (first.version, again.again) == (again.version, True)
    assert code(mend(ann, first_dealer=3, key=key, saw=saw)) == "key-used"


def test_preview_that_says_something_else_by_now_is_no_preview(ann: Scorer) -> None:
    wanted, saw = SetupCorrection({}, first_dealer=2), {TABLE: ann.saw(TABLE)}
    shown = look(ann, first_dealer=2).moves.digest
    sure_of(ann.bid(2, 1))
    answer = correct_setup(ann.sheet, wanted, saw=saw, digest=shown, key=new_key(), by=ann.by)
    assert code(answer) == "moved-on"
    shown = look(ann, first_dealer=2).moves.digest
    sure_of(correct_setup(ann.sheet, wanted, saw=saw, digest=shown, key=new_key(), by=ann.by))


def test_it_stands_in_the_history(ann: Scorer) -> None:
    sure_of(mend(ann, names={2: "Bob"}, first_dealer=2, plan={"peak": 3}, title="Tuesday"))
    revision = history_of(ann.reading, by=ann.by).stretches[0].revisions[0]
    told = strip_tags(revision.is_about)
    for part in ("Bo → Bob", "first dealer Ann → Bob", "most cards 2 → 3", "called nothing → Tuesday"):
        assert part in told


def test_it_asks_no_more_than_a_post_may(ann: Scorer, statements: Counts) -> None:
    saw = {TABLE: ann.saw(TABLE), (0, sits(2)): None}
    with statements(most=9):
        sure_of(mend(ann, names={2: "Bob"}, first_dealer=2, saw=saw))


# The page


@pytest.fixture
def p(db: None) -> Scorer:
    return scorer(4, browser=hashed(SECRET))


@pytest.fixture
def keeper(client: Client) -> Client:
    client.cookies[BROWSER_COOKIE] = SECRET
    return client


class Form:
    """The page of the set-up as a phone without a script uses it."""

    def __init__(self, client: Client, p: Scorer) -> None:
        self.client, self.address = client, reverse("set_up", args=[p.sheet.code])
        self.show(client.get(self.address))

    def show(self, response: Any) -> None:
        self.status, self.response = response.status_code, response
        self.html = response.content.decode()
        self.page = Page(self.html)

    def send(self, do: str, **typed: str) -> Form:
        fields: dict[str, str] = {}
        for tag in re.findall(r"<input[^>]*>", self.html):
            at = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if at.get("type") not in ("radio", "checkbox") or re.search(r"\schecked", tag):
                fields[at.get("name", "")] = at.get("value", "")
        self.show(
            self.client.post(self.address, {**fields, **{k.replace("__", "-"): v for k, v in typed.items()}, "do": do})
        )
        return self


def test_form_shows_what_stands_and_a_look_writes_nothing(keeper: Client, p: Scorer) -> None:
    p.clear_hand()
    version = p.reading.version
    form = Form(keeper, p).send("look", **{"name-0-sits-2": "Bob", "first_dealer": "2"})
    assert form.status == 200
    assert "Bo is called Bob." in form.page.text
    assert "first dealer Ann → Bob" in form.page.text
    assert "Still 4 hands." in form.page.text
    assert p.reading.version == version
    form.send("write")
    assert form.status == 303
    assert (p.reading.names[2], p.reading.setup.first_dealer) == ("Bob", 2)


def test_only_what_was_touched_is_mended(keeper: Client, p: Scorer) -> None:
    form = Form(keeper, p)
    sure_of(mend(p, names={3: "Cyd"}, first_dealer=3))
    form.send("look", **{"name-0-sits-2": "Bob"}).send("write")
    assert form.status == 303
    assert (p.reading.names[2], p.reading.names[3], p.reading.setup.first_dealer) == ("Bob", "Cyd", 3)


def test_conflict_shows_both_and_who_wrote_the_other(keeper: Client, p: Scorer) -> None:
    form = Form(keeper, p).send("look", **{"name-0-sits-2": "Bobby"})
    marge = Scorer(p.sheet, ScorekeeperFactory(sheet=p.sheet, name="Marge"))
    sure_of(mend(marge, names={2: "Bob"}))
    form.send("write")
    assert form.status == 409
    assert re.search(r"Marge entered Bob at \d\d:\d\d, this phone entered Bobby\.", form.page.text)
    assert p.reading.names[2] == "Bob"
    form.send("look").send("write")
    assert form.status == 303
    assert p.reading.names[2] == "Bobby"


def test_what_moved_on_is_previewed_again(keeper: Client, p: Scorer) -> None:
    form = Form(keeper, p).send("look", first_dealer="2")
    sure_of(p.bid(2, 1))
    form.send("write")
    assert form.status == 409
    assert "Something has been entered since you looked." in form.page.text
    assert "Bo’s bid 1 in hand 1" in form.page.text
    form.send("write")
    assert form.status == 303
    # What no longer fits is gone through.
    there = reverse("left_over", args=[p.sheet.code])
    assert form.response["Location"] == f"{there}?changed={p.reading.version}"


def test_form_can_be_gone_back_to_with_what_was_typed(keeper: Client, p: Scorer) -> None:
    form = Form(keeper, p).send("look", **{"name-0-sits-2": "Bob"}).send("back")
    assert 'value="Bob"' in form.html
    assert p.reading.version == 1


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({}, "Nothing is changed yet."),
        ({"name-0-sits-2": "Ann"}, "There is a second Ann here: add an initial."),
        ({"name-0-sits-2": ""}, "A name is missing here."),
        ({"first_dealer": "9"}, "Who deals first?"),
        ({"first_dealer": "x"}, "Who deals first?"),
        ({"by": "peak", "plan-peak": "99"}, "With 4 players the most cards can be 1 to 12."),
        ({"by": "hands", "plan-hands": "many"}, "A whole number belongs here."),
        ({"title": "x" * 81}, "At most 80 characters fit here."),
    ],
    ids=str,
)
@pytest.mark.parametrize("do", ["look", "write"])
def test_what_does_not_fit_is_said_beside_its_field(
    keeper: Client, p: Scorer, typed: dict[str, str], sentence: str, do: str
) -> None:
    if not typed and do == "write":
        return
    form = Form(keeper, p).send(do, key=new_key(), **typed)
    assert form.status in (409, 422)
    assert sentence in form.page.text
    assert p.reading.version == 1


def test_house_rules_can_be_chosen_before_the_first_bid_and_are_read_after_it(keeper: Client, p: Scorer) -> None:
    form = Form(keeper, p).send("look", **{"house-replan": "on"}).send("write")
    assert form.status == 303
    assert p.reading.setup.house_rules == {"replan": True}
    stale = Form(keeper, p)
    sure_of(p.bid(2, 0))
    form = Form(keeper, p)
    assert 'name="house-replan"' not in form.html
    assert "its house rules stay as they were agreed" in form.page.text
    stale.send("write", key=new_key(), **{"house-dealer_bid_final": "on"})
    assert stale.status == 422
    assert "House rules cannot change once the game has begun." in stale.page.text


def test_who_may_not_write_mends_nothing(client: Client, p: Scorer) -> None:
    address = reverse("set_up", args=[p.sheet.code])
    assert client.get(address).status_code == 403
    assert client.post(address, {"key": new_key(), "name-0-sits-2": "Bob"}).status_code == 403


@pytest.mark.databases_differ
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    "fields",
    [{"name-0-sits-99": "x"}, {"name-99999-sits-1-1": "x"}, {"name-0-table": "x"}, {"first_dealer": "9" * 5000},
     {"saw-table": "\x00"}, {"do": "dance"}, {"by": "x"}, {"house": "1", "house-replan": "\x00"},
     {"name-0-sits-2": "<b>" * 1000}, {f"x{i}": "" for i in range(400)}],
    ids=lambda fields: next(iter(fields)),
)  # fmt: skip
@pytest.mark.parametrize("do", ["look", "write"])
def test_post_that_no_page_of_ours_sends_breaks_nothing(
    keeper: Client, p: Scorer, fields: dict[str, str], do: str
) -> None:
    answer = keeper.post(reverse("set_up", args=[p.sheet.code]), {"key": new_key(), "do": do, **fields})
    assert answer.status_code < 500
    assert p.reading.names == {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}


def test_page_and_preview_ask_little(keeper: Client, p: Scorer, statements: Counts) -> None:
    p.clear_hand()
    with statements(most=3):
        form = Form(keeper, p)
    with statements(most=3):
        form.send("look", first_dealer="2")


def test_list_of_sheets_calls_everybody_by_the_name_that_was_put_right(keeper: Client, p: Scorer) -> None:
    sure_of(mend(p, names={2: "Bob"}, title="Tuesday"))
    html = keeper.get("/").content.decode()
    assert "<bdi>Bob</bdi>" in html
    assert "<bdi>Bo</bdi>" not in html
    assert "<bdi>Tuesday</bdi>" in html


@pytest.mark.django_db
def test_game_that_plans_no_hands_takes_no_plan() -> None:
    p = scorer(game="dirty-deals")
    assert code(mend(p, plan={"peak": 2})) == "bad-plan"
    assert p.reading.setup.plan == {}
