"""The description of the API, the pages that show it, and the page that explains the kinds of problem."""

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views.decorators.http import conditional_page
from django.views.generic import TemplateView, View
from drf_spectacular.generators import SchemaGenerator

from api.problems import KINDS


@cache
def _description(language: str) -> str:
    """The OpenAPI description in the active language, which is `language`. Made once: it only changes with the code."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return json.dumps(schema, indent=2, ensure_ascii=False)


@method_decorator(conditional_page, name="dispatch")
class SchemaView(View):
    """OpenAPI 3.1 as JSON."""

    def get(self, request: HttpRequest) -> HttpResponse:
        text = _description(get_language() or "en")
        return HttpResponse(text.encode(), content_type="application/vnd.oai.openapi+json")


class DocsView(TemplateView):
    """Swagger UI from our own files: works offline and under the strict content security policy."""

    template_name = "api/docs.html"


class ProblemsView(TemplateView):
    """What each kind of problem means."""

    template_name = "api/problems.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(kinds=KINDS, **kwargs)
