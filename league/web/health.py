"""Two addresses for whatever watches the web server.

Terms: *live* means that this process answers; whoever sees it fail restarts the process. *Ready* means that a
request can be served; whoever sees it fail sends the traffic elsewhere and waits. The broker is no part of it: with
the broker down every page and every result still works, and the sweep rings later for the jobs that could not be
queued. The answers say nothing that a stranger may not know.
"""

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.services.readiness import NotReadyError, require_ready


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
        require_ready()
    except NotReadyError as error:
        return JsonResponse({"status": "unready", "reason": str(error)}, status=503)
    return JsonResponse({"status": "ready"})


urlpatterns = [
    path("live", live, name="live"),
    path("ready", ready, name="ready"),
]
