"""The OpenAPI description: what drf-spectacular can't know by itself.

Promises: each operation lists the problems it can answer; shapes that come in allow no other fields; the header
`Idempotency-Key` stands at every POST that takes it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import get_lib_doc_excludes
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from api import problems
from api.problems import MEDIA_TYPE
from api.serializers.base import StrictSerializer

Schema = dict[str, Any]

# Operations whose answer holds a secret, so that it can't be kept for a repeat.
_NOT_REPEATABLE = {
    *("create_invite", "create_token", "create_table_link", "create_webhook", "rotate_webhook_secret"),
}
# Changes of a recorded session and of a tournament name the revision that they were made for.
_NEEDS_IF_MATCH = {"correct_session", "correct_round", "void_session", "restore_session", "change_tournament"}
# Of a tournament, all others may.
_TAKES_IF_MATCH = _NEEDS_IF_MATCH | {
    *("confirm_session", "dispute_session"),
    *("delete_tournament", "start_tournament", "pause_tournament", "resume_tournament", "finish_tournament"),
    *("reopen_tournament", "archive_tournament", "restore_tournament", "invite_to_tournament"),
    *("open_next_stage", "close_stage"),
    *("enter_tournament", "change_entry", "remove_entry", "withdraw_entry", "return_entry", "sit_out"),
    *("check_in", "give_seeds", "set_wish"),
    *("pair_round", "undo_round", "stop_pairing", "publish_round", "publish_rounds", "unpublish_round"),
    *("keep_round", "mend_round", "swap_seats"),
    *("set_clock", "forfeit_table", "take_forfeit_back", "open_table"),
}
# Reading these takes more than membership.
_ADMINS_READ = {
    "export_archive",
    *("list_imports", "get_import", "list_import_problems"),
    *("list_invites", "get_invite", "list_members", "get_member", "list_tokens", "get_token", "list_table_links"),
    *("list_webhooks", "get_webhook", "list_deliveries", "get_delivery", "list_audit_events"),
    *("list_overtaken_rounds", "foresee_mending", "get_import_tournament"),
}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its metaclass is untyped
    """`Authorization: Bearer tl_…`."""

    target_class = "api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> Schema:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "tl_PREFIX_SECRET"}


def page_of(shape: type[serializers.BaseSerializer[Any]]) -> serializers.Serializer[Any]:
    """The answer of a list in pages."""
    return inline_serializer(
        name=shape.__name__.removesuffix("Serializer") + "Page",
        fields={
            "results": shape(many=True),
            "next": serializers.CharField(
                allow_null=True, help_text=_l("The address of the next page, relative to the server; null on the last.")
            ),
        },
    )


def library() -> list[type]:
    """Classes whose docstrings say nothing to a reader of the description."""
    from api.views.base import ApiView, ClubView

    return [*get_lib_doc_excludes(), ApiView, ClubView]  # type: ignore[no-untyped-call]


def finish(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """drf-spectacular's post-processing hook: add problems, headers and strictness to the finished description."""
    components = result["components"]
    components["schemas"] |= _problem_schemas()
    for shape in _shapes(StrictSerializer):
        _add_sizes(shape, components["schemas"].get(shape.__name__.removesuffix("Serializer"), {}))
    components["responses"] = {str(status): _response(status) for status in _MEANINGS}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            _make_sparse(operation, components["schemas"])
            _finish_operation(path, method, operation, components["schemas"])
    return result


# An archive waits for an import to end; not every tournament can be told as a file, nor every deal replayed, nor every
# tournament round mended.
_REFUSED_TO_READ = frozenset({"export_archive", "export_tournament", "get_deal", "foresee_mending"})
_MEANINGS: Mapping[int, tuple[problems.Kind, ...]] = {
    status: tuple(kind for kind in problems.KINDS if kind.status == status)
    for status in sorted({kind.status for kind in problems.KINDS} - {405, 500})
}


def _statuses(path: str, method: str, operation: Schema) -> Iterator[int]:
    yield from (400, 401, 429, 503)
    changes = method != "get"
    if changes or operation["operationId"] in _ADMINS_READ:
        yield 403
    if "{club}" in path:
        yield 404
    if changes or operation["operationId"] in _REFUSED_TO_READ:
        yield 409
    if "requestBody" in operation or method in {"post", "patch"}:
        yield from (413, 415)
    if method == "post" or operation["operationId"] in _TAKES_IF_MATCH:
        yield 422
    if operation["operationId"] in _TAKES_IF_MATCH:
        yield 412
    if operation["operationId"] in _NEEDS_IF_MATCH:
        yield 428


def _finish_operation(path: str, method: str, operation: Schema, schemas: Schema) -> None:
    responses = operation["responses"]
    for status in _statuses(path, method, operation):
        responses[str(status)] = {"$ref": f"#/components/responses/{status}"}
    for success in {"200", "201", "202"} & responses.keys():
        responses[success]["headers"] = _headers(method, success)
        if operation["operationId"] in _NEEDS_IF_MATCH:
            responses[success]["headers"]["ETag"] = _revision_header()
    if method == "get":
        responses["304"] = {
            "description": _("Unchanged since the answer whose ETag was sent in If-None-Match."),
            "headers": _headers(method, "304"),
        }
    if method == "post" and operation["operationId"] not in _NOT_REPEATABLE:
        operation.setdefault("parameters", []).append(_key_parameter())
    if operation["operationId"] in _TAKES_IF_MATCH:
        operation.setdefault("parameters", []).append(
            _if_match_parameter(needed=operation["operationId"] in _NEEDS_IF_MATCH)
        )
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    for name in _names(body, schemas):
        schemas[name]["additionalProperties"] = False
    if method == "patch":
        schemas[body["$ref"].rpartition("/")[2]]["minProperties"] = 1


