"""Two addresses for whatever watches the web server.

Terms: *live* means that this process answers; whoever sees it fail restarts the process. *Ready* means that a
request can be served: the database answers and has this version's migrations; whoever sees it fail sends the
traffic elsewhere and waits. The broker is no part of it: with the broker down every page and every result still
works, and the sweep rings later for the jobs that could not be queued.

The answers say nothing that a stranger may not know.
"""

from functools import cache

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


class _NotMigrated(Exception):
    pass


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """200, whatever the state of the database."""
    return JsonResponse({"status": "live"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when requests can be served, else 503 with the reason."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _require_migrations()
    except DatabaseError:
        return JsonResponse({"status": "unready", "reason": "the database does not answer"}, status=503)
    except _NotMigrated:
        return JsonResponse({"status": "unready", "reason": "migrations are missing"}, status=503)
    return JsonResponse({"status": "ready"})


@cache
def _require_migrations() -> None:
    # Cached once it succeeds: reading the migration files takes 100 times as long as the question to the database,
    # and a process never outlives its own version's files. A failure is raised, hence asked again.
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _NotMigrated


urlpatterns = [
    path("live", live, name="live"),
    path("ready", ready, name="ready"),
]
