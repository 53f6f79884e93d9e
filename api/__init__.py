"""The REST API: routes, strict shapes in, computed answers out. No business logic: every change is a service's."""
