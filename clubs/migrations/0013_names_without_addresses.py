import re

from django.db import migrations
from django.db.models import F

ADDRESS = re.compile(r"[<(\[\"']*(?:mailto:)?[^\s<>()\[\]\"',;:@]{1,64}@[^\s<>()\[\]\"',;:@]{1,190}[>)\]\"']*")
#: Where a name stands, and what is written where nothing else is left of it.
NAMES = (
    ("clubs", "Member", "name", "Somebody"),
    ("clubs", "Member", "nickname", ""),
    ("clubs", "Member", "shown_as", ""),
    ("clubs", "Award", "name", "Somebody"),
    ("clubs", "Doubt", "name", "Somebody"),
    ("clubs", "DiaryLine", "says", ""),
    ("scoresheets", "Player", "name", "Somebody"),
    ("scoresheets", "Player", "shown_as", ""),
    ("scoresheets", "Seat", "name", "Somebody"),
    ("scoresheets", "Keeper", "name", ""),
)


def without_address(text, otherwise):
    return " ".join(ADDRESS.sub(" ", text).split()).replace(" .", ".") or otherwise


def take_addresses_off(apps, schema_editor):  # noqa: ARG001 - as Django calls it
    """Mail addresses that were pasted into names stand on no page any more."""
    for app, model, field, otherwise in NAMES:
        rows = apps.get_model(app, model).objects
        for pk, text in rows.filter(**{f"{field}__contains": "@"}).values_list("pk", field):
            rows.filter(pk=pk).update(**{field: without_address(text, otherwise)})
    sheets = set()
    entries = apps.get_model("scoresheets", "Entry").objects
    for pk, sheet, data in entries.filter(ask__startswith="sits-").values_list("pk", "sheet", "data").iterator():
        if "@" in str(data.get("name", "")):
            entries.filter(pk=pk).update(data=data | {"name": without_address(data["name"], "Somebody")})
            sheets.add(sheet)
    apps.get_model("scoresheets", "Sheet").objects.filter(pk__in=sheets).update(veils=F("veils") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0012_pasted_lists"),
        ("scoresheets", "0008_names_hidden_on_each_sheet"),
    ]

    operations = [migrations.RunPython(take_addresses_off, migrations.RunPython.noop)]
