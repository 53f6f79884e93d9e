"""Who plays in a tournament, as its organisers see it: entered, checked in, seeded, dropped out, wished together.

Promises: lists come in pages and with a fixed number of queries. Who is here can be noted at two doors at once: a tap
says it of one person and can't undo another's, so that the check-in alone asks for no version.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.models import (
    EntryAbsence,
    EntryStatus,
    PairWish,
    Player,
    PlayerKind,
    Role,
    StageFormat,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentStatus,
    name_key,
)
from league.services import tournament_entries as service
from league.services import tournaments
from league.services.access import Access
from league.services.clubs import is_text
from league.services.errors import Conflict
from league.services.tournament_drop_outs import At, Departure, Return
from league.web import addresses
from league.web.access import club_page
from league.web.reading import page_number
from league.web.tournament_forms import (
    AddEntriesForm,
    EntryForm,
    RatingSeedsForm,
    SeedingForm,
    SitOutForm,
    WishForm,
)
from league.web.views.table_links import qr_code
from league.web.views.tournaments_manage import context_of, number_of, tournament_of, tried, version_of

ENTRIES_A_PAGE = 100
PLAYERS_A_PAGE = 200
# So many players of a list are named.
_NAMED = 8
_KINDS = (
    ("", _l("players and guests")),
    ("own", _l("players without guests")),
    ("guests", _l("guests alone")),
    ("bots", _l("bots")),
)


def _searched(request: HttpRequest) -> str:
    """What the reader looks for, "" for all."""
    text = request.GET.get("q", "").strip()[:60]
    # No text has a null byte on both databases, and no name has one.
    return text if is_text(text) else ""


def _entries(tournament: Tournament, *, search: str = "", status: str = "") -> "QuerySet[TournamentEntry]":
    """The entries by seed, those without one behind by name."""
    rows = TournamentEntry.objects.filter(tournament=tournament).select_related("player")
    if search:
        rows = rows.filter(Q(player__name_key__contains=name_key(search)) | Q(home_club__icontains=search))
    if status in EntryStatus.values:
        rows = rows.filter(status=status)
    return rows.order_by(F("seed").asc(nulls_last=True), "player__name_key", "pk")


def _page(request: HttpRequest, rows: Any, size: int) -> Page[Any]:
    return Paginator(rows, size).get_page(page_number(request, "page"))


def _query(request: HttpRequest) -> str:
    """The search of the present address, for the links to its other pages."""
    kept = {name: request.GET[name] for name in ("q", "status") if request.GET.get(name)}
    return f"&{urlencode(kept)}" if kept else ""


@require_safe
@club_page(Role.SCOREKEEPER)
def entries(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """All who entered, with the doors to what can be done with them."""
    tournament = tournament_of(access, slug)
    status = request.GET.get("status", "")
    page = _page(request, _entries(tournament, search=_searched(request), status=status), ENTRIES_A_PAGE)
    context = {"page": page, "query": _query(request), "search": _searched(request), "status": status}
    statuses = EntryStatus.choices
    return render(request, "web/tournament_entries.html", context_of(access, tournament, statuses=statuses, **context))


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def add(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """Enter many at once: players of the club by ticks, others and guests by lines."""
    tournament, now = tournament_of(access, slug), timezone.now()
    try:
        service.check_open(tournament)
    except Conflict as error:
        context = context_of(access, tournament, closed=error.message)
        return render(request, "web/tournament_add.html", context)
    version = {"version": tournament.version}
    if request.method == "POST" and "show" in request.POST:
        # Another part of the list: what was ticked and typed comes along, and nothing is said of it yet.
        typed = {name: request.POST.get(name, "") for name in ("guests", "checked_in", "first_round")}
        ticked = request.POST.getlist("player")
        form = AddEntriesForm(tournament=tournament, ticked=ticked, initial={**typed, **version})
    else:
        form = AddEntriesForm(request.POST or None, tournament=tournament, initial=version)
    if form.is_valid():
        added = form.attempt(
            lambda: service.enter(
                access=access, tournament_id=tournament.pk, entries=form.entries(), expected=form.expected, now=now
            )
        )
        if added is not None:
            messages.success(request, _added_told(len(added), form))
            return redirect("web:tournament-entries", access.club.slug, slug)
    return render(
        request, "web/tournament_add.html", context_of(access, tournament, **_picks(request, tournament, form))
    )


def _added_told(count: int, form: AddEntriesForm) -> str:
    """How many entered, and who of a list is a player of the club."""
    told = ngettext("%(count)d player has entered.", "%(count)d players have entered.", count) % {"count": count}
    known = sorted(player.name for player in form.named.values())
    if known:
        message = ngettext(
            "%(count)d of the list is a player of the club: %(names)s.",
            "%(count)d of the list are players of the club: %(names)s.",
            len(known),
        )
        names = ", ".join(known[:_NAMED]) + (" …" if len(known) > _NAMED else "")
        told += " " + message % {"count": len(known), "names": names}
    return told


def _picks(request: HttpRequest, tournament: Tournament, form: AddEntriesForm) -> dict[str, object]:
    """The players of the club who can be ticked: a page of those looked for, and whoever is ticked already."""
    asked = request.POST if request.method == "POST" else request.GET
    search, kind = asked.get("q", "").strip()[:60], asked.get("kind", "")
    search = search if is_text(search) else ""
    inside = TournamentEntry.objects.filter(tournament=tournament).values("player")
    free = Player.objects.filter(club=tournament.club, archived_at=None).exclude(pk__in=inside).order_by("name_key")
    match kind:
        case "bots":
            players = free.filter(kind=PlayerKind.BOT)
        case "guests":
            players = free.filter(kind=PlayerKind.PERSON, is_guest=True)
        case "own":
            players = free.filter(kind=PlayerKind.PERSON, is_guest=False)
        case _:
            players = free.filter(kind=PlayerKind.PERSON)
    if search:
        players = players.filter(name_key__contains=name_key(search))
    number = asked.get("show", "") or asked.get("page", "")
    page = Paginator(players, PLAYERS_A_PAGE).get_page(number if number.isascii() and number.isdigit() else 1)
    shown = {player.pk for player in page}
    return {
        "form": form,
        "page": page,
        "search": search,
        "kind": kind,
        "kinds": _KINDS,
        "ticked": free.filter(pk__in=[pk for pk in form.players if pk not in shown]) if form.players else [],
    }


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def entry(request: HttpRequest, access: Access, slug: str, entry_id: int) -> HttpResponseBase:
    """One who entered: fields, drop-out and return, rounds to sit out."""
    tournament, now = tournament_of(access, slug), timezone.now()
    rows = TournamentEntry.objects.select_related("player")
    found = get_object_or_404(rows, tournament=tournament, pk=entry_id)
    action = request.POST.get("action", "")
    last = TournamentRound.objects.filter(tournament=tournament).order_by("-number").first()
    following = last.number + 1 if last is not None else 1
    version = {"version": tournament.version}
    fields = {name: getattr(found, name) for name in ("home_club", "fixed_table", "first_round")}
    form = EntryForm(request.POST if action == "change" else None, initial={**fields, **version})
    absence = SitOutForm(
        request.POST if action == "sit-out" else None,
        initial={"from_round": following, "until_round": following, **version},
    )
    if request.method == "POST":
        target: dict[str, Any] = {"access": access, "tournament_id": tournament.pk, "entry_id": found.pk, "now": now}
        if _acted(request, action, form, absence, target):
            if action == "remove":
                return redirect("web:tournament-entries", access.club.slug, slug)
            return redirect("web:tournament-entry", access.club.slug, slug, entry_id)
    context = {
        "entry": found,
        "form": form,
        "absence": absence,
        "absences": EntryAbsence.objects.filter(entry=found),
        "has_sat": TournamentSeat.objects.filter(entry=found).exists(),
        "is_gone": found.status in {EntryStatus.WITHDRAWN, EntryStatus.NO_SHOW},
    }
    return render(request, "web/tournament_entry.html", context_of(access, tournament, **context))


def _acted(request: HttpRequest, action: str, form: EntryForm, absence: SitOutForm, target: dict[str, Any]) -> bool:
    """Carry out a button; False where the page comes back with a form's mistakes."""
    expected = version_of(request)
    match action:
        case "change":
            changes = form.is_valid() and {
                name: value for name, value in form.cleaned_data.items() if name != "version"
            }
            if not changes or not form.attempt(lambda: service.update(changes=changes, expected=expected, **target)):
                return False
            messages.success(request, _("Saved."))
        case "sit-out":
            if not absence.is_valid():
                return False
            given = {name: absence.cleaned_data[name] for name in ("from_round", "until_round")}
            if not absence.attempt(lambda: service.sit_out(expected=expected, **given, **target)):
                return False
            messages.success(request, _("Saved."))
        case "here" | "not-here":
            one = {name: value for name, value in target.items() if name != "entry_id"}
            ids, is_here = [target["entry_id"]], action == "here"
            tried(request, lambda: service.check_in(entry_ids=ids, is_here=is_here, **one), done=_("Saved."))
        case "withdraw" | "no-show":
            no_show = action == "no-show"
            gone = tried(request, lambda: service.withdraw(no_show=no_show, expected=expected, **target))
            if gone is not None:
                messages.success(request, _departure_told(gone))
        case "return":
            back = tried(request, lambda: service.bring_back(expected=expected, **target))
            if back is not None:
                messages.success(request, _return_told(back))
        case "remove":
            return _removed(request, expected, target)
        case _:
            messages.error(request, _("Choose what to do."))
    return True


