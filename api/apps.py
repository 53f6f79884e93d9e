"""The API as a Django app: brings its templates and the schema's extensions."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        # drf-spectacular finds an extension by the import of its class.
        from api import schema  # noqa: F401
