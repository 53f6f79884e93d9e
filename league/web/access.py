"""Guards of pages that are for members."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import url_has_allowed_host_and_scheme

from league.models import Role
from league.services.access import Access, of_user
from league.services.errors import Forbidden, NotFound

P = ParamSpec("P")


def _way_back(request: HttpRequest, club: str) -> str:
    """Where to go after logging in: of a form whose sender was logged out meanwhile, to the page where it stands.

    The address that a form is sent to need not be a page itself.
    """
    if request.method in {"GET", "HEAD"}:
        return request.get_full_path()
    page = request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if url_has_allowed_host_and_scheme(page, allowed_hosts=hosts, require_https=request.is_secure()):
        parts = urlsplit(page)
        back = f"{parts.path}?{parts.query}" if parts.query else parts.path
        if url_has_allowed_host_and_scheme(back, allowed_hosts=None):
            return back
    return reverse("web:club", args=[club])


def club_page(
    role: Role,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Access, P], HttpResponseBase]],
    Callable[..., HttpResponseBase],
]:
    """Let a view have the `Access` of a member with this role or above, in place of the club's short name.

    Whoever is not logged in is asked to, whether there is such a club or not; a stranger gets 404, a member whose
    role is too low 403. What a service refuses to find or to allow ends in the same way.
    """

    def decorate(
        view: Callable[Concatenate[HttpRequest, Access, P], HttpResponseBase],
    ) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, club: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(_way_back(request, club))
            try:
                access = of_user(user=request.user, club_slug=club)
                access.require(role)
                # Times of day are those of the club's tables, wherever the server stands.
                with timezone.override(access.club.zone):
                    response = view(request, access, *args, **kwargs)
            except NotFound as error:
                raise Http404 from error
            except Forbidden as error:
                raise PermissionDenied(error.needed) from error
            if not response.has_header("Cache-Control"):
                # What members alone may see: no cache shared by several may keep it, and no browser shows it unasked.
                patch_cache_control(response, private=True, no_cache=True)
            return response

        return guarded

    return decorate
