"""Report files of tournaments: one to download, and one that becomes a tournament.

Promises: a look stores nothing, and its page sends the same file on; whoever reads the standings may take them along,
with the names that the reader sees.
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Role, StageFormat
from league.services import tournament_files, tournament_state
from league.services.access import Access
from league.services.errors import Conflict
from league.services.moments import one_moment
from league.web import reading, tournament_lines, tournaments
from league.web.access import club_page
from league.web.reading import rights_of
from league.web.tournament_file_forms import ReportFileForm


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
    """A report file looked at, and made a tournament."""
    form = ReportFileForm(request.POST or None, request.FILES or None, club=access.club)
    seen = None
    if form.is_bound and form.is_valid():
        now = timezone.now()
        if "look" in request.POST:
            seen = form.attempt(lambda: tournament_files.look(access=access, data=form.given(), now=now))
        else:
            made = form.attempt(lambda: tournament_files.import_trf(access=access, data=form.given(), now=now))
            if made is not None:
                messages.success(request, _("The tournament is here, with its players, rounds and results."))
                return redirect("web:tournament-manage", access.club.slug, made.tournament.slug)
    context = {
        "club": access.club,
        "rights": rights_of(access.role),
        "form": form,
        "seen": seen,
        "format": StageFormat(seen.format).label if seen is not None else "",
    }
    return render(request, "web/tournament_file.html", context)
