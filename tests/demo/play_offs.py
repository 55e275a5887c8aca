"""The play-offs of the demo club: one that is over, and tonight's, whose groups are in the middle of their games.

They have a random generator of their own, with the seed in `fixtures/club.json`: with it the loser's trophy crosses to
the winners' table, and a blind hand settles who goes on.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterable, Mapping, Sequence

from django.utils import timezone

from clubs.models import Member, Night, PlayOff, Ruling, Stage, Table, User
from clubs.play_off_rounds.stages import draw_next, open_groups, open_next
from clubs.play_offs.state import now
from clubs.tables.draft import Drawing
from clubs.tables.drawn_table import Drawn
from rules import find_game
from rules.core.cards import RANKS
from rules.core.playoffs.plan import propose
from scoresheets.log.append import Change, commit, digest_of
from scoresheets.log.state import read_sheet
from scoresheets.models import Revision
from tests.demo.random_games import whole_game
from tests.demo.story import story

#: How long the groups play, and then the finals.
A_STAGE = datetime.timedelta(minutes=75)


class NoPlayOff(Exception):
    """Nobody proposes a play-off for so many."""


def open_play_off(night: Night, present: Sequence[Member], dice: random.Random) -> PlayOff:
    """Two groups of those who are there; the first of each deals first."""
    game = find_game(story()["main_game"])
    plan = propose(game, len(present), 2)
    if plan is None:
        raise NoPlayOff(len(present))
    people = dice.sample(list(present), len(present))
    drawing = Drawing(night)
    drawing.tables, drawing.house_rules = [], {game.slug: {}}
    for size in plan.sizes:
        group, people = [member.pk for member in people[:size]], people[size:]
        drawing.tables.append(Drawn(game, group, group[0]))
    play_off = open_groups(drawing, plan, user=User(), keeper=present[-1].name)
    begun = night.begun_at or timezone.now()
    backdate(play_off.stages.all(), begun)
    PlayOff.objects.filter(pk=play_off.pk).update(created=begun)
    return play_off


def play_whole(night: Night, present: Sequence[Member], steady: Mapping[int, float], dice: random.Random) -> PlayOff:
    """A play-off from the groups to both trophies. `steady` by players (ids): how seldom the cards fall otherwise."""
    play_off = open_play_off(night, present, dice)
    ends = (night.begun_at or timezone.now()) + A_STAGE
    play_tables(play_off, steady, dice, ends)
    while (state := now(play_off)).due:
        drawn = draw_next(state)
        for table in (table for stage in drawn for table in stage.tables):
            # By the dice of the story, and not as the lots of the site fall.
            table.people = dice.sample(sorted(table.people, key=lambda person: person.player), len(table.people))
            if table.dealer_by != "champion":
                table.deals = table.people[0].player
        stages = open_next(play_off, drawn, hands=play_off.final_hands, user=User(), keeper=present[-1].name)
        backdate(stages, ends)
        ends += A_STAGE
        play_tables(play_off, steady, dice, ends)
    while (outcome := now(play_off).outcome) and outcome.draw:
        says = {str(player): dice.choice(RANKS) for player in outcome.draw}
        Ruling.objects.create(play_off=play_off, kind=Ruling.Kind.DRAW, says=says, at=ends)
    return play_off


def backdate(stages: Iterable[Stage], moment: datetime.datetime) -> None:
    """These stages, their tables and sheets were opened at that moment."""
    for stage in stages:
        Stage.objects.filter(pk=stage.pk).update(created=moment)
        for table in Table.objects.filter(stage=stage).select_related("sheet"):
            Table.objects.filter(pk=table.pk).update(created=moment)
            if table.sheet:
                table.sheet.opened_at = moment
                table.sheet.save(update_fields=["opened_at"])
                table.sheet.revisions.update(at=moment)


def play_tables(play_off: PlayOff, steady: Mapping[int, float], dice: random.Random, ends: datetime.datetime) -> None:
    """Every table of it that is not over, from the first hand to the last, written down in one go."""
    tables = (
        Table.objects.filter(stage__play_off=play_off, sheet__finished_at=None)
        .select_related("sheet")
        .order_by("number")
    )
    for table in tables:
        if table.sheet is None:
            continue
        reading, keeper = read_sheet(table.sheet), table.sheet.scorekeepers.get()
        seats = {seat: steady[chair.player] for seat, chair in reading.sitting.now.items()}
        steps = whole_game(dice, reading.game, reading.table, steady=seats)
        change = Change(Revision.Verb.PAPER, steps, why="from the club’s paper sheets")
        key = f"demo-club-play-off-table-{table.number:03}"
        moment = ends - datetime.timedelta(minutes=dice.randint(0, 8))
        commit(reading, change, key=key, digest=digest_of("paper", {"demo": table.uid}), by=keeper, at=moment)
