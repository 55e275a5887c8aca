from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0013_notices"),
    ]

    operations = [
        migrations.AddField(
            model_name="member",
            name="colour",
            field=models.PositiveSmallIntegerField(
                choices=[
                    (0, "none"),
                    (1, "blue"),
                    (2, "orange"),
                    (3, "green"),
                    (4, "purple"),
                    (5, "yellow"),
                    (6, "turquoise"),
                    (7, "plum"),
                    (8, "indigo"),
                    (9, "grey"),
                    (10, "olive"),
                ],
                default=0,
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="initial",
            field=models.CharField(blank=True, max_length=8),
        ),
    ]
