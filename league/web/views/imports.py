"""Imports of files of other programs: uploaded, decided on, watched, taken back."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import ImportBatch, ImportState, JobState, Role
from league.services import imports as service
from league.services.access import Access
from league.services.errors import Conflict, InputError
from league.services.import_words import FATES, line_of
from league.web import job_words
from league.web.access import club_page
from league.web.import_forms import DecisionsForm, UploadForm

_PROBLEMS_A_PAGE = 50


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def imports(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The form for a file, and the last imports."""
    form = UploadForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        file = form.cleaned_data["file"]
        content = file.read()
        now = timezone.now()
        batch = form.attempt(lambda: service.upload(access=access, name=file.name, content=content, now=now))
        if batch is not None:
            return redirect("web:import", club=access.club.slug, batch_id=batch.pk)
    last = ImportBatch.objects.filter(club=access.club).defer("content", "decisions", "outcome")[:20]
    return render(request, "web/manage/imports.html", {"club": access.club, "form": form, "batches": last})


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def one(request: HttpRequest, access: Access, batch_id: int) -> HttpResponseBase:
    """A file's preview with its decisions; from the start of the import on, how far it is and what it did."""
    rows = ImportBatch.objects.select_related("job", "season__league").defer("content")
    batch = get_object_or_404(rows, club=access.club, pk=batch_id)
    form = None
    if batch.state == ImportState.PREVIEW and "preview" in batch.outcome:
        sent = request.POST if _SENT & request.POST.keys() else None
        form = DecisionsForm(sent, club=access.club, batch=batch)
    if request.method == "POST":
        answer = _act(request, access, batch, form, timezone.now())
        if answer is not None:
            return answer
    return render(request, "web/manage/import.html", _context(request, access, batch, form))


# Buttons that send the choices along.
_SENT = frozenset({"look", "apply"})


def _act(
    request: HttpRequest, access: Access, batch: ImportBatch, form: DecisionsForm | None, now: datetime
) -> HttpResponseBase | None:
    """Do what a button says; None to show the form with what is wrong in it."""
    pressed = request.POST.keys()
    if "discard" in pressed and _ask(request, lambda: service.discard(access=access, batch_id=batch.pk)):
        messages.success(request, _("Dropped; nothing was imported."))
        return redirect("web:imports", club=access.club.slug)
    if "revert" in pressed:
        _ask(request, lambda: service.revert(access=access, batch_id=batch.pk, now=now))
    if "again" in pressed:
        _ask(request, lambda: service.apply(access=access, batch_id=batch.pk, now=now))
    if form is not None and _SENT & pressed:
        if not form.is_valid() or ("apply" in pressed and not form.require_all()):
            return None
        changes = form.changes()
        if form.attempt(lambda: service.decide(access=access, batch_id=batch.pk, changes=changes, now=now)) is None:
            return None
        if "apply" in pressed:
            _ask(request, lambda: service.apply(access=access, batch_id=batch.pk, now=now))
    return redirect("web:import", club=access.club.slug, batch_id=batch.pk)


def _ask(request: HttpRequest, call: Callable[[], object]) -> bool:
    """Call a service; why it refuses is told above the page. Returns whether it did not."""
    try:
        call()
    except InputError as error:
        for problem in error.problems:
            messages.error(request, problem.message)
        return False
    except Conflict as error:
        messages.error(request, error.message)
        return False
    return True


def _context(request: HttpRequest, access: Access, batch: ImportBatch, form: DecisionsForm | None) -> dict[str, object]:
    job = batch.job
    failed = job is not None and job.state == JobState.FAILED
    works = batch.state in {ImportState.APPLYING, ImportState.REVERTING} and not failed
    found = service.problems_of(batch)
    page = Paginator(found, _PROBLEMS_A_PAGE).get_page(request.GET.get("page"))
    return {
        "club": access.club,
        "batch": batch,
        "job": job,
        "failed": failed,
        "works": works,
        "waiting": job_words.waiting(job, now=timezone.now()) if works else "",
        "form": form,
        "counts": [(FATES[fate], number) for fate, number in _counts(batch).items() if number],
        # The button says a number only while nothing that is chosen now could change it.
        "ready": 0 if _counts(batch).get("undecided") else _counts(batch).get("ready", 0),
        "problems": [(line_of(batch.source, problem.line), problem) for problem in page],
        "page": page,
        "total": batch.outcome.get("preview", batch.outcome).get("problems_total", 0),
        "kept": batch.outcome.get("kept_because", []),
    }


def _counts(batch: ImportBatch) -> dict[str, int]:
    found: dict[str, int] = batch.outcome.get("preview", batch.outcome).get("counts", {})
    return found
