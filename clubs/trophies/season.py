"""The trophies of a season: once it is locked, its champion and its loser can be given one from the register."""

from __future__ import annotations

from dataclasses import dataclass

from clubs.models import Award, Member, Season, Trophy
from clubs.standings.seasons import ends_of

#: To whom of a night a trophy goes that may also go to this end of a season.
GOES = {"champion": Trophy.Goes.WINNER, "loser": Trophy.Goes.LOSER}


@dataclass(frozen=True)
class SeasonEnd:
    """Somebody at an end of a season: `end` is champion or loser; `given` are the awards they got for it."""

    season: Season
    end: str
    member: Member
    trophies: tuple[Trophy, ...]
    given: tuple[Award, ...]

    @property
    def why(self) -> str:
        """What they won it for, as it stands in the line of the trophy."""
        return f"{self.end} of {self.season.name}"


def season_ends(season: Season) -> list[SeasonEnd]:
    """Both ends of a locked season, each with the trophies that fit it: those of no night's end come first.

    Nobody, while it can still move. Three queries.
    """
    top, low = ends_of(season.club, [season]).get(season.pk, ([], [])) if season.locked_at else ([], [])
    if not top:
        return []
    trophies = list(season.club.trophies.filter(archived_at__isnull=True).defer("picture"))
    trophies.sort(key=lambda trophy: (trophy.goes != Trophy.Goes.OTHER, trophy.pk))
    typed = Award.objects.confirmed().filter(trophy__club=season.club, source=Award.Source.TYPED)
    won = list(typed.filter(why__endswith=f" of {season.name}").select_related("trophy", "member__same_as"))
    ends = []
    for end, members in (("champion", top), ("loser", low)):
        fitting = tuple(trophy for trophy in trophies if trophy.goes in (Trophy.Goes.OTHER, GOES[end]))
        for member in members:
            person, why = member.main_record, f"{end} of {season.name}"
            given = tuple(award for award in won if award.recipient == person and award.why == why)
            left = tuple(trophy for trophy in fitting if trophy not in {award.trophy for award in given})
            ends.append(SeasonEnd(season, end, person, left, given))
    return ends
