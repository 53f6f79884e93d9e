"""The Celery application. It only rings: what is to be done stands in the jobs table (`league/services/jobs.py`)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("tischliga")
app.config_from_object("django.conf:settings", namespace="CELERY")
