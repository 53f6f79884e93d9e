"""The OpenAPI description as a contract: every answer that a test receives through `ContractClient` is held to it.

Promises: an answer whose status, content type, body or telling header is not described fails the very test that got
it. Never does: judge addresses that are no operation of the description (its own pages, unknown addresses).
"""

import json
from functools import cache
from typing import Any

import jsonschema_rs
from django.test import Client

from tests.api.routes import description

# Headers that a client acts on; those that every HTTP answer has are none of the description's business.
TELLING = (
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
)
PROBLEM = "application/problem+json"
_DESCRIPTION = "urn:description"


class ContractClient(Client):
    """Django's test client, as fast, that checks what the API answers."""

    def request(self, **request: Any) -> Any:
        answer = super().request(**request)
        check(answer)
        return answer


def check(answer: Any) -> None:
    """Raise AssertionError for an answer that the description does not tell of."""
    match = getattr(answer, "resolver_match", None)
    operations = _operations().get(match.route) if match else None
    if operations is None:
        return
    method = answer.request["REQUEST_METHOD"].lower()
    operation = operations.get("get" if method == "head" else method)
    what = f"{method.upper()} {answer.request['PATH_INFO']} answered {answer.status_code}"
    if operation is None:
        assert answer.status_code in {401, 404, 405, 429}, what
        assert answer["Content-Type"] == PROBLEM, what
        return
    described = _described(operation, answer.status_code)
    assert described is not None, f"{what}, described are {sorted(operation['responses'])}: {answer.content[:500]!r}"
    # An error may have an ETag from Django, which says nothing: no error is answered by 304.
    telling = {name for name in TELLING if name in answer and (name != "ETag" or answer.status_code < 400)}
    undescribed = telling - set(described.get("headers", {}))
    assert not undescribed, f"{what} with headers that are not described: {sorted(undescribed)}"
    content = described.get("content", {})
    body = b"" if answer.streaming else answer.content
    if not content or method == "head":
        assert body == b"", f"{what} with a body that is not described"
        return
    media_type = answer["Content-Type"].partition(";")[0]
    assert media_type in content, f"{what} as {media_type}, described are {sorted(content)}"
    if media_type.endswith("json") and not answer.streaming:
        errors = list(_validator(operation, answer.status_code, media_type).iter_errors(json.loads(body)))
        assert not errors, f"{what}, which is not as described: {[(e.instance_path, e.message[:300]) for e in errors]}"


@cache
def _operations() -> dict[str, Any]:
    """The description's operations by method, by the route that Django has for their address."""
    from django.urls import URLPattern, get_resolver

    def walk(found: Any, prefix: str = "") -> Any:
        for one in found:
            route = prefix + str(one.pattern)
            if isinstance(one, URLPattern):
                yield route
            else:
                yield from walk(one.url_patterns, route)

    routes = {_plain(route): route for route in walk(get_resolver().url_patterns) if route.startswith("api/v1/")}
    return {routes[path]: operations for path, operations in description()["paths"].items()}


def _described(operation: dict[str, Any], status: int) -> dict[str, Any] | None:
    """What the operation's answer with this status is said to be, None for nothing."""
    response: dict[str, Any] | None = operation["responses"].get(str(status))
    if response is not None and "$ref" in response:
        shared: dict[str, Any] = description()["components"]["responses"][response["$ref"].rpartition("/")[2]]
        return shared
    return response


def _plain(route: str) -> str:
    """`api/v1/clubs/<slug:club>/` as `/api/v1/clubs/{club}/`."""
    parts = (f"{{{part[1:-1].rpartition(':')[2]}}}" if part[:1] == "<" else part for part in route.split("/"))
    return "/" + "/".join(parts)


@cache
def _registry() -> jsonschema_rs.Registry:
    """The description's shared shapes, compiled once for all validators: a copy in each took megabytes."""
    return jsonschema_rs.Registry([(_DESCRIPTION, {"components": description()["components"]})])


def _validator(operation: dict[str, Any], status: int, media_type: str) -> jsonschema_rs.Draft202012Validator:
    response = _described(operation, status)
    assert response is not None
    return _validator_of(json.dumps(response["content"][media_type].get("schema", {}), sort_keys=True))


@cache
def _validator_of(schema: str) -> jsonschema_rs.Draft202012Validator:
    """Made once for each shape, which most answers share with others."""
    whole = schema.replace('"$ref": "#/', f'"$ref": "{_DESCRIPTION}#/')
    return jsonschema_rs.Draft202012Validator(json.loads(whole), registry=_registry())
