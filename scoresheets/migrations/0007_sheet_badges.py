from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0006_results_held_back"),
    ]

    operations = [
        migrations.AddField(
            model_name="sheet",
            name="badges",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
