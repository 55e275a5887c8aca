"""Ratings of members, counted once the site is open, and the uncertainty of those in a standing."""

import django.db.models.deletion
from django.db import migrations, models


def wait_for_ratings(apps, schema_editor):
    """All clubs with games wait to be counted: a row that says nothing asks for everybody."""
    placings = apps.get_model("clubs", "Placing").objects.using(schema_editor.connection.alias)
    clubs = placings.order_by().values_list("table__night__club", flat=True).distinct()
    rows = apps.get_model("clubs", "PendingUpdate").objects.using(schema_editor.connection.alias)
    rows.bulk_create(rows.model(club_id=club, kind="standing", subject=club) for club in clubs)


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0015_event_story"),
    ]

    operations = [
        migrations.AddField(
            model_name="standing",
            name="uncertainty",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.SlugField(db_index=False, max_length=40)),
                ("mean", models.FloatField()),
                ("deviation", models.FloatField()),
                ("games", models.PositiveIntegerField()),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="clubs.club",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="clubs.member",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="clubs.table",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["member", "game", "games"], name="ratings_of_a_member"),
                    models.Index(fields=["club", "game"], name="ratings_of_a_club"),
                ],
                "constraints": [models.UniqueConstraint(fields=("table", "member"), name="one_rating_a_game")],
            },
        ),
        migrations.RunPython(wait_for_ratings, migrations.RunPython.noop),
    ]
