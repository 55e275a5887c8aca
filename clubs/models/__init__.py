"""The models of the league, by noun."""

from clubs.models.club import AuditEntry, Club, FoundingCode
from clubs.models.club_export import ClubExport
from clubs.models.member import Invitation, KeptApart, Member, PlayerAlias
from clubs.models.night import Attendance, Chair, Night, PackedItem, Table
from clubs.models.play_off import PlayOff, Ruling, Stage
from clubs.models.projection import PendingUpdate, ProjectionLease
from clubs.models.record import PersonalBest
from clubs.models.session import BrowserSession
from clubs.models.standing import Placing, Season, Standing
from clubs.models.trophy import Award, Dispute, Honour, Trophy
from clubs.models.upload import CacheRow, Upload
from clubs.models.user import User

__all__ = [
    "Attendance",
    "AuditEntry",
    "Award",
    "BrowserSession",
    "CacheRow",
    "Chair",
    "Club",
    "ClubExport",
    "Dispute",
    "FoundingCode",
    "Honour",
    "Invitation",
    "KeptApart",
    "Member",
    "Night",
    "PackedItem",
    "PendingUpdate",
    "PersonalBest",
    "Placing",
    "PlayOff",
    "PlayerAlias",
    "ProjectionLease",
    "Ruling",
    "Season",
    "Stage",
    "Standing",
    "Table",
    "Trophy",
    "Upload",
    "User",
]
