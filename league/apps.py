"""The one Django app of the project."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("League")

    def ready(self) -> None:
        # Late, since both need the loaded apps: tasks find their application, and the same-club triggers come
        # back after every migration (SQLite drops a table's triggers whenever Django rebuilds the table).
        from league import celery  # noqa: F401
        from league.models.tenancy import install_triggers

        post_migrate.connect(install_triggers, sender=self, dispatch_uid="league.same_club_triggers")
