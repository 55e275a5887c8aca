from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0004_aliases_version"),
    ]

    operations = [
        migrations.AddField(
            model_name="sheet",
            name="last_opened",
            field=models.DateField(blank=True, editable=False, null=True),
        ),
    ]
