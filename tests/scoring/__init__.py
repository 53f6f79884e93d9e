"""Tests of the room ``league/scoring``."""
