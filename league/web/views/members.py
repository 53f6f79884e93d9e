"""Members of a club and their roles."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Member, Player, Role
from league.services import clubs as service
from league.services.access import Access
from league.web.access import club_page
from league.web.forms import MemberForm, RoleForm, ServiceForm


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def members(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All members, and the form for one more."""
    form = MemberForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        role = Role(data["role"])
        now = timezone.now()
        if form.attempt(lambda: service.add_member(access=access, username=data["username"], role=role, now=now)):
            messages.success(request, _("%(name)s was added.") % {"name": data["username"]})
            return redirect("web:members", club=access.club.slug)
    known = list(Member.objects.filter(club=access.club).select_related("user").order_by("user__username"))
    context = {
        "club": access.club,
        "form": form,
        "members": known,
        # Of the club alone: who else runs the installation is not for its clubs to know.
        "login_makers": [one.user.username for one in known if one.user.is_superuser and one.user.is_active],
    }
    return render(request, "web/manage/members.html", context)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def member(request: HttpRequest, access: Access, member_id: int) -> HttpResponseBase:
    """Change a member's role or end the membership."""
    known = get_object_or_404(Member.objects.select_related("user"), club=access.club, pk=member_id)
    now = timezone.now()
    form: ServiceForm = RoleForm(request.POST or None, initial={"role": known.role})
    done: object = None
    if "remove" in request.POST:
        form = ServiceForm(request.POST)
        form.full_clean()

        def remove() -> bool:
            service.remove_member(access=access, member_id=member_id, now=now)
            return True

        done = form.attempt(remove)
        if not done:
            # The role's field is shown again beside what was said.
            refused = form.non_field_errors()
            form = RoleForm({"role": known.role})
            form.full_clean()
            form.add_error(None, list(refused))
    elif form.is_valid():
        role = Role(form.cleaned_data["role"])
        done = form.attempt(lambda: service.change_role(access=access, member_id=member_id, role=role, now=now))
    if done:
        messages.success(request, _("Saved."))
        return redirect("web:members", club=access.club.slug)
    player = Player.objects.filter(club=access.club, member=known).first()
    context = {"club": access.club, "member": known, "player": player, "form": form}
    return render(request, "web/manage/member.html", context)
