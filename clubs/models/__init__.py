"""The models of the league, by noun."""

from clubs.models.club import Club, DiaryLine, FoundingCode
from clubs.models.club_export import ClubExport
from clubs.models.member import Apart, Invitation, Known, Member
from clubs.models.night import Call, Chair, Night, Packed, Table
from clubs.models.play_off import PlayOff, Ruling, Stage
from clubs.models.projection import PendingUpdate, ProjectionLease
from clubs.models.record import Feat
from clubs.models.session import BrowserSession
from clubs.models.standing import Placing, Season, Standing
from clubs.models.trophy import Award, Doubt, Honour, Trophy
from clubs.models.upload import Parcel, Scrap
from clubs.models.user import User

__all__ = [
    "Apart",
    "Award",
    "BrowserSession",
    "Call",
    "Chair",
    "Club",
    "ClubExport",
    "DiaryLine",
    "Doubt",
    "Feat",
    "FoundingCode",
    "Honour",
    "Invitation",
    "Known",
    "Member",
    "Night",
    "Packed",
    "Parcel",
    "PendingUpdate",
    "Placing",
    "PlayOff",
    "ProjectionLease",
    "Ruling",
    "Scrap",
    "Season",
    "Stage",
    "Standing",
    "Table",
    "Trophy",
    "User",
]
