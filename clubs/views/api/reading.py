"""What programs read: clubs, members, nights, tables, sheets, standings, trophies, play-offs, records."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from clubs.api.answers import Answer, Endpoint, gives
from clubs.api.callers import Caller
from clubs.api.documents import clubs, nights, play_offs, records, sheets, standings, trophies
from clubs.api.paging import paged
from clubs.api.shapes import page_of
from clubs.models import Club, PlayOff, Season
from clubs.play_offs.state import now
from clubs.records.records import played_games
from clubs.standings.league import ALL_TIME, League, league_of
from clubs.trophies.register import holdings
from rules.core.files.schema import ListOf, Members

#: Things on a page of a list.
A_PAGE = 50


@gives(Endpoint("The clubs that everybody sees", page_of("clubs", clubs.CLUB), is_paged=True, takes_key=False))
def api_clubs(request: HttpRequest, caller: Caller) -> Answer:
    """A club that is shown only with a key is not among them."""
    open_clubs = Club.objects.open().filter(visibility=Club.Visibility.PUBLIC, is_evening=False)
    page = paged(request, open_clubs.order_by("name", "pk"), A_PAGE)
    return Answer(page.document("clubs", [clubs.club_document(request, club) for club in page.page]), page)


@gives(Endpoint("A club", clubs.CLUB))
def api_club(request: HttpRequest, caller: Caller, slug: str) -> Answer:
    """Its name, where it meets, and what it plays."""
    return Answer(clubs.club_document(request, caller.club(slug)))


@gives(Endpoint("Its members and guests, by name", page_of("members", clubs.MEMBER), is_paged=True))
def api_members(request: HttpRequest, caller: Caller, slug: str) -> Answer:
    """Everybody who belongs to it now; who hides their name is called as others read it."""
    page = paged(request, clubs.member_rows(caller.club(slug)), A_PAGE)
    return Answer(page.document("members", [clubs.member_document(row) for row in page.page]), page)


@gives(Endpoint("Its nights, the latest first", page_of("nights", nights.NIGHT), is_paged=True))
def api_nights(request: HttpRequest, caller: Caller, slug: str) -> Answer:
    """Those to come among them; without their tables."""
    club = caller.club(slug)
    page = paged(request, nights.nights_of(club), A_PAGE)
    for night in page.page:
        night.club = club
    return Answer(page.document("nights", [nights.night_document(request, night) for night in page.page]), page)


@gives(Endpoint("A night, with its tables as they stand", nights.WHOLE_NIGHT))
def api_night(request: HttpRequest, caller: Caller, slug: str, uid: str) -> Answer:
    """Every table with who sits there and their totals."""
    club = caller.club(slug)
    night = nights.nights_of(club).filter(uid=uid).first()
    if night is None:
        raise Http404
    night.club = club
    tables = nights.table_documents(club, night, list(nights.tables_of(club).filter(night=night)))
    return Answer(nights.night_document(request, night) | {"tables": tables})


@gives(Endpoint("A table as it stands", nights.TABLE))
def api_table(request: HttpRequest, caller: Caller, slug: str, uid: str) -> Answer:
    """Who sits there and their totals."""
    club = caller.club(slug)
    table = nights.tables_of(club).filter(uid=uid).first()
    if table is None:
        raise Http404
    return Answer(nights.table_documents(club, table.night, [table])[0])


@gives(Endpoint("A sheet: what stands on it, and what that comes to", sheets.SHEET))
def api_sheet(request: HttpRequest, caller: Caller, slug: str, uid: str) -> Answer:
    """`sheet` is the sheet file, `result` what `manage.py score` says of it. The id of a sheet is that of its table."""
    table = nights.tables_of(caller.club(slug)).filter(uid=uid, sheet__isnull=False).first()
    if table is None or table.sheet is None:
        raise Http404
    sheet = table.sheet
    return Answer(make=lambda: sheets.sheet_content(uid, sheet), version=sheets.version_of(sheet))


@gives(Endpoint("The standings there are", Members({"standings": ListOf(standings.SEASON)}, {})))
def api_standings(request: HttpRequest, caller: Caller, slug: str) -> Answer:
    """That of all time, and one for each season."""
    return Answer({"standings": standings.seasons_of(caller.club(slug))})


@gives(Endpoint("A standing", standings.STANDING, is_paged=True))
def api_standing(request: HttpRequest, caller: Caller, slug: str, which: str) -> Answer:
    """`which` is the id of a season, or "all-time"."""
    league = league_at(caller, slug, which)
    page = paged(request, league.lines, A_PAGE)
    rows = page.document("standing", standings.row_documents(list(page.page)))
    return Answer(standings.head_of(league) | rows, page)


def league_at(caller: Caller, slug: str, which: str) -> League:
    """The standing of a club that is shown to who asks. Raises `Http404`."""
    return league_in(caller.club(slug), which)


def league_in(club: Club, which: str) -> League:
    """The standing of the season of that uid, or of all time. Raises `Http404`."""
    return league_of(club, None if which == ALL_TIME else season_at(club, which))


def season_at(club: Club, uid: str) -> Season:
    season = club.seasons.standing().filter(uid=uid).first()
    if season is None:
        raise Http404
    season.club = club
    return season


@gives(Endpoint("Its trophies, and who holds them", trophies.TROPHIES))
def api_trophies(request: HttpRequest, caller: Caller, slug: str) -> Answer:
    """`won` is the award of the holder, `with` who has the thing itself at home."""
    held = holdings(caller.club(slug))
    return Answer({"trophies": [trophies.trophy_document(holding) for holding in held]})


@gives(Endpoint("A play-off as it stands", play_offs.PLAY_OFF))
def api_play_off(request: HttpRequest, caller: Caller, slug: str, uid: str) -> Answer:
    """`file` is the whole of it as a file, once the groups are over, where a file can say it."""
    club = caller.club(slug)
    play_off = PlayOff.objects.standing().filter(uid=uid, night__club=club).select_related("night").first()
    if play_off is None:
        raise Http404
    play_off.night.club = club
    return Answer(play_offs.play_off_document(now(play_off)))


@gives(Endpoint(
    "The records of a game", records.RECORDS, query={"game": "the game (its slug); else the one played most"}
))  # fmt: skip
def api_records(request: HttpRequest, caller: Caller, slug: str) -> Answer:
    """The best of everything that is a record in the game."""
    club = caller.club(slug)
    played = played_games(club)
    game = request.GET.get("game") or next(iter(played), "")
    if game and game not in played:
        raise Http404
    return Answer({
        "played": [{"game": slug, "games": games} for slug, games in played.items()], "game": game,
        "records": records.record_documents(club, game) if game else [],
    })  # fmt: skip
