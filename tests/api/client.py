"""A program that talks to the API, as tests tell of it."""

from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from tests.api.contract import ContractClient

API = "/api/v1"
CLUB = f"{API}/clubs/herzclub"
OTHER_CLUB = f"{API}/clubs/pikclub"


@dataclass
class Program:
    """Sends JSON with a token; paths without a leading slash are within the Herzclub."""

    token: str
    client: Client = field(default_factory=ContractClient)

    def send(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        """The answer. `data` None sends no body; header names are written with underscores."""
        address = path if path.startswith("/") else f"{CLUB}/{path}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method,
            address,
            b"" if data is None else self.client._encode_json(data, "application/json"),  # type: ignore[attr-defined]
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.token}", **named},
        )

    def get(self, path: str, **headers: str) -> Any:
        return self.send("GET", path, **headers)

    def post(self, path: str, data: Any = None, **headers: str) -> Any:
        return self.send("POST", path, data, **headers)

    def patch(self, path: str, data: Any, **headers: str) -> Any:
        return self.send("PATCH", path, data, **headers)

    def delete(self, path: str) -> Any:
        return self.send("DELETE", path)


def places(answer: Any) -> list[tuple[str, str]]:
    """(pointer, code) of each error of a problem document, which the answer has to be."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    document = answer.json()
    assert document["status"] == answer.status_code
    return [(item.get("pointer", ""), item["code"]) for item in document.get("errors", [])]
