"""Why somebody stands where, and what is still possible: read by whoever reads the board or the score sheet."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from league.models import Club
from league.services import explanations, outlooks, rule_words
from league.services.errors import NotFound
from league.web import prospects, reading


def _page(request: HttpRequest, template: str, club: Club, context: Mapping[str, object]) -> HttpResponse:
    """A page of the club, to be asked for again before it is shown again."""
    with timezone.override(club.zone):
        response = render(request, template, {**context, "club": club})
    patch_cache_control(response, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return response


@require_safe
def explanation(request: HttpRequest, club: str, league: str, season: str, player_id: int) -> HttpResponseBase:
    """A player's line of a season's table: every figure with what it comes from."""
    found, rights = reading.season_page(
        reader=request.user, club=club, league=league, season=season, key=reading.board_key(request)
    )
    naming = prospects.naming(rights)
    with timezone.override(found.club.zone):
        try:
            told = explanations.explain(season=found, player_id=player_id, naming=naming)
        except NotFound as error:
            raise Http404 from error
    value = "" if told.value is None else rule_words.value_told(found, told.value)
    if told.derivation is not None and told.derivation.arithmetic.rpartition(" ")[2] == value:
        # The line of arithmetic ends in it.
        value = ""
    context = {
        "season": found,
        "rights": rights,
        "told": told,
        "player": naming(told.player),
        "value": value,
        "value_name": rule_words.value_name(found),
        "items": prospects.item_rows(told),
        "rules": rule_words.in_words(found),
        "above": told.above and naming(told.above.player),
        "below": told.below and naming(told.below.player),
    }
    return _page(request, "web/explanation.html", found.club, context)


@require_safe
def season_outlook(request: HttpRequest, club: str, league: str, season: str) -> HttpResponseBase:
    """Who can still win a season or finish in the top N, by what the reader takes to be given."""
    found, rights = reading.season_page(
        reader=request.user, club=club, league=league, season=season, key=reading.board_key(request)
    )
    form = prospects.OutlookForm(request.GET)
    form.is_valid()
    outlook = outlooks.of_season(found, form.wanted(), now=timezone.now())
    context = {
        "season": found,
        "rights": rights,
        "form": form,
        "outlook": outlook,
        "reason": outlooks.REASONS[outlook.reason],
        "tables": prospects.season_tables(outlook, rights),
        "assumptions": prospects.assumptions(outlook),
    }
    return _page(request, "web/season_outlook.html", found.club, context)


@require_safe
def session_outlook(request: HttpRequest, club: str, session_id: int) -> HttpResponseBase:
    """Who can still win a session that goes on, and what each needs in the next game."""
    session, rights = reading.session_page(
        reader=request.user, club=club, session_id=session_id, key=reading.board_key(request)
    )
    outlook = outlooks.of_session(session)
    # Those in the first half; what the others do is told by winning.
    top = max(2, min(outlooks.USUAL_TOP, len(outlook.players) - 1))
    context = {
        "season": session.season,
        "session": session,
        "rights": rights,
        "outlook": outlook,
        "reason": outlooks.REASONS[outlook.reason],
        "top": top,
        "rows": prospects.table_rows(outlook, top, rights),
        "games_left": prospects.games_left(outlook),
    }
    return _page(request, "web/session_outlook.html", session.club, context)
