"""Bot matches: asked for, watched, cancelled, tried again; bots added as players."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.models import OVER, BotMatch, JobState, Role
from league.services import bot_matches as service
from league.services import bot_players, bot_results
from league.services.access import Access
from league.services.bot_results import Results
from league.services.errors import Conflict
from league.web import bot_match_rows, charts, job_words, reading
from league.web.access import club_page
from league.web.charts import Bar, BarChart
from league.web.forms import BotMatchForm, BotsForm
from league.web.words import grouped

_DEALS_A_PAGE = 100
# Bars have room on a phone for so many results; more are put together. From 25 results on that gives more than 12 bars,
# which are labelled here and there: side by side there is no room for labels of two numbers.
_MOST_BARS = 24


@require_safe
def bot_matches(request: HttpRequest, club: str) -> HttpResponseBase:
    """All matches, the newest first; for visitors those that are sessions of public seasons."""
    found, rights = reading.club_page(reader=request.user, slug=club)
    page = reading.page_number(request, "page")
    rows, more = bot_match_rows.rows(found, rights, page=page)
    context = {"club": found, "rights": rights, "rows": rows, "page": page, "more": more}
    answer = render(request, "web/bot_matches.html", context)
    patch_cache_control(answer, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return answer


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def new_bot_match(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The form for a bot match, and that for bots to play it."""
    form = BotMatchForm(request.POST or None, club=access.club)
    if form.is_valid():
        now = timezone.now()
        match = form.attempt(lambda: service.request(access=access, data=form.match_input(now=now), now=now))
        if match is not None:
            return redirect("web:bot-match", club=access.club.slug, match_id=match.pk)
    return _page(request, access, form, BotsForm())


def _page(request: HttpRequest, access: Access, form: BotMatchForm, bots_form: BotsForm) -> HttpResponseBase:
    context = {"club": access.club, "form": form, "bots_form": bots_form}
    return render(request, "web/new_bot_match.html", context)


@require_POST
@club_page(Role.SCOREKEEPER)
def add_bots(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Add players that a bot plays, so that a match has somebody to seat."""
    form = BotsForm(request.POST)
    if form.is_valid():
        now, bot, count = timezone.now(), form.cleaned_data["bot"], form.cleaned_data["count"]
        added = form.attempt(lambda: bot_players.add(access=access, bot=bot, count=count, now=now))
        if added is not None:
            names = ", ".join(player.name for player in added)
            messages.success(request, ngettext("Added: %(names)s.", "Added: %(names)s.", count) % {"names": names})
            return redirect("web:new-bot-match", club=access.club.slug)
    return _page(request, access, BotMatchForm(club=access.club), form)


@require_safe
@club_page(Role.MEMBER)
def bot_match(request: HttpRequest, access: Access, match_id: int) -> HttpResponseBase:
    """How far a bot match is, and what came of it; asks again by itself until it is over."""
    matches = BotMatch.objects.select_related("job", "season__league").prefetch_related("seats__player")
    match = get_object_or_404(matches.annotate(at_work=bot_results.under_way("job")), club=access.club, pk=match_id)
    job, over, now = match.job, match.job.state in OVER, timezone.now()
    may_arrange = access.may(Role.SCOREKEEPER)
    done = job.done + int(vars(match)["at_work"])
    results = bot_results.results_of(match)
    page = Paginator(range(1, match.deals + 1), _DEALS_A_PAGE).get_page(reading.page_number(request, "page"))
    deals = bot_results.deals_of(match, first=page[0], count=_DEALS_A_PAGE) if results is not None else []
    context = {
        "club": access.club,
        "match": match,
        "job": job,
        "done": done,
        "end": bot_results.estimated_end(job=job, done=done, now=now),
        "over": over,
        "waiting": job_words.waiting(job, now=now),
        "may_arrange": may_arrange,
        "may_cancel": not over and may_arrange,
        "may_retry": job.state in {JobState.FAILED, JobState.CANCELLED} and may_arrange,
        "poll": 0 if over else 1,
        "results": results,
        "chart": _chart(results) if results is not None else None,
        "ends": _ends(results) if results is not None else [],
        "deals": [(deal, _ended(deal.played.reason) if deal.played else "") for deal in deals],
        "page": page,
    }
    return render(request, "web/bot_match.html", context)


def _ended(code: str) -> str:
    return str(bot_results.ENDS.get(code, code))


def _ends(results: Results) -> list[tuple[str, int]]:
    return [(_ended(code), count) for code, count in results.ends]


def _chart(results: Results) -> BarChart:
    """The place average of each seat, or how often a cooperative table had which result."""
    if results.table_results:
        bars = [Bar(label, count, grouped(count)) for label, count in _together(results.table_results)]
        return charts.bar_chart(_("Results of the table"), bars, heading=_("Result"), counted=_("Deals"))
    bars = [
        Bar(seat.player.name, seat.place or 0, number_format(floatformat(seat.place, "-2u"), use_l10n=True))
        for seat in results.seats
    ]
    return charts.bar_chart(
        _("Place average"), bars, across=True, heading=_("Player"), counted=_("Place average, the lower the better")
    )


def _together(results: tuple[tuple[int, int], ...]) -> list[tuple[str, int]]:
    """How many deals had which result; where there are many, runs of as many results each, empty ones too."""
    low, high = results[0][0], results[-1][0]
    width = -(-(high - low + 1) // _MOST_BARS)
    counts = [0] * (-(-(high - low + 1) // width))
    for result, count in results:
        counts[(result - low) // width] += count
    firsts = range(low, high + 1, width)
    if width == 1:
        return [(str(first), count) for first, count in zip(firsts, counts, strict=True)]
    return [(f"{first}\N{EN DASH}{first + width - 1}", count) for first, count in zip(firsts, counts, strict=True)]


@require_POST
@club_page(Role.SCOREKEEPER)
def cancel_bot_match(request: HttpRequest, access: Access, match_id: int) -> HttpResponseBase:
    """Stop a bot match."""
    try:
        service.cancel(access=access, match_id=match_id, now=timezone.now())
    except Conflict as error:
        messages.error(request, error.message)
    return redirect("web:bot-match", club=access.club.slug, match_id=match_id)


@require_POST
@club_page(Role.SCOREKEEPER)
def retry_bot_match(request: HttpRequest, access: Access, match_id: int) -> HttpResponseBase:
    """Play a bot match after all that failed or was cancelled."""
    try:
        service.retry(access=access, match_id=match_id, now=timezone.now())
    except Conflict as error:
        messages.error(request, error.message)
    return redirect("web:bot-match", club=access.club.slug, match_id=match_id)
