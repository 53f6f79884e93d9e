"""What the script of a round's page talks to: rounds sent and taken back, the worker that keeps the page offline.

Promises: one code for a login and for a table link; what can't be stored is answered by a word (`state`) on which the
script acts, and by sentences for people. Never: redirects a script to a page, but for the login.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from league.models import Role, Session, SessionStatus
from league.services import table_links, table_rounds
from league.services.access import Access
from league.services.errors import Conflict, InputError, NeedsConfirmation, NotFound, Problem, Stale
from league.web import table_entry
from league.web.access import club_page
from league.web.reading import members_session
from league.web.views.table_links import secret_address


@require_POST
@club_page(Role.SCOREKEEPER)
def store(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """A round that a scorekeeper's phone sends."""
    return _store(request, access, session_id)


@require_POST
@club_page(Role.SCOREKEEPER)
def take_back(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """The last round is taken back by a scorekeeper."""
    here = reverse("web:enter", kwargs={"club": access.club.slug, "session_id": session_id})
    return _take_back(request, access, session_id, here)


# Without a form token, for the reason given at `table_links.phone`.
@csrf_exempt
@secret_address
@require_POST
def link_store(request: HttpRequest, raw: str) -> HttpResponseBase:
    """A round that a phone with a table link sends."""
    return _with_link(raw, lambda access, session_id: _store(request, access, session_id))


@csrf_exempt
@secret_address
@require_POST
def link_take_back(request: HttpRequest, raw: str) -> HttpResponseBase:
    """The last round is taken back by a phone with a table link."""
    here = reverse("web:table-link", kwargs={"raw": raw})
    return _with_link(raw, lambda access, session_id: _take_back(request, access, session_id, here))


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps the page of a round and its files on the phone; at the root, for its scope is a page."""
    context = {"static": settings.STATIC_URL, "version": table_entry.version()}
    answer = render(request, "web/entry_worker.js", context, content_type="text/javascript; charset=utf-8")
    # The browser asks by itself whether there is another one; an old one must not stay for a day.
    answer["Cache-Control"] = "no-cache"
    return answer


def _with_link(raw: str, act: Callable[[Access, int], HttpResponseBase]) -> HttpResponseBase:
    try:
        access = table_links.opened(raw=raw, now=timezone.now())
        if access.only_session is None:
            raise NotFound
        with timezone.override(access.club.zone):
            return act(access, access.only_session)
    except NotFound:
        return JsonResponse({"state": "gone"}, status=404)


def _store(request: HttpRequest, access: Access, session_id: int) -> HttpResponse:
    now = timezone.now()
    members_session(access, session_id)
    number = 0

    def act() -> Session:
        nonlocal number
        sent = table_entry.sent_round(request.body)
        number = sent.number
        store: Callable[..., Session] = table_rounds.store_round
        if sent.replaces is not None:
            store = partial(table_rounds.settle_round, expected=sent.replaces)
        return store(
            access=access,
            session_id=session_id,
            number=sent.number,
            data=sent.data,
            key=sent.key,
            confirm=sent.confirm,
            now=now,
        )

    return _answer(act, access, session_id, lambda: number)


def _take_back(request: HttpRequest, access: Access, session_id: int, here: str) -> HttpResponseBase:
    """For a script, which asks for JSON, and for a form."""
    now = timezone.now()
    members_session(access, session_id)

    def act() -> Session:
        number, revision = _figure(request, "round"), _figure(request, "revision")
        return table_rounds.take_back_round(
            access=access, session_id=session_id, number=number, expected=revision, now=now
        )

    answer = _answer(act, access, session_id, lambda: 0)
    if "application/json" in request.headers.get("Accept", ""):
        return answer
    if answer.status_code == 200:
        messages.success(request, _("The last round is taken back: enter it anew."))
    else:
        messages.error(request, str(json.loads(answer.content)["message"]))
    return redirect(here)


def _figure(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise InputError([Problem((name,), "invalid", _("Give a whole number."))])
    return int(text)


def _answer(act: Callable[[], Session], access: Access, session_id: int, number: Callable[[], int]) -> JsonResponse:
    """What a change answers: 200 and the session's state, or why it was not carried out."""
    try:
        session = act()
    except table_rounds.Taken as error:
        return _taken(access, session_id, error)
    except Stale:
        return _taken(access, session_id, None, number=number())
    except InputError as error:
        sentences = [_told(problem) for problem in error.problems]
        return _refusal("wrong", " ".join(sentences), 422)
    except NeedsConfirmation as error:
        warnings = [{"code": one.code, "message": one.message} for one in error.warnings]
        return _refusal("odd", "", 422, warnings=warnings)
    except Conflict as error:
        session = members_session(access, session_id)
        following = session.rounds.count() + 1 if session.status == SessionStatus.OPEN else None
        state = "ahead" if error.code == "not_the_next_round" else "refused"
        return _refusal(state, error.message, 409, following=following)
    return JsonResponse({"state": "stored", "revision": session.revision, "status": session.status})


def _told(problem: Problem) -> str:
    """The sentence of a problem, with the place that it is about where a script alone has such a place."""
    places = {"key", "number", "replaces", "confirm"}
    named = problem.path[0] if problem.path else ""
    return f"{named}: {problem.message}" if named in places else problem.message


def _taken(access: Access, session_id: int, error: "table_rounds.Taken | None", *, number: int = 0) -> JsonResponse:
    """Another round has the number: both are told, for people to choose."""
    session = members_session(access, session_id)
    stored = error.round_ if error is not None else session.rounds.filter(number=number).first()
    message = _("Somebody else changed this session meanwhile.")
    if stored is None:
        return _refusal("refused", message, 409, following=None)
    return _refusal(
        "taken",
        message,
        409,
        theirs=table_entry.told_round(stored),
        revision=session.revision,
        maySettle=table_rounds.may_settle(access, session, stored.number),
        following=session.rounds.count() + 1 if session.status == SessionStatus.OPEN else None,
    )


def _refusal(state: str, message: str, status: int, **more: Any) -> JsonResponse:
    return JsonResponse({"state": state, "message": message, **more}, status=status)
