"""Answers are JSON whatever a client asks for (RFC 9110, section 12.5.1, lets a server disregard `Accept`)."""

from collections.abc import Iterable

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class AlwaysJSON(BaseContentNegotiation):
    """The view's first renderer always; the parser by `Content-Type`, None (415) where none fits."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        given = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == given), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
