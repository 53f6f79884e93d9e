"""Tests of the room `league/models`."""
