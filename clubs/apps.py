from django.apps import AppConfig
from django.db.models.signals import post_migrate, post_save


class ClubsConfig(AppConfig):
    name = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import authentication_step_completed
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from clubs.accounts.again import came_in_again
        from clubs.accounts.sessions import note_sign_out, signed_in_from
        from clubs.evening.sheet_hooks import players_at_other_tables, players_of_phone, whom_the_club_expects
        from clubs.evening.this_phone import people_of_its_clubs
        from clubs.evening.without_club import offers_of_an_evening, runs_its_table
        from clubs.joining.newcomers import meet, whose_name_it_is
        from clubs.members.badges import wishes_of_players
        from clubs.models import Award, Delivery
        from clubs.notices.announcing import award_saved
        from clubs.notices.mail import MailChannel
        from clubs.notices.push import PushChannel
        from clubs.outbox import sheets as outbox_sheets
        from clubs.outbox import worker as outbox_worker
        from clubs.outbox.channels import channels
        from clubs.outbox.events import event_waits
        from clubs.owner.sheets import page_for_owner
        from clubs.play_off_rounds.preview import before_it_stops, what_would_move
        from clubs.projections.worker import wake
        from clubs.queue import sources
        from clubs.queue.changes import (
            is_counted_still,
            sheet_changed,
            standings_are_missing,
            table_published,
            work_waits,
        )
        from clubs.trophies.won_at_table import trophies_won
        from clubs.webhooks.channel import WebhookChannel
        from scoresheets.access.scorekeepers import who_runs_the_table
        from scoresheets.access.viewer import who_looks_on, who_owns_the_site
        from scoresheets.log.identity import badges_wanted, name_was_typed, seating_changed
        from scoresheets.log.publish import sheet_published
        from scoresheets.opening.candidates import who_may_be_picked
        from scoresheets.opening.several_tables import who_has_more_tables
        from scoresheets.pad.help_call import organiser_called
        from scoresheets.results.being_counted import is_it_counted_still
        from scoresheets.results.consequences import what_stopping_means, what_the_house_says
        from scoresheets.results.finale import what_was_won
        from scoresheets.roster.candidates import who_is_expected, who_sits_elsewhere

        post_migrate.connect(standings_are_missing, sender=self, dispatch_uid="clubs")
        sources.connect()
        work_waits.connect(wake, dispatch_uid="clubs")
        organiser_called.connect(outbox_sheets.table_called, dispatch_uid="clubs")
        table_published.connect(outbox_sheets.table_ended, dispatch_uid="clubs")
        channels[Delivery.Channel.WEBHOOK] = WebhookChannel()
        event_waits.connect(outbox_worker.wake, dispatch_uid="clubs")
        is_it_counted_still.connect(is_counted_still, dispatch_uid="clubs")
        sheet_published.connect(sheet_changed, dispatch_uid="clubs")
        post_save.connect(award_saved, sender=Award, dispatch_uid="clubs.notices")
        channels[Delivery.Channel.PUSH], channels[Delivery.Channel.MAIL] = PushChannel(), MailChannel()
        who_may_be_picked.connect(people_of_its_clubs, dispatch_uid="clubs")
        who_has_more_tables.connect(offers_of_an_evening, dispatch_uid="clubs")
        who_runs_the_table.connect(runs_its_table, dispatch_uid="clubs")
        who_looks_on.connect(players_of_phone, dispatch_uid="clubs")
        who_owns_the_site.connect(page_for_owner, dispatch_uid="clubs")
        who_is_expected.connect(whom_the_club_expects, dispatch_uid="clubs")
        who_sits_elsewhere.connect(players_at_other_tables, dispatch_uid="clubs")
        name_was_typed.connect(whose_name_it_is, dispatch_uid="clubs")
        seating_changed.connect(meet, dispatch_uid="clubs")
        badges_wanted.connect(wishes_of_players, dispatch_uid="clubs")
        what_was_won.connect(trophies_won, dispatch_uid="clubs")
        what_stopping_means.connect(before_it_stops, dispatch_uid="clubs")
        what_the_house_says.connect(what_would_move, dispatch_uid="clubs")
        user_logged_in.connect(signed_in_from, dispatch_uid="clubs")
        user_logged_out.connect(note_sign_out, dispatch_uid="clubs")
        authentication_step_completed.connect(came_in_again, dispatch_uid="clubs")
