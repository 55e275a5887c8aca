"""What in the tables of the club points to sheets, with their indexes and constraints."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("clubs", "0017_writing_the_past"),
    ]

    dependencies = [
        ("clubs", "0001_squashed"),
        ("scoresheets", "0001_squashed"),
    ]

    operations = [
        migrations.AddField(
            model_name="known",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="known_as", to="scoresheets.player"
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="members", to="clubs.club"
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="joined_to",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="joined",
                to="clubs.member",
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="memberships", to="scoresheets.player"
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="same_as",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="others",
                to="clubs.member",
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="says_is",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="memberships",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="known",
            name="member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="known_as",
                to="clubs.member",
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="made_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to="clubs.member",
            ),
        ),
        migrations.AddField(
            model_name="honour",
            name="member",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="honours", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="feat",
            name="member",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="feats", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="doubt",
            name="answered_by",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="doubt",
            name="member",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="diaryline",
            name="by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="chair",
            name="member",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="chairs", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="member",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="award",
            name="confirmed_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="award",
            name="member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="awards",
                to="clubs.member",
            ),
        ),
        migrations.AddField(
            model_name="apart",
            name="one",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clubs.member"),
        ),
        migrations.AddField(
            model_name="apart",
            name="other",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clubs.member"),
        ),
        migrations.AddField(
            model_name="night",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="nights", to="clubs.club"
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="night",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="clubs.night"
            ),
        ),
        migrations.AddField(
            model_name="packed",
            name="night",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="packed", to="clubs.night"
            ),
        ),
        migrations.AddField(
            model_name="parcel",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="parcels", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="parcel",
            name="club",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="parcels", to="clubs.club"
            ),
        ),
        migrations.AddField(
            model_name="parcel",
            name="confirmed_by",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="pendingupdate",
            name="club",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="pending_updates",
                to="clubs.club",
            ),
        ),
        migrations.AddField(
            model_name="placing",
            name="member",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="placings", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="playoff",
            name="night",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="play_offs", to="clubs.night"
            ),
        ),
        migrations.AddField(
            model_name="ruling",
            name="by",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="ruling",
            name="play_off",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rulings", to="clubs.playoff"
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="seasons", to="clubs.club"
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="play_off",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="clubs.playoff"
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="standings", to="clubs.club"
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="member",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="standings", to="clubs.member"
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="season",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="standings", to="clubs.season"
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="night",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="tables", to="clubs.night"
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="sheet",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="table",
                to="scoresheets.sheet",
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="stage",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="tables",
                to="clubs.stage",
            ),
        ),
        migrations.AddField(
            model_name="placing",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="placings", to="clubs.table"
            ),
        ),
        migrations.AddField(
            model_name="night",
            name="trophies_table",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.table"
            ),
        ),
        migrations.AddField(
            model_name="honour",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="honours", to="clubs.table"
            ),
        ),
        migrations.AddField(
            model_name="feat",
            name="table",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="feats", to="clubs.table"
            ),
        ),
        migrations.AddField(
            model_name="chair",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="chairs", to="clubs.table"
            ),
        ),
        migrations.AddField(
            model_name="award",
            name="table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="awards",
                to="clubs.table",
            ),
        ),
        migrations.AddField(
            model_name="trophy",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="trophies", to="clubs.club"
            ),
        ),
        migrations.AddField(
            model_name="award",
            name="trophy",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="awards", to="clubs.trophy"
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(fields=("club", "player"), name="one_membership_a_player"),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(
                condition=models.Q(("left_at__isnull", True), ("same_as__isnull", True), ("user__isnull", False)),
                fields=("club", "user"),
                name="one_membership_a_user",
            ),
        ),
        migrations.AddConstraint(
            model_name="known",
            constraint=models.UniqueConstraint(fields=("club", "player"), name="one_member_a_player"),
        ),
        migrations.AddConstraint(
            model_name="apart",
            constraint=models.UniqueConstraint(fields=("one", "other"), name="one_line_a_pair"),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.UniqueConstraint(fields=("night", "member"), name="one_answer_a_member"),
        ),
        migrations.AddConstraint(
            model_name="packed",
            constraint=models.UniqueConstraint(fields=("night", "thing"), name="one_tick_a_thing"),
        ),
        migrations.AddConstraint(
            model_name="playoff",
            constraint=models.UniqueConstraint(
                condition=models.Q(("called_off_at__isnull", True)), fields=("night",), name="one_play_off_a_night"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(
                condition=models.Q(("abandoned_at__isnull", True)),
                fields=("play_off", "number", "side"),
                name="one_stage_a_side",
            ),
        ),
        migrations.AddIndex(
            model_name="standing",
            index=models.Index(fields=["club", "season", "place"], name="standings_in_order"),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.UniqueConstraint(fields=("season", "member"), name="one_standing_a_season"),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.UniqueConstraint(
                condition=models.Q(("season__isnull", True)), fields=("club", "member"), name="one_standing_a_member"
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at__isnull", True)),
                fields=("night", "number"),
                name="one_table_a_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="placing",
            constraint=models.UniqueConstraint(fields=("table", "member"), name="one_placing_a_member"),
        ),
        migrations.AddIndex(
            model_name="night",
            index=models.Index(fields=["club", "-on"], name="nights_of_a_club"),
        ),
        migrations.AddIndex(
            model_name="honour",
            index=models.Index(fields=["member", "game", "tag", "value", "table"], name="honours_of_a_member"),
        ),
        migrations.AddConstraint(
            model_name="honour",
            constraint=models.UniqueConstraint(fields=("table", "member", "hand", "tag"), name="one_honour_a_hand"),
        ),
        migrations.AddIndex(
            model_name="feat",
            index=models.Index(fields=["club", "game", "what", "-value", "table"], name="greatest_feats"),
        ),
        migrations.AddIndex(
            model_name="feat",
            index=models.Index(fields=["club", "game", "what", "value", "table"], name="smallest_feats"),
        ),
        migrations.AddIndex(
            model_name="feat",
            index=models.Index(fields=["member", "game", "what", "value"], name="feats_of_a_member"),
        ),
        migrations.AddConstraint(
            model_name="feat",
            constraint=models.UniqueConstraint(fields=("table", "member", "what"), name="one_feat_a_game"),
        ),
        migrations.AddConstraint(
            model_name="chair",
            constraint=models.UniqueConstraint(fields=("table", "place"), name="one_chair_a_place"),
        ),
        migrations.AddConstraint(
            model_name="chair",
            constraint=models.UniqueConstraint(fields=("table", "member"), name="one_chair_a_member"),
        ),
        migrations.AddIndex(
            model_name="award",
            index=models.Index(fields=["trophy", "-on", "-id"], name="awards_of_a_trophy"),
        ),
        migrations.AddIndex(
            model_name="award",
            index=models.Index(fields=["trophy", "-handed_at"], name="hand_overs_of_a_trophy"),
        ),
        migrations.AddConstraint(
            model_name="award",
            constraint=models.UniqueConstraint(
                condition=models.Q(("set_aside_at__isnull", True), ("table__isnull", False)),
                fields=("trophy", "table"),
                name="one_award_a_table",
            ),
        ),
    ]
