"""Report files of tournaments: one to download, and one that becomes a tournament.

Promises: a look stores nothing, and its page sends the same file on; of a large file, which a job looks at, the file
is kept to be taken over from there. Whoever reads the standings may take them along, with the names that the reader
sees.
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import JobState, Role, StageFormat, TournamentFile
from league.services import tournament_file_jobs as service
from league.services import tournament_files, tournament_state
from league.services.access import Access
from league.services.errors import Conflict, NeedsConfirmation
from league.services.moments import one_moment
from league.services.tournament_files import WARNINGS, Imported
from league.web import job_words, reading, tournament_lines, tournaments
from league.web.access import club_page
from league.web.reading import rights_of
from league.web.tournament_file_forms import ReportFileForm

# Of files under way: they are few, and no page of their own lists them.
_FILES_SHOWN = 20


@require_safe
def download(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """A tournament as a report file."""
    with one_moment():
        row, rights = tournaments.find(reader=request.user, club=club, slug=slug, key=reading.board_key(request))
        state = tournament_state.load(row)
        try:
            text = tournament_files.export_trf(state=state, names=tournament_lines.face(row, rights).names())
        except Conflict as error:
            raise Http404 from error
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{row.slug}.trf"'
    return answer


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def upload(request: HttpRequest, access: Access) -> HttpResponseBase:
    """A report file looked at, and made a tournament; a large one goes on to a page of its own."""
    form = ReportFileForm(request.POST or None, request.FILES or None, club=access.club)
    seen = None
    if form.is_bound and form.is_valid():
        now, looks = timezone.now(), "look" in request.POST
        found = form.attempt(lambda: service.take(access=access, data=form.given(), looks=looks, now=now))
        if isinstance(found, TournamentFile):
            return redirect("web:tournament-file", access.club.slug, found.pk)
        if found is not None and not looks:
            messages.success(request, _("The tournament is here, with its players, rounds and results."))
            return redirect("web:tournament-manage", access.club.slug, found.tournament.slug)
        seen = found
    context = {
        "club": access.club,
        "rights": rights_of(access.role),
        "form": form,
        "under_way": service.to_come_back_to(access.club)[:_FILES_SHOWN],
        **_seen(seen),
    }
    return render(request, "web/tournament_file.html", context)


def _seen(found: Imported | None) -> dict[str, object]:
    return {"seen": found, "format": StageFormat(found.format).label if found is not None else ""}


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def large_file(request: HttpRequest, access: Access, file_id: int) -> HttpResponseBase:
    """A report file that a job works on: how far it is, what would come of it or was wrong, and what came of it."""
    file = service.find(access=access, file_id=file_id)
    unticked = False
    if request.method == "POST":
        try:
            _act(request, access, file_id)
        except Conflict as error:
            messages.error(request, error.message)
        except NeedsConfirmation:
            unticked = True
        if not unticked:
            return redirect("web:tournament-file", access.club.slug, file_id)
    works, failed = service.is_at_work(file), file.job.state == JobState.FAILED
    warnings = service.warnings_of(file)
    context = {
        "club": access.club,
        "rights": rights_of(access.role),
        "file": file,
        "works": works,
        "waiting": job_words.waiting(file.job, now=timezone.now()),
        # All of that is one transaction, which tells nothing before its end.
        "stores": works and file.job.done > 0,
        "taken": service.is_taken(file),
        "problems": service.problems_of(file) if failed else (),
        "warnings": warnings,
        "codes": sorted({one.code for one in warnings}),
        "unticked": unticked,
        **_seen(service.imported(file)),
    }
    answer = render(request, "web/tournament_large_file.html", context)
    patch_cache_control(answer, private=True, no_cache=True)
    return answer


def _act(request: HttpRequest, access: Access, file_id: int) -> None:
    now, action = timezone.now(), request.POST.get("action")
    if action == "cancel":
        service.cancel(access=access, file_id=file_id, now=now)
        messages.success(request, _("The job is cancelled; nothing was stored."))
    elif action == "look":
        service.look_again(access=access, file_id=file_id, now=now)
    elif action == "take":
        confirm = WARNINGS & set(request.POST.getlist("confirm"))
        service.take_over(access=access, file_id=file_id, confirm=confirm, now=now)
