"""The Celery application. It only rings: what is to be done stands in the jobs table (`league/services/jobs.py`)."""

import os
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import celeryd_init
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("tischliga")
app.config_from_object("django.conf:settings", namespace="CELERY")


def make_broker_folders() -> None:
    """Create the folders of the embedded broker; with Redis there are none."""
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    for name in ("data_folder_in", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)


@celeryd_init.connect
def _on_worker_start(**kwargs: Any) -> None:
    make_broker_folders()
