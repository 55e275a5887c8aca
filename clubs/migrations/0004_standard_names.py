"""The models of the club under the standard terms of the field; every row stays."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0003_standings_in_pieces"), ("scoresheets", "0002_standard_names")]

    operations = [
        migrations.RenameModel("DiaryLine", "AuditEntry"),
        migrations.RenameModel("Known", "PlayerAlias"),
        migrations.RenameModel("Apart", "KeptApart"),
        migrations.RenameModel("Call", "Attendance"),
        migrations.RenameModel("Packed", "PackedItem"),
        migrations.RenameModel("Doubt", "Dispute"),
        migrations.RenameModel("Feat", "PersonalBest"),
        migrations.RenameModel("Parcel", "Upload"),
        migrations.RenameModel("Scrap", "CacheRow"),
        migrations.AlterModelTable("CacheRow", "clubs_cache"),
        migrations.AlterField(
            model_name="attendance",
            name="member",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="attendances", to="clubs.member"
            ),
        ),
        migrations.AlterField(
            model_name="attendance",
            name="night",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="attendances", to="clubs.night"
            ),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="audit_entries", to="clubs.club"
            ),
        ),
        migrations.AlterField(
            model_name="dispute",
            name="award",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="disputes", to="clubs.award"
            ),
        ),
        migrations.AlterField(
            model_name="keptapart",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="kept_apart", to="clubs.club"
            ),
        ),
        migrations.AlterField(
            model_name="personalbest",
            name="club",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="personal_bests",
                to="clubs.club",
            ),
        ),
        migrations.AlterField(
            model_name="personalbest",
            name="member",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="personal_bests",
                to="clubs.member",
            ),
        ),
        migrations.AlterField(
            model_name="personalbest",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="personal_bests",
                to="clubs.table",
            ),
        ),
        migrations.AlterField(
            model_name="playeralias",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="aliases", to="clubs.club"
            ),
        ),
        migrations.AlterField(
            model_name="playeralias",
            name="member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="aliases",
                to="clubs.member",
            ),
        ),
        migrations.AlterField(
            model_name="playeralias",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="aliases", to="scoresheets.player"
            ),
        ),
        migrations.AlterField(
            model_name="upload",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AlterField(
            model_name="upload",
            name="club",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to="clubs.club"
            ),
        ),
    ]
