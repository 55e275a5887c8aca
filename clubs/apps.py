from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from clubs.expected import whom_the_club_expects
        from clubs.published import told
        from scoresheets.expected import who_is_expected
        from scoresheets.publishing import sheet_published

        sheet_published.connect(told, dispatch_uid="clubs")
        who_is_expected.connect(whom_the_club_expects, dispatch_uid="clubs")
