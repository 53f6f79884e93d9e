"""What is stored, corrected: a round, a session, whether it stands; its history; and whether a second player agrees.

Promises: a correction is made for the state that its page showed: where others were quicker the form comes back with
what was typed and with what they changed. Never: stores anything where the button only asks what would move.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.models import BotMatch, Role, SeasonStatus, Session
from league.models.sheets import score_sheet
from league.services import confirmations, corrections
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, ServiceError, Stale
from league.web import histories, previews
from league.web.access import club_page
from league.web.correction_forms import ReasonForm, RoundCorrectionForm, SessionCorrectionForm
from league.web.reading import members_session
from league.web.views.evenings import games_of

# Carries a change out: (the revision it is made for, None for whichever is there; codes that were ticked).
Change = Callable[[int | None, Collection[str]], Session]


@dataclass
class _Case:
    """One page of a correction: what it is about, its form, and what the form does once it is sent."""

    session: Session
    form: ReasonForm
    change: Change
    done: str
    context: dict[str, Any] = field(default_factory=dict)


# --- Corrections ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def correct_round(request: HttpRequest, access: Access, session_id: int, number: int) -> HttpResponseBase:
    """One stored round, anew."""
    now = timezone.now()

    def case(session: Session) -> _Case:
        sheet = score_sheet(session)
        if not 1 <= number <= len(sheet.rounds):
            raise Http404
        stored = sheet.rounds[number - 1]
        form = RoundCorrectionForm(
            _sent(request),
            round_=stored,
            sheet=sheet,
            revision=session.revision,
            games={**games_of(session, sheet), stored.game.key: stored.game},
        )

        def change(expected: int | None, confirm: Collection[str]) -> Session:
            return corrections.correct_round(
                access=access,
                session_id=session_id,
                number=number,
                data=form.round_input(),
                reason=form.said,
                expected=expected,
                confirm=confirm,
                now=now,
            )

        done = _("Round %(number)d is corrected.") % {"number": number}
        return _Case(session, form, change, done, {"number": number})

    return _page(request, access, session_id, case, "web/correct_round.html")


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def correct_session(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """Day, location, comment and season of a session, who sat there, and whether the last round belongs to it."""
    now = timezone.now()

    def case(session: Session) -> _Case:
        form = SessionCorrectionForm(_sent(request), club=access.club, sheet=score_sheet(session))

        def change(expected: int | None, confirm: Collection[str]) -> Session:
            return corrections.correct(
                access=access,
                session_id=session_id,
                changes=form.changes(corrections.as_input(session)),
                reason=form.said,
                expected=expected,
                confirm=confirm,
                now=now,
            )

        return _Case(session, form, change, _("The session is corrected."))

    return _page(request, access, session_id, case, "web/correct_session.html")


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def void(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """Take a session out of everything, once it is seen what that moves."""
    return _void(request, access, session_id, corrections.void, done=_("The session is void."), to_be_void=True)


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def restore(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """Bring a void session back, once it is seen what that moves."""
    done = _("The session is restored.")
    return _void(request, access, session_id, corrections.restore, done=done, to_be_void=False)


def _void(
    request: HttpRequest, access: Access, session_id: int, act: Callable[..., Session], *, done: str, to_be_void: bool
) -> HttpResponseBase:
    now = timezone.now()
    session = members_session(access, session_id)
    if (session.voided_at is not None) == to_be_void:
        # Sent twice, or somebody else was quicker: it is as it was asked for.
        messages.info(request, done)
        return _to_sheet(session)
    if (barred := _closed(session)) is not None:
        messages.error(request, barred)
        return _to_sheet(session)
    form = ReasonForm(_sent(request), initial={"revision": session.revision})

    def change(reason: str, expected: int | None) -> Session:
        return act(access=access, session_id=session_id, reason=reason, expected=expected, now=now)

    if form.is_valid():
        if form.attempt(lambda: change(form.said, form.expected)) is not None:
            messages.success(request, done)
            return _to_sheet(session)
        session = members_session(access, session_id)
    try:
        preview = corrections.rehearse(lambda: change("\N{EN DASH}", None), access=access, session_id=session_id)
    except Conflict as error:
        # Somebody else was quicker in this very moment.
        messages.error(request, error.message)
        return _to_sheet(session)
    context = {"moves": previews.moves(preview), "to_be_void": to_be_void}
    if form.overtaken:
        context["meanwhile"] = histories.between(session, access.club, form.expected, session.revision)
        form.renew(session.revision)
    return _render(request, session, "web/void.html", {**context, "form": form})


def _page(
    request: HttpRequest, access: Access, session_id: int, make: Callable[[Session], _Case], template: str
) -> HttpResponseBase:
    session = members_session(access, session_id)
    if (barred := _barred(session)) is not None:
        messages.error(request, barred)
        return _to_sheet(session)
    case = make(session)
    answer = _handled(request, access, case, template)
    if case.form.overtaken:
        # Others were quicker in this very moment: told as if they had been so before.
        answer = _handled(request, access, make(members_session(access, session_id)), template)
    return answer


def _handled(request: HttpRequest, access: Access, case: _Case, template: str) -> HttpResponseBase:
    session, form = case.session, case.form
    context: dict[str, Any] = {**case.context, "form": form}
    valid = form.is_valid()
    if form.is_bound and form.expected != session.revision:
        if valid and not form.is_preview and _stands_already(access, case):
            messages.success(request, case.done)
            return _to_sheet(session)
        context["meanwhile"] = histories.between(session, access.club, form.expected, session.revision)
        form.renew(session.revision)
    elif valid and form.is_preview:
        context["moves"] = _rehearsed(access, case)
    elif valid:
        stored = form.attempt(lambda: case.change(form.expected, form.confirm))
        if stored is not None:
            if stored.revision == session.revision:
                messages.info(request, _("Nothing was different: nothing is stored."))
            else:
                messages.success(request, case.done)
            return _to_sheet(session)
    return _render(request, session, template, context)


def _stands_already(access: Access, case: _Case) -> bool:
    """Whether the correction would change nothing any more, as when its form is sent twice."""
    try:
        preview = corrections.rehearse(
            lambda: case.change(None, case.form.confirm), access=access, session_id=case.session.pk
        )
    except ServiceError:
        return False
    return preview.sheet.session.revision == case.session.revision


def _rehearsed(access: Access, case: _Case) -> previews.Moves | None:
    """What the change would move; None where it can't be, which the form says."""

    def rehearse(confirm: Collection[str]) -> corrections.Preview | None:
        return case.form.attempt(
            lambda: corrections.rehearse(
                lambda: case.change(case.form.expected, confirm), access=access, session_id=case.session.pk
            )
        )

    preview = rehearse(case.form.confirm)
    if preview is None and case.form.warnings:
        # Shown beside the boxes that wait for their tick.
        preview = rehearse(case.form.confirm | frozenset(case.form.warnings))
    return previews.moves(preview) if preview is not None else None


