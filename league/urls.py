"""The root of all addresses: it only includes."""

from django.contrib import admin
from django.urls import include, path

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
