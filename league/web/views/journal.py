"""What happened in a club and what goes on: the audit trail and the jobs, newest first."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.models import AuditEvent, Job, Role
from league.services.access import Access
from league.services.clubs import is_text
from league.web import job_words
from league.web.access import club_page
from league.web.reading import page_number

EVENTS_A_PAGE = 50
JOBS_A_PAGE = 20
_NOTHING = "\N{EN DASH}"


@require_safe
@club_page(Role.ADMIN)
def audit(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Who changed what, when; `topic` narrows to one kind of thing, as session."""
    events = AuditEvent.objects.filter(club=access.club).select_related("user", "token")
    topic = request.GET.get("topic", "").strip()
    if topic:
        # No text has a null byte on both databases, and no action has one.
        events = events.filter(action__startswith=f"{topic}.") if is_text(topic) else events.none()
    page = Paginator(events, EVENTS_A_PAGE).get_page(page_number(request, "page"))
    rows = [(event, [(name, _words(value)) for name, value in sorted(event.data.items())]) for event in page]
    context = {"club": access.club, "events": page, "rows": rows, "topic": topic}
    return render(request, "web/manage/audit.html", context)


def _words(value: object) -> str:
    """A value of an event's data for people to read."""
    if isinstance(value, list):
        return ", ".join(map(_words, value)) or _NOTHING
    return _NOTHING if value is None else str(value)


@require_safe
@club_page(Role.SCOREKEEPER)
def jobs(request: HttpRequest, access: Access) -> HttpResponseBase:
    """What the server works on, and what became of it."""
    known = Job.objects.filter(club=access.club, parent=None).select_related("bot_match").defer("outcome")
    page = Paginator(known, JOBS_A_PAGE).get_page(page_number(request, "page"))
    waiting = job_words.waiting_of(page, now=timezone.now())
    rows = [(job, waiting.get(job.pk, "")) for job in page]
    return render(request, "web/manage/jobs.html", {"club": access.club, "jobs": page, "rows": rows})
