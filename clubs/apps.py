from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from clubs.published import told
        from scoresheets.publishing import sheet_published

        sheet_published.connect(told, dispatch_uid="clubs")