def _departure_told(gone: Departure) -> str:
    """What a drop-out decided, and where others play without."""
    name = {"player": gone.entry.player.name}
    no_show = gone.entry.status == EntryStatus.NO_SHOW
    told = [(_("“%(player)s” did not come.") if no_show else _("“%(player)s” has dropped out.")) % name]
    if gone.forfeited:
        count = len(gone.forfeited)
        message = ngettext(
            "%(count)d duel that was published and not begun is lost by forfeit: %(tables)s.",
            "%(count)d duels that were published and not begun are lost by forfeit: %(tables)s.",
            count,
        )
        told.append(message % {"count": count, "tables": _tables_told(gone.forfeited)})
    if gone.without:
        message = _(
            "The others play without: %(tables)s. Open the session there, “Somebody comes or gets up”, “Gets up”."
        )
        told.append(message % {"tables": _tables_told(gone.without)})
    return " ".join(told)


def _return_told(back: Return) -> str:
    """What is played after all by a return, and what stays."""
    told = [_("“%(player)s” plays again.") % {"player": back.entry.player.name}]
    if back.opened:
        count = len(back.opened)
        message = ngettext(
            "%(count)d duel that was lost by the drop-out is to be played: %(tables)s. A code printed before is dead.",
            "%(count)d duels that were lost by the drop-out are to be played: %(tables)s. Codes printed before are "
            "dead.",
            count,
        )
        told.append(message % {"count": count, "tables": _tables_told(back.opened)})
    if back.kept:
        message = _("Decided by forfeit stays, since others are gone or later rounds were paired on it: %(tables)s.")
        told.append(message % {"tables": _tables_told(back.kept)})
    return " ".join(told)


