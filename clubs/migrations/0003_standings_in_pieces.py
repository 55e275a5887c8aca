"""Standings that wait to be counted again, a piece at a time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("clubs", "0018_standings_in_pieces")]

    dependencies = [("clubs", "0002_squashed")]

    operations = [
        migrations.AddField(
            model_name="pendingupdate",
            name="details",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="pendingupdate",
            name="kind",
            field=models.CharField(
                choices=[
                    ("sheet", "a sheet was finished, corrected or opened again"),
                    ("table", "what a table alone was worth to its people"),
                    ("play-off", "a ruling, a card or a stage of a play-off"),
                    ("night", "whether and when a night counts"),
                    ("trophies", "what the trophies of a night follow"),
                    ("member", "two records became one person, or two again"),
                    ("club", "games of the whole club"),
                    ("season", "the standing of a season"),
                    ("past", "results or holders of the past that are being written"),
                    ("standing", "games are read, and the standings do not know of them yet"),
                ],
                max_length=8,
            ),
        ),
    ]
