"""A tournament as its organisers steer it: made, changed, begun, paired, paused, ended; and the page of an invitation.

Promises: every button is made for the version that its page showed: after somebody else's change it does nothing, and
the page says so and shows the present state. All of it works without JavaScript. The pages of who entered are in
`tournament_entries.py`, those of the tournament rounds in `tournament_rounds.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.models import (
    EntryStatus,
    Member,
    Role,
    SessionFormat,
    StageFormat,
    Tournament,
    TournamentEntry,
    TournamentStatus,
    User,
    Visibility,
)
from league.pairing.values import TableKind
from league.services import (
    jobs,
    tournament_asked,
    tournament_changes,
    tournament_entries,
    tournament_plans,
    tournament_rounds,
    tournament_state,
    tournaments,
)
from league.services.access import Access
from league.services.errors import Conflict, InputError, NotFound, ServiceError, Stale
from league.services.tournament_changes import Overtaken
from league.services.tournament_formats import StageInput, plays_best_of, rules_of
from league.services.tournament_state import StageValue, TournamentState
from league.web import addresses, job_words
from league.web.access import club_page
from league.web.brackets import DASH
from league.web.reading import rights_of
from league.web.tournament_forms import (
    CHOICE_WORDS,
    OPTION_WORDS,
    AnnouncementForm,
    CloneForm,
    InvitedForm,
    TournamentForm,
    initial_of,
    presets,
    shown_again,
)
from league.web.tournaments import what_is_played
from league.web.views.table_links import secret_address

T = TypeVar("T")
_KEPT_SECONDS = 24 * 3600
# So many tables are named that wait for their results.
_WAITS = 8
# Fewer tell little of who is better.
_FEWEST_ROUNDS = 3


# --- What these pages share -------------------------------------------------------------------------------------------


def tournament_of(access: Access, slug: str) -> Tournament:
    """A tournament of the club, with what its pages show of it. Raises Http404."""
    rows = Tournament.objects.select_related("club", "season__league", "pairing_job").defer("pairing_job__outcome")
    return get_object_or_404(rows, club=access.club, slug=slug)


def context_of(access: Access, tournament: Tournament, **more: object) -> dict[str, Any]:
    """What the frame of every organiser's page needs."""
    rights = rights_of(access.role)
    return {"club": access.club, "rights": rights, "tournament": tournament, "season": None, **more}


