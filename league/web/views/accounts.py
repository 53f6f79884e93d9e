"""Log-in, log-out, the own account, a forgotten password, the first owner's set-up, further clubs."""

import math
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import (
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordResetConfirmView,
    PasswordResetDoneView,
    PasswordResetView,
)
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from league.models import User
from league.services import accounts as service
from league.services import clubs, logins, mail, setup
from league.web.account_forms import AccountForm, ForgottenForm, LoginForm, remember_device
from league.web.forms import NewClubForm, SetupForm


class Login(LoginView):
    form_class = LoginForm
    template_name = "web/login.html"
    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        remember_device(answer, self.request, form.get_user().get_username())
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        answer = super().form_invalid(form)
        if form.blocked is not None:
            answer.status_code = 429
            answer["Retry-After"] = str(math.ceil(form.blocked.total_seconds()))
        return answer


class Logout(LogoutView):
    http_method_names = ["post"]


@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponseBase:
    """The own account: how one is called, and where a link for a new password goes."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    form = AccountForm(request.POST or None, initial={"display_name": user.get_full_name(), "email": user.email})
    if form.is_valid() and form.attempt(lambda: service.update(user=user, **form.cleaned_data)) is not None:
        messages.success(request, _("Saved."))
        return redirect("web:account")
    return render(request, "web/account.html", {"form": form})


class Forgotten(PasswordResetView):
    """Asks for the address that a link for a new password is sent to; without mail it says whom to ask."""

    form_class = ForgottenForm
    template_name = "web/forgotten.html"
    email_template_name = "web/mail/reset.txt"
    subject_template_name = "web/mail/reset_subject.txt"
    success_url = reverse_lazy("web:forgotten-sent")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, sends_mail=mail.is_configured())

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not mail.is_configured():
            return self.get(request, *args, **kwargs)
        if settings.SITE_URL:
            # Not the host that the browser named: the link has to lead to where people know this site.
            site = urlsplit(settings.SITE_URL)
            self.extra_email_context = {"domain": site.netloc, "protocol": site.scheme}
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            # No user name has a colon. Counted whether anybody has the address or not, and answered alike.
            logins.begin(username=f"reset:{form.cleaned_data['email']}", address="", now=timezone.now())
        except logins.Blocked:
            return redirect("web:forgotten-sent")
        return super().form_valid(form)


class ForgottenSent(PasswordResetDoneView):
    template_name = "web/forgotten_sent.html"


class Reset(PasswordResetConfirmView):
    """A new password, by a link that was sent or handed over. It ends every session of the user."""

    template_name = "web/reset.html"
    success_url = reverse_lazy("web:login")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        logins.forget(username=form.user.get_username())
        messages.success(self.request, _("The password is changed. Log in with it."))
        return answer


class PasswordChange(PasswordChangeView):
    template_name = "web/form.html"
    success_url = reverse_lazy("web:account")
    extra_context = {"heading": _l("Change the password"), "action": _l("Save")}

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("The password is changed."))
        return super().form_valid(form)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def setup_page(request: HttpRequest, code: str) -> HttpResponseBase:
    """The one form that makes the first owner; a 404 with a wrong code or once there is a user."""
    if not setup.is_open(code=code):
        raise Http404
    form = SetupForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        now = timezone.now()
        user: User | None = form.attempt(lambda: setup.first_owner(code=code, **data, now=now))
        if user is not None:
            login(request, user)
            return redirect("web:manage", club=data["club_slug"])
    return render(request, "web/setup.html", {"form": form})


@login_required
@require_http_methods(["GET", "POST"])
def new_club(request: HttpRequest) -> HttpResponseBase:
    """Found a club; whoever does becomes its owner."""
    form = NewClubForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        now = timezone.now()
        owner = request.user
        if not isinstance(owner, User):
            raise Http404
        club = form.attempt(lambda: clubs.create(owner=owner, now=now, **data))
        if club is not None:
            return redirect("web:manage", club=club.slug)
    return render(request, "web/form.html", {"form": form, "heading": _("New club"), "action": _("Found the club")})
