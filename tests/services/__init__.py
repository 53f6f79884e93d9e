"""Tests of the room `league/services`."""
