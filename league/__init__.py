"""Tischliga's Django project and its one app."""
