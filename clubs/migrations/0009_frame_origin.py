from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0008_read_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="frame_origin",
            field=models.CharField(blank=True, max_length=200),
        ),
    ]
