"""The tables of the score sheets as the releases before 2026-11-23 had them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import scoresheets.models.sheet


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("scoresheets", "0001_the_table"),
        ("scoresheets", "0002_own_words"),
        ("scoresheets", "0003_verbs_of_an_evening"),
        ("scoresheets", "0004_knock"),
        ("scoresheets", "0005_played_on"),
        ("scoresheets", "0006_the_house_of_a_sheet"),
        ("scoresheets", "0007_a_ruling"),
        ("scoresheets", "0008_names_hidden_on_each_sheet"),
        ("scoresheets", "0009_generations"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("shown_as", models.CharField(blank=True, max_length=40)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Keeper",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, max_length=40)),
                ("browser", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="pencils",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Knock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("origin", models.CharField(max_length=64)),
                ("since", models.DateTimeField(db_index=True)),
                ("times", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("origin", "since"), name="one_count_a_place")],
            },
        ),
        migrations.CreateModel(
            name="Link",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("keep", "may write on the sheet")], default="keep", max_length=8)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("created", models.DateTimeField()),
                ("expires", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links_made",
                        to="scoresheets.keeper",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="keeper",
            name="link",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="keepers",
                to="scoresheets.link",
            ),
        ),
        migrations.CreateModel(
            name="Sheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "code",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                (
                    "watch",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("game", models.SlugField(db_index=False, max_length=40)),
                ("title", models.CharField(blank=True, max_length=80)),
                ("club_name", models.CharField(blank=True, max_length=80)),
                ("home", models.CharField(blank=True, max_length=120)),
                ("stakes", models.CharField(blank=True, max_length=160)),
                ("closed", models.CharField(blank=True, max_length=160)),
                ("also_called", models.JSONField(blank=True, default=list, editable=False)),
                ("members_only", models.BooleanField(default=False)),
                ("asks_since", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=0)),
                ("generation", models.CharField(blank=True, editable=False, max_length=24)),
                ("restored", models.PositiveIntegerField(default=0, editable=False)),
                ("opened_at", models.DateTimeField(db_index=True)),
                ("played_on", models.DateField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("begun", models.BooleanField(default=False)),
                ("aliases", models.JSONField(blank=True, default=dict)),
                ("veils", models.PositiveIntegerField(default=0)),
                ("quiet", models.BooleanField(default=False)),
                ("coming", models.JSONField(blank=True, default=list)),
                ("opened_from", models.CharField(blank=True, editable=False, max_length=64)),
                ("opening", models.CharField(editable=False, max_length=64, null=True, unique=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("opened_from", ""), _negated=True),
                        fields=["opened_from", "opened_at"],
                        name="sheets_opened_from",
                    ),
                    models.Index(condition=models.Q(("begun", False)), fields=["opened_at"], name="sheets_left_blank"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=40)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT, related_name="seats", to="scoresheets.player"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="scoresheets.sheet",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="link",
            name="sheet",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="links", to="scoresheets.sheet"
            ),
        ),
        migrations.AddField(
            model_name="keeper",
            name="sheet",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="keepers", to="scoresheets.sheet"
            ),
        ),
        migrations.CreateModel(
            name="HandMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand", models.PositiveIntegerField()),
                ("mark", models.SlugField(db_index=False, max_length=40)),
                ("value", models.IntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="hand_marks",
                        to="scoresheets.player",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hand_marks", to="scoresheets.seat"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hand_marks",
                        to="scoresheets.sheet",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HandFact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand", models.PositiveIntegerField()),
                ("cards", models.PositiveSmallIntegerField()),
                ("bid", models.PositiveSmallIntegerField(null=True)),
                ("tricks", models.PositiveSmallIntegerField(null=True)),
                ("points", models.IntegerField()),
                ("total", models.IntegerField()),
                ("behind", models.PositiveIntegerField(default=0)),
                ("box", models.BooleanField()),
                ("circle", models.BooleanField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="hand_facts",
                        to="scoresheets.player",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hand_facts", to="scoresheets.seat"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hand_facts",
                        to="scoresheets.sheet",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="FinalPlacing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("score", models.IntegerField()),
                ("winner", models.BooleanField(default=False)),
                ("loser", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="final_placings",
                        to="scoresheets.player",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="final_placings",
                        to="scoresheets.seat",
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="final_placings",
                        to="scoresheets.sheet",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Write",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                ("key", models.CharField(max_length=64)),
                (
                    "verb",
                    models.CharField(
                        choices=[
                            ("open", "opened the sheet"),
                            ("set-up", "changed the set-up"),
                            ("enter", "wrote"),
                            ("agree", "wrote the same"),
                            ("undo", "took back"),
                            ("retype", "had typed it wrong"),
                            ("misdeal", "misdeal"),
                            ("stop", "stopped the game"),
                            ("play-on", "played on"),
                            ("note", "noted"),
                            ("announce", "announced"),
                            ("call", "is called"),
                            ("correct", "corrected"),
                            ("restore", "went back to before"),
                            ("arrive", "wrote who came"),
                            ("leave", "wrote who went home"),
                            ("substitute", "wrote who took over"),
                            ("reseat", "wrote who sits where"),
                            ("pencil", "took the pencil"),
                            ("paper", "typed in from paper"),
                            ("carry", "brought totals along"),
                            ("rule", "ruled"),
                        ],
                        max_length=12,
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                ("why", models.CharField(blank=True, max_length=200)),
                (
                    "keeper",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="writes", to="scoresheets.keeper"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="writes",
                        to="scoresheets.sheet",
                    ),
                ),
                (
                    "undoes",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="undone_by",
                        to="scoresheets.write",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand", models.PositiveIntegerField()),
                ("ask", models.CharField(max_length=40)),
                ("data", models.JSONField()),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="scoresheets.sheet"
                    ),
                ),
                (
                    "added_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="added", to="scoresheets.write"
                    ),
                ),
                (
                    "first_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="first_wrote", to="scoresheets.write"
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="withdrew",
                        to="scoresheets.write",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
            },
        ),
        migrations.CreateModel(
            name="OwnWord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("term", models.CharField(max_length=40)),
                ("folded", models.CharField(editable=False, max_length=160)),
                ("meaning", models.CharField(max_length=200)),
                ("browser", models.CharField(blank=True, db_index=True, editable=False, max_length=64)),
                ("added_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_words",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn_at__isnull", True), models.Q(("browser", ""), _negated=True)),
                        fields=("browser", "folded"),
                        name="one_own_word_a_browser",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("browser", ""), ("withdrawn_at__isnull", True)),
                        fields=("user", "folded"),
                        name="one_own_word_an_account",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("sheet", "number"), name="one_seat_a_number"),
        ),
        migrations.AddConstraint(
            model_name="keeper",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked_at__isnull", True), models.Q(("browser", ""), _negated=True)),
                fields=("sheet", "browser"),
                name="one_pencil_a_browser",
            ),
        ),
        migrations.AddConstraint(
            model_name="keeper",
            constraint=models.UniqueConstraint(
                condition=models.Q(("browser", ""), ("revoked_at__isnull", True)),
                fields=("sheet", "user"),
                name="one_pencil_an_account",
            ),
        ),
        migrations.AddIndex(
            model_name="handmark",
            index=models.Index(fields=["player", "sheet", "mark", "value"], name="marks_of_a_player"),
        ),
        migrations.AddConstraint(
            model_name="handmark",
            constraint=models.UniqueConstraint(
                fields=("sheet", "hand", "seat", "mark"), name="one_mark_a_hand_and_seat"
            ),
        ),
        migrations.AddIndex(
            model_name="handfact",
            index=models.Index(
                fields=["player", "sheet", "cards", "bid", "tricks", "points"], name="facts_of_a_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="handfact",
            constraint=models.UniqueConstraint(fields=("sheet", "hand", "seat"), name="one_fact_a_hand_and_seat"),
        ),
        migrations.AddConstraint(
            model_name="finalplacing",
            constraint=models.UniqueConstraint(fields=("sheet", "seat"), name="one_final_placing_a_seat"),
        ),
        migrations.AddConstraint(
            model_name="write",
            constraint=models.UniqueConstraint(fields=("sheet", "key"), name="one_write_a_key"),
        ),
        migrations.AddConstraint(
            model_name="write",
            constraint=models.UniqueConstraint(fields=("sheet", "version"), name="one_write_a_version"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_by__isnull", True)),
                fields=("sheet", "hand", "ask"),
                name="one_standing_entry_an_address",
            ),
        ),
    ]