def version_of(request: HttpRequest) -> int | None:
    """The version of the tournament that the sender has seen; None where the form says none."""
    sent = request.POST.get("version", "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 10 else None


def number_of(request: HttpRequest, name: str) -> int | None:
    """A whole number that a form's button or select sends; None for none."""
    sent = request.POST.get(name, "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 19 else None


def tried(request: HttpRequest, call: Callable[[], T], *, done: str | Promise = "") -> T | None:
    """What a service answers, with `done` as the page's next message; None with the reason where it refuses."""
    try:
        answer = call()
    except (Conflict, InputError, Stale) as error:
        messages.error(request, refusal(error))
        return None
    if done:
        messages.success(request, str(done))
    return answer


def refusal(error: ServiceError) -> str:
    """Why a service refused, in sentences."""
    if isinstance(error, Stale):
        return _("Somebody else changed this tournament meanwhile, so nothing was done. This is how it stands now.")
    if isinstance(error, InputError):
        return " ".join(dict.fromkeys(problem.message for problem in error.problems))
    return error.message if isinstance(error, Conflict) else _("This is not possible.")


def why_still(tournament: Tournament) -> str:
    """Why nothing of a tournament's rounds can be changed now; "" while it goes on."""
    try:
        tournaments.check_running(tournament)
    except Conflict as error:
        return error.message
    return ""


def is_over(tournament: Tournament) -> bool:
    """Whether it is finished or put away, so that no clock runs and nothing is to be announced."""
    return tournament.status == TournamentStatus.FINISHED or tournament.archived_at is not None


def overtaken_of(state: TournamentState) -> list[Overtaken]:
    """The tournament rounds whose ground has moved; kept for a state of the tournament."""
    key = f"tournament-overtaken:{state.row.pk}:{state.row.board_state}"
    found: list[Overtaken] | None = cache.get(key)
    if found is None:
        found = tournament_changes.overtaken_rounds(state)
        cache.set(key, found, _KEPT_SECONDS)
    return found


# --- The overview -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Button:
    """What a button of the overview does, and what the page says then."""

    call: Callable[..., object]
    done: str | Promise


_BUTTONS: Mapping[str, _Button] = {
    "pause": _Button(tournaments.pause, _l("The tournament is paused.")),
    "resume": _Button(tournaments.resume, _l("The tournament goes on.")),
    "finish": _Button(tournaments.finish, _l("The tournament is finished.")),
    "reopen": _Button(tournaments.reopen, _l("The tournament is open again.")),
    "archive": _Button(tournaments.archive, _l("The tournament is archived.")),
    "restore": _Button(tournaments.restore, _l("The tournament is restored.")),
    "open-stage": _Button(tournament_rounds.open_next_stage, _l("The next stage is open.")),
    "close-stage": _Button(tournament_rounds.close_stage, _l("Taken back.")),
}


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def manage(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """How the tournament stands and what can be done next."""
    tournament, now = tournament_of(access, slug), timezone.now()
    action = request.POST.get("action", "")
    clone = CloneForm(request.POST if action == "clone" else None, initial={"starts_on": access.club.local_date(now)})
    said = AnnouncementForm(
        request.POST if action == "announce" else None,
        initial={"announcement": tournament.announcement, "version": tournament.version},
    )
    if request.method == "POST":
        answer = _acted(request, access, tournament, action, clone=clone, said=said, now=now)
        if answer is not None:
            return answer
        tournament = tournament_of(access, slug)
    state = tournament_state.load(tournament)
    job = tournament.pairing_job
    is_pairing = tournament_asked.is_at_work(tournament)
    context = {
        **context_of(access, tournament, **_next_steps(state)),
        "clone": clone,
        "announcement": said,
        "is_over": is_over(tournament),
        "job": job,
        "is_pairing": is_pairing,
        "is_publishing": tournament_asked.is_publishing(tournament),
        "waiting": job_words.waiting(job, now=now),
        "can_stop": is_pairing and tournament_asked.is_searching(tournament),
        "poll": 1 if is_pairing else 0,
        "stages": [_stage_told(stage) for stage in state.stages],
        "overtaken": {one.number: one for one in overtaken_of(state)},
        "entered": _entered(state),
        "link": _reader_link(request, tournament),
    }
    return render(request, "web/tournament_manage.html", context)


def _acted(
    request: HttpRequest,
    access: Access,
    tournament: Tournament,
    action: str,
    *,
    clone: CloneForm,
    said: AnnouncementForm,
    now: datetime,
) -> HttpResponseBase | None:
    """The answer to a button; None where the page comes back with a form's mistakes."""
    target: dict[str, Any] = {
        "access": access,
        "tournament_id": tournament.pk,
        "expected": version_of(request),
        "now": now,
    }
    here = redirect("web:tournament-manage", access.club.slug, tournament.slug)
    match action:
        case "clone":
            return _cloned(request, access, tournament, clone, now)
        case "announce":
            return here if announced(request, access, tournament, said, now) else None
        case "delete":
            deleted = tried(request, lambda: _is_deleted(target), done=_("The tournament is deleted."))
            return redirect("web:tournaments", access.club.slug) if deleted else here
        case "start":
            checked = request.POST.get("only_checked_in") == "yes"
            tried(
                request,
                lambda: tournament_rounds.start(only_checked_in=checked, **target),
                done=_("The tournament has begun."),
            )
        case "pair" | "publish-all":
            turn = _paired if action == "pair" else _published
            turn(request, target)
        case "cancel":
            cancelled(request, access, tournament.pk, now)
        case "stop":
            # Without the version: to end a search overwrites nothing of anybody's.
            done = _("The search ends now, with the best plan found so far.")
            tried(
                request,
                lambda: tournament_asked.stop(access=access, tournament_id=tournament.pk, now=now),
                done=done,
            )
        case "undo":
            numbers = tried(request, lambda: tournament_rounds.undo(**target))
            for number in numbers or ():
                messages.success(request, _("Tournament round %(number)d is taken back.") % {"number": number})
        case _ if action in _BUTTONS:
            tried(request, lambda: _BUTTONS[action].call(**target), done=_BUTTONS[action].done)
        case _:
            messages.error(request, _("Choose what to do."))
    return here


def _is_deleted(target: Mapping[str, Any]) -> bool:
    tournaments.delete(**target)
    return True


def _cloned(
    request: HttpRequest, access: Access, tournament: Tournament, form: CloneForm, now: datetime
) -> HttpResponseBase | None:
    if not form.is_valid():
        return None
    copy = form.attempt(
        lambda: tournaments.clone(access=access, tournament_id=tournament.pk, now=now, **form.cleaned_data)
    )
    if copy is None:
        return None
    messages.success(request, _("This is the copy."))
    return redirect("web:tournament-manage", access.club.slug, copy.slug)


def announced(
    request: HttpRequest, access: Access, tournament: Tournament, form: AnnouncementForm, now: datetime
) -> bool:
    """Store the announcement; False where the form comes back."""
    if not form.is_valid():
        return False
    changes = {"announcement": form.cleaned_data["announcement"]}
    stored = form.attempt(
        lambda: tournaments.update(
            access=access, tournament_id=tournament.pk, changes=changes, expected=form.expected, now=now
        )
    )
    if stored is not None:
        messages.success(request, _("Saved."))
    return stored is not None


def _paired(request: HttpRequest, target: Mapping[str, Any]) -> None:
    draw = number_of(request, "draw") or 0
    pairing = tried(request, lambda: tournament_rounds.pair(draw=draw, **target))
    if pairing is None:
        return
    if pairing.job is not None:
        messages.success(request, _("The pairing is being worked out; this page shows how far it is."))
        return
    count = len(pairing.rounds)
    message = ngettext("%(count)d tournament round is paired.", "%(count)d tournament rounds are paired.", count)
    messages.success(request, message % {"count": count})


def _published(request: HttpRequest, target: Mapping[str, Any]) -> None:
    published = tried(request, lambda: tournament_rounds.publish_all(**target))
    if published is None:
        return
    if published.job is not None:
        messages.success(request, _("The tournament rounds are being published; this page shows how far it is."))
        return
    messages.success(request, _("All tournament rounds are published."))


@dataclass(frozen=True, slots=True)
class _Waits:
    """A published tournament round with tables that have no result: the first of them, each with its number, who sits
    there and its session, and how many `more`.
    """

    number: int
    tables: list[tuple[int, str, int | None]]
    more: int


def cancelled(request: HttpRequest, access: Access, tournament_id: int, now: datetime) -> None:
    """Cancel the job of a tournament."""
    # Without the version: to stop a job overwrites nothing of anybody's.
    found = Tournament.objects.select_related("pairing_job").defer("pairing_job__outcome").get(pk=tournament_id)
    job = found.pairing_job
    if job is None:
        messages.error(request, _("Nothing is being paired."))
        return
    done = _("The pairing is cancelled; nothing was stored.")
    if tournament_asked.is_publishing(found):
        done = _("The publishing is cancelled; nothing was published.")
    tried(request, lambda: jobs.cancel(access=access, job_id=job.pk, now=now), done=done)


def _next_steps(state: TournamentState) -> dict[str, object]:
    """What can be done next, and why not where it can't; `main` is what an organiser most likely wants now."""
    current, following = state.current, state.following
    is_running = state.row.status == TournamentStatus.RUNNING and state.row.archived_at is None
    why_not = _why_not_pair(state) if is_running else ""
    waits = _waits(state, current) if current is not None else []
    drafts = [one.row.number for one in state.rounds if not one.is_published]
    ahead = current is not None and rules_of(current.row.format).ahead
    steps = {
        # Of a plan the next round comes out once the present one is played.
        "publish": bool(drafts) and not (ahead and waits),
        # At a club evening nobody waits for another table.
        "pair": is_running and not why_not and current is not None and current.row.format == StageFormat.CLUB_EVENING,
        "results": is_running and bool(waits),
        "pair-next": is_running and not why_not,
        "open": is_running and following is not None and current is not None and _is_over(current),
        "finish": is_running and current is not None and bool(current.rounds),
    }
    main = next((name for name, is_sensible in steps.items() if is_sensible), "")
    return {
        "main": "pair" if main == "pair-next" else main,
        "can_pair": is_running and not why_not,
        "why_not": why_not,
        "waits": waits,
        "undecided": _undecided(state) if state.row.status == TournamentStatus.FINISHED else [],
        "unpublished": next(iter(drafts), None),
        "drafts": len(drafts),
        "can_undo": is_running and current is not None and tournament_rounds.can_undo(current),
        "can_close": is_running and current is not None and not current.rounds,
        "can_open": steps["open"],
        "following": _stage_told(following) if following is not None else None,
        "is_first": current is not None and current.row.number == 1,
        "advised": _advised_rounds(state) if state.row.status == TournamentStatus.DRAFT else None,
        "is_bracket": current is not None and rules_of(current.row.format).bracket,
        "draws": current is not None and current.row.format == StageFormat.CLUB_EVENING,
    }


def _advised_rounds(state: TournamentState) -> int | None:
    """How many rounds a Swiss system for two needs until no more than one can have won them all, three at least; None
    where as many are planned, and for other formats.
    """
    first = state.stages[0].row
    if first.format not in {StageFormat.SWISS, StageFormat.DUTCH}:
        return None
    largest = -(-len(state.entries) // first.groups)
    needed = max(_FEWEST_ROUNDS, (largest - 1).bit_length())
    return needed if largest > 1 and int(first.options["rounds"]) < needed else None


def _why_not_pair(state: TournamentState) -> str:
    """Why no tournament round can be paired now; "" where one can."""
    try:
        stage = tournament_rounds.check_pairable(state)
    except Conflict as error:
        return error.message
    if rules_of(stage.row.format).bracket:
        there = {table.match for _round, table in stage.tables()}
        ready = tournament_plans.resolved(stage).ready
        if there.issuperset(ready):
            drawn = any(table.decided for _round, table in stage.tables() if table.match in ready)
            return (
                _("A match has no winner: correct its result, or void its session and decide the table by forfeit.")
                if drawn
                else _("No match more can be played before these have their results.")
            )
    return ""


def _waits(state: TournamentState, stage: StageValue) -> list[_Waits]:
    """The published rounds of a stage that wait for results."""
    ready = tournament_plans.resolved(stage).ready if rules_of(stage.row.format).bracket else ()
    found = []
    for one in stage.rounds if state.row.status != TournamentStatus.FINISHED else ():
        # A match that was drawn has no winner, and the bracket waits for one.
        tables = [table for table in one.tables if not table.decided or table.match in ready]
        if one.is_published and tables:
            named = [
                (
                    table.number,
                    DASH.join(state.entries[entry].player.name for entry in table.entries),
                    None if table.decided else table.session,
                )
                for table in tables[:_WAITS]
            ]
            found.append(_Waits(one.row.number, named, max(0, len(tables) - _WAITS)))
    return found


def _undecided(state: TournamentState) -> list[tuple[int, list[int]]]:
    """The published rounds with the numbers of their tables without a result, as after a session was voided."""
    found = [
        (one.row.number, [table.number for table in one.tables if not table.decided])
        for one in state.rounds
        if one.is_published
    ]
    return [(number, tables) for number, tables in found if tables]


def _is_over(stage: StageValue) -> bool:
    try:
        tournament_rounds.check_stage_over(stage)
    except Conflict:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _RoundTold:
    number: int
    status: str
    is_published: bool
    decided: int
    tables: int


@dataclass(frozen=True, slots=True)
class _StageTold:
    number: int
    format: str
    options: list[tuple[str, str]]
    groups: int
    advance: int | None
    status: str
    is_running: bool
    entries: int
    rounds: list[_RoundTold]


def _stage_told(stage: StageValue) -> _StageTold:
    row = stage.row
    return _StageTold(
        number=row.number,
        format=row.get_format_display(),
        options=[
            (str(OPTION_WORDS[name][0]), _told(value))
            for name, option in rules_of(row.format).options.items()
            if (value := row.options.get(name, option.default)) not in (0, [], ())
            # Without it a match has the games of any other table.
            and (name != "best_of" or plays_best_of(row.format, row.options))
        ],
        groups=row.groups,
        advance=row.advance,
        status=row.get_status_display(),
        is_running=row.status == "running",
        entries=len(stage.places),
        rounds=[
            _RoundTold(
                number=one.row.number,
                status=one.row.get_status_display(),
                is_published=one.is_published,
                decided=sum(table.decided for table in one.tables if table.kind is not TableKind.BYE),
                tables=sum(table.kind is not TableKind.BYE for table in one.tables),
            )
            for one in stage.rounds
        ],
    )


def _told(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(CHOICE_WORDS.get(str(value), value))


def _entered(state: TournamentState) -> dict[str, int]:
    """How many entered, are here and play no more."""
    found = [entry.status for entry in state.entries.values()]
    gone = found.count(EntryStatus.WITHDRAWN) + found.count(EntryStatus.NO_SHOW)
    return {"all": len(found), "here": found.count(EntryStatus.CHECKED_IN), "gone": gone}


# --- The fields -------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def new(request: HttpRequest, access: Access) -> HttpResponseBase:
    """A new tournament: first its kind, then its fields."""
    now = timezone.now()
    if request.method == "GET" and "kind" not in request.GET:
        context = {"club": access.club, "rights": rights_of(access.role), "presets": presets()}
        return render(request, "web/tournament_kinds.html", context)
    kind = request.GET.get("kind", "")
    stages = next((one.stages for one in presets() if one.key == kind), (StageInput("swiss"),))
    duels = all(rules_of(one.format).duels for one in stages)
    usual = SessionFormat.SERIES if duels else SessionFormat.PURE_XXL
    initial = {"starts_on": access.club.local_date(now), "session_format": usual}
    form = _form_of(request, access, initial=initial, stages=stages)
    if form.is_bound and form.is_valid():
        made = form.attempt(
            lambda: tournaments.create(access=access, fields=form.values, stages=form.stage_inputs(), now=now)
        )
        if made is not None:
            messages.success(request, _("The tournament is made. Now enter who plays."))
            return redirect("web:tournament-entries", access.club.slug, made.slug)
    context = {"club": access.club, "rights": rights_of(access.role), "form": form}
    return render(request, "web/tournament_form.html", context)


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def edit(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """Change the fields; of a tournament that has not begun its stages, too."""
    tournament, now = tournament_of(access, slug), timezone.now()
    begun = tournament.status != TournamentStatus.DRAFT
    stages = [StageInput(one.format, one.options, one.groups, one.advance) for one in tournament.stages.all()]
    form = _form_of(request, access, tournament=tournament, begun=begun, initial=initial_of(tournament), stages=stages)
    if form.is_bound and form.is_valid():
        stored = form.attempt(
            lambda: tournaments.update(
                access=access,
                tournament_id=tournament.pk,
                changes=form.values,
                stages=None if begun else form.stage_inputs(),
                expected=form.expected,
                now=now,
            )
        )
        if stored is not None:
            messages.success(request, _("Saved."))
            return redirect("web:tournament-manage", access.club.slug, stored.slug)
    return render(request, "web/tournament_form.html", context_of(access, tournament, form=form))


def _form_of(
    request: HttpRequest, access: Access, *, initial: dict[str, Any], stages: Any, **kwargs: Any
) -> TournamentForm:
    """The form as it is sent; as it is shown where it is not sent, or asks for other stages."""
    change = request.POST.get("change", "")
    if request.method == "POST" and not change:
        return TournamentForm(request.POST, club=access.club, **kwargs)
    if change:
        initial, stages = shown_again(request.POST, change)
    return TournamentForm(club=access.club, initial=initial, stages=stages, **kwargs)


# --- Who is invited ---------------------------------------------------------------------------------------------------


@partial(secret_address, referrer="same-origin")
@require_http_methods(["GET", "POST"])
def enter(request: HttpRequest, club: str, slug: str, key: str) -> HttpResponseBase:
    """The page of an invitation: whoever has the link and a login enters as a guest; who has none reads what for."""
    rows = Tournament.objects.select_related("club").filter(club__slug=club, slug=slug, archived_at=None)
    tournament = rows.first()
    if tournament is None or not tournament.entry_key or not constant_time_compare(tournament.entry_key, key):
        raise Http404
    user = request.user if isinstance(request.user, User) else None
    context = {
        "tournament": tournament,
        "club_name": tournament.club.name,
        "what": what_is_played(tournament),
        "closed": _why_closed(tournament),
        "link": _public_link(tournament, user),
        "login": f"{reverse('web:login')}?{urlencode({'next': request.get_full_path()})}",
    }
    if user is not None:
        own = TournamentEntry.objects.filter(tournament=tournament, user=user).select_related("player").first()
        form = _invited_form(request, tournament, user)
        if own is None and form.is_valid():
            given, now = form.cleaned_data, timezone.now()
            try:
                entered = form.attempt(
                    lambda: tournament_entries.accept_invitation(key=key, user=user, now=now, **given)
                )
            except NotFound as error:
                raise Http404 from error
            if entered is not None:
                messages.success(request, _("You have entered."))
                return redirect(request.path)
        context |= {"form": form, "own": own}
    return render(request, "web/tournament_enter.html", context)


def _invited_form(request: HttpRequest, tournament: Tournament, user: User) -> InvitedForm:
    home = Member.objects.filter(user=user).exclude(club=tournament.club).select_related("club").first()
    initial = {
        "name": user.get_full_name() or user.get_username(),
        "home_club": home.club.name if home is not None else "",
    }
    return InvitedForm(request.POST or None, initial=initial)


def _why_closed(tournament: Tournament) -> str:
    """Why nobody can enter any more, for those who are invited; "" where one can."""
    if tournament.status == TournamentStatus.FINISHED:
        return _("This tournament is over.")
    try:
        tournament_entries.check_open(tournament)
    except Conflict as error:
        return error.message
    return ""


def _reader_link(request: HttpRequest, tournament: Tournament) -> str:
    """The address to hand on where whoever has the link may read the tournament; "" else."""
    if tournament.visibility != Visibility.LINK:
        return ""
    page = reverse("web:tournament", args=[tournament.club.slug, tournament.slug])
    return addresses.public(request, f"{page}?key={tournament.board_key}")


def _public_link(tournament: Tournament, user: User | None) -> str:
    """Where who entered, or has no login (None), may read the tournament; "" where it is for members alone."""
    page = reverse("web:tournament", args=[tournament.club.slug, tournament.slug])
    if tournament.visibility == Visibility.LINK:
        return f"{page}?key={tournament.board_key}"
    if tournament.is_public or (user is not None and Member.objects.filter(club=tournament.club, user=user).exists()):
        return page
    return ""
