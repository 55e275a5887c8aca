"""A member's profile: trophies, honours, and statistics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, OuterRef, Q, Subquery
from django.urls import reverse

from clubs.models import Award, Club, Honour, PersonalBest, Standing, Table, Trophy
from clubs.nights.presence import Presence, presence_of
from clubs.records.bests import RecordKind, is_by_points
from clubs.records.charts import Bar, Bars, Curve
from clubs.records.figures import GamesSum, InOneGame, ShownFigure, Tally, games_of
from clubs.records.games import GameLine, game_lines, games_url, personal_best_url
from clubs.records.hands import HIGH, LOW, MADE, Person, counted_placings
from clubs.records.opponents import LEAST_TOGETHER, Opponents, opponents_of
from clubs.records.rating_curve import MemberRating, rating_of
from clubs.records.recent_form import Neighbour, form_of, neighbours_of
from rules import find_game
from rules.core.game import Game
from rules.core.numbers import NO_BREAK, bare, percent_text

#: So many of the latest games are on the page itself.
LATEST = 5


@dataclass(frozen=True)
class Profile:
    """What a member's page shows. `chosen`: the slug of the game whose hands are shown, "" for the one played most."""

    club: Club
    person: Person
    chosen: str = ""

    # -- games and places ------------------------------------------------------------------------------

    @cached_property
    def by_game(self) -> dict[str, GamesSum]:
        return games_of(self.club, self.person)

    @property
    def games(self) -> list[tuple[Game, int]]:
        """The games they have played, with how many of each."""
        return [(find_game(slug), games.games) for slug, games in self.by_game.items()]

    @cached_property
    def game(self) -> Game | None:
        """The game whose hands are shown; None before they have played any."""
        slug = self.chosen if self.chosen in self.by_game else next(iter(self.by_game), "")
        return find_game(slug) if slug else None

    @property
    def of_the_game(self) -> GamesSum | None:
        return self.by_game[self.game.slug] if self.game else None

    @cached_property
    def nights(self) -> int:
        """On how many nights they played games that count."""
        counts = counted_placings(self.club, self.person.members).aggregate(nights=Count("table__night", distinct=True))
        return int(counts["nights"])

    @property
    def sums(self) -> list[ShownFigure]:
        """What all their games come to."""
        games = self.by_game.values()
        won, lost = sum(played.won for played in games), sum(played.lost for played in games)
        return [
            ShownFigure("Games", str(sum(played.games for played in games)), url=self.games_url()),
            ShownFigure("Won", str(won), url=self.games_url(went="won") if won else ""),
            ShownFigure("Lost", str(lost), url=self.games_url(went="lost") if lost else ""),
            ShownFigure("Nights", str(self.nights), url=self.games_url()),
        ]

    def games_url(self, **query: object) -> str:
        return games_url(self.club, member=self.person.member.pk, **query)

    @property
    def sums_of_the_game(self) -> list[ShownFigure]:
        """What their games and hands in the chosen game come to."""
        if self.game is None or self.of_the_game is None:
            return []
        games, slug, compares = self.of_the_game, self.game.slug, self.game.has_comparable_scores
        figures = [
            ShownFigure("Games", str(games.games), url=self.games_url(game=slug)),
            ShownFigure("Won", str(games.won), url=self.games_url(game=slug, went="won") if games.won else ""),
            ShownFigure("Lost", str(games.lost), url=self.games_url(game=slug, went="lost") if games.lost else ""),
            ShownFigure("Score a game", games.average if is_by_points(slug) else "", url=self.games_url(game=slug)),
            ShownFigure("Score a hand", self.hands.all.a_hand if compares else "", url=self.hands.url()),
        ]
        if self.hands.has_bids:
            clean = self.games_url(game=slug, went="clean") if games.clean_runs else ""
            figures.append(ShownFigure("Clean runs", str(games.clean_runs), "Every bid of a game made.", clean))
        return [shown for shown in figures if shown.text]

    @cached_property
    def places(self) -> Bars | None:
        """How often they ended on which place in the chosen game."""
        if self.game is None or not self.of_the_game or not self.of_the_game.places:
            return None
        counts = self.of_the_game.places
        last = max(counts)
        most = max(counts.values())
        bars = [
            Bar(
                f"{place}.",
                str(counts[place]),
                counts[place] / most,
                self.games_url(game=self.game.slug, place=place) if counts[place] else "",
                kind="" if counts[place] else "nothing",
            )
            for place in range(1, last + 1)
        ]
        usual = [place for place in sorted(counts) if counts[place] == most]
        played = counts.total()
        share = f"First in {percent_text(counts[1], played)} of games ({counts[1]} of {played})"
        says = share if counts[1] else f"Never first in {played} games"
        # Of places that came up alike often none is the usual one.
        says += f"; most often in place {usual[0]}." if len(usual) == 1 else "."
        if counts.total() == 1:
            says = f"Place {usual[0]} in the only game so far."
        return Bars("places", f"Places in {self.game.name}", says, ("Place", "Games"), tuple(bars))

    @cached_property
    def form(self) -> Curve | None:
        return form_of(self.club, self.person)

    @cached_property
    def beside(self) -> list[tuple[Neighbour, str]]:
        """Who ended beside them most often, with the page of those games."""
        neighbours = neighbours_of(self.club, self.person)
        return [(neighbour, self.games_url(other=neighbour.member.pk, beside=1)) for neighbour in neighbours]

    @cached_property
    def presence(self) -> Presence | None:
        """The nights of the last year, and which of them they came to."""
        return presence_of(self.club, self.person.member, self.person.members)

    @cached_property
    def opponents(self) -> Opponents:
        """Whom they have played with: who is hardest to beat, and with whom games go best."""
        return opponents_of(self.club, self.person)

    @property
    def least_together(self) -> int:
        return LEAST_TOGETHER

    @cached_property
    def latest(self) -> list[GameLine]:
        """Their latest games."""
        mine = counted_placings(self.club, self.person.members).order_by("-table__night__on", "-table__pk")
        tables = Table.objects.filter(pk__in=mine.values("table")[:LATEST]).select_related(
            "night", "sheet", "stage__play_off"
        )
        return game_lines(self.club, tables.order_by("-night__on", "-pk"), self.person)

    @cached_property
    def rating(self) -> MemberRating | None:
        """Their rating in the chosen game."""
        return rating_of(self.club, self.person, self.game) if self.game else None

    # -- bids ------------------------------------------------------------------------------------------

    @cached_property
    def hands(self) -> InOneGame:
        """Their hands in the chosen game, of which there must be one."""
        if self.game is None:
            raise LookupError(self.person.member.pk)
        return InOneGame(self.club, self.person, self.game)

    @property
    def charts_of_bids(self) -> list[Bars]:
        """Bids made, by the cards of the hand and by the bid itself, and how they came out."""
        if self.game is None or not self.hands.has_bids:
            return []
        return [self.by_cards, self.by_bid, self.came_out]

    @property
    def by_cards(self) -> Bars:
        tallies = self.hands.by_cards
        bars = tuple(self.bar_of(str(cards), tally, cards=cards) for cards, tally in tallies.items())
        return Bars(
            "cards", "Bids made, by cards", best_of_bars(tallies, "with {} cards", "with 1 card"),
            ("Cards", "Made", "Hands", "A hand"), bars, "cards", f"{NO_BREAK}%",
        )  # fmt: skip

    @property
    def by_bid(self) -> Bars:
        tallies = self.hands.by_bid
        bars = tuple(self.bar_of(str(bid), tally, bid=bid) for bid, tally in tallies.items())
        return Bars(
            "bids", "Bids made, by bid", best_of_bars(tallies, "with bids of {}", "with bids of 1"),
            ("Bid", "Made", "Hands", "A hand"), bars, "bid", f"{NO_BREAK}%",
        )  # fmt: skip

    def bar_of(self, label: str, tally: Tally, **query: int) -> Bar:
        """The bar of some hands: how many of their bids were made."""
        return Bar(
            label,
            str(tally.percent),
            tally.percent / 100,
            self.hands.url(**query),
            (str(tally.hands), tally.a_hand),
        )

    @property
    def came_out(self) -> Bars:
        """Made, bid too high, bid too low."""
        tally = self.hands.all
        counts = {MADE: tally.made, HIGH: tally.high, LOW: tally.low}
        named = {MADE: "made", HIGH: "too high", LOW: "too low"}
        bars = tuple(
            Bar(named[came], str(count), count / max(1, tally.hands), self.hands.url(came=came) if count else "",
                kind=came)
            for came, count in counts.items()
        )  # fmt: skip
        lean = "too high" if tally.high > tally.low else "too low" if tally.low > tally.high else ""
        says = f"{percent_text(tally.made, tally.hands)} of bids made ({tally.made} of {tally.hands})."
        says += f" The others were more often {lean}." if lean else ""
        return Bars("came", "How the bids came out", says, ("Bids", "Hands"), bars)

    @cached_property
    def bests(self) -> list[tuple[RecordKind, PersonalBest, str, str, str]]:
        """Their best and worst: the kind, the personal best, its value and unit, and where it stands on its sheet."""
        if self.game is None:
            return []
        return [
            (kind, best, bare(best.value), kind.unit_of(best.value), personal_best_url(self.club, best))
            for kind, best in self.hands.bests
        ]

    # -- trophies and honours --------------------------------------------------------------------------

    @cached_property
    def trophies(self) -> list[Trophy]:
        """The trophies they have won, with `times`; those they hold (`holds`) first, with the day since which they
        have had them (`since`). One query, and one more where they hold any.
        """
        confirmed = Award.objects.confirmed().filter(trophy=OuterRef("pk")).order_by("-on", "-pk")
        of_others = confirmed.exclude(member__in=self.person.members)
        mine = Q(
            awards__member__in=self.person.members,
            awards__set_aside_at__isnull=True,
            awards__confirmed_at__isnull=False,
        )
        trophies = (
            Trophy.objects.filter(club=self.club)
            .defer("picture")
            .annotate(
                times=Count("awards", filter=mine),
                holder=Subquery(confirmed.values("member")[:1]),
                others_on=Subquery(of_others.values("on")[:1]),
                others_pk=Subquery(of_others.values("pk")[:1]),
            )
            .filter(times__gt=0)
            .order_by("pk")
        )
        by_pk = {trophy.pk: trophy for trophy in trophies}
        for trophy in by_pk.values():
            trophy.holds = trophy.holder in self.person.members and trophy.archived_at is None  # type: ignore[attr-defined]
        held = [trophy for trophy in by_pk.values() if trophy.holds]  # type: ignore[attr-defined]
        won = Award.objects.confirmed().filter(trophy__in=held, member__in=self.person.members)
        # The latest first: the last one that is left is the one by which they took it.
        for award in won.order_by("-on", "-pk") if held else ():
            trophy = by_pk[award.trophy_id]
            if trophy.others_pk is None or (award.on, award.pk) > (trophy.others_on, trophy.others_pk):
                trophy.since = award.day  # type: ignore[attr-defined]
        return sorted(by_pk.values(), key=lambda trophy: not trophy.holds)  # type: ignore[attr-defined]

    @cached_property
    def honours(self) -> list[tuple[str, str, int]]:
        """What they are remembered for: the term, the page of those hands, how often. One query."""
        rows = (
            Honour.objects.filter(member__in=self.person.members, table__withdrawn_at__isnull=True)
            .filter(table__night__archived_at__isnull=True, table__night__for_fun=False)
            .values("tag", "game")
            .annotate(times=Count("pk"))
            .order_by("-times", "tag")
        )
        return [
            (
                term_of(row["game"], row["tag"]),
                f"{reverse('honour', args=[self.club.slug, row['game'], row['tag']])}?of={self.person.member.pk}",
                row["times"],
            )
            for row in rows
        ]

    @cached_property
    def standing(self) -> Standing | None:
        """Where they stand in the standing that nobody had to choose."""
        return Standing.objects.filter(club=self.club, season__isnull=True, member__in=self.person.members).first()


def best_of_bars(tallies: dict[int, Tally], many: str, single: str) -> str:
    """Where most bids are made, in a sentence; of what was seldom tried nothing is said.

    >>> from clubs.records.figures import Tally
    >>> best_of_bars({1: Tally(hands=10, made=9), 2: Tally(hands=10, made=5)}, "with {} cards", "with 1 card")
    'Surest with 1 card: 90\xa0% made (9 of 10).'
    """
    tried = sum(tally.hands for tally in tallies.values()) / max(1, len(tallies)) / 3
    able = {number: tally for number, tally in tallies.items() if tally.hands >= tried}
    if not able:
        return ""
    best = max(able, key=lambda number: (able[number].percent, able[number].hands))
    tally = able[best]
    made = percent_text(tally.made, tally.hands)
    return f"Surest {single if best == 1 else many.format(best)}: {made} made ({tally.made} of {tally.hands})."


def term_of(game: str, tag: str) -> str:
    """What the club calls it."""
    return next((word.term for word in find_game(game).words if word.call == tag), tag)