def _make_sparse(operation: Schema, schemas: Schema) -> None:
    """Say of a list with the parameter `fields` that its rows may lack any field."""
    if not any(parameter["name"] == "fields" for parameter in operation.get("parameters", ())):
        return
    page = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    items = schemas[page]["properties"]["results"]["items"]
    name = items["$ref"].rpartition("/")[2]
    schemas[f"{name}Sparse"] = {key: value for key, value in schemas[name].items() if key != "required"}
    items["$ref"] = f"#/components/schemas/{name}Sparse"


def _shapes(base: type[StrictSerializer]) -> Iterator[type[StrictSerializer]]:
    for shape in base.__subclasses__():
        yield shape
        yield from _shapes(shape)


def _add_sizes(shape: type[StrictSerializer], schema: Schema) -> None:
    """Say how many objects a list takes; drf-spectacular says it for lists of plain values only."""
    for name, schema_of_field in schema.get("properties", {}).items():
        field = shape().fields[name]
        if isinstance(field, serializers.ListSerializer):
            if not field.allow_empty:
                schema_of_field["minItems"] = 1
            maximum: int | None = getattr(field, "max_length", None)  # unknown to the type stubs
            if maximum is not None:
                schema_of_field["maxItems"] = maximum


def _names(schema: Any, schemas: Schema) -> Iterator[str]:
    """Yield the names of all objects that a schema is made of."""
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            name = reference.rpartition("/")[2]
            if schemas[name].get("type") == "object":
                yield name
            yield from _names(schemas[name], schemas)
        for value in schema.values():
            yield from _names(value, schemas)
    elif isinstance(schema, list):
        for value in schema:
            yield from _names(value, schemas)


def _headers(method: str, status: str) -> Schema:
    text = {"schema": {"type": "string"}}
    headers: Schema = _rate_headers()
    if method == "get":
        headers["ETag"] = {"description": _("Send it in If-None-Match to be told 304 while nothing changes."), **text}
    if status in {"201", "202"}:
        headers["Location"] = {"description": _("The address of what was made, relative to the server."), **text}
    if method == "post":
        description = _("“true” when this is the stored answer to an earlier request with the same Idempotency-Key.")
        headers["Idempotent-Replayed"] = {"description": description, **text}
    return headers


def _revision_header() -> Schema:
    return {"description": _("The new revision, for the next If-Match."), "schema": {"type": "string"}}


def _rate_headers() -> Schema:
    text = {"schema": {"type": "string"}}
    policy = _("The limit that holds: so many requests (q) in a window of so many seconds (w).")
    state = _("The requests left (r), and the seconds until a new window begins (t).")
    return {"RateLimit-Policy": {"description": policy, **text}, "RateLimit": {"description": state, **text}}


def _key_parameter() -> Schema:
    return {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": _(
            "A new key for each new request, as a UUID. A repeat with the same key and body gets the first answer "
            "again (for 48 hours) and has no second effect."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[\\x21-\\x7e]+$"},
    }


def _if_match_parameter(*, needed: bool) -> Schema:
    given = _("The ETag of what is changed as it was read, or its revision in quotes; * for whichever is there.")
    without = _("Without it the answer is 428.")
    return {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": f"{given} {without}" if needed else given,
        "schema": {"type": "string", "examples": ['"3"']},
    }


def _response(status: int) -> Schema:
    kinds = _MEANINGS[status]
    # Who is not known is not counted.
    headers: Schema = _rate_headers() if status != 401 else {}
    if status == 401:
        headers["WWW-Authenticate"] = {"schema": {"type": "string"}}
    if status in {409, 429, 503}:
        headers["Retry-After"] = {"description": _("Seconds to wait before a repeat."), "schema": {"type": "string"}}
    return {
        "description": "\n\n".join(str(format_lazy("**{}.** {}", kind.title, kind.meaning)) for kind in kinds),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        **({"headers": headers} if headers else {}),
    }


def _problem_schemas() -> Schema:
    text: Schema = {"type": "string"}
    items: Schema = {"type": "array", "items": {"$ref": "#/components/schemas/ProblemItem"}}
    return {
        "Problem": {
            "type": "object",
            "description": _("A problem document (RFC 9457)."),
            "properties": {
                "type": {
                    "type": "string",
                    "format": "uri-reference",
                    "description": _("The kind of problem; its address explains it."),
                },
                "title": text,
                "status": {"type": "integer", "minimum": 400, "maximum": 599},
                "detail": text,
                "errors": {**items, "description": _("Each place that is wrong.")},
                "revision": {
                    "type": "integer",
                    "description": _("The revision as it is now; of a tournament its version (412)."),
                },
                "warnings": {**items, "description": _("What is implausible (422).")},
                "confirm": {
                    "type": "array",
                    "items": text,
                    "description": _("The codes to send in the body's “confirm” if all is right nevertheless (422)."),
                },
            },
            "required": ["type", "title", "status", "detail"],
            "additionalProperties": False,
        },
        "ProblemItem": {
            "type": "object",
            "properties": {
                "pointer": {
                    "type": "string",
                    "description": _("The place in the body: a JSON Pointer as a fragment; “#” is the whole body."),
                    "examples": ["#/rounds/2/scores/0/points"],
                },
                "parameter": {"type": "string", "description": _("The query parameter.")},
                "header": {"type": "string", "description": _("The header.")},
                "code": {"type": "string", "description": _("Stable, for programs.")},
                "detail": {"type": "string", "description": _("For people, in the language asked for.")},
            },
            "required": ["code", "detail"],
            "additionalProperties": False,
        },
    }