# --- History and confirmation -----------------------------------------------------------------------------------------


@require_safe
@club_page(Role.MEMBER)
def history(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """Who changed what, when and why, newest first."""
    session = members_session(access, session_id)
    return _render(request, session, "web/history.html", {"entries": histories.entries(session, access)})


@require_POST
@club_page(Role.MEMBER)
def confirm(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """Agree with a session as the page showed it."""
    session = members_session(access, session_id)
    if not confirmations.may_decide(access=access, session=session):
        raise Forbidden(Role.SCOREKEEPER)
    try:
        confirmations.confirm(access=access, session_id=session_id, expected=_revision(request), now=timezone.now())
        messages.success(request, _("The result is confirmed."))
    except Stale:
        messages.error(request, _("The session was changed meanwhile: look at it once more."))
    except Conflict as error:
        messages.error(request, error.message)
    return _to_sheet(session)


@require_http_methods(["GET", "POST"])
@club_page(Role.MEMBER)
def dispute(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """Say what is wrong with a session."""
    session = members_session(access, session_id)
    if not confirmations.may_decide(access=access, session=session):
        raise Forbidden(Role.SCOREKEEPER)
    form = ReasonForm(_sent(request), initial={"revision": session.revision})
    if form.is_valid():
        now = timezone.now()
        done = form.attempt(
            lambda: confirmations.dispute(
                access=access, session_id=session_id, reason=form.said, expected=form.expected, now=now
            )
        )
        if done is not None:
            messages.success(request, _("Thank you: a scorekeeper decides. Until then the session does not count."))
            return _to_sheet(session)
    context: dict[str, Any] = {"form": form}
    if form.overtaken:
        session = members_session(access, session_id)
        context["meanwhile"] = histories.between(session, access.club, form.expected, session.revision)
        form.renew(session.revision)
    return _render(request, session, "web/dispute.html", context)


# --- Shared -----------------------------------------------------------------------------------------------------------


def _sent(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _revision(request: HttpRequest) -> int:
    """The revision that the page showed; 0, which there never is, where the form does not say."""
    text = request.POST.get("revision", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0


def _closed(session: Session) -> str | None:
    if session.season is not None and session.season.status == SeasonStatus.CLOSED:
        return _("The season “%(season)s” is closed.") % {"season": session.season.name}
    return None


def _barred(session: Session) -> str | None:
    """Why the session can't be corrected at all; None where it can."""
    if session.voided_at is not None:
        return _("This session is void; restore it first.")
    if BotMatch.objects.filter(session=session).exists():
        return _("What bots played can't be changed; void it instead.")
    return _closed(session)


def _to_sheet(session: Session) -> HttpResponseBase:
    return redirect("web:session", club=session.club.slug, session_id=session.pk)


def _render(request: HttpRequest, session: Session, template: str, context: dict[str, Any]) -> HttpResponseBase:
    return render(request, template, {"club": session.club, "session": session, "season": session.season, **context})
