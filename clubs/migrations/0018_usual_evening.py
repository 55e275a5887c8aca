"""A usual evening of a club, and the first steps of a new one; clubs that have played need none."""

from django.db import migrations, models


def hide_first_steps(apps, schema_editor):
    """Who has begun a night knows the way."""
    clubs = apps.get_model("clubs", "Club").objects.using(schema_editor.connection.alias)
    nights = apps.get_model("clubs", "Night").objects.using(schema_editor.connection.alias)
    begun = nights.filter(begun_at__isnull=False).order_by().values("club")
    clubs.filter(pk__in=begun).update(first_steps_hidden=True)


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0017_form"),
    ]

    operations = [
        migrations.AddField("club", "code_on_wall", models.BooleanField(default=False, editable=False)),
        migrations.AddField("club", "first_steps_hidden", models.BooleanField(default=False, editable=False)),
        migrations.AddField("club", "no_past_results", models.BooleanField(default=False, editable=False)),
        migrations.AddField("club", "usual_begins", models.TimeField(blank=True, null=True)),
        migrations.AddField(
            "club",
            "usual_day",
            models.PositiveSmallIntegerField(
                blank=True,
                choices=[
                    (0, "Monday"),
                    (1, "Tuesday"),
                    (2, "Wednesday"),
                    (3, "Thursday"),
                    (4, "Friday"),
                    (5, "Saturday"),
                    (6, "Sunday"),
                ],
                null=True,
            ),
        ),
        migrations.AddField(
            "club",
            "usual_trophies",
            models.CharField(
                blank=True,
                choices=[("play-off", "a play-off for the trophies"), ("nothing", "tables without trophies")],
                max_length=8,
            ),
        ),
        migrations.RunPython(hide_first_steps, migrations.RunPython.noop, elidable=True),
    ]
