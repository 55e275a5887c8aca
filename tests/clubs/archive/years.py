"""Clubs with a past that dice have thrown: every verb an organiser, a scorekeeper or a member has, in any order."""

from __future__ import annotations

import datetime
import io
import random
from collections.abc import Callable
from contextlib import suppress

from django.utils import timezone
from PIL import Image

from clubs.access.audit_log import write_down
from clubs.access.outdated import NotNow
from clubs.members.people import new_guest, new_member
from clubs.members.privacy import hide_name, show_name
from clubs.models import (
    Attendance,
    Award,
    Chair,
    Club,
    Dispute,
    KeptApart,
    Member,
    Night,
    PackedItem,
    PlayerAlias,
    PlayOff,
    Reply,
    Ruling,
    Season,
    Stage,
    Standing,
    Table,
    Trophy,
)
from clubs.play_off_rounds.stages import abandon, draw_next, open_groups, open_next, restore
from clubs.play_offs.state import now, play_off_of
from clubs.projections.update import keep_play_offs
from clubs.standings.store import keep_standings
from clubs.tables.draft import Drawing
from clubs.tables.drawn_table import Drawn
from clubs.tables.open import NotOpened
from clubs.trophies.awards import award, confirm, hand_over, undo
from rules import find_game
from rules.core.fields import SHEET
from rules.core.playoffs.plan import PlayOffPlan
from scoresheets.access.scorekeepers import make_link
from scoresheets.commands import enter
from scoresheets.commands.last_hand import announce
from scoresheets.corrections import correct
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.log.append import Change
from scoresheets.models import Player, Sheet
from scoresheets.results.impact import moves, previewed
from tests.club_factories import ClubFactory, NightFactory, SeasonFactory, UserFactory, played, scored
from tests.counted import change
from tests.factories import ScorekeeperFactory, Scorer, new_key
from tests.scoresheets.people import arrive, leave, substitute

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Zoë 😀", "=1+1", "O’Neil", "شيماء")
GAMES = ("dirty-dog", "dirty-dog", "dirty-dog", "dingo", "dirty-deals", "bird-dog", "hotdog")


