"""Scores of different games are not compared any more: what replaces them, and what it was until now."""

from collections import Counter

from django.db import migrations, models
from django.utils import timezone

#: The schemes and tie-breaks that need one game, as they were called.
NAMES = {
    "won": "games won", "average": "average score", "score": "score of all games", "best": "best game",
    "made": "bids made", "lost": "games lost, fewer first", "nights": "nights, fewer first",
}  # fmt: skip
SCHEMES = {"won": "Games won", "score": "Raw score", "places": "Points per place", "made": "Bids made"}
NEED_ONE_GAME = ("average", "score", "best")
USUALLY = "Games won, ties by average score"


def count_who_shares_a_place(apps, schema_editor):
    """Of a sheet everybody at it counts, of a play-off the whole evening, of a table of the past its placings."""
    Placing, FinalPlacing = apps.get_model("clubs", "Placing"), apps.get_model("scoresheets", "FinalPlacing")
    rows = list(
        Placing.objects.filter(place__isnull=False).values_list(
            "pk", "place", "table", "table__sheet", "table__stage__play_off", "table__stage__play_off__called_off_at"
        )
    )
    finals = Counter(FinalPlacing.objects.filter(place__isnull=False).values_list("sheet", "place"))

    def game(table, play_off, called_off):
        return ("table", table) if play_off is None or called_off else ("play-off", play_off)

    here = Counter((game(table, play_off, off), place) for _, place, table, _, play_off, off in rows)
    changed = []
    for pk, place, table, sheet, play_off, off in rows:
        key = game(table, play_off, off)
        count = here[key, place] if key[0] == "play-off" or sheet is None else finals[sheet, place]
        if count > 1:
            changed.append(Placing(pk=pk, sharing=count - 1))
    Placing.objects.bulk_update(changed, ["sharing"], batch_size=500)


def choose_what_can_be_compared(apps, schema_editor):
    """Seasons and clubs that compared scores of different games; a season that is locked stays as it is."""
    Club, Season, Standing = (apps.get_model("clubs", name) for name in ("Club", "Season", "Standing"))
    today = timezone.localdate()
    with_games = Standing.objects.filter(season__isnull=True).values("club")
    Club.objects.filter(pk__in=with_games).update(counted_since=today, counted_before=USUALLY)
    for season in Season.objects.filter(locked_at__isnull=True):
        order = [tie for tie in season.order if isinstance(tie, str)] if isinstance(season.order, list) else []
        games = {slug for slug in season.games if isinstance(slug, str)} if isinstance(season.games, list) else set()
        if len(games) == 1 or not (season.scheme == "score" or set(order) & set(NEED_ONE_GAME)):
            continue
        ties = ", then ".join(NAMES[tie] for tie in order if tie in NAMES)
        before = SCHEMES.get(season.scheme, SCHEMES["won"]) + (f", ties by {ties}" if ties else "")
        season.counted_since, season.counted_before = today, before[:200]
        season.scheme = "share" if season.scheme == "score" else season.scheme
        season.order = list(dict.fromkeys("share" if tie in NEED_ONE_GAME else tie for tie in order))
        season.save()
    # Copies, which the site makes again as soon as it is up to date (`clubs.queue.changes`).
    Standing.objects.filter(models.Q(season__isnull=True) | models.Q(season__locked_at__isnull=True)).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0004_organiser_codes"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="counted_before",
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name="club",
            name="counted_seen",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="club",
            name="counted_since",
            field=models.DateField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="placing",
            name="sharing",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="season",
            name="counted_before",
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name="season",
            name="counted_seen",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="season",
            name="counted_since",
            field=models.DateField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="season",
            name="keeps_apart",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="standing",
            name="beaten",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="standing",
            name="compared",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="standing",
            name="share",
            field=models.DecimalField(decimal_places=2, max_digits=5, null=True),
        ),
        migrations.AlterField(
            model_name="standing",
            name="score",
            field=models.BigIntegerField(null=True),
        ),
        migrations.RunPython(count_who_shares_a_place, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(choose_what_can_be_compared, migrations.RunPython.noop, elidable=True),
    ]
