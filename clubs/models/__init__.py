"""The models of the league, by noun."""

from clubs.models.club import AuditEntry, Club, FoundingCode, ReadKey
from clubs.models.event import Delivery, Event, NoticeSettings, PushSubscription, Webhook
from clubs.models.files import CacheRow, ClubExport, Photo, Upload
from clubs.models.member import Invitation, KeptApart, Member, PersonalLink, PlayerAlias
from clubs.models.night import Attendance, Chair, Night, PackedItem, Reply, Table
from clubs.models.play_off import PlayOff, Ruling, Stage
from clubs.models.projection import PendingUpdate, ProjectionLease
from clubs.models.record import PersonalBest, Rating
from clubs.models.session import BrowserSession
from clubs.models.standing import Placing, Season, Standing
from clubs.models.trophy import Award, Dispute, Honour, Trophy
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
    "Delivery",
    "Dispute",
    "Event",
    "FoundingCode",
    "Honour",
    "Invitation",
    "KeptApart",
    "Member",
    "Night",
    "NoticeSettings",
    "PackedItem",
    "PendingUpdate",
    "PersonalBest",
    "PersonalLink",
    "Photo",
    "Placing",
    "PlayOff",
    "PlayerAlias",
    "ProjectionLease",
    "PushSubscription",
    "Rating",
    "ReadKey",
    "Reply",
    "Ruling",
    "Season",
    "Stage",
    "Standing",
    "Table",
    "Trophy",
    "Upload",
    "User",
    "Webhook",
]
