"""The description of the API, the pages that show it, and the page that explains the kinds of problem."""

from typing import Any

from django.views.generic import TemplateView
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView

from api.problems import KINDS


class SchemaView(SpectacularAPIView):
    """OpenAPI 3.1 as JSON."""

    renderer_classes = [OpenApiJsonRenderer]
    http_method_names = ["get", "head"]


class DocsView(TemplateView):
    """Swagger UI from our own files: works offline and under the strict content security policy."""

    template_name = "api/docs.html"


class ProblemsView(TemplateView):
    """What each kind of problem means."""

    template_name = "api/problems.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(kinds=KINDS, **kwargs)
