"""The latest games of everybody in a standing, counted once the site is open."""

from django.db import migrations, models


def wait_for_form(apps, schema_editor):
    """All clubs with games wait to be counted: a row that says nothing asks for everybody."""
    alias = schema_editor.connection.alias
    placings = apps.get_model("clubs", "Placing").objects.using(alias)
    clubs = placings.order_by().values_list("table__night__club", flat=True).distinct()
    rows = apps.get_model("clubs", "PendingUpdate").objects.using(alias)
    waiting = set(rows.filter(kind="standing").values_list("club", "subject"))
    missing = [club for club in clubs if (club, club) not in waiting]
    rows.bulk_create(rows.model(club_id=club, kind="standing", subject=club) for club in missing)


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0016_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="standing",
            name="form",
            field=models.CharField(blank=True, max_length=5),
        ),
        migrations.RunPython(wait_for_form, migrations.RunPython.noop),
    ]
