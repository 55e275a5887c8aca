"""The rating of a member in one game, as a number and as a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Club, Rating
from clubs.ratings.skill import EXPLAINED, LEAST_GAMES, Skill
from clubs.ratings.store import skill_of
from clubs.records.charts import Curve, Dot
from clubs.records.games import OF_URL, url_of
from clubs.records.hands import Person
from rules.core.game import Game

#: So many of the latest games are on the curve.
LATEST = 60
#: The curve ends above and below at a multiple of so many points.
GRID = 50


@dataclass(frozen=True)
class RatingCurve(Curve):
    """The rating after each of the latest games, and around it the range of its uncertainty.

    `sides`: the lower and the upper end of each range, as shares of the height.
    """

    sides: tuple[tuple[float, float], ...] = ()

    @property
    def line(self) -> str:
        """The ratings themselves, as points of a line."""
        return " ".join(f"{x},{y}" for _, x, y in self.marks)

    @property
    def range_points(self) -> str:
        """The corners of the area of uncertainty: along its upper side, and back along the lower one."""
        upper = [f"{self.x(at)},{self.y(high)}" for at, (_, high) in enumerate(self.sides)]
        lower = [f"{self.x(at)},{self.y(low)}" for at, (low, _) in enumerate(self.sides)]
        return " ".join([*upper, *reversed(lower)])

    @property
    def last_mark(self) -> tuple[Dot, float, float]:
        return self.marks[-1]


@dataclass(frozen=True)
class MemberRating:
    """What a member's page shows of their rating in a game. `curve`: None while they are new."""

    skill: Skill
    curve: RatingCurve | None
    meaning: tuple[str, ...] = EXPLAINED
    least: int = LEAST_GAMES


def rating_of(club: Club, person: Person, game: Game) -> MemberRating | None:
    """Their rating in that game; None before the first game by which they are rated. One query."""
    # Without the club, which is the member's: so the database takes the index that has them in order.
    rows = Rating.objects.filter(member=person.member, game=game.slug).order_by("-games")
    rows = rows.select_related("table__night", "table__sheet", "table__stage__play_off")
    latest = list(rows.only("mean", "deviation", "games", *(f"table__{name}" for name in OF_URL))[:LATEST])
    if not latest:
        return None
    skill = skill_of(latest[0])
    return MemberRating(skill, None if skill.is_new else curve_of(club, latest[::-1]))


def curve_of(club: Club, rows: Sequence[Rating]) -> RatingCurve:
    """The curve through these ratings, the earliest first."""
    skills = [skill_of(row) for row in rows]
    last = skills[-1]
    numbers = [skill.number for skill in skills]
    bottom = GRID * (min(*numbers, last.number - last.uncertainty) // GRID)
    top = -GRID * (-max(*numbers, last.number + last.uncertainty) // GRID)

    def share(number: int) -> float:
        return min(1.0, max(0.0, (number - bottom) / (top - bottom)))

    dots = [
        Dot(
            share(skill.number), f"{row.table.night.on:%-d %b %Y}", f"{skill.number} ± {skill.uncertainty}",
            url_of(club, row.table),
        )
        for row, skill in zip(rows, skills, strict=True)
    ]  # fmt: skip
    sides = [(share(skill.number - skill.uncertainty), share(skill.number + skill.uncertainty)) for skill in skills]
    first = max(1, last.games - len(rows) + 1)
    says = f"{last.number} ± {last.uncertainty} after {last.games} games. The line shows games {first} to {last.games}."
    return RatingCurve(
        "rating", "Rating", says, ("Game", "Rating"), tuple(dots), top=str(top), bottom=str(bottom), sides=tuple(sides)
    )  # fmt: skip
