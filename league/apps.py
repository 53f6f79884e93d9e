"""The one Django app of the project."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("League")

    def ready(self) -> None:
        # Late, since both need the loaded apps: tasks find their application, and the same-club triggers go
        # before every migration and come back after it (SQLite rebuilds a table that changes, and loses its triggers).
        from league import celery  # noqa: F401
        from league.models.tenancy import install_triggers, remove_triggers

        pre_migrate.connect(remove_triggers, sender=self, dispatch_uid="league.same_club_triggers_off")
        post_migrate.connect(install_triggers, sender=self, dispatch_uid="league.same_club_triggers")
