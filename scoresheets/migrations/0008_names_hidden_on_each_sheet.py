from django.db import migrations, models


def keep_what_is_hidden(apps, schema_editor):  # noqa: ARG001 - Django gives both
    """Every sheet calls those who hide their names as it did: by what stood beside the player."""
    Sheet, Seat, Entry, Player = (apps.get_model("scoresheets", name) for name in ("Sheet", "Seat", "Entry", "Player"))
    hidden = dict(Player.objects.exclude(shown_as="").values_list("pk", "shown_as"))
    for sheet in Sheet.objects.filter(veils__gt=0).iterator():
        here = set(Seat.objects.filter(sheet=sheet).values_list("player", flat=True))
        took_over = Entry.objects.filter(sheet=sheet, ask__startswith="sits-").values_list("data", flat=True)
        here |= {data["player"] for data in took_over}
        sheet.aliases = {str(player): hidden[player] for player in here & hidden.keys()}
        sheet.save(update_fields=["aliases"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0007_a_ruling"),
    ]

    operations = [
        migrations.AddField(
            model_name="sheet",
            name="aliases",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(keep_what_is_hidden, migrations.RunPython.noop),
    ]
