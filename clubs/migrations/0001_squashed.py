"""The tables of the club as the releases before 2026-11-23 had them, but for what points to sheets.

A database of the last of those releases has them. An older one is brought there by that release first.
"""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import clubs.models.club
import scoresheets.models.sheet


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("clubs", "0001_initial"),
        ("clubs", "0002_the_club"),
        ("clubs", "0003_the_play_off"),
        ("clubs", "0004_organiser_codes"),
        ("clubs", "0005_figures_that_compare"),
        ("clubs", "0006_main_game"),
        ("clubs", "0007_names_nobody_keeps"),
        ("clubs", "0008_results_to_count"),
        ("clubs", "0009_finals_of_different_length"),
        ("clubs", "0010_erased_members"),
        ("clubs", "0011_browser_sessions"),
        ("clubs", "0012_pasted_lists"),
        ("clubs", "0013_names_without_addresses"),
        ("clubs", "0014_counting_a_table"),
        ("clubs", "0015_generation_of_a_night"),
        ("clubs", "0016_club_exports"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Call",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "says",
                    models.CharField(
                        choices=[("here", "here"), ("coming", "coming later"), ("not", "not tonight")], max_length=6
                    ),
                ),
                ("leaves", models.TimeField(blank=True, null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Chair",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                ("deals", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["place"],
            },
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("counted_since", models.DateField(editable=False, null=True)),
                ("counted_before", models.CharField(blank=True, editable=False, max_length=200)),
                ("counted_seen", models.BooleanField(default=False, editable=False)),
                ("name", models.CharField(max_length=60)),
                ("slug", models.SlugField(max_length=40, unique=True)),
                ("place", models.CharField(blank=True, max_length=120)),
                ("about", models.CharField(blank=True, max_length=400)),
                ("time_zone", models.CharField(default=clubs.models.club.usual_time_zone, max_length=40)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("link", "whoever has the club’s link"),
                            ("public", "everybody"),
                            ("members", "members who sign in, and nobody else"),
                        ],
                        default="link",
                        max_length=8,
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                (
                    "calendar_key",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("main_game", models.CharField(blank=True, max_length=40)),
                ("awards_at_once", models.BooleanField(default=False)),
                ("is_demo", models.BooleanField(default=False, editable=False)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Honour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand", models.PositiveIntegerField()),
                ("game", models.SlugField(db_index=False, max_length=40)),
                ("tag", models.SlugField(max_length=40)),
                ("value", models.IntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organiser", "organiser"),
                            ("scorekeeper", "scorekeeper"),
                            ("member", "member"),
                            ("guest", "guest"),
                        ],
                        default="member",
                        max_length=12,
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("nickname", models.CharField(blank=True, max_length=40)),
                ("hidden", models.BooleanField(default=False)),
                ("shown_as", models.CharField(blank=True, max_length=40)),
                ("joined_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("added_with", models.CharField(blank=True, editable=False, max_length=22)),
                ("approved_at", models.DateTimeField(blank=True, default=django.utils.timezone.now, null=True)),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("claim_hash", models.CharField(blank=True, db_index=True, editable=False, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Night",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("on", models.DateField()),
                ("begins", models.TimeField(blank=True, null=True)),
                ("title", models.CharField(blank=True, max_length=80)),
                ("place", models.CharField(blank=True, max_length=120)),
                ("for_fun", models.BooleanField(default=False)),
                ("game", models.CharField(blank=True, max_length=40)),
                (
                    "trophies",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("play-off", "a play-off"),
                            ("table", "one table"),
                            ("nothing", "no trophies tonight"),
                        ],
                        max_length=8,
                    ),
                ),
                ("begun_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("drawn", models.JSONField(blank=True, default=dict)),
                ("generation", models.CharField(blank=True, editable=False, max_length=24)),
            ],
            options={
                "ordering": ["-on", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Packed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("thing", models.CharField(max_length=60)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Parcel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("club", "a whole club"),
                            ("results", "results of the past"),
                            ("holders", "holders of trophies"),
                        ],
                        max_length=8,
                    ),
                ),
                ("called", models.CharField(max_length=80)),
                ("code_hash", models.CharField(blank=True, max_length=64)),
                ("content", models.BinaryField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("picks", models.JSONField(blank=True, default=dict)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("newcomers", models.JSONField(blank=True, default=list)),
                ("total", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("added", models.PositiveIntegerField(default=0)),
                ("taken_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="PendingUpdate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sheet", "a sheet was finished, corrected or opened again"),
                            ("table", "what a table alone was worth to its people"),
                            ("play-off", "a ruling, a card or a stage of a play-off"),
                            ("night", "whether and when a night counts"),
                            ("trophies", "what the trophies of a night follow"),
                            ("member", "two records became one person, or two again"),
                            ("club", "games of the whole club"),
                            ("season", "the standing of a season"),
                            ("past", "results or holders of the past that are being written"),
                        ],
                        max_length=8,
                    ),
                ),
                ("subject", models.BigIntegerField()),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("not_before", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, max_length=80)),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Placing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("score", models.IntegerField(null=True)),
                ("winner", models.BooleanField(default=False)),
                ("loser", models.BooleanField(default=False)),
                ("players", models.PositiveSmallIntegerField()),
                ("sharing", models.PositiveSmallIntegerField(default=0)),
                ("hands", models.PositiveSmallIntegerField(default=0)),
                ("boxes", models.PositiveSmallIntegerField(default=0)),
                ("circles", models.PositiveSmallIntegerField(default=0)),
                ("bids", models.PositiveSmallIntegerField(default=0)),
                ("made", models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="PlayOff",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("game", models.SlugField(max_length=40)),
                ("places", models.PositiveSmallIntegerField()),
                ("losers_count", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("final_hands", models.PositiveSmallIntegerField(default=0)),
                ("carry_over", models.BooleanField(default=False)),
                ("cut_by_high_card", models.BooleanField(default=False)),
                (
                    "mixed",
                    models.CharField(
                        choices=[("random", "at random"), ("standing", "mixed by standing"), ("hand", "by hand")],
                        default="random",
                        max_length=8,
                    ),
                ),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("decided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("called_off_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["created", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ProjectionLease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("holder", models.CharField(max_length=32)),
                ("until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("cut", "a tie across the line"),
                            ("draw", "cards drawn for the loser’s trophy"),
                            ("keep", "kept as played after a correction"),
                            ("redraw", "drawn anew after a correction"),
                            ("hands", "finals of different length"),
                        ],
                        max_length=6,
                    ),
                ),
                ("says", models.JSONField(default=dict)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Scrap",
            fields=[
                ("cache_key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                ("value", models.TextField()),
                ("expires", models.DateTimeField(db_index=True)),
            ],
            options={
                "db_table": "clubs_scrap",
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("counted_since", models.DateField(editable=False, null=True)),
                ("counted_before", models.CharField(blank=True, editable=False, max_length=200)),
                ("counted_seen", models.BooleanField(default=False, editable=False)),
                ("name", models.CharField(max_length=60)),
                ("begins", models.DateField()),
                ("ends", models.DateField()),
                ("games", models.JSONField(blank=True, default=list)),
                ("scheme", models.SlugField(max_length=20)),
                ("order", models.JSONField(blank=True, default=list)),
                ("numbers", models.JSONField(blank=True, default=dict)),
                ("drops", models.PositiveSmallIntegerField(default=0)),
                ("least_nights", models.PositiveSmallIntegerField(default=0)),
                ("locked_at", models.DateTimeField(blank=True, null=True)),
                ("differs", models.BooleanField(default=False, editable=False)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
                ("keeps_apart", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "ordering": ["-begins", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "side",
                    models.CharField(
                        choices=[("all", "groups"), ("winners", "winners’ side"), ("losers", "losers’ side")],
                        max_length=7,
                    ),
                ),
                ("hands", models.PositiveSmallIntegerField()),
                ("places", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("drawn_for", models.JSONField(blank=True, default=list)),
                ("abandoned_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["number", "side", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField(null=True)),
                ("place_before", models.PositiveIntegerField(null=True)),
                ("points", models.DecimalField(decimal_places=2, max_digits=18)),
                ("reason", models.CharField(blank=True, max_length=120)),
                ("nights", models.PositiveIntegerField(default=0)),
                ("games", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
                ("lost", models.PositiveIntegerField(default=0)),
                ("beaten", models.BigIntegerField(default=0)),
                ("compared", models.PositiveIntegerField(default=0)),
                ("share", models.DecimalField(decimal_places=2, max_digits=5, null=True)),
                ("score", models.BigIntegerField(null=True)),
                ("average", models.DecimalField(decimal_places=2, max_digits=12, null=True)),
                ("best", models.IntegerField(null=True)),
                ("worst", models.IntegerField(null=True)),
                ("hands", models.PositiveIntegerField(default=0)),
                ("boxes", models.PositiveIntegerField(default=0)),
                ("circles", models.PositiveIntegerField(default=0)),
                ("bids", models.PositiveIntegerField(default=0)),
                ("made", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("label", models.CharField(blank=True, max_length=40)),
                ("game", models.SlugField(max_length=40)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("drawn", "drawn at the roll call"),
                            ("brought", "a sheet that was opened elsewhere"),
                            ("past", "a result of the past, typed in"),
                        ],
                        default="drawn",
                        max_length=8,
                    ),
                ),
                ("plan", models.JSONField(blank=True, default=dict)),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["number", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Trophy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                (
                    "goes",
                    models.CharField(
                        choices=[("winner", "to the winner"), ("loser", "to the loser"), ("other", "as the club says")],
                        default="other",
                        max_length=6,
                    ),
                ),
                ("about", models.CharField(blank=True, max_length=200)),
                ("drawing", models.SlugField(default="cup", max_length=20)),
                ("picture", models.BinaryField(blank=True, null=True)),
                ("picture_key", models.CharField(blank=True, editable=False, max_length=16)),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "trophies",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Award",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=40)),
                ("on", models.DateField()),
                (
                    "exact",
                    models.CharField(
                        choices=[("day", "the day"), ("month", "the month"), ("year", "the year")],
                        default="day",
                        max_length=5,
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("sheet", "a sheet"), ("play-off", "a play-off"), ("typed", "typed in")], max_length=8
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=200)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("handed_at", models.DateTimeField(blank=True, null=True)),
                ("set_aside_at", models.DateTimeField(blank=True, null=True)),
                ("undone", models.BooleanField(default=False)),
                (
                    "instead_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="clubs.award",
                    ),
                ),
            ],
            options={
                "ordering": ["on", "pk"],
            },
        ),
        migrations.CreateModel(
            name="BrowserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="browser_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Apart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="apart", to="clubs.club"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ClubExport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=32, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "nobody makes it yet"),
                            ("making", "a process makes it"),
                            ("ready", "it can be saved"),
                            ("failed", "it could not be made"),
                        ],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.CharField(blank=True, max_length=200)),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="export", to="clubs.club"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DiaryLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("says", models.CharField(max_length=300)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="diary", to="clubs.club"
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Doubt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("says", models.CharField(max_length=200)),
                ("name", models.CharField(blank=True, max_length=40)),
                ("version", models.PositiveIntegerField()),
                ("raised_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("keep", "it stays where it is"),
                            ("move", "it goes to whom the sheet names now"),
                            ("gone", "the sheet says something else again"),
                        ],
                        max_length=4,
                    ),
                ),
                (
                    "award",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="doubts", to="clubs.award"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Feat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.SlugField(db_index=False, max_length=40)),
                ("what", models.SlugField(db_index=False, max_length=40)),
                ("value", models.IntegerField()),
                ("hand", models.PositiveIntegerField(default=0)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feats",
                        to="clubs.club",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="FoundingCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code_hash", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_codes",
                        to="clubs.club",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uid",
                    models.CharField(
                        default=scoresheets.models.sheet.new_token, editable=False, max_length=22, unique=True
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organiser", "organiser"),
                            ("scorekeeper", "scorekeeper"),
                            ("member", "member"),
                            ("guest", "guest"),
                        ],
                        default="member",
                        max_length=12,
                    ),
                ),
                ("asks", models.BooleanField(default=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="clubs.club"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Known",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="known", to="clubs.club"
                    ),
                ),
            ],
        ),
    ]