def _tables_told(tables: Iterable[At]) -> str:
    """Tables by their rounds, as “round 2, table 1; round 3, table 4”."""
    return "; ".join(
        _("round %(round)d, table %(table)d") % {"round": at.round, "table": at.table} for at in sorted(tables)
    )


def _removed(request: HttpRequest, expected: int | None, target: dict[str, Any]) -> bool:
    def remove() -> bool:
        service.remove(expected=expected, **target)
        return True

    return bool(tried(request, remove, done=_("The entry is removed; the player stays one of the club.")))


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def check_in(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """Who is here: one tap each, on a phone at the door."""
    tournament, now = tournament_of(access, slug), timezone.now()
    if request.method == "POST":
        here, gone = number_of(request, "here"), number_of(request, "not_here")
        pk = here if here is not None else gone
        if pk is None:
            messages.error(request, _("Choose what to do."))
        else:
            tried(
                request,
                lambda: service.check_in(
                    access=access, tournament_id=tournament.pk, entry_ids=[pk], is_here=here is not None, now=now
                ),
            )
        # Back to the line that was tapped, in the same list.
        back = reverse("web:tournament-check-in", args=[access.club.slug, slug])
        query = request.GET.urlencode()
        return HttpResponseRedirect(f"{back}?{query}#entry-{pk}" if query else f"{back}#entry-{pk}")
    status = request.GET.get("status", "")
    rows = _entries(tournament, search=_searched(request), status=status)
    if status not in EntryStatus.values:
        rows = rows.filter(status__in=[EntryStatus.ENTERED, EntryStatus.CHECKED_IN])
    page = _page(request, rows.order_by("player__name_key", "pk"), ENTRIES_A_PAGE)
    counted = TournamentEntry.objects.filter(tournament=tournament)
    context = {
        "page": page,
        "query": _query(request),
        "search": _searched(request),
        "status": status,
        "here": counted.filter(status=EntryStatus.CHECKED_IN).count(),
        "awaited": counted.filter(status=EntryStatus.ENTERED).count(),
        "draws": tournament.stages.filter(format=StageFormat.CLUB_EVENING, status=StageStatus.RUNNING).exists(),
    }
    return render(request, "web/tournament_check_in.html", context_of(access, tournament, **context))


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def seeding(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """Seeds: by hand, by rating, by lot."""
    tournament, now = tournament_of(access, slug), timezone.now()
    action = request.POST.get("action", "")
    page = _page(request, _entries(tournament), ENTRIES_A_PAGE)
    version = {"version": tournament.version}
    form = SeedingForm(request.POST if action == "hand" else None, entries=list(page), initial=version)
    ratings = RatingSeedsForm(request.POST if action == "rating" else None, initial=version)
    target: dict[str, Any] = {"access": access, "tournament_id": tournament.pk, "now": now}
    done: object = None
    if action == "hand" and form.is_valid():
        seeded = _entries(tournament).exclude(seed=None).values_list("pk", flat=True)
        order = form.order(list(seeded))
        done = form.attempt(lambda: service.seed_by_hand(order=order, expected=form.expected, **target))
    elif action == "rating" and ratings.is_valid():
        family = ratings.cleaned_data["family"] or None
        done = ratings.attempt(lambda: service.seed_by_rating(family=family, expected=ratings.expected, **target))
    elif action == "lot":
        done = tried(request, lambda: service.seed_by_lot(expected=version_of(request), **target))
    elif request.method == "POST" and action not in {"hand", "rating"}:
        messages.error(request, _("Choose what to do."))
    if done is not None:
        messages.success(request, _("The seeds are given."))
        return HttpResponseRedirect(f"{request.path}?page={page.number}")
    context = {
        "form": form,
        "ratings": ratings,
        "page": page,
        "query": "",
        "is_draft": tournament.status == TournamentStatus.DRAFT,
    }
    return render(request, "web/tournament_seeding.html", context_of(access, tournament, **context))


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def wishes(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """Who is kept apart or together, and one more pair."""
    tournament, now = tournament_of(access, slug), timezone.now()
    names = dict(TournamentEntry.objects.filter(tournament=tournament).values_list("pk", "player__name"))
    removes = request.POST.get("action") == "remove"
    form = WishForm(
        request.POST if request.method == "POST" and not removes else None,
        names=names,
        initial={"version": tournament.version},
    )
    target: dict[str, Any] = {"access": access, "tournament_id": tournament.pk, "now": now}
    if removes:
        wish = get_object_or_404(PairWish, tournament=tournament, pk=number_of(request, "wish"))
        tried(
            request,
            lambda: service.set_wish(
                first=wish.first_id, second=wish.second_id, kind=None, expected=version_of(request), **target
            ),
            done=_("The wish is removed."),
        )
        return redirect("web:tournament-wishes", access.club.slug, slug)
    if form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("first", "second", "kind")}
        if form.attempt(lambda: service.set_wish(expected=form.expected, **given, **target)) is not None:
            messages.success(request, _("Saved. It holds from the next pairing on."))
            return redirect("web:tournament-wishes", access.club.slug, slug)
    found = PairWish.objects.filter(tournament=tournament).select_related("first__player", "second__player")
    return render(request, "web/tournament_wishes.html", context_of(access, tournament, form=form, wishes=found))


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def invitation(request: HttpRequest, access: Access, slug: str) -> HttpResponseBase:
    """The link by which players of other clubs enter, as QR code too; made anew or ended."""
    tournament, now = tournament_of(access, slug), timezone.now()
    if request.method == "POST":
        is_open = request.POST.get("action") == "open"
        tried(
            request,
            lambda: tournaments.invite(
                access=access,
                tournament_id=tournament.pk,
                is_open=is_open,
                expected=version_of(request),
                now=now,
            ),
            done=_("The link is made; an older one works no more.") if is_open else _("The invitation is ended."),
        )
        return redirect("web:tournament-invitation", access.club.slug, slug)
    link = ""
    if tournament.entry_key:
        path = reverse("web:tournament-enter", args=[access.club.slug, slug, tournament.entry_key])
        link = addresses.public(request, path)
    try:
        service.check_open(tournament)
        closed = ""
    except Conflict as error:
        closed = error.message
    context = {"link": link, "qr": qr_code(link) if link else "", "closed": closed}
    return render(request, "web/tournament_invitation.html", context_of(access, tournament, **context))