def picture(colour: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(out, "WEBP")
    return out.getvalue()


class Years:
    """A club, and dice: `live` throws so many things that happen to it."""

    def __init__(self, seed: object, club: Club | None = None) -> None:
        self.dice = random.Random(f"years {seed}")
        self.club = club or ClubFactory(name=f"Club of {seed}", place="The Bell", about="Cards.\nAnd tea.")
        if club is None:
            for name in self.dice.sample(NAMES, 6):
                new_member(self.club, name)
            self.a_night()

    def live(self, times: int) -> Years:
        for _ in range(times):
            self.dice.choice(VERBS)(self)
        keep_play_offs(self.club)
        keep_standings(self.club)
        return self

    # Whom and what it is about

    def members(self) -> list[Member]:
        return list(self.club.members.order_by("pk"))

    def member(self) -> Member:
        return self.dice.choice(self.members())

    def night(self) -> Night:
        return self.dice.choice(list(self.club.nights.order_by("pk")))

    def table(self) -> Table | None:
        tables = list(Table.objects.filter(night__club=self.club, sheet__isnull=False).order_by("pk"))
        return self.dice.choice(tables) if tables else None

    def scorer(self) -> Scorer | None:
        table = self.table()
        if table is None or table.sheet is None:
            return None
        keepers = list(table.sheet.scorekeepers.filter(revoked_at__isnull=True).order_by("pk"))
        return Scorer(table.sheet, self.dice.choice(keepers)) if keepers else None

    # What happens

    def a_night(self) -> None:
        title = self.dice.choice(("", "", "Opening night"))
        on = datetime.date(2026, 1, 1) + datetime.timedelta(days=self.dice.randrange(300))
        NightFactory(club=self.club, on=on, title=title, begins=self.dice.choice((None, datetime.time(19, 30))))

    def a_game(self) -> None:
        game = self.dice.choice(GAMES)
        count = {"dirty-deals": 2, "hotdog": 2}.get(game, 4)
        seats = find_game(game).made_for[0]
        people = self.dice.sample(self.members(), min(len(self.members()), max(count, seats)))[:seats]
        if len({member.name for member in people}) < len(people) or len(people) < seats:
            return
        night = self.night()
        taken = night.tables.filter(withdrawn_at__isnull=True).values_list("number", flat=True)
        number = max(taken, default=0) + 1
        hands = self.dice.choice((0, 1, 2)) if game == "dirty-dog" or self.dice.random() < 0.8 else 3
        whole = None if game == "dirty-dog" and self.dice.random() < 0.5 else hands
        table = played(night, people, game=game, hands=whole, seed=self.dice.random(), number=number)
        for place, member in enumerate(people, 1):
            Chair.objects.create(table=table, place=place, member=member, deals=place == 1)

    def a_hand(self) -> None:
        scorer = self.scorer()
        if scorer and scorer.reading.sheet.open and not scorer.reading.sheet.open.hand.steps:
            scorer.any_hand(self.dice.random())

    def a_bid(self) -> None:
        scorer = self.scorer()
        opened = scorer.reading.sheet.open if scorer else None
        if scorer and opened and opened.missing and opened.missing.seat:
            scorer.enter(opened.hand.number, opened.missing.name, bid=0)

    def taken_back(self) -> None:
        scorer = self.scorer()
        if scorer and scorer.reading.version > 1:
            scorer.undo(self.dice.randint(2, scorer.reading.version))

    def a_misdeal(self) -> None:
        scorer = self.scorer()
        if scorer:
            reading = scorer.reading
            enter.misdeal(scorer.sheet, reading.next_hand, reading.next_event, key=new_key(), by=scorer.by)

    def a_note(self) -> None:
        scorer = self.scorer()
        if scorer:
            enter.note(scorer.sheet, SHEET, text="“So…”, said he.", key=new_key(), by=scorer.by)

    def somebody_late(self) -> None:
        scorer = self.scorer()
        if scorer and scorer.reading.sheet.open:
            arrive(scorer, f"Late {self.dice.randrange(99)}")

    def somebody_home(self) -> None:
        scorer = self.scorer()
        if scorer and scorer.reading.sheet.open:
            leave(scorer, self.dice.choice(list(scorer.reading.names)))

    def a_substitute(self) -> None:
        scorer = self.scorer()
        if scorer and scorer.reading.sheet.open:
            substitute(scorer, self.dice.choice(list(scorer.reading.names)), f"Gil {self.dice.randrange(99)}")

    def a_correction(self) -> None:
        scorer = self.scorer()
        rows = scorer.reading.sheet.rows if scorer else ()
        if not scorer or not rows or scorer.reading.game.slug != "dirty-dog":
            return
        reading, number = scorer.reading, self.dice.choice(rows).hand.number
        changes = {(number, f"bid-{self.dice.choice(list(reading.setup.seats))}"): {"bid": self.dice.randrange(2)}}
        saw = {address: scorer.saw(address) for address in changes}
        change = correct.correcting(reading, changes, saw, sure=True)
        told = moves(reading, previewed(reading, change)).digest if isinstance(change, Change) else ""
        correct.correct(scorer.sheet, changes, saw=saw, digest=told, sure=True, key=new_key(), by=scorer.by)

    def a_set_up_correction(self) -> None:
        scorer = self.scorer()
        if scorer:
            mended = SetupCorrection({(SHEET, "sits-1"): f"Anna {self.dice.randrange(9)}"})
            correct_setup(scorer.sheet, mended, saw={}, digest=None, key=new_key(), by=scorer.by)

    def last_hand(self) -> None:
        scorer = self.scorer()
        if scorer:
            announce(scorer.sheet, key=new_key(), by=scorer.by)

    def another_phone(self) -> None:
        table = self.table()
        if table and table.sheet:
            ScorekeeperFactory(sheet=table.sheet, name=self.dice.choice(("Marge", "", "Hubert")))
            make_link(table.sheet, by=None)

    def a_guest(self) -> None:
        new_guest(self.club, f"Guest {self.dice.randrange(99)}", self.night())

    def somebody_new(self) -> None:
        user = UserFactory() if self.dice.random() < 0.3 else None
        new_member(self.club, f"New {self.dice.randrange(999)}", role=self.dice.choice(Member.Role.values), user=user)

    def a_nickname(self) -> None:
        Member.objects.filter(pk=self.member().pk).update(nickname=self.dice.choice(("", "Ace", "-x")))

    def hidden(self) -> None:
        member = self.member()
        (show_name if member.hidden else hide_name)(member.main_record, by=None)

    def left(self) -> None:
        Member.objects.filter(pk=self.member().pk).update(left_at=timezone.now())

    def merged(self) -> None:
        one, other = self.member(), self.member()
        if one != other and not one.same_as_id and not other.same_as_id and not one.others.exists():
            one.same_as = other
            one.save()

    def merge_undone(self) -> None:
        Member.objects.filter(pk=self.member().pk).update(same_as=None)

    def a_name_is_known(self) -> None:
        table = self.table()
        seats = table.sheet.seats.order_by("?")[:1] if table and table.sheet else ()
        members = set(self.club.members.values_list("player", flat=True))
        for seat in seats:
            if seat.player_id not in members:
                PlayerAlias.objects.get_or_create(
                    club=self.club, player=seat.player, defaults={"member": self.member()}
                )
                if table and table.withdrawn_at is None:
                    change(table.night.club_id, table)

    def kept_apart(self) -> None:
        one, other = self.member(), self.member()
        if one != other and not KeptApart.objects.filter(one__in=(one, other), other__in=(one, other)).exists():
            KeptApart.objects.create(club=self.club, one=one, other=other)

    def called(self) -> None:
        says = self.dice.choice(Attendance.Says.values)
        defaults = {"says": says, "leaves": self.dice.choice((None, datetime.time(21, 0)))}
        night, member = self.night(), self.member()
        Attendance.objects.update_or_create(night=night, member=member, defaults=defaults)
        # What they had said themselves, and once they were at the door.
        late = says == Attendance.Says.COMING
        Reply.objects.create(
            night=night, member=member, says="late" if late else "yes", source="phone",
            comes=datetime.time(20, 30) if late else None,
        )  # fmt: skip
        Reply.objects.create(night=night, member=member, says="here", source="account")

    def brought(self) -> None:
        PackedItem.objects.get_or_create(night=self.night(), thing=self.dice.choice(("two decks", "pencils")))

    def night_changes(self) -> None:
        night = self.night()
        what = self.dice.choice(("for_fun", "closed_at", "archived_at", "trophies"))
        now = timezone.now()
        if what == "for_fun":
            night.for_fun = not night.for_fun
        elif what == "trophies":
            night.trophies = "table"
            night.trophies_table = night.tables.first()
        else:
            setattr(night, what, None if getattr(night, what) else now)
        night.save()

    def table_taken_out(self) -> None:
        table = self.table()
        if table:
            table.withdrawn_at = timezone.now()
            table.save()
            change(table.night.club_id, table)

    def past_result(self) -> None:
        people = self.dice.sample(self.members(), 3)
        night = self.night()
        number = max(night.tables.filter(withdrawn_at__isnull=True).values_list("number", flat=True), default=0) + 1
        other = NightFactory(club=self.club, on=night.on)
        table = scored(other, [(member, self.dice.randint(-9, 60)) for member in people])
        Table.objects.filter(pk=table.pk).update(number=number, night=night)
        other.delete()

    def a_season(self) -> None:
        season = SeasonFactory(
            club=self.club, drops=self.dice.randrange(2), games=self.dice.choice(([], ["dirty-dog"])),
            numbers=self.dice.choice(({}, {"points": [5, 3, 1]})),
        )  # fmt: skip
        keep_standings(self.club)
        if self.dice.random() < 0.5:
            Season.objects.filter(pk=season.pk).update(locked_at=timezone.now())

    def a_trophy(self) -> None:
        trophy = Trophy(
            club=self.club, name=f"Cup {self.dice.randrange(99)}", goes=self.dice.choice(Trophy.Goes.values)
        )
        trophy.added_at = datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)
        if self.dice.random() < 0.5:
            trophy.put_picture(picture(self.dice.choice(("red", "navy"))))
        trophy.save()

    def an_award(self) -> None:
        trophies = list(self.club.trophies.order_by("pk"))
        if trophies:
            day = self.night().on
            somebody = self.member() if self.dice.random() < 0.7 else None
            won = award(
                self.dice.choice(trophies), somebody, on=day, source="typed", name="Old Joe", why="He said so.",
                confirmed=self.dice.random() < 0.5, by=self.member(),
            )  # fmt: skip
            Award.objects.filter(pk=won.pk).update(exact=self.dice.choice(Award.Exact.values))
            won.refresh_from_db()
            if self.dice.random() < 0.5:
                confirm(won, by=self.member())
                hand_over(won, by=None)
            elif self.dice.random() < 0.3:
                undo(won, by=None)

    def a_doubt(self) -> None:
        awards = list(Award.objects.filter(trophy__club=self.club).order_by("pk"))
        if awards:
            Dispute.objects.create(
                award=self.dice.choice(awards), says="The sheet names Bo now.", member=self.member(), version=7,
                answered_at=self.dice.choice((None, timezone.now())),
            )  # fmt: skip

    def an_audit_entry(self) -> None:
        write_down(self.club, "Opened the window.", by=self.dice.choice((None, self.member())))

    def asks(self) -> None:
        table = self.table()
        if table:
            Sheet.objects.filter(pk=table.sheet_id).update(asks_since=timezone.now(), stakes="Both trophies")

    def a_play_off(self) -> None:
        people = [member for member in self.members() if member.same_as_id is None and member.left_at is None]
        members, night = self.dice.sample(people, min(6, len(people))), self.night()
        if len({member.shown for member in members}) < 6 or play_off_of(night) or night.archived_at:
            return
        for member in members:
            Attendance.objects.update_or_create(night=night, member=member, defaults={"says": Attendance.Says.HERE})
        drawing, rules = Drawing(night), find_game("dirty-dog")
        if not all(member.pk in drawing.present for member in members):
            return
        drawing.tables = [Drawn(rules, [m.pk for m in some], some[0].pk) for some in (members[:3], members[3:])]
        plan = PlayOffPlan((3, 3), self.dice.choice((1, 2)), self.dice.choice((None, 0, 1)), 1, 1)
        kind = {"carry_over": self.dice.random() < 0.3, "cut_by_high_card": self.dice.random() < 0.3}
        open_groups(drawing, plan, user=UserFactory(), keeper="Olga", **kind)

    def play_off(self) -> PlayOff | None:
        found = list(PlayOff.objects.filter(night__club=self.club, called_off_at=None).order_by("pk"))
        return self.dice.choice(found) if found else None

    def play_off_goes_on(self) -> None:
        """Its tables are played out, cards are drawn, and what comes next is drawn."""
        play_off = self.play_off()
        if play_off is None:
            return
        for table in Table.objects.filter(stage__play_off=play_off, withdrawn_at=None).select_related("sheet"):
            keeper = table.sheet.scorekeepers.filter(revoked_at=None).first() if table.sheet else None
            if table.sheet and keeper and self.dice.random() < 0.9:
                Scorer(table.sheet, keeper).any_game()
        state = now(play_off)
        with suppress(NotOpened, NotNow):
            drawn = draw_next(state, leaving=self.dice.sample(sorted(state.people), self.dice.choice((0, 0, 0, 1))))
            open_next(play_off, drawn, hands=1, user=UserFactory(), keeper="Olga")

    def cards_of_a_play_off(self) -> None:
        play_off = self.play_off()
        outcome = now(play_off).outcome if play_off else None
        if play_off and outcome and outcome.draw:
            says = {str(player): self.dice.choice("AKQJ") for player in outcome.draw}
            Ruling.objects.create(play_off=play_off, kind="draw", says=says, by=self.member())
            change(play_off.night.club_id, play_off)

    def ruling(self) -> None:
        play_off, table = self.play_off(), self.table()
        if play_off and table:
            stage = {"stage": table.stage.uid} if table.stage else {}
            moved = stage | {"comes": [self.member().player_id], "goes": [self.member().player_id]}
            kind, says = self.dice.choice((
                ("cut", {"table": table.pk, "version": 3}),
                ("hands", {"choice": "play-on", "hands": [3, 2], "table": table.pk, "version": 3}),
                ("keep", {"stages": [moved] if stage else [], "mark": "m"}),
            ))  # fmt: skip
            Ruling.objects.create(play_off=play_off, kind=kind, says=says, reason="He sat here first.")

    def drawn_anew(self) -> None:
        stages = list(Stage.objects.filter(play_off__night__club=self.club).exclude(side="all").order_by("pk"))
        if stages:
            stage = self.dice.choice(stages)
            (restore if stage.abandoned_at else abandon)(stage)

    def called_off(self) -> None:
        play_off = self.play_off()
        if play_off:
            PlayOff.objects.filter(pk=play_off.pk).update(called_off_at=timezone.now())


