"""The views, one topic a file: read the shape, call the service, answer. No business logic."""
