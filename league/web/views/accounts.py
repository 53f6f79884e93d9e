"""Log-in, log-out, the first owner's set-up, further clubs."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from league.models import User
from league.services import clubs, setup
from league.web.forms import LoginForm, NewClubForm, SetupForm


class Login(LoginView):
    form_class = LoginForm
    template_name = "web/login.html"
    redirect_authenticated_user = True


class Logout(LogoutView):
    http_method_names = ["post"]


class PasswordChange(PasswordChangeView):
    template_name = "web/form.html"
    success_url = reverse_lazy("web:home")
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
