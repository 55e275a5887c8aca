"""The models of the score sheets under the standard terms of the field; every row stays."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoresheets", "0001_squashed"), ("clubs", "0003_standings_in_pieces")]

    operations = [
        migrations.RenameModel("Write", "Revision"),
        migrations.RenameModel("Keeper", "Scorekeeper"),
        migrations.RenameModel("Link", "ShareLink"),
        migrations.RenameModel("OwnWord", "GlossaryTerm"),
        migrations.AlterField(
            model_name="glossaryterm",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="glossary_terms",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="keeper",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="revisions", to="scoresheets.scorekeeper"
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="sheet",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="revisions",
                to="scoresheets.sheet",
            ),
        ),
        migrations.AlterField(
            model_name="scorekeeper",
            name="link",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="scorekeepers",
                to="scoresheets.sharelink",
            ),
        ),
        migrations.AlterField(
            model_name="scorekeeper",
            name="sheet",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="scorekeepers", to="scoresheets.sheet"
            ),
        ),
        migrations.AlterField(
            model_name="scorekeeper",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="scorekeepers",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
