"""The Celery application. It only rings: what is to be done stands in the jobs table (`league/services/jobs.py`)."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_init
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

# The scheme of the embedded broker's address.
TRANSPORT_ALIASES["folder"] = "league.broker:Transport"

app = Celery("tischliga")
app.config_from_object("django.conf:settings", namespace="CELERY")

# Above the seconds for which a worker's read waits for the next message.
WORKER_SOCKET_TIMEOUT = 30


@celeryd_init.connect
def _have_a_workers_patience(conf: Any, **kwargs: Any) -> None:
    options = conf.broker_transport_options
    if "socket_timeout" in options:
        conf.broker_transport_options = {**options, "socket_timeout": WORKER_SOCKET_TIMEOUT}