VERBS: list[Callable[[Years], None]] = [
    Years.a_night, Years.a_game, Years.a_game, Years.a_game, Years.a_hand, Years.a_hand, Years.a_bid, Years.a_bid,
    Years.taken_back, Years.taken_back, Years.a_misdeal, Years.a_note, Years.somebody_late, Years.somebody_home,
    Years.a_substitute, Years.a_correction, Years.a_correction, Years.a_set_up_correction, Years.last_hand,
    Years.another_phone,
    Years.a_guest, Years.somebody_new, Years.a_nickname, Years.hidden, Years.left, Years.merged, Years.merge_undone,
    Years.a_name_is_known, Years.kept_apart, Years.called, Years.brought, Years.night_changes, Years.table_taken_out,
    Years.past_result, Years.a_season, Years.a_trophy, Years.an_award, Years.a_doubt, Years.an_audit_entry, Years.asks,
    Years.a_play_off, Years.a_play_off, Years.play_off_goes_on, Years.play_off_goes_on, Years.play_off_goes_on,
    Years.cards_of_a_play_off, Years.cards_of_a_play_off, Years.ruling, Years.drawn_anew, Years.called_off,
]  # fmt: skip


def forgotten(club: Club) -> None:
    """The site has never heard of the club: neither of its sheets nor of anybody who sat at them."""
    sheets = list(Sheet.objects.filter(table__night__club=club).values_list("pk", flat=True))
    members = list(club.members.values_list("pk", flat=True))
    Standing.objects.filter(club=club).delete()
    Award.objects.filter(trophy__club=club).delete()
    Table.objects.filter(night__club=club).delete()
    PlayerAlias.objects.filter(club=club).delete()
    club.nights.all().delete()
    Member.objects.filter(pk__in=members).delete()
    club.delete()
    Sheet.objects.filter(pk__in=sheets).delete()
    Player.objects.filter(seats__isnull=True, memberships__isnull=True).delete()
