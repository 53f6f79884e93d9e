"""The root of all addresses: it only includes, and gives the administration the pages' way to log in."""

from django.contrib import admin
from django.urls import include, path

from league.web.account_forms import AdminLoginForm

# Here, since neither the administration nor the pages may know of each other.
admin.site.login_form = AdminLoginForm

urlpatterns = [
    path("health/", include("league.web.health")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("api.urls")),
    path("", include("league.web.urls")),
]

handler400 = "league.web.errors.bad_request"
handler403 = "league.web.errors.permission_denied"
handler404 = "league.web.errors.not_found"
handler500 = "league.web.errors.server_error"
